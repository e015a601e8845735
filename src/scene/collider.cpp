#include "scene/collider.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "brio/contact.h"
#include "brio/mesh_io.h"
#include "scene/body.h"
#include "scene/mesh.h"
#include "scene/motion.h"

namespace brio {
namespace {

const FieldTable<ColliderOptions>& collider_fields() {
  using O = ColliderOptions;
  static const auto table =
      FieldTable<O>{}
          .text("name", &O::name, {}, "for reports and complaints")
          .number("stiffness", &O::stiffness, "N/m", Bound::positive(),
                  "of the spring on each vertex inside; else what the weight, the fall and the step suggest")
          .number("friction", &O::friction, "", Bound::not_negative(), "Coulomb's coefficient")
          .number("thickness", &O::thickness, "m", Bound::not_negative(),
                  "of a layer around it that repels; of a barrier 1/200 of the smallest body unless given")
          .number("drop_height", &O::drop_height, "m", Bound::not_negative(),
                  "of the fall that the stiffness must stop; else from where bodies start")
          .text("penalty", &O::penalty, {}, "how hard it pushes: any of `brio list penalties`")
          .choice("law", &O::law,
                  "barrier, where neither it nor stiffness, penalty or drop_height is given: nothing passes through. "
                  "Springs on the vertices inside: potential: the distance at every moment; spring: to the surface "
                  "point found at the start of a step; held-spring: the same, but from the first step that finds a "
                  "vertex inside until it leaves");
  return table;
}

struct MeshPlacement {
  Vec3 position = Vec3::Zero();
  double scale = 1;
};

const FieldTable<PlaneShape>& plane_fields() {
  static const auto table =
      FieldTable<PlaneShape>{}
          .vector("point", &PlaneShape::point, "m", Bound::any(), "on the plane")
          .vector("normal", &PlaneShape::normal, "", Bound::any(), "away from the solid side, any length but zero");
  return table;
}
const FieldTable<SphereShape>& sphere_fields() {
  static const auto table = FieldTable<SphereShape>{}
                                .vector("center", &SphereShape::center, "m", Bound::any(), "of the sphere")
                                .number("radius", &SphereShape::radius, "m", Bound::positive(), "of the sphere");
  return table;
}
const FieldTable<BoxShape>& box_fields() {
  static const auto table = FieldTable<BoxShape>{}
                                .vector("center", &BoxShape::center, "m", Bound::any(), "of the box")
                                .vector("size", &BoxShape::size, "m", Bound::positive(), "edge lengths");
  return table;
}
const FieldTable<CapsuleShape>& capsule_fields() {
  static const auto table = FieldTable<CapsuleShape>{}
                                .vector("from", &CapsuleShape::a, "m", Bound::any(), "one end of its axis")
                                .vector("to", &CapsuleShape::b, "m", Bound::any(), "the other end")
                                .number("radius", &CapsuleShape::radius, "m", Bound::positive(), "around the axis");
  return table;
}
const FieldTable<MeshPlacement>& mesh_fields() {
  static const auto table =
      FieldTable<MeshPlacement>{}
          .vector("position", &MeshPlacement::position, "m", Bound::any(), "where the mesh's origin goes")
          .number("scale", &MeshPlacement::scale, "", Bound::positive(), "of the mesh, about its origin");
  return table;
}

/// Where the vertices of a mesh that deforms are at that time.
struct MeshFrame {
  double time = 0;
  std::string file;
};
const FieldTable<MeshFrame>& frame_fields() {
  static const auto table =
      FieldTable<MeshFrame>{}
          .number("time", &MeshFrame::time, "s", Bound::any(), "later than that of the frame before")
          .text("file", &MeshFrame::file, {}, "a mesh file with as many vertices, relative to the scene file");
  return table;
}

/// The members of the node that the table knows.
template <class Options>
Options read_some(const Node& node, const FieldTable<Options>& table) {
  Options options;
  for (const Node& member : node.children)
    if (table.knows(member.key)) table.set(options, member.entry(), node.path);
  return options;
}

Vec3 turn_vector(const Node& node) {
  const Node* rotate = node.find("rotate");
  if (rotate == nullptr) return Vec3::Zero();
  const Eigen::AngleAxisd turn(read_turn(*rotate));
  return turn.angle() * turn.axis();
}

/// A shape, the point that its path moves, and the keys that belong to it.
struct Shape {
  ColliderShape shape;
  Vec3 middle;
  std::vector<std::string> keys;
};

template <class Options>
std::vector<std::string> keys_of(const FieldTable<Options>& table, std::vector<std::string> more = {}) {
  std::vector<std::string> keys = table.keys();
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

Shape read_plane(const Node& node) {
  const PlaneShape plane = read_some(node, plane_fields());
  return {.shape = plane, .middle = plane.point, .keys = keys_of(plane_fields())};
}
Shape read_sphere(const Node& node) {
  const SphereShape sphere = read_some(node, sphere_fields());
  return {.shape = sphere, .middle = sphere.center, .keys = keys_of(sphere_fields())};
}
Shape read_box(const Node& node) {
  BoxShape box = read_some(node, box_fields());
  box.turn = turn_vector(node);
  return {.shape = box, .middle = box.center, .keys = keys_of(box_fields(), {"rotate"})};
}
Shape read_capsule(const Node& node) {
  const CapsuleShape capsule = read_some(node, capsule_fields());
  return {.shape = capsule, .middle = (capsule.a + capsule.b) / 2, .keys = keys_of(capsule_fields())};
}
MeshShape::Sample read_frame(const Node& node, const Placement& placement) {
  require(node, Node::Kind::table, "a table with time and file");
  const MeshFrame frame = frame_fields().read(node.entries(), node.path);
  const Node* file = node.find("file");
  if (file == nullptr) refuse(node, "needs a file", "for example { time = 0.5, file = \"wave.12.obj\" }");
  if (!std::filesystem::is_regular_file(frame.file)) refuse(*file, "no such file");
  MeshShape::Sample sample{.time = frame.time, .vertices = read_mesh(frame.file).vertices};
  for (Vec3& p : sample.vertices) p = placement(p);
  return sample;
}
Shape read_mesh_shape(const Node& node) {
  const Node* mesh_node = node.find("mesh");
  if (mesh_node == nullptr) refuse(node, "needs a mesh", "for example mesh = { file = \"bowl.obj\" }");
  const MeshPlacement given = read_some(node, mesh_fields());
  Placement placement{.position = given.position, .scale = given.scale};
  if (const Node* rotate = node.find("rotate")) placement.turn = read_turn(*rotate);
  MeshShape shape{read_scene_mesh(*mesh_node).mesh};
  for (Vec3& p : shape.mesh.vertices) p = placement(p);
  if (const Node* frames = node.find("frames")) {
    require(*frames, Node::Kind::array, "a list of tables with time and file");
    for (const Node& item : frames->children) shape.samples.push_back(read_frame(item, placement));
  }
  return {.shape = std::move(shape),
          .middle = given.position,
          .keys = keys_of(mesh_fields(), {"mesh", "frames", "rotate"})};
}

struct ShapeKind {
  const char* name;
  Shape (*read)(const Node&);
};
const std::vector<ShapeKind>& shapes() {
  static const std::vector<ShapeKind> table{{"plane", read_plane},
                                            {"sphere", read_sphere},
                                            {"box", read_box},
                                            {"capsule", read_capsule},
                                            {"mesh", read_mesh_shape}};
  return table;
}

Shape read_shape(const Node& node) {
  const Node* name = node.find("shape");
  std::vector<std::string> names;
  for (const ShapeKind& shape : shapes()) names.emplace_back(shape.name);
  if (name == nullptr) refuse(node, "needs a shape", "for example shape = \"plane\"");
  const auto* text = std::get_if<std::string>(&name->value);
  if (text == nullptr) refuse(*name, "must be a text");
  const auto found = std::ranges::find_if(shapes(), [&](const ShapeKind& shape) { return *text == shape.name; });
  if (found == shapes().end()) at_place_of(*name, [&] { refuse_name(name->path, *text, "no such shape", names); });
  return found->read(node);
}

}  // namespace

std::vector<BodyId> read_bodies(const Node& node, const Model& model) {
  const Node* list = node.find("bodies");
  if (list == nullptr) return {};
  require(*list, Node::Kind::array, "a list of names of bodies");
  std::vector<std::string> known;
  for (const Body& body : model.bodies()) known.push_back(body.name);
  std::vector<BodyId> ids;
  for (const Node& item : list->children) {
    const auto* text = std::get_if<std::string>(&item.value);
    if (item.kind != Node::Kind::plain || text == nullptr) refuse(item, "must be the name of a body");
    const auto found = std::ranges::find(known, *text);
    if (found == known.end()) at_place_of(item, [&] { refuse_name(item.path, *text, "no such body", known); });
    ids.push_back(model.bodies()[static_cast<std::size_t>(found - known.begin())].id);
  }
  return ids;
}

ColliderOptions read_collider(const Node& node, double explicit_step, Model& model) {
  require(node, Node::Kind::table, "a table with a shape");
  Shape shape = read_shape(node);
  std::vector<std::string> known = keys_of(collider_fields(), shape.keys);
  known.insert(known.end(), {"shape", "bodies"});
  known.insert(known.end(), motion_keys.begin(), motion_keys.end());
  for (const Node& member : node.children)
    if (std::ranges::count(known, member.key) == 0) refuse_unknown(member, known);
  ColliderOptions options = read_some(node, collider_fields());
  const auto is_given = [&](const char* key) { return node.find(key) != nullptr; };
  if (std::ranges::none_of(std::array{"law", "stiffness", "penalty", "drop_height"}, is_given))
    options.law = ColliderLaw::barrier;
  options.shape = std::move(shape.shape);
  options.bodies = read_bodies(node, model);
  options.motion = read_motion(node, shape.middle);
  options.explicit_step = explicit_step;
  at_place_of(node, [&] { add_collider(model, options); });
  return options;
}

void document_colliders(Reference& reference) {
  reference.structured("collider[].shape", "text", "plane, sphere, box, capsule or mesh");
  reference.table("collider[]", collider_fields());
  reference.structured("collider[].bodies", "list of texts", "names of the bodies that feel it; else all");
  reference.table("collider[] \"plane\"", plane_fields());
  reference.table("collider[] \"sphere\"", sphere_fields());
  reference.table("collider[] \"box\"", box_fields());
  reference.table("collider[] \"capsule\"", capsule_fields());
  reference.table("collider[] \"mesh\"", mesh_fields());
  reference.structured("collider[] \"mesh\".mesh", "table",
                       "as of a body: a surface, or a solid; for laws other than barrier a closed one");
  reference.structured("collider[] \"mesh\".frames", "list of tables",
                       "of a mesh that deforms, with the law barrier: where its vertices are, evenly in between");
  reference.table("collider[] \"mesh\".frames[]", frame_fields());
  reference.structured("collider[].rotate", "{ axis = [x, y, z], degrees = d }", "of boxes and meshes");
}

}  // namespace brio
