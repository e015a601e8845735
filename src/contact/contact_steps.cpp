#include "contact/contact_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "contact/body_size.h"
#include "contact/crossings.h"
#include "contact/obstacle_overlap.h"

namespace brio {
namespace {

/// Distances are differences of positions: one that is less than their rounding is never seen, and nothing would touch.
void check_thickness(const Model& model, const ContactSurface& surface) {
  constexpr double digits = 1e-12;  // of a position, with three left for the distance
  double farthest = 0;
  for (const int v : surface.points) farthest = std::max(farthest, model.rest()[v].cwiseAbs().maxCoeff());
  const double thickness = 2 * surface.half_thickness;
  if (thickness >= digits * farthest && thickness >= std::numeric_limits<double>::min()) return;
  const std::string& body = model.body(surface.body).name;
  throw InputError(
      {.key = surface.is_line ? body + ".radius" : "contact.thickness",
       .value = fmt::format("{} m", surface.is_line ? surface.half_thickness : thickness),
       .problem = fmt::format("is lost in the rounding of positions: {} reaches to {:.3g} m", body, farthest),
       .advice =
           fmt::format("choose at least {:.0e} m, or bring {} nearer to the origin", 2 * digits * farthest, body)});
}

bool is_among(BodyId body, const std::vector<BodyId>& bodies) {
  return bodies.empty() || std::ranges::count(bodies, body) > 0;
}

/// The energy between bodies as they are in the model, and obstacles.
std::unique_ptr<SelfContact> make_contact(const Model& model, const SelfContactOptions& options,
                                          std::vector<ContactObstacle> obstacles) {
  std::vector<ContactSurface> surfaces;
  double thickness = options.thickness;
  if (!options.self && !options.between) {
    thickness = std::numeric_limits<double>::infinity();
    for (const ContactObstacle& obstacle : obstacles) thickness = std::min(thickness, obstacle.surface.half_thickness);
  }
  for (const Body& body : model.bodies()) {
    const bool meets =
        (options.self || options.between) && body.kind != BodyKind::particles && is_among(body.id, options.bodies);
    const bool feels =
        std::ranges::any_of(obstacles, [&](const ContactObstacle& one) { return is_among(body.id, one.bodies); });
    if (!meets && !feels) continue;
    surfaces.push_back(contact_surface(body, thickness));
    surfaces.back().meets_bodies = meets;
    check_thickness(model, surfaces.back());
  }
  int first = static_cast<int>(model.vertices());
  for (std::size_t o = 0; o < obstacles.size(); ++o) {
    ContactSurface surface = obstacles[o].surface;
    surface.obstacle = static_cast<int>(o);
    const auto shift = [&](int& v) { v += first; };
    std::ranges::for_each(surface.points, shift);
    for (Segment& edge : surface.edges) std::ranges::for_each(edge, shift);
    for (Triangle& triangle : surface.triangles) std::ranges::for_each(triangle, shift);
    first += static_cast<int>(obstacles[o].points.size());
    surfaces.push_back(std::move(surface));
  }
  if (std::ranges::none_of(surfaces, &ContactSurface::is_body)) surfaces.clear();
  const PairRules rules{
      .stiffness = options.stiffness, .speed = options.speed, .self = options.self, .between = options.between};
  return std::make_unique<SelfContact>(model, std::move(surfaces), rules, std::move(obstacles));
}

}  // namespace

ContactSteps::ContactSteps(Model& model, SelfContactOptions options, EnergyId contact, EnergyId friction)
    : options_(std::move(options)), contact_id_(contact), friction_id_(friction) {
  rebind(model);
  renumber_bodies(model);
}

ContactSteps& ContactSteps::of(Model& model) {
  for (Driven* support : model.supports())
    if (auto* steps = dynamic_cast<ContactSteps*>(support)) return *steps;
  SelfContactOptions none;
  none.self = none.between = false;
  const EnergyId contact = model.add_free(make_contact(model, none, {}));
  auto steps = std::make_unique<ContactSteps>(model, std::move(none), contact, EnergyId{});
  ContactSteps& added = *steps;
  model.add_support(std::move(steps));
  return added;
}

EnergyId ContactSteps::join_bodies(Model& model, const SelfContactOptions& options) {
  const SelfContactOptions before = std::exchange(options_, options);
  try {
    renew(model, contact_->obstacles());
  } catch (const InputError&) {
    options_ = before;
    throw;
  }
  if (friction_ != nullptr) friction_->set_coefficient(options.friction);
  want_friction(model);
  return contact_id_;
}

void ContactSteps::add(Model& model, ContactObstacle obstacle) {
  std::vector<ContactObstacle> obstacles = contact_->obstacles();
  obstacles.push_back(std::move(obstacle));
  if (started_) {
    unchecked_obstacles_from_ = obstacles.size() - 1;
    unchecked_from_ = static_cast<int>(model.vertices());
    started_ = false;
  }
  renew(model, std::move(obstacles));
  want_friction(model);
}

void ContactSteps::remove(Model& model, ColliderId collider) {
  std::vector<ContactObstacle> obstacles = contact_->obstacles();
  const auto gone = std::ranges::find(obstacles, collider, &ContactObstacle::id);
  if (gone == obstacles.end()) return;
  if (friction_ != nullptr) {
    const int first = contact_->first_vertex(static_cast<int>(gone - obstacles.begin()));
    const int last = first + static_cast<int>(gone->points.size());
    std::vector<int> places;
    int next = 0;
    std::size_t all = contact_->bodies_vertices();
    for (const ContactObstacle& one : obstacles) all += one.points.size();
    for (int i = 0; i < static_cast<int>(all); ++i) places.push_back(i >= first && i < last ? -1 : next++);
    friction_->reshape(places, static_cast<std::size_t>(next));
  }
  obstacles.erase(gone);
  renew(model, std::move(obstacles));
}

ContactObstacle* ContactSteps::find(ColliderId collider) {
  const auto found = std::ranges::find(contact_->obstacles(), collider, &ContactObstacle::id);
  return found == contact_->obstacles().end() ? nullptr : &*found;
}

void ContactSteps::want_friction(Model& model) {
  const auto rubs = [](const ContactObstacle& obstacle) { return obstacle.friction > 0; };
  if (friction_ != nullptr || (options_.friction == 0 && std::ranges::none_of(contact_->obstacles(), rubs))) return;
  friction_id_ = model.add_free(std::make_unique<PairFriction>(options_.friction));
  rebind(model);
}

void ContactSteps::renew(Model& model, std::vector<ContactObstacle> obstacles) {
  model.replace(contact_id_, make_contact(model, options_, std::move(obstacles)));
  for (const auto& interaction : model.interactions()) interaction->rebind(model);
  rebind(model);
  renumber_bodies(model);
}

void ContactSteps::renumber_bodies(const Model& model) {
  body_of_.assign(model.vertices(), 0);
  first_of_.clear();
  ids_.clear();
  for (const Body& body : model.bodies()) {
    std::fill_n(body_of_.begin() + body.first_vertex, body.mesh.vertices.size(), static_cast<int>(ids_.size()));
    first_of_.push_back(body.first_vertex);
    ids_.push_back(body.id);
  }
  std::size_t slots = 0;
  first_slot_.clear();
  for (const ContactObstacle& obstacle : contact_->obstacles()) {
    first_slot_.push_back(slots);
    slots += ids_.size() * obstacle.handles();
  }
  forces_ = MeanForces(slots);
}

void ContactSteps::rebind(Model& model) {
  contact_ = &dynamic_cast<SelfContact&>(model.energy(contact_id_));
  friction_ = friction_id_ ? &dynamic_cast<PairFriction&>(model.energy(friction_id_)) : nullptr;
  if (friction_ != nullptr) friction_->follow(*contact_);
}

void ContactSteps::change(Model& model, std::span<const int> vertices) {
  const auto kept = static_cast<int>(std::ranges::count_if(vertices, [](int now) { return now >= 0; }));
  const int now = static_cast<int>(model.vertices());
  std::vector<ContactObstacle> obstacles = contact_->obstacles();
  for (ContactObstacle& obstacle : obstacles) {
    const bool for_all = obstacle.bodies.empty();
    std::erase_if(obstacle.bodies, [&](BodyId body) { return !model.has(body); });
    if (obstacle.bodies.empty() && !for_all) obstacle.bodies = {BodyId{}};  // of nobody
  }
  if (friction_ != nullptr) {
    std::vector<int> places(vertices.begin(), vertices.end());
    std::size_t points = 0;
    for (const ContactObstacle& obstacle : obstacles) points += obstacle.points.size();
    for (std::size_t k = 0; k < points; ++k) places.push_back(now + static_cast<int>(k));
    friction_->reshape(places, static_cast<std::size_t>(now) + points);
  }
  renew(model, std::move(obstacles));
  // Once it runs only what comes can be refused for being in the wrong place.
  if (started_) {
    unchecked_from_ = kept;
    unchecked_obstacles_from_ = contact_->obstacles().size();
  }
  started_ = started_ && unchecked_from_ == now;
}

void ContactSteps::rewrite(State& state) const {
  if (friction_ != nullptr && !history(state).empty()) friction_->write(history(state));
}

bool ContactSteps::fits(const Memory& history) const {
  return history.empty() || (friction_ != nullptr && PairFriction::fits(history));
}

void ContactSteps::recall(const Model& model, State& state) {
  contact_->recall();
  const std::vector<ContactSurface>& surfaces = contact_->list().surfaces();
  const bool starts = !std::exchange(started_, true) && !surfaces.empty();
  // A state that was under way before is as it was left.
  if (starts && (state.step == 0 || unchecked_from_ > 0))
    set_apart(model, *contact_, state, unchecked_from_, options_.resolve);
  if (friction_ != nullptr) friction_->attach(state, contact_->active_pairs(state), history(state));
  if (!starts) return;
  refuse_overlaps(model, *contact_, state, {unchecked_from_, unchecked_obstacles_from_});
  std::vector<ContactSurface> bodies;
  std::ranges::copy_if(surfaces, std::back_inserter(bodies), &ContactSurface::meets_bodies);
  std::erase_if(bodies, [](const ContactSurface& one) { return !one.is_body(); });
  std::vector<Crossing> crossings = find_crossings(bodies, state.x);
  std::erase_if(crossings, [&](const Crossing& one) {
    return std::max(std::ranges::max(one.edge), std::ranges::max(one.triangle)) < unchecked_from_;
  });
  if (crossings.empty()) return;
  const auto name_of = [&](int vertex) { return model.bodies()[static_cast<std::size_t>(body_of_[vertex])].name; };
  const std::string edge = name_of(crossings[0].edge[0]);
  const std::string triangle = name_of(crossings[0].triangle[0]);
  throw InputError({.key = "contact",
                    .problem = fmt::format("{} passes through {} at the start, in {} places", edge,
                                           edge == triangle ? "itself" : triangle, crossings.size()),
                    .advice = "move them apart"});
}

/// Springs of friction that no longer touch, or can hold less, lose what they held.
void ContactSteps::begin_step(const Model&, State& state, const Clock& clock, Exchange& exchange) {
  contact_->expect(state, clock.h);
  if (friction_ == nullptr) return;
  friction_->attach(state, contact_->active_pairs(state), history(state));
  exchange.friction_loss += PairFriction::energy_of(history(state)) - friction_->value(state);
}

void ContactSteps::end_step(const Model& model, const State& before, State& state, const Clock& clock,
                            Exchange& exchange) {
  const Configuration now{state.x, Moment::at(clock.time_of(state.step))};
  contact_->arrive(before, now, {.limited = exchange.path_was_limited, .driven = model.is_driven()});
  if (friction_ == nullptr) return;
  exchange.friction_loss += friction_->slip(now);
  friction_->write(history(state));
}

bool ContactSteps::wants_forces() const { return std::ranges::any_of(contact_->obstacles(), &ContactObstacle::moves); }

template <class Visit>
void ContactSteps::for_forces(const Configuration& at, Visit visit) const {
  const ObstacleForce tell = [&](const ContactPair& pair, std::size_t k, const Vec3& gradient) {
    visit(static_cast<std::size_t>(pair.obstacle), static_cast<std::size_t>(body_of_[pair.body]), k, gradient);
  };
  contact_->for_obstacle_forces(at, tell);
  if (friction_ != nullptr) friction_->for_obstacle_forces(at, tell);
}

void ContactSteps::add_forces(const Configuration& at, const NodalField&, double weight) {
  for_forces(at, [&](std::size_t obstacle, std::size_t body, std::size_t k, const Vec3& gradient) {
    contact_->obstacles()[obstacle].add_force(k, weight * gradient, &forces_[slot(obstacle, body)]);
  });
}

void ContactSteps::scale_forces(const Parts& parts, std::span<const double> factors) {
  for (std::size_t o = 0; o < first_slot_.size(); ++o)
    for (std::size_t b = 0; b < ids_.size(); ++b)
      for (std::size_t q = 0; q < contact_->obstacles()[o].handles(); ++q)
        forces_[slot(o, b) + q] *= factors[parts[first_of_[b]]];
}

void ContactSteps::add_work(const State&, const NodalField&, const TimeStep& step, const Parts& parts,
                            std::span<SupportWork> works) const {
  std::vector<Vec3> from, to;
  for (std::size_t o = 0; o < first_slot_.size(); ++o) {
    const ContactObstacle& obstacle = contact_->obstacles()[o];
    if (obstacle.moves()) {
      obstacle.handles_at(step.start, from);
      obstacle.handles_at(step.end, to);
    }
    for (std::size_t b = 0; b < ids_.size(); ++b) {
      SupportWork& work = works[parts[first_of_[b]]];
      const std::size_t handles = obstacle.handles(), first = slot(o, b);
      for (std::size_t q = 0; q < handles; ++q) {
        const Vec3& force = forces_[first + q];
        if (q == 0 || obstacle.deforms()) work.impulse += step.h * force;
        if (obstacle.moves()) work.energy += force.dot(to[q] - from[q]);
      }
    }
  }
}

double ContactSteps::power(const State&, const Configuration& at, const NodalField&, Side side) const {
  if (!wants_forces()) return 0;
  std::vector<std::vector<Vec3>> rates(first_slot_.size()), forces(first_slot_.size());
  for (std::size_t o = 0; o < rates.size(); ++o) {
    contact_->obstacles()[o].handle_rates_at(at.when.to, side, rates[o]);
    forces[o].assign(rates[o].size(), Vec3::Zero());
  }
  for_forces(at, [&](std::size_t obstacle, std::size_t, std::size_t k, const Vec3& gradient) {
    contact_->obstacles()[obstacle].add_force(k, gradient, forces[obstacle].data());
  });
  double power = 0;
  for (std::size_t o = 0; o < rates.size(); ++o)
    for (std::size_t q = 0; q < rates[o].size(); ++q) power += forces[o][q].dot(rates[o][q]);
  return power;
}

bool ContactSteps::feels(std::size_t body, const ContactObstacle& obstacle) const {
  return is_among(ids_[body], obstacle.bodies);
}

/// Each obstacle once for each part that may feel it.
void ContactSteps::add_to_frames(const State&, const TimeStep& step, const Parts& parts,
                                 std::span<SupportFrame> frames) const {
  for (const ContactObstacle& obstacle : contact_->obstacles()) {
    const Pose from = obstacle.pose_at(step.start), to = obstacle.pose_at(step.end);
    for (std::size_t b = 0; b < ids_.size(); ++b) {
      SupportFrame& frame = frames[parts[first_of_[b]]];
      if (!feels(b, obstacle) || frame.last == &obstacle) continue;
      frame.last = &obstacle;
      frame.place += from.translation;
      frame.displacement += to.translation - from.translation;
      frame.points += 1;
    }
  }
}

}  // namespace brio
