#include "scene/damping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace brio {
namespace {

struct DampingKind {
  const char* name;
  FieldTable<Damping> fields;
};

const std::vector<DampingKind>& damping_kinds() {
  static const std::vector<DampingKind> table{
      {"rayleigh", FieldTable<Damping>{}
                       .number("stiffness", &Damping::strain, "s", Bound::not_negative(),
                               "resists the rate of strain: a motion of frequency w decays as exp(-stiffness w^2 t/2)")
                       .number("mass", &Damping::relative, "1/s", Bound::not_negative(),
                               "velocities relative to the body's rigid motion decay as exp(-mass t)")},
      {"rayleigh-s0",
       FieldTable<Damping>{}
           .number("stiffness", &Damping::s0_stiffness, "s", Bound::not_negative(),
                   "as Rojas et al. 2018 have it, for comparison: the force -stiffness K v at the end of each step, K "
                   "the Hessian where it starts; spinning is damped too")
           .number("mass", &Damping::s0_mass, "1/s", Bound::not_negative(),
                   "likewise -mass M v: all motion decays as exp(-mass t), falling too")},
      {"variational", FieldTable<Damping>{}.number("stiffness", &Damping::strain, "s", Bound::not_negative(),
                                                   "resists the rate of strain and leaves momenta alone")},
      {"momentum-preserving", FieldTable<Damping>{}
                                  .number("rate", &Damping::relative, "1/s", Bound::not_negative(),
                                          "velocities relative to the body's rigid motion decay as exp(-rate t)")
                                  .number("per_step", &Damping::per_step, "", Bound::closed(0, 1),
                                          "the same by a fraction in every step; what comes of it depends on h")},
      {"drag", FieldTable<Damping>{}.number("coefficient", &Damping::drag, "kg/s", Bound::not_negative(),
                                            "every vertex of mass m slows down as exp(-coefficient t/m), falling ones "
                                            "too")}};
  return table;
}

Damping read_one(const Node& node) {
  require(node, Node::Kind::table, "a table with a name");
  std::vector<std::string> names;
  for (const DampingKind& kind : damping_kinds()) names.emplace_back(kind.name);
  const Node* name = node.find("name");
  if (name == nullptr) refuse(node, "needs a name", "for example name = \"rayleigh\"");
  const auto* text = std::get_if<std::string>(&name->value);
  for (const DampingKind& kind : damping_kinds())
    if (text != nullptr && *text == kind.name) return kind.fields.read(node.entries({"name"}), node.path);
  if (text == nullptr) refuse(*name, "must be a text");
  at_place_of(*name, [&] { refuse_name(name->path, *text, "no such damping", names); });
  return {};
}

}  // namespace

Damping read_damping(const Node& items) {
  require(items, Node::Kind::array, "given as [[damping]]");
  Damping all;
  for (const Node& item : items.children) {
    const Damping one = read_one(item);
    all.strain += one.strain;
    all.relative += one.relative;
    all.per_step = 1 - (1 - all.per_step) * (1 - one.per_step);
    all.drag += one.drag;
    all.s0_mass += one.s0_mass;
    all.s0_stiffness += one.s0_stiffness;
  }
  return all;
}

void document_damping(Reference& reference) {
  std::vector<std::string> names;
  for (const DampingKind& kind : damping_kinds()) names.emplace_back(kind.name);
  reference.structured("damping[].name", "text", fmt::format("one of {}", fmt::join(names, ", ")));
  for (const DampingKind& kind : damping_kinds())
    reference.table(fmt::format("damping[] \"{}\"", kind.name), kind.fields);
}

}  // namespace brio
