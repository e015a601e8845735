/// Bodies and colliders that come and go while a simulation runs.
#include <algorithm>

#include "brio/contact.h"
#include "brio/sim.h"
#include "model/body_checks.h"
#include "model/grabs.h"
#include "model/interaction.h"

namespace brio {
namespace {

/// Pinned vertices from there on have the velocity of their path, or none. They are where they came; their paths lead
/// on from there.
void start_arrivals(const Model& model, std::size_t first, State& state) {
  for (std::size_t i = first; i < model.vertices(); ++i)
    if (model.pinned()[i] != 0) state.v[i].setZero();
  NodalField x = state.x, v = state.v;
  place_driven(model, state, state.time, Side::after, x, v);
  for (std::size_t i = first; i < model.vertices(); ++i) state.v[i] = v[i];
}

}  // namespace

void Simulation::adopt(Model model, State state) {
  state.memory.clear();
  state.histories.resize(model.interactions().size());
  const auto rewrite = [&] {
    for (const auto& interaction : model.interactions()) interaction->rewrite(state);
  };
  rewrite();
  recall_interactions(model, state);
  rewrite();  // springs of friction may have slipped: the next step starts from what is booked here
  start_arrivals(model, state_.x.size(), state);
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

std::vector<BodyId> Simulation::add(const std::function<void(Model&)>& build,
                                    const std::function<void(const Model&, State&)>& start) {
  Model model = model_;
  State state = state_;
  build(model);
  std::vector<BodyId> ids;
  for (const Body& body : model.bodies()) {
    if (model_.has(body.id)) continue;
    ids.push_back(body.id);
    state.x.append(body.mesh.vertices);
    state.v.append(std::vector<Vec3>(body.mesh.vertices.size(), Vec3::Zero()));
  }
  if (ids.empty() || state.x.size() != model.vertices() || model.bodies().size() != model_.bodies().size() + ids.size())
    throw InputError({.key = "build", .problem = "must add bodies, and leave those that are there"});
  if (start) start(model, state);
  std::copy_n(state_.x.data(), NodalField::stride * state_.x.size(), state.x.data());
  std::copy_n(state_.v.data(), NodalField::stride * state_.v.size(), state.v.data());
  adopt(std::move(model), std::move(state));
  return ids;
}

template <class Options>
BodyId Simulation::add_body(const Options& options, const Vec3& velocity) {
  for (const double component : velocity) check_number(options.name + ".velocity", component, Bound::any());
  const std::size_t before = model_.vertices();
  return add([&](Model& model) { model.add(options); },
             [&](const Model&, State& state) {
               for (std::size_t i = before; i < state.v.size(); ++i) state.v[i] = velocity;
             })
      .front();
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
