#include "scene/self_contact.h"

#include <algorithm>

#include "brio/contact.h"
#include "scene/collider.h"

namespace brio {
namespace {

const FieldTable<SelfContactOptions>& contact_fields() {
  using O = SelfContactOptions;
  static const auto table =
      FieldTable<O>{}
          .number("thickness", &O::thickness, "m", Bound::positive(), "distance at which surfaces begin to repel")
          .number("stiffness", &O::stiffness, "N/m", Bound::positive(),
                  "where contact begins; else what masses suggest")
          .number("speed", &O::speed, "m/s", Bound::positive(),
                  "for stiffness that is not given: what meets with it is stopped within the thickness")
          .number("friction", &O::friction, "", Bound::not_negative(), "Coulomb's coefficient")
          .number("damper", &O::damper, "s/m", Bound::not_negative(),
                  "forces grow by the factor 1 - damper times the speed of parting, with avf and discrete-gradient; a "
                  "scene that gives none, also of colliders with the law barrier, has 10")
          .number("restitution", &O::restitution, "", Bound::closed(0, 1),
                  "surfaces part with at most this fraction of the speed at which they met")
          .flag("self", &O::self, "bodies touch themselves")
          .flag("between", &O::between, "bodies touch each other")
          .flag("resolve", &O::resolve,
                "bodies that start in colliders or in each other are moved apart, instead of being refused");
  return table;
}

}  // namespace

void read_contact(const Node& node, Model& model) {
  require(node, Node::Kind::table, "a table with thickness");
  SelfContactOptions defaults;
  defaults.damper = calm_damper;
  SelfContactOptions options = contact_fields().read(node.entries({"bodies"}), node.path, defaults);
  options.bodies = read_bodies(node, model);
  at_place_of(node, [&] { add_self_contact(model, options); });
}

void calm_colliders(Model& model) {
  const bool touches =
      std::ranges::any_of(model.interactions(), [](const auto& one) { return one->name() == "self-contact"; });
  if (touches) add_self_contact(model, {.damper = calm_damper, .self = false, .between = false});
}

void document_self_contact(Reference& reference) {
  reference.table("contact", contact_fields());
  reference.structured("contact.bodies", "list of texts", "names of the bodies that take part; else all");
}

}  // namespace brio
