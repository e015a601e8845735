#include "brio/model.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "brio/energy.h"
#include "brio/force.h"
#include "math/block_matrix.h"
#include "math/direction.h"
#include "model/body_checks.h"
#include "model/driven.h"

namespace brio {

Model::Model() = default;
Model::~Model() = default;
Model::Model(const Model& other)
    : bodies_(other.bodies_),
      mass_(other.mass_),
      pinned_(other.pinned_),
      rest_(other.rest_),
      gravity_(other.gravity_),
      energy_ids_(other.energy_ids_),
      forces_(other.forces_),
      damping_(other.damping_),
      constraints_(other.constraints_),
      next_body_(other.next_body_),
      next_energy_(other.next_energy_),
      next_attachment_(other.next_attachment_),
      next_pins_(other.next_pins_),
      next_collider_(other.next_collider_) {
  const std::lock_guard lock(other.pattern_lock_.mutex);
  pattern_ = other.pattern_;
  for (const auto& energy : other.energies_) energies_.push_back(energy->clone());  // with the places in the pattern
  for (const auto& interaction : other.interactions_) {
    interactions_.push_back(interaction->clone());
    interactions_.back()->set_slot(interactions_.size() - 1);
    interactions_.back()->set_serial(interaction->serial());
    interactions_.back()->rebind(*this);
    if (auto* support = dynamic_cast<Driven*>(interactions_.back().get())) supports_.push_back(support);
  }
  next_interaction_ = other.next_interaction_;
}

Model& Model::operator=(const Model& other) {
  if (this != &other) *this = Model(other);
  return *this;
}

Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

namespace {

/// Messages and files name bodies: the second "solid" is "solid-2".
std::string free_name(const std::string& wanted, const std::vector<Body>& bodies) {
  std::string name = wanted;
  for (int number = 2; std::ranges::find(bodies, name, &Body::name) != bodies.end(); ++number)
    name = fmt::format("{}-{}", wanted, number);
  return name;
}

}  // namespace

BodyId Model::append(Body body, const std::vector<double>& mass) {
  const std::size_t before = mass_.size();
  constexpr std::size_t max_vertices = 100'000'000;  // blocks of matrices are counted by int
  if (before + mass.size() > max_vertices)
    throw InputError(
        {.key = body.name + ".mesh", .problem = "all bodies together have more than 100 million vertices"});
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (!std::isfinite(1 / mass[i]) || !std::isfinite(mass[i]))
      throw InputError({.key = body.name + ".mass",
                        .value = fmt::format("{} kg", mass[i]),
                        .problem = fmt::format("at vertex {}: a mass and its inverse must be finite", i)});
  body.name = free_name(body.name, bodies_);
  const bool watched = is_watched();
  std::optional<Model> unchanged;
  if (watched) unchanged.emplace(*this);
  body.id = next_body_.next();
  body.first_vertex = static_cast<int>(before);
  rest_.append(body.mesh.vertices);
  mass_.insert(mass_.end(), mass.begin(), mass.end());
  pinned_.resize(mass_.size(), 0);
  bodies_.push_back(std::move(body));
  if (watched) {
    try {
      tell_interactions(unchanged->same_vertices());
    } catch (...) {
      *this = std::move(*unchanged);
      throw;
    }
  }
  return bodies_.back().id;
}

bool Model::has(BodyId body) const { return std::ranges::binary_search(bodies_, body, {}, &Body::id); }

const Body& Model::body(BodyId body) const { return bodies_[index(body)]; }

std::size_t Model::index(BodyId body) const {
  const auto found = std::ranges::lower_bound(bodies_, body, {}, &Body::id);
  if (found != bodies_.end() && found->id == body) return static_cast<std::size_t>(found - bodies_.begin());
  throw InputError({.key = "body",
                    .value = to_string(body),
                    .problem = bodies_.empty() ? "the model has no bodies" : "is none of the model",
                    .advice = "adding a body returns its id, which is good until it is removed"});
}

EnergyId Model::add(BodyId body, std::unique_ptr<Energy> energy) {
  Body& owner = bodies_[index(body)];
  owner.energies.push_back(add_free(std::move(energy)));
  return owner.energies.back();
}

EnergyId Model::add_free(std::unique_ptr<Energy> energy) {
  energies_.push_back(std::move(energy));
  energy_ids_.push_back(next_energy_.next());
  pattern_.reset();
  return energy_ids_.back();
}

std::size_t Model::place_of(EnergyId id) const {
  const auto found = std::ranges::lower_bound(energy_ids_, id);
  if (found == energy_ids_.end() || *found != id)
    throw InputError({.key = "energy", .value = to_string(id), .problem = "is none of the model"});
  return static_cast<std::size_t>(found - energy_ids_.begin());
}

Energy& Model::energy(EnergyId id) { return *energies_[place_of(id)]; }
const Energy& Model::energy(EnergyId id) const { return *energies_[place_of(id)]; }

const std::shared_ptr<const BlockPattern>& Model::pattern() const {
  const std::lock_guard lock(pattern_lock_.mutex);
  if (!pattern_) {
    PatternBuilder builder(vertices());
    for (const auto& energy : energies_) energy->couple(builder);
    pattern_ = builder.build();
    for (const auto& energy : energies_) energy->bind(*pattern_);
  }
  return pattern_;
}

int Constraint::equations() const {
  switch (kind) {
    case Kind::distance:
    case Kind::plane:
    case Kind::sphere:
      return 1;
    case Kind::line:
      return 2;
    case Kind::point:
    case Kind::together:
      return 3;
  }
  return 0;
}

void Model::constrain(BodyId body, Constraint constraint) {
  const Body& b = this->body(body);
  const bool pair = constraint.kind == Constraint::Kind::distance || constraint.kind == Constraint::Kind::together;
  check_vertex(b, constraint.a);
  if (pair) check_vertex(b, constraint.b);
  if (pair && constraint.a == constraint.b)
    throw InputError({.key = b.name + ".constrain", .problem = "joins a vertex to itself"});
  if (constraint.kind == Constraint::Kind::plane || constraint.kind == Constraint::Kind::line) {
    check_number(b.name + ".constrain.direction", constraint.direction.cwiseAbs().maxCoeff(), Bound::positive());
    constraint.direction = direction_of(constraint.direction);
  }
  if (constraint.kind == Constraint::Kind::distance || constraint.kind == Constraint::Kind::sphere)
    check_number(b.name + ".constrain.length", constraint.length, Bound::positive());
  constraint.a += b.first_vertex;
  constraint.b += b.first_vertex;
  constraints_.push_back(constraint);
}

void Model::set_gravity(const Vec3& acceleration) {
  for (int c = 0; c < 3; ++c) check_number("gravity", acceleration[c], Bound::any());
  gravity_ = acceleration;
}

State Model::rest_state() const { return {.x = rest_, .v = NodalField(vertices())}; }

double Model::elastic_energy(BodyId body, const Configuration& at) const {
  double sum = 0;
  for (const EnergyId id : this->body(body).energies) sum += energy(id).value(at);
  return sum;
}

double Model::contact_energy(const Configuration& at) const {
  double sum = 0;
  for (const auto& energy : energies_)
    if (energy->role() == Role::contact) sum += energy->value(at);
  return sum;
}

double Model::potential_energy(const Configuration& at) const {
  double sum = gravity_energy(at.x);
  for (const auto& energy : energies_) sum += energy->value(at);
  return sum;
}

double Model::gravity_energy(const NodalField& x) const {
  Vec3 moment = Vec3::Zero();
  for (std::size_t i = 0; i < vertices(); ++i) moment += mass_[i] * x[i];
  return -gravity_.dot(moment);
}

double Model::kinetic_energy(const NodalField& v) const {
  double sum = 0;
  for (std::size_t i = 0; i < vertices(); ++i) sum += 0.5 * mass_[i] * v[i].squaredNorm();
  return sum;
}

Vec3 Model::linear_momentum(const NodalField& v) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < vertices(); ++i) sum += mass_[i] * v[i];
  return sum;
}

Vec3 Model::angular_momentum(const NodalField& x, const NodalField& v) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < vertices(); ++i) sum += mass_[i] * Vec3(x[i]).cross(Vec3(v[i]));
  return sum;
}

double Model::force(const Configuration& at, const NodalField& v, NodalField& f) const {
  for (std::size_t i = 0; i < vertices(); ++i) f[i] = mass_[i] * gravity_;
  double elastic = 0;
  for (const auto& energy : energies_) elastic += energy->gradient(at, {.gradient = -1}, f);
  for (const auto& force : forces_) force->add(at.x, v, at.when.to, f);
  return elastic;
}

}  // namespace brio
