#include "contact/contact_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "contact/body_size.h"
#include "contact/crossings.h"
#include "contact/obstacle_overlap.h"
#include "contact/obstacle_support.h"
#include "contact/separation.h"

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

[[noreturn]] void refuse_crossings(const Model& model, const std::vector<ContactSurface>& bodies,
                                   const std::vector<Crossing>& crossings, const NodalField& x) {
  const auto surface_of = [&](int vertex) -> const ContactSurface& {
    return *std::ranges::find_if(
        bodies, [&](const ContactSurface& one) { return std::ranges::binary_search(one.points, vertex); });
  };
  const ContactSurface &first = surface_of(crossings[0].edge[0]), &second = surface_of(crossings[0].triangle[0]);
  const bool is_same = first.body == second.body;
  const std::string depth = is_same ? "" : fmt::format(", {:.3g} m deep", find_way_out(first, second, x).depth);
  throw InputError(
      {.key = "contact",
       .problem = fmt::format("{} passes through {} at the start, in {} places{}", model.body(first.body).name,
                              is_same ? "itself" : model.body(second.body).name, crossings.size(), depth),
       .advice = is_same ? "choose another start" : "move them apart, or choose contact.resolve = true"});
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
    const bool meets = (options.self || options.between) && body.kind != BodyKind::particles &&
                       (options.bodies.empty() || std::ranges::count(options.bodies, body.id) > 0);
    const bool feels =
        std::ranges::any_of(obstacles, [&](const ContactObstacle& one) { return one.is_felt_by(body.id); });
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
  const PairRules rules{.stiffness = options.stiffness,
                        .speed = options.speed,
                        .damper = options.damper,
                        .self = options.self,
                        .between = options.between};
  return std::make_unique<SelfContact>(model, std::move(surfaces), rules, std::move(obstacles));
}

}  // namespace

ContactSteps::ContactSteps(Model& model, SelfContactOptions options, EnergyId contact, EnergyId friction)
    : options_(std::move(options)), contact_id_(contact), friction_id_(friction) {
  rebind(model);
}

ContactSteps& ContactSteps::of(Model& model) {
  for (const auto& interaction : model.interactions())
    if (auto* steps = dynamic_cast<ContactSteps*>(interaction.get())) return *steps;
  SelfContactOptions none;
  none.self = none.between = false;
  const EnergyId contact = model.add_free(make_contact(model, none, {}));
  auto steps = std::make_unique<ContactSteps>(model, std::move(none), contact, EnergyId{});
  ContactSteps& added = *steps;
  model.add(std::move(steps));
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
  if (friction_ == nullptr && (options_.friction > 0 || std::ranges::any_of(contact_->obstacles(), rubs))) {
    friction_id_ = model.add_free(std::make_unique<PairFriction>(options_.friction));
    rebind(model);
  }
  if (contact_->obstacles().empty()) return;
  const auto support = [&](EnergyId energy, bool& is_there) {
    if (!is_there) model.add_support(std::make_unique<ObstacleSupport>(model, contact_id_, energy));
    is_there = true;
  };
  support(contact_id_, supports_contact_);
  if (friction_ != nullptr) support(friction_id_, supports_friction_);
}

void ContactSteps::renew(Model& model, std::vector<ContactObstacle> obstacles) {
  model.replace(contact_id_, make_contact(model, options_, std::move(obstacles)));
  for (const auto& interaction : model.interactions()) interaction->rebind(model);
  rebind(model);
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
  std::vector<ContactSurface> bodies;
  if (starts)
    std::ranges::copy_if(surfaces, std::back_inserter(bodies),
                         [](const ContactSurface& one) { return one.is_body() && one.meets_bodies; });
  if (starts && (state.step == 0 || unchecked_from_ > 0)) {
    constexpr int max_rounds = 10;  // what leaves an obstacle may end in another body
    for (int round = 0; round < max_rounds; ++round) {
      set_apart(model, *contact_, state, unchecked_from_, options_.resolve);
      if (!options_.resolve || !set_bodies_apart(model, bodies, unchecked_from_, state.x)) break;
    }
  }
  if (friction_ != nullptr) friction_->attach(state, contact_->active_pairs(state), history(state));
  if (!starts) return;
  refuse_overlaps(model, *contact_, state, {unchecked_from_, unchecked_obstacles_from_});
  std::vector<Crossing> crossings = find_crossings(bodies, state.x);
  std::erase_if(crossings, [&](const Crossing& one) {
    return std::max(std::ranges::max(one.edge), std::ranges::max(one.triangle)) < unchecked_from_;
  });
  if (crossings.empty()) return;
  refuse_crossings(model, bodies, crossings, state.x);
}

/// Springs of friction that no longer touch, or can hold less, lose what they held.
void ContactSteps::begin_step(const Model&, State& state, const Clock& clock, Exchange& exchange) {
  contact_->expect(state, clock.h);
  if (friction_ == nullptr) return;
  friction_->attach(state, contact_->active_pairs(state), history(state));
  exchange.friction_loss += PairFriction::energy_of(history(state)) - friction_->value(state);
  exchange.changed = exchange.changed || friction_->rubs_obstacles();  // whose work is booked by the forces as they are
}

void ContactSteps::end_step(const Model& model, const State& before, State& state, const Clock& clock,
                            Exchange& exchange) {
  const Configuration now{state.x, Moment::at(clock.time_of(state.step))};
  contact_->arrive(before, now, {.limited = exchange.path_was_limited, .driven = model.is_driven()});
  if (friction_ == nullptr) return;
  exchange.friction_loss += friction_->slip(now);
  friction_->write(history(state));
}

}  // namespace brio
