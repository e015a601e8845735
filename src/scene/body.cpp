#include "scene/body.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

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

Eigen::Matrix3d read_turn(const Node& node) {
  static const auto table = FieldTable<Turn>{}
                                .vector("axis", &Turn::axis, "", Bound::any(), "of the rotation, any length")
                                .number("degrees", &Turn::degrees, "degrees", Bound::any(), "counter-clockwise");
  require(node, Node::Kind::table, "a table with axis and degrees");
  const Turn turn = table.read(node.entries(), node.path);
  if (turn.axis.isZero(0)) refuse(node, "the axis must not be zero");
  return Eigen::AngleAxisd(turn.degrees * std::numbers::pi / 180, turn.axis.normalized()).toRotationMatrix();
}

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

BodyStart::Deform read_deform(const Node& node, const Body& body) {
  static const auto table =
      FieldTable<Placement>{}
          .vector("translate", &Placement::position, "m", Bound::any(), "moves what is selected")
          .number("scale", &Placement::scale, "", Bound::positive(), "about the middle of what is selected");
  BodyStart::Deform deform;
  deform.placement = table.read(node.entries({"select", "rotate"}), node.path);
  if (const Node* rotate = node.find("rotate")) deform.placement.turn = read_turn(*rotate);
  deform.vertices = read_selection(node, body);
  return deform;
}

std::vector<std::string> with_select(std::vector<std::string> keys) {
  keys.insert(keys.begin(), "select");
  return keys;
}

void read_pin(const Node& node, int index, Model& model) {
  const Body& body = model.bodies()[static_cast<std::size_t>(index)];
  const std::vector<std::string> known = with_select(motion_keys);
  for (const Node& member : node.children)
    if (std::ranges::count(known, member.key) == 0) refuse_unknown(member, known);
  const std::vector<int> vertices = read_selection(node, body);
  model.pin(index, vertices, read_motion(node, body, vertices));
}

void read_attachment(const Node& node, int index, Model& model) {
  static const auto table = FieldTable<Attachment>{}.number("stiffness", &Attachment::stiffness, "N/m",
                                                            Bound::positive(), "of the spring that holds each vertex");
  const Body& body = model.bodies()[static_cast<std::size_t>(index)];
  const Attachment attachment = table.read(node.entries(with_select(motion_keys)), node.path);
  std::vector<Attachment> list;
  const std::vector<int> vertices = read_selection(node, body);
  for (const int vertex : vertices) {
    list.push_back(attachment);
    list.back().vertex = vertex;
    list.back().point = body.mesh.vertices[static_cast<std::size_t>(vertex)];
  }
  const Motion motion = read_motion(node, body, vertices);
  model.drive(model.attach(index, std::move(list)), motion);
}

std::string inferred_kind(const Node& node, const Mesh& mesh) {
  if (!mesh.tets.empty()) return "solid";
  if (!mesh.triangles.empty()) return "cloth";
  if (!mesh.segments.empty()) return "wire";
  refuse(node, "has no tetrahedra, triangles or segments");
}

}  // namespace

BodyStart read_body(const Node& node, Model& model) {
  require(node, Node::Kind::table, "a table");
  const Node* mesh_node = node.find("mesh");
  if (mesh_node == nullptr) refuse(node, "needs a mesh", "for example mesh = { generate = \"bar\" }");

  BodyCommon common{.name = fmt::format("body{}", model.bodies().size())};
  for (const Node& member : node.children)
    if (common_fields().knows(member.key)) common_fields().set(common, member.entry(), node.path);
  for (const Body& other : model.bodies())
    if (other.name == common.name) refuse(node.find("name") != nullptr ? *node.find("name") : node, "is taken");

  SceneMesh shape = read_scene_mesh(*mesh_node);
  Placement placement{.position = common.position, .scale = common.scale};
  if (const Node* rotate = node.find("rotate")) placement.turn = read_turn(*rotate);
  for (Vec3& p : shape.mesh.vertices) p = placement(p);

  const std::string kind = common.kind.empty() ? inferred_kind(*mesh_node, shape.mesh) : common.kind;
  BodyStart start{.velocity = common.velocity, .spin = common.spin};
  start.body = at_place_of(node, [&] { return add_body(node, kind, common.name, std::move(shape), model); });
  const Body& body = model.bodies()[static_cast<std::size_t>(start.body)];
  for (const Node* pin : items(node, "pin")) at_place_of(*pin, [&] { read_pin(*pin, start.body, model); });
  for (const Node* attach : items(node, "attach"))
    at_place_of(*attach, [&] { read_attachment(*attach, start.body, model); });
  for (const Node* push : items(node, "push"))
    at_place_of(*push, [&] { model.push(start.body, read_push(*push, body)); });
  for (const Node* constraint : items(node, "constrain"))
    at_place_of(*constraint, [&] { model.constrain(start.body, read_constraint(*constraint, body)); });
  if (const Node* wind = node.find("wind")) at_place_of(*wind, [&] { model.blow(start.body, read_wind(*wind)); });
  for (const Node* deform : items(node, "deform")) start.deforms.push_back(read_deform(*deform, body));
  return start;
}

void BodyStart::apply(const Model& model, State& state) const {
  const Body& b = model.bodies()[static_cast<std::size_t>(body)];
  const auto first = static_cast<std::size_t>(b.first_vertex);
  const std::size_t count = b.mesh.vertices.size();
  for (const Deform& deform : deforms) {
    Vec3 middle = Vec3::Zero();
    for (const int v : deform.vertices) middle += state.x[first + v] / static_cast<double>(deform.vertices.size());
    for (const int v : deform.vertices) {
      const Vec3 arm = state.x[first + v] - middle;
      state.x[first + v] = middle + deform.placement(arm);
    }
  }
  Vec3 centre = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    centre += model.mass()[i] * state.x[i];
    mass += model.mass()[i];
  }
  centre /= mass;
  for (std::size_t i = first; i < first + count; ++i) {
    const Vec3 arm = state.x[i] - centre;
    state.v[i] = velocity + spin.cross(arm);
  }
}

}  // namespace brio
