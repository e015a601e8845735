#include "scene/select.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace brio {
namespace {

/// An entry whose key is the whole path, for items of arrays, which have no key of their own.
Entry whole_path_entry(const Node& node) {
  Entry entry = node.entry();
  entry.key = node.path;
  return entry;
}

Vec3 vector(const Node& node) {
  const auto list =
      fields_detail::as_list(whole_path_entry(node), {.key = {}, .type = {}, .unit = "m", .help = {}}, "", 3);
  return {list[0], list[1], list[2]};
}

double radius(const Node& node) {
  return fields_detail::as_number(whole_path_entry(node),
                                  {.key = {}, .type = {}, .unit = "m", .bound = Bound::not_negative(), .help = {}}, "");
}

const Node& item(const Node& node, std::size_t i, const std::string& form) {
  if (node.kind != Node::Kind::array || node.children.size() != 2) refuse(node, "must be " + form);
  return node.children[i];
}

std::vector<int> indices(const Node& node) {
  const Entry entry = node.entry();
  const auto* list = std::get_if<std::vector<double>>(&entry.value);
  if (list == nullptr) refuse(node, "must be a list of whole numbers");
  std::vector<int> result;
  for (const double index : *list) {
    if (!(index >= 0 && index <= 1e9) || index != static_cast<double>(static_cast<int>(index)))
      refuse(node, "must hold whole numbers, counted from 0");
    result.push_back(static_cast<int>(index));
  }
  return result;
}

constexpr const char* box_form = "two corners [[x, y, z], [x, y, z]] [m]";
constexpr const char* sphere_form = "a center and a radius [[x, y, z], r] [m]";
constexpr const char* plane_form = "a point and the normal of the side [[x, y, z], [x, y, z]]";

/// One way to select: its key and how its value is read.
struct Way {
  const char* key;
  const char* form;
  Selection (*read)(const Node&);
};

const std::vector<Way>& ways() {
  static const std::vector<Way> table{
      {"box", box_form,
       [](const Node& n) -> Selection {
         const char* form = box_form;
         return InBox{vector(item(n, 0, form)), vector(item(n, 1, form))};
       }},
      {"sphere", sphere_form,
       [](const Node& n) -> Selection {
         const char* form = sphere_form;
         return InSphere{vector(item(n, 0, form)), radius(item(n, 1, form))};
       }},
      {"plane", plane_form,
       [](const Node& n) -> Selection {
         const char* form = plane_form;
         return BeyondPlane{vector(item(n, 0, form)), vector(item(n, 1, form))};
       }},
      {"vertex", "its number, counted from 0; of a wire the point of its curve",
       [](const Node& n) -> Selection {
         const FieldInfo info{.key = {}, .type = {}, .unit = {}, .bound = Bound::not_negative(), .help = {}};
         return ByIndex{{static_cast<int>(fields_detail::as_whole(whole_path_entry(n), info, ""))}};
       }},
      {"vertices", "a list of numbers", [](const Node& n) -> Selection { return ByIndex{indices(n)}; }},
      {"all", "true: every vertex",
       [](const Node& n) -> Selection {
         if (!fields_detail::as_bool(whole_path_entry(n), "")) refuse(n, "must be true, or left out");
         constexpr double far = std::numeric_limits<double>::max();
         return InBox{Vec3::Constant(-far), Vec3::Constant(far)};
       }},
      {"boundary", "true: the surface of solids, the rim of cloth, the ends of curves",
       [](const Node& n) -> Selection {
         if (!fields_detail::as_bool(whole_path_entry(n), "")) refuse(n, "must be true, or left out");
         return OnBoundary{};
       }},
  };
  return table;
}

/// The curve that a wire follows: the first of every three vertices.
Mesh curve_of(const Mesh& wire) {
  Mesh curve;
  for (std::size_t v = 0; v < wire.vertices.size(); v += 3) curve.vertices.push_back(wire.vertices[v]);
  for (int k = 0; k + 1 < static_cast<int>(curve.vertices.size()); ++k) curve.segments.push_back({k, k + 1});
  return curve;
}

std::vector<int> cross_sections(const std::vector<int>& points) {
  std::vector<int> vertices;
  for (const int k : points) vertices.insert(vertices.end(), {3 * k, 3 * k + 1, 3 * k + 2});
  return vertices;
}

std::string extent(const Mesh& mesh) {
  Vec3 low = mesh.vertices.front();
  Vec3 high = low;
  for (const Vec3& p : mesh.vertices) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return fmt::format("the body has {} vertices in [{:.4g}, {:.4g}, {:.4g}] to [{:.4g}, {:.4g}, {:.4g}]",
                     mesh.vertices.size(), low[0], low[1], low[2], high[0], high[1], high[2]);
}

}  // namespace

std::array<Vec3, 2> read_two_points(const Node& node, const std::string& form) {
  return {vector(item(node, 0, form)), vector(item(node, 1, form))};
}

std::vector<int> read_selection(const Node& owner, const Body& body) {
  const Node* node = owner.find("select");
  if (node == nullptr) refuse(owner, "needs select");
  std::vector<std::string> known;
  for (const Way& way : ways()) known.emplace_back(way.key);
  require(*node, Node::Kind::table, "a table such as { vertex = 0 }");
  for (const Node& member : node->children)
    if (std::ranges::count(known, member.key) == 0) refuse_unknown(member, known);
  if (node->children.size() != 1)
    refuse(*node, "must hold one way to select", fmt::format("one of {}", fmt::join(known, ", ")));

  const Node& given = node->children.front();
  const auto way = std::ranges::find_if(ways(), [&](const Way& w) { return given.key == w.key; });
  const bool wire = body.kind == BodyKind::wire;
  const Mesh curve = wire ? curve_of(body.mesh) : Mesh{};
  const Mesh& mesh = wire ? curve : body.mesh;
  const Selection selection = way->read(given);
  std::vector<int> chosen;
  try {
    chosen = select(mesh, selection);
  } catch (const InputError& error) {
    refuse(given, error.complaint().problem);
  }
  if (chosen.empty()) refuse(given, "selects no vertex", extent(mesh));
  return wire ? cross_sections(chosen) : chosen;
}

void document_selection(Reference& reference, const std::string& prefix) {
  reference.structured(prefix, "table",
                       "one way to choose vertices of the body as it is placed, before it is deformed");
  for (const Way& way : ways()) reference.structured(prefix + "." + way.key, "see meaning", way.form);
}

}  // namespace brio
