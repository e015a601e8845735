#include "scene/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "contact/body_size.h"
#include "core/memory.h"
#include "math/direction.h"
#include "model/wire.h"
#include "scene/constraint.h"
#include "scene/kinds.h"
#include "scene/mesh.h"
#include "scene/motion.h"
#include "scene/select.h"

namespace brio {
namespace {

struct Turn {
  Vec3 axis{0, 1, 0};
  double degrees = 0;
};

/// The items of `pin = [{…}, {…}]`; a single table counts as a list of one.
std::vector<const Node*> items(const Node& body, const std::string& key) {
  std::vector<const Node*> list;
  const Node* node = body.find(key);
  if (node == nullptr || node->is_empty_list()) return list;
  if (node->kind == Node::Kind::table) return {node};
  require(*node, Node::Kind::array, "a list of tables");
  for (const Node& item : node->children) {
    require(item, Node::Kind::table, "a table");
    list.push_back(&item);
  }
  return list;
}

const FieldTable<BodyStart::Deform>& deform_fields() {
  using D = BodyStart::Deform;
  static const auto table =
      FieldTable<D>{}
          .vector("translate", &D::translate, "m", Bound::any(), "moves what is selected")
          .number("scale", &D::scale, "", Bound::positive(), "about the middle of what is selected")
          .number("scatter", &D::scatter, "m", Bound::not_negative(),
                  "every vertex starts anywhere in a cube of this edge around their middle")
          .whole("seed", &D::seed, Bound::closed(0, 1e9), "of the random places");
  return table;
}

constexpr const char* grade_form = "two points [[x, y, z], [x, y, z]] [m]";

struct Copies {
  std::array<int, 3> copies{1, 1, 1};
  Vec3 spacing{1, 1, 1};  ///< [m]
};

const FieldTable<Copies>& copies_fields() {
  static const auto table =
      FieldTable<Copies>{}
          .wholes("copies", &Copies::copies, Bound::closed(1, 1000), "of the body, along x, y and z")
          .vector("spacing", &Copies::spacing, "m", Bound::any(), "from one copy to the next");
  return table;
}

const FieldTable<Attachment>& attachment_fields() {
  static const auto table = FieldTable<Attachment>{}.number("stiffness", &Attachment::stiffness, "N/m",
                                                            Bound::positive(), "of the spring that holds each vertex");
  return table;
}

struct Release {
  double release = std::numeric_limits<double>::infinity();  ///< [s]
};

const FieldTable<Release>& release_fields() {
  static const auto table = FieldTable<Release>{}.number("release", &Release::release, "s", Bound::not_negative(),
                                                         "time at which the springs let go; never unless given");
  return table;
}

struct Drive {
  std::string forcing = "path";
};

const FieldTable<Drive>& forcing_fields() {
  static const auto table = FieldTable<Drive>{}.text(
      "forcing", &Drive::forcing, {"path", "s1"},
      "path: the points move within the step; s1: they jump before it, as in the literature, for comparison");
  return table;
}

/// How far along the way from the first point to the second, for each of the vertices as they are placed.
std::vector<double> read_grade(const Node& node, const Body& body, const std::vector<int>& vertices) {
  const auto [from, to] = read_two_points(node, grade_form);
  if (from == to) refuse(node, "must be two different points");
  const Vec3 way = to - from;
  std::vector<double> parts;
  for (const int v : vertices)
    parts.push_back(
        std::clamp((body.mesh.vertices[static_cast<std::size_t>(v)] - from).dot(way) / way.squaredNorm(), 0.0, 1.0));
  return parts;
}

BodyStart::Deform read_deform(const Node& node, const Body& body) {
  BodyStart::Deform deform = deform_fields().read(node.entries({"select", "rotate", "grade"}), node.path);
  if (const Node* rotate = node.find("rotate")) deform.turn = read_turn(*rotate);
  deform.vertices = read_selection(node, body);
  if (const Node* grade = node.find("grade")) {
    if (deform.scatter > 0) refuse(*grade, "does not go with scatter");
    deform.parts = read_grade(*grade, body, deform.vertices);
  }
  return deform;
}

std::vector<std::string> with_motion(std::vector<std::string> keys) {
  keys.insert(keys.end(), motion_keys.begin(), motion_keys.end());
  return keys;
}

PinId read_pin(const Node& node, BodyId id, PinReader& pins, Model& model) {
  const Body& body = model.body(id);
  const std::vector<std::string> known = with_motion({"select"});
  for (const Node& member : node.children)
    if (std::ranges::count(known, member.key) == 0) refuse_unknown(member, known);
  const std::vector<int> vertices = read_selection(node, body);
  return model.pin(id, vertices, pins.read(node, vertices));
}

Forcing read_forcing(const Node& node, const Motion& motion) {
  const Node* forcing = node.find("forcing");
  if (forcing == nullptr) return Forcing::path;
  Drive drive;
  forcing_fields().set(drive, forcing->entry(), node.path);
  if (motion.empty()) refuse(*forcing, "is of no use without path or turn");
  return drive.forcing == "s1" ? Forcing::s1 : Forcing::path;
}

void read_attachment(const Node& node, BodyId id, const Vec3& offset, Model& model) {
  const Body& body = model.body(id);
  const std::vector<std::string> known = with_motion({"select", "stiffness", "release", "forcing"});
  for (const Node& member : node.children)
    if (std::ranges::count(known, member.key) == 0) refuse_unknown(member, known);
  const Attachment attachment =
      attachment_fields().read(node.entries(with_motion({"select", "release", "forcing"})), node.path);
  std::vector<Attachment> list;
  const std::vector<int> vertices = read_selection(node, body);
  for (const int vertex : vertices) {
    list.push_back(attachment);
    list.back().vertex = vertex;
    list.back().point = body.mesh.vertices[static_cast<std::size_t>(vertex)];
  }
  const Motion motion = read_motion(node, middle_of(body.mesh.vertices, vertices), offset);
  const AttachmentId springs = model.attach(id, std::move(list));
  if (const Node* release = node.find("release"))
    model.release(springs, release_fields().read({release->entry()}, node.path).release);
  model.drive(springs, motion, read_forcing(node, motion));
}

struct WireStart {
  bool straight = false;
};

const FieldTable<WireStart>& wire_start_fields() {
  static const auto table = FieldTable<WireStart>{}.flag(
      "straight", &WireStart::straight, "at rest the wire is straight; the mesh is how it lies at the start");
  return table;
}

/// Whether the wire rests otherwise than it starts.
bool rests_straight(const Node& wire) {
  WireStart start;
  if (const Node* straight = wire.find("straight")) wire_start_fields().set(start, straight->entry(), wire.path);
  return start.straight;
}

/// The same segments one after another along x, from where the curve starts.
Mesh straightened(const std::string& name, const Mesh& curve) {
  constexpr double any_radius = 1;
  const std::vector<Vec3> walked = make_wire(name, curve, any_radius).mesh.vertices;  // three per point
  Mesh line;
  line.vertices.push_back(walked[0]);
  for (std::size_t k = 3; k < walked.size(); k += 3) {
    line.vertices.emplace_back(line.vertices.back() + Vec3((walked[k] - walked[k - 3]).norm(), 0, 0));
    const auto end = static_cast<int>(line.vertices.size()) - 1;
    line.segments.push_back({end - 1, end});
  }
  return line;
}

/// Light as it adds up, from a number that screens show. [IEC 61966-2-1]
float linear_light(double shown) {
  return static_cast<float>(shown <= 0.04045 ? shown / 12.92 : std::pow((shown + 0.055) / 1.055, 2.4));
}

void claim_copies(const Node& body, double count, double bytes) {
  const Node* copies = body.find("copies");
  const Node& place = copies != nullptr ? *copies : body;
  claim_memory(count * bytes, {.file = place.file,
                               .line = place.line,
                               .key = place.path,
                               .value = copies != nullptr ? copies->text() : "",
                               .problem = fmt::format("{:.3g} copies", count),
                               .advice = "choose fewer of them, or a coarser mesh"});
}

std::string inferred_kind(const Node& node, const Mesh& mesh) {
  if (!mesh.tets.empty()) return "solid";
  if (!mesh.triangles.empty()) return "cloth";
  if (!mesh.segments.empty()) return "wire";
  if (node.find("generate") != nullptr) return "particles";  // of a file, points alone are hardly meant
  refuse(node, "has no tetrahedra, triangles or segments", "kind = \"particles\" takes points");
}

/// `copies = [nx, ny, nz]`, `spacing = [x, y, z]`: where each goes relative to the first.
std::vector<Vec3> read_copies(const Node& node) {
  Copies copies;
  for (const Node& member : node.children)
    if (copies_fields().knows(member.key)) copies_fields().set(copies, member.entry(), node.path);
  constexpr double min_bytes = 2000;  // of a body
  const double count = 1.0 * copies.copies[0] * copies.copies[1] * copies.copies[2];
  claim_copies(node, count, min_bytes);
  std::vector<Vec3> places;
  for (int k = 0; k < copies.copies[2]; ++k)
    for (int j = 0; j < copies.copies[1]; ++j)
      for (int i = 0; i < copies.copies[0]; ++i) places.push_back(copies.spacing.cwiseProduct(Vec3(i, j, k)));
  return places;
}

/// Of a body with copies, one of them.
BodyStart read_body(const Node& node, Model& model, BodyNames& names, const Vec3& offset, const std::string& suffix) {
  require(node, Node::Kind::table, "a table");
  const Node* mesh_node = node.find("mesh");
  if (mesh_node == nullptr) refuse(node, "needs a mesh", "for example mesh = { generate = \"bar\" }");

  BodyCommon common{.name = fmt::format("body{}", model.bodies().size())};
  for (const Node& member : node.children)
    if (common_fields().knows(member.key)) common_fields().set(common, member.entry(), node.path);
  constexpr std::size_t longest_name = 100;  // bytes: files are called after it
  if (common.name.size() > longest_name)
    refuse(*node.find("name"), fmt::format("has {} bytes, must have at most {}", common.name.size(), longest_name),
           "animation files are called after it");
  common.name += suffix;
  common.position += offset;
  if (!names.insert(common.name).second) refuse(node.find("name") != nullptr ? *node.find("name") : node, "is taken");

  SceneMesh shape = read_scene_mesh(*mesh_node);
  Placement placement{.position = common.position, .scale = common.scale};
  if (const Node* rotate = node.find("rotate")) placement.turn = read_turn(*rotate).toRotationMatrix();
  for (Vec3& p : shape.mesh.vertices) p = placement(p);

  const std::string kind = common.kind.empty() ? inferred_kind(*mesh_node, shape.mesh) : common.kind;
  BodyStart start{.velocity = common.velocity, .spin = common.spin};
  Mesh laid;
  if (kind == "wire" && rests_straight(node)) laid = std::exchange(shape.mesh, straightened(common.name, shape.mesh));
  if (const Node* color = node.find("color")) {
    if (common.color.size() != 3) refuse(*color, "must be three numbers: red, green and blue");
    start.color.emplace();
    std::ranges::transform(common.color, start.color->begin(), linear_light);
  }
  const BodyOptions options = read_options(node, kind, common.name, std::move(shape));
  start.body = at_place_of(node, [&] { return std::visit([&](const auto& o) { return model.add(o); }, options); });
  const Body& body = model.body(start.body);
  if (!laid.vertices.empty()) {
    const double radius = (body.mesh.vertices[1] - body.mesh.vertices[0]).norm();
    start.places = make_wire(body.name, laid, radius).mesh.vertices;
  }
  for (const Node* deform : items(node, "deform")) start.deforms.push_back(read_deform(*deform, body));
  read_supports(node, start, model, offset);
  return start;
}

}  // namespace

Eigen::AngleAxisd read_turn(const Node& node) {
  static const auto table = FieldTable<Turn>{}
                                .vector("axis", &Turn::axis, "", Bound::any(), "of the rotation, any length")
                                .number("degrees", &Turn::degrees, "degrees", Bound::any(), "counter-clockwise");
  require(node, Node::Kind::table, "a table with axis and degrees");
  const Turn turn = table.read(node.entries(), node.path);
  if (turn.axis.isZero(0)) refuse(node, "the axis must not be zero");
  return {turn.degrees * std::numbers::pi / 180, direction_of(turn.axis)};
}

std::vector<BodyStart> read_bodies(const Node& node, Model& model, BodyNames& names) {
  require(node, Node::Kind::table, "a table");
  const std::vector<Vec3> places = read_copies(node);
  std::vector<BodyStart> starts;
  for (std::size_t k = 0; k < places.size(); ++k) {
    starts.push_back(read_body(node, model, names, places[k], places.size() > 1 ? fmt::format("-{}", k + 1) : ""));
    if (k > 0) continue;
    const Mesh& mesh = model.bodies().back().mesh;
    const auto bytes = 2000 + 1000 * mesh.vertices.size() + 300 * mesh.tets.size() + 150 * mesh.triangles.size();
    claim_copies(node, static_cast<double>(places.size()), static_cast<double>(bytes));
  }
  return starts;
}

std::vector<PinId> read_supports(const Node& node, const BodyStart& start, Model& model, const Vec3& offset) {
  std::vector<PinId> ids;
  const Body& body = model.body(start.body);
  PinReader pins(start.positions(body), body_size(body), offset);
  for (const Node* pin : items(node, "pin"))
    at_place_of(*pin, [&] { ids.push_back(read_pin(*pin, start.body, pins, model)); });
  for (const Node* attach : items(node, "attach"))
    at_place_of(*attach, [&] { read_attachment(*attach, start.body, offset, model); });
  for (const Node* push : items(node, "push"))
    at_place_of(*push, [&] { model.push(start.body, read_push(*push, body)); });
  for (const Node* constraint : items(node, "constrain"))
    at_place_of(*constraint, [&] { model.constrain(start.body, read_constraint(*constraint, body)); });
  if (const Node* wind = node.find("wind")) at_place_of(*wind, [&] { model.blow(start.body, read_wind(*wind)); });
  return ids;
}

void document_body(Reference& reference) {
  const std::string turn = "{ axis = [x, y, z], degrees = d }";
  reference.table("body[]", common_fields());
  reference.table("body[]", copies_fields());
  reference.structured("body[].rotate", turn, "of the mesh, before it is moved to its position");
  document_mesh(reference, "body[].mesh");
  document_kinds(reference);
  reference.table("body[] kind \"wire\"", wire_start_fields());
  reference.structured("body[].deform[]", "table", "how the body starts: select, translate, scale, rotate, grade");
  reference.table("body[].deform[]", deform_fields());
  reference.structured("body[].deform[].rotate", turn, "about the middle of what is selected");
  reference.structured("body[].deform[].grade", grade_form,
                       "of the body as it is placed: what comes before the first stays as it is, what is beyond the "
                       "second is deformed in full, in between in proportion: a rotation twists, a scale tapers");
  reference.structured("body[].pin[]", "table",
                       "vertices that never move, or only as told: select, path, turn, axis, pivot, interpolate");
  reference.structured(
      "body[].attach[]", "table",
      "vertices held by springs: select, stiffness, release, path, turn, axis, pivot, interpolate, forcing");
  reference.table("body[].attach[]", attachment_fields());
  reference.table("body[].attach[]", release_fields());
  reference.table("body[].attach[]", forcing_fields());
  document_selection(reference, "body[].pin[].select");
  document_motion(reference, "body[]");
  document_constraint(reference);
}

Placement BodyStart::Deform::placement(std::size_t i) const {
  const double part = parts.empty() ? 1 : parts[i];
  return {.position = part * translate,
          .turn = Eigen::AngleAxisd(part * turn.angle(), turn.axis()).toRotationMatrix(),
          .scale = std::lerp(1.0, scale, part)};
}

std::vector<Vec3> BodyStart::positions(const Body& b) const {
  std::vector<Vec3> x = places.empty() ? b.mesh.vertices : places;
  for (const Deform& deform : deforms) {
    const Vec3 middle = middle_of(x, deform.vertices);
    std::mt19937 random(static_cast<unsigned>(deform.seed));
    // By hand: what the standard's distributions make of the same numbers is not the same everywhere.
    const auto anywhere = [&] { return deform.scatter * (static_cast<double>(random()) / 4294967296.0 - 0.5); };
    for (std::size_t i = 0; i < deform.vertices.size(); ++i) {
      Vec3& p = x[static_cast<std::size_t>(deform.vertices[i])];
      Vec3 arm = p - middle;
      if (deform.scatter > 0)
        for (int c = 0; c < 3; ++c) arm[c] = anywhere();
      p = middle + deform.placement(i)(arm);
    }
  }
  return x;
}

void BodyStart::apply(const Model& model, State& state) const {
  const Body& b = model.body(body);
  const auto first = static_cast<std::size_t>(b.first_vertex);
  const std::vector<Vec3> x = positions(b);
  const std::size_t count = x.size();
  for (std::size_t i = 0; i < count; ++i) state.x[first + i] = x[i];
  Vec3 center = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    center += model.mass()[i] * state.x[i];
    mass += model.mass()[i];
  }
  center /= mass;
  for (std::size_t i = first; i < first + count; ++i) {
    const Vec3 arm = state.x[i] - center;
    state.v[i] = velocity + spin.cross(arm);
  }
}

}  // namespace brio
