#include "scene/constraint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace brio {
namespace {

struct ConstraintKind {
  const char* name;
  Constraint::Kind kind;
  std::vector<std::string> keys;
};

const std::vector<ConstraintKind>& constraint_kinds() {
  using K = Constraint::Kind;
  static const std::vector<ConstraintKind> table{{"distance", K::distance, {"vertex", "other", "length"}},
                                                 {"plane", K::plane, {"vertex", "point", "direction"}},
                                                 {"line", K::line, {"vertex", "point", "direction"}},
                                                 {"sphere", K::sphere, {"vertex", "point", "length"}},
                                                 {"point", K::point, {"vertex", "point"}},
                                                 {"together", K::together, {"vertex", "other"}}};
  return table;
}

const FieldTable<Constraint>& fields() {
  static const auto table =
      FieldTable<Constraint>{}
          .whole("vertex", &Constraint::a, Bound::closed(0, 1e9), "that is constrained")
          .whole("other", &Constraint::b, Bound::closed(0, 1e9), "vertex that it is tied to")
          .vector("point", &Constraint::point, "m", Bound::any(), "on the plane or line, of the sphere's center")
          .vector("direction", &Constraint::direction, "", Bound::any(), "normal of the plane, or along the line")
          .number("length", &Constraint::length, "m", Bound::positive(), "distance to the other vertex or the center");
  return table;
}

}  // namespace

Constraint read_constraint(const Node& node, const Body& body) {
  const Node* name = node.find("kind");
  std::vector<std::string> names;
  for (const ConstraintKind& kind : constraint_kinds()) names.emplace_back(kind.name);
  if (name == nullptr) refuse(node, "needs a kind", "for example kind = \"distance\"");
  const auto* text = std::get_if<std::string>(&name->value);
  if (text == nullptr) refuse(*name, "must be a text");
  const auto kind = std::ranges::find_if(constraint_kinds(), [&](const ConstraintKind& k) { return *text == k.name; });
  if (kind == constraint_kinds().end())
    at_place_of(*name, [&] { refuse_name(name->path, *text, "no such constraint", names); });
  std::vector<std::string> known = kind->keys;
  known.emplace_back("kind");
  for (const Node& member : node.children)
    if (std::ranges::count(known, member.key) == 0) refuse_unknown(member, known);

  Constraint constraint = fields().read(node.entries({"kind"}), node.path);
  constraint.kind = kind->kind;
  const auto place = [&](int vertex, const char* key) -> const Vec3& {
    if (vertex >= static_cast<int>(body.mesh.vertices.size()))
      refuse(node.find(key) != nullptr ? *node.find(key) : node, "the body has no such vertex");
    return body.mesh.vertices[vertex];
  };
  const Vec3& a = place(constraint.a, "vertex");
  const bool pair = constraint.kind == Constraint::Kind::distance || constraint.kind == Constraint::Kind::together;
  const Vec3 b = pair ? place(constraint.b, "other") : constraint.point;
  if (node.find("length") == nullptr) constraint.length = (a - b).norm();
  if (constraint.kind == Constraint::Kind::together) constraint.point = a - b;
  if (node.find("point") == nullptr && !pair && constraint.kind != Constraint::Kind::sphere) constraint.point = a;
  return constraint;
}

void document_constraint(Reference& reference) {
  std::string names;
  for (const ConstraintKind& kind : constraint_kinds())
    names += fmt::format("{}{} ({})", names.empty() ? "" : "; ", kind.name, fmt::join(kind.keys, ", "));
  reference.structured("body[].constrain[].kind", "text",
                       "with the keys it takes: " + names + ". Kept by integrators that say so");
  reference.table("body[].constrain[]", fields());
}

}  // namespace brio
