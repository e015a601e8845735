#include "brio/contact.h"
#include "contact/body_size.h"
#include "contact/contact_steps.h"
#include "contact/restitution.h"
#include "model/body_checks.h"

namespace brio {

EnergyId add_self_contact(Model& model, const SelfContactOptions& options) {
  check_number("contact.thickness", options.thickness, Bound::positive());
  check_number("contact.stiffness", options.stiffness, Bound::not_negative());
  check_number("contact.speed", options.speed, Bound::positive());
  check_number("contact.friction", options.friction, Bound::not_negative());
  check_number("contact.damper", options.damper, Bound::not_negative());
  check_number("contact.restitution", options.restitution, Bound::closed(0, 1));
  SelfContactOptions known = options;
  const std::vector<BodyId> bodies = chosen_bodies(model, options.bodies, "contact.bodies");
  const bool among_bodies = options.self || options.between;
  if (among_bodies && !bodies.empty() && contact_surfaces(model, bodies, options.thickness).empty())
    throw InputError({.key = "contact.bodies", .problem = "none of them has a surface", .advice = "particles do not"});
  if (!options.bodies.empty()) known.bodies = bodies;
  Model next(model);  // whoever refuses leaves this one as it was
  const EnergyId id = ContactSteps::of(next).join_bodies(next, known);
  if (options.restitution < 1) next.add(std::make_unique<Restitution>(next, id, options.restitution));
  model = std::move(next);
  return id;
}

}  // namespace brio
