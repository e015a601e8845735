/// Bodies and colliders that come and go while a simulation runs.
#include "brio/contact.h"
#include "brio/sim.h"
#include "model/body_checks.h"
#include "model/grabs.h"
#include "model/interaction.h"

namespace brio {

void Simulation::adopt(Model model, State state) {
  state.memory.clear();
  state.histories.resize(model.interactions().size());
  const auto rewrite = [&] {
    for (const auto& interaction : model.interactions()) interaction->rewrite(state);
  };
  rewrite();
  recall_interactions(model, state);
  rewrite();  // springs of friction may have slipped: the next step starts from what is booked here
  const bool same_bodies = model.bodies().size() == model_.bodies().size();
  // What solvers found out of the sparsity pattern is good as long as bodies stay.
  std::unique_ptr<Integrator> integrator;
  if (!same_bodies) integrator = make_integrator(*method_, options_, model);
  if (!measure(model, state).finite())
    throw InputError({.key = "model", .problem = "would have infinite energy; perhaps elements are inverted"});
  const double before = measure(model_, state_).total;
  model_ = std::move(model);
  state_ = std::move(state);
  if (integrator) integrator_ = std::move(integrator);
  for (Driven* support : model_.supports())
    if (auto* hands = dynamic_cast<Hands*>(support)) hands_ = hands;
  book(before);
}

template <class Options>
BodyId Simulation::add_body(const Options& options, const Vec3& velocity) {
  for (const double component : velocity) check_number(options.name + ".velocity", component, Bound::any());
  Model model = model_;
  State state = state_;
  const BodyId id = model.add(options);
  const std::vector<Vec3>& places = model.body(id).mesh.vertices;
  state.x.append(places);
  state.v.append(std::vector<Vec3>(places.size(), velocity));
  adopt(std::move(model), std::move(state));
  return id;
}

BodyId Simulation::add(const SolidOptions& options, const Vec3& velocity) { return add_body(options, velocity); }
BodyId Simulation::add(const ClothOptions& options, const Vec3& velocity) { return add_body(options, velocity); }
BodyId Simulation::add(const WireOptions& options, const Vec3& velocity) { return add_body(options, velocity); }
BodyId Simulation::add(const ParticlesOptions& options, const Vec3& velocity) { return add_body(options, velocity); }

void Simulation::remove(BodyId body) {
  const std::string& name = model_.body(body).name;
  if (model_.bodies().size() == 1)
    throw InputError({.key = "body", .value = name, .problem = "is the last one", .advice = "add another before"});
  Model model = model_;
  State state = model.remove(body).apply(state_);
  adopt(std::move(model), std::move(state));
}

ColliderId Simulation::add_collider(const ColliderOptions& options) {
  Model model = model_;
  const ColliderId id = brio::add_collider(model, options);
  adopt(std::move(model), state_);
  return id;
}

void Simulation::remove(ColliderId collider) {
  Model model = model_;
  State state = remove_collider(model, collider).apply(state_);
  adopt(std::move(model), std::move(state));
}

}  // namespace brio
