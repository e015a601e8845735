/// What is done to a running simulation from outside.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "brio/contact.h"
#include "brio/sim.h"
#include "contact/collider.h"
#include "core/hash.h"
#include "integrators/options.h"
#include "model/body_checks.h"
#include "model/grabs.h"
#include "model/interaction.h"
#include "model/memory.h"
#include "model/pins.h"

namespace brio {
namespace {

void check_finite(const char* key, const Vec3& vector) {
  for (const double component : vector) check_number(key, component, Bound::any());
}

void check_move(const Motion::Key& to, const std::optional<Vec3>& pivot) {
  check_finite("translate", to.translate);
  check_finite("turn", to.turn);
  if (pivot) check_finite("pivot", *pivot);
}

[[noreturn]] void refuse_pinned(const char* key, const Body& body, int vertex) {
  throw InputError({.key = key,
                    .value = fmt::format("vertex {} of {}", vertex, body.name),
                    .problem = "is pinned, and nothing but its pins moves it",
                    .advice = "choose another, or move the pins by move_pins"});
}

}  // namespace

void Simulation::edit(const std::function<void()>& change) {
  const double before = measure(model_, state_).total;
  good_ = state_;
  change();
  if (!measure(model_, state_).finite()) {
    std::swap(state_, good_);
    recall_interactions(model_, state_);
    throw InputError({.key = "edit", .problem = "would make the energy infinite", .advice = "choose smaller numbers"});
  }
  book(before);
  integrator_->disturbed(state_);
}

/// Energies as they are now, the difference as work of the user.
void Simulation::book(double before) {
  LedgerRow now = measure(model_, state_);
  now.user_work = row_.user_work + now.total - before;
  now.damping_loss = row_.damping_loss;
  now.friction_loss = row_.friction_loss;
  now.residual = now.total - (start_total_ + now.user_work - now.damping_loss - now.friction_loss);
  now.alpha = row_.alpha;
  row_ = now;
}

GrabSprings& Simulation::springs() { return hands_->springs(); }

Grab& Simulation::find(GrabId grab) {
  for (Grab& one : springs().grabs())
    if (one.id == grab) return one;
  throw InputError({.key = "grab", .value = to_string(grab), .problem = "has been let go, or never was"});
}

void Simulation::count_hands() {
  for (const Grab& one : springs().grabs()) next_grab_ = std::max(next_grab_, one.id.number() + 1);
}

void Simulation::remember_hands() { hands_->remember(state_); }

GrabId Simulation::grab(BodyId body, const BodyPoint& point, double stiffness) {
  const Body& b = model_.body(body);
  check_number("grab.stiffness", stiffness, {.low = 0, .high = Grab::max_stiffness, .low_open = true});
  check_finite("grab.weights", point.weights);
  if (std::abs(point.weights.sum() - 1) > 1e-9)
    throw InputError(
        {.key = "grab.weights", .value = fmt::format("{}", point.weights.sum()), .problem = "must sum to 1"});
  Grab grab{.id = GrabId(next_grab_), .weights = point.weights, .stiffness = stiffness};
  for (std::size_t a = 0; a < 3; ++a) {
    check_vertex(b, point.vertices[a]);
    grab.vertices[a] = b.first_vertex + point.vertices[a];
  }
  const auto is_held = [&](std::size_t a) {
    return point.weights[static_cast<int>(a)] == 0 || model_.pinned()[static_cast<std::size_t>(grab.vertices[a])] != 0;
  };
  if (is_held(0) && is_held(1) && is_held(2)) refuse_pinned("grab", b, point.vertices[0]);
  if (!grab.fits(*model_.pattern()))
    throw InputError({.key = "grab.vertices", .problem = "are not corners of one element of the body"});
  ++next_grab_;
  grab.from = grab.to = grab.point(state_.x);
  grab.start = grab.end = state_.time;
  springs().grabs().push_back(grab);
  springs().changed();
  remember_hands();
  return grab.id;
}

void Simulation::move(GrabId grab, const Vec3& to) {
  check_finite("grab.to", to);
  Grab& one = find(grab);
  const TimeStep next = clock_.step_from(state_.step);
  one.from = one.hand(state_.time);
  one.to = to;
  one.start = next.start;
  one.end = next.end;
  remember_hands();
}

void Simulation::let_go(GrabId grab) {
  find(grab);
  edit([&] {
    std::erase_if(springs().grabs(), [&](const Grab& one) { return one.id == grab; });
    springs().changed();
    remember_hands();
  });
}

std::pair<Vec3, Vec3> Simulation::held(GrabId grab) const {
  const Grab& one = const_cast<Simulation*>(this)->find(grab);
  return {one.hand(state_.time), one.point(state_.x)};
}

/// Möller & Trumbore 1997, over all triangles of all surfaces.
RayHit Simulation::pick(const Vec3& origin, const Vec3& direction) const {
  check_finite("pick.origin", origin);
  check_finite("pick.direction", direction);
  check_number("pick.direction", direction.cwiseAbs().maxCoeff(), Bound::positive());
  RayHit hit;
  double nearest = std::numeric_limits<double>::infinity();
  for (const Body& body : model_.bodies()) {
    const std::vector<Triangle> triangles = body.kind == BodyKind::cloth ? body.mesh.triangles : surface(body.mesh);
    for (const Triangle& t : triangles) {
      Vec3 p[3];
      for (std::size_t a = 0; a < 3; ++a) p[a] = state_.x[body.first_vertex + t[a]];
      const Vec3 u = p[1] - p[0], v = p[2] - p[0], across = direction.cross(v);
      const double determinant = u.dot(across);
      if (determinant == 0) continue;
      const Vec3 from = origin - p[0];
      const double s = from.dot(across) / determinant, r = direction.dot(from.cross(u)) / determinant;
      const double distance = v.dot(from.cross(u)) / determinant;
      if (s < 0 || r < 0 || s + r > 1 || !(distance > 0) || distance >= nearest) continue;
      nearest = distance;
      hit = {.body = body.id,
             .point = {.vertices = {t[0], t[1], t[2]}, .weights = {1 - s - r, s, r}},
             .place = origin + distance * direction};
    }
  }
  return hit;
}

void Simulation::set_velocity(BodyId body, std::span<const int> vertices, const Vec3& velocity) {
  const Body& b = model_.body(body);
  for (const int vertex : vertices) check_vertex(b, vertex);
  check_finite("velocity", velocity);
  const auto is_pinned = [&](int vertex) { return model_.pinned()[b.first_vertex + vertex] != 0; };
  if (!vertices.empty() && std::ranges::all_of(vertices, is_pinned)) refuse_pinned("velocity", b, vertices[0]);
  edit([&] {
    for (const int vertex : vertices)
      if (!is_pinned(vertex)) state_.v[b.first_vertex + vertex] = velocity;
  });
}

void Simulation::set_state(const NodalField& x, const NodalField& v) {
  const std::size_t count = model_.vertices();
  if (x.size() != count || v.size() != count || !is_finite(x) || !is_finite(v))
    throw InputError({.key = "state", .problem = "positions and velocities must be finite, one for every vertex"});
  edit([&] {
    for (std::size_t i = 0; i < count; ++i) {
      if (model_.pinned()[i] != 0) continue;
      state_.x[i] = x[i];
      state_.v[i] = v[i];
    }
    recall_interactions(model_, state_);
  });
}

std::pair<NodalField, NodalField> Simulation::part_with_state() {
  State copy = state_;
  std::swap(state_.x, copy.x);
  std::swap(state_.v, copy.v);
  return {std::move(copy.x), std::move(copy.v)};
}

void Simulation::apply_impulse(BodyId body, int vertex, const Vec3& impulse) {
  const Body& b = model_.body(body);
  check_vertex(b, vertex);
  check_finite("impulse", impulse);
  const int i = b.first_vertex + vertex;
  if (model_.pinned()[i] != 0) refuse_pinned("impulse", b, vertex);
  edit([&] { state_.v[i] += impulse / model_.mass()[i]; });
}

void Simulation::move_pins(PinId pins, const Motion::Key& to, const std::optional<Vec3>& pivot) {
  check_move(to, pivot);
  Driven& support = find_support<Pins>(model_, pins, "pins");
  edit([&] {  // pins start moving at once, which takes their kinetic energy
    hands_->move(model_, state_, support, to, pivot, clock_.step_from(state_.step));
    place_driven(model_, state_, state_.time, Side::after, state_.x, state_.v);
  });
}

void Simulation::move_collider(ColliderId collider, const Motion::Key& to, const std::optional<Vec3>& pivot) {
  check_move(to, pivot);
  Driven& support = find_support<AnyCollider>(model_, collider, "collider");
  hands_->move(model_, state_, support, to, pivot, clock_.step_from(state_.step));
}

void Simulation::set_gravity(const Vec3& acceleration) {
  const Vec3 before = model_.gravity();
  try {
    edit([&] { model_.set_gravity(acceleration); });
  } catch (const InputError&) {
    model_.set_gravity(before);
    throw;
  }
  changes_ = hash_doubles({acceleration.data(), 3}, changes_);
}

void Simulation::set_wind(BodyId body, const Wind& wind) {
  edit([&] { model_.set_wind(body, wind); });
}

void Simulation::set_damping(const Damping& damping) {
  const Damping before = model_.damping();
  try {
    edit([&] {
      model_.set_damping(damping);
      check_damping(*method_, model_);
      integrator_->check(model_);
    });
  } catch (const InputError&) {
    model_.set_damping(before);
    throw;
  }
}

void Simulation::set_material(BodyId body, const Material& material) {
  Model other = model_;
  other.set_material(body, material);
  if (!measure(other, state_).finite())
    throw InputError({.key = "material",
                      .value = material.name,
                      .problem = "would make the energy infinite; perhaps elements are inverted"});
  edit([&] { model_.set_material(body, material); });
  const double moduli[]{material.mu, material.lambda, material.kappa,
                        material.a,  material.b,      static_cast<double>(body.number())};
  changes_ = hash_doubles(moduli, hash_bytes(std::as_bytes(std::span(material.name)), changes_));
}

}  // namespace brio
