/// Bodies and colliders that leave a model: the rest moves up, in its order, so that it is evaluated as before.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "brio/energy.h"
#include "brio/force.h"
#include "core/hash.h"
#include "model/driven.h"

namespace brio {
namespace {

[[noreturn]] void refuse_removal(const std::string& what, const char* advice) {
  throw InputError({.key = "body",
                    .problem = fmt::format("cannot be removed: \"{}\" would not know that vertices have moved", what),
                    .advice = advice});
}

NodalField kept_rows(const NodalField& field, const std::vector<int>& vertices) {
  std::vector<Vec3> rows;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (vertices[i] >= 0) rows.emplace_back(field[i]);
  NodalField kept;
  kept.append(rows);
  return kept;
}

template <class T>
void keep(std::vector<T>& list, const std::vector<int>& vertices) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (vertices[i] >= 0) list[kept++] = list[i];
  list.resize(kept);
}

}  // namespace

void Energy::renumber(std::span<const int>) { refuse_removal(name(), "override Energy::renumber"); }

std::shared_ptr<const Force> Force::renumbered(std::span<const int>) const {
  refuse_removal(name(), "override Force::renumbered");
}

State Renumbering::apply(const State& state) const {
  State now{
      .x = kept_rows(state.x, vertices), .v = kept_rows(state.v, vertices), .time = state.time, .step = state.step};
  for (std::size_t i = 0; i < interactions.size() && i < state.histories.size(); ++i)
    if (interactions[i] >= 0) now.histories.push_back(state.histories[i]);
  return now;
}

void Model::replace(EnergyId id, std::unique_ptr<Energy> energy) {
  energies_[place_of(id)] = std::move(energy);
  pattern_.reset();
}

void Model::erase(EnergyId id) {
  const auto place = static_cast<std::ptrdiff_t>(place_of(id));
  energies_.erase(energies_.begin() + place);
  energy_ids_.erase(energy_ids_.begin() + place);
  pattern_.reset();
}

std::vector<int> Model::erase_interactions(const std::function<bool(const Interaction&)>& goes) {
  std::vector<int> places;
  int next = 0;
  for (const auto& one : interactions_) places.push_back(goes(*one) ? -1 : next++);
  std::erase_if(supports_, [&](const Driven* support) { return goes(*support); });
  std::erase_if(interactions_, [&](const auto& one) { return goes(*one); });
  for (std::size_t i = 0; i < interactions_.size(); ++i) interactions_[i]->set_slot(i);
  return places;
}

bool Model::is_watched() const {
  return std::ranges::any_of(interactions_, [](const auto& one) { return one->follows_bodies(); });
}

std::vector<int> Model::same_vertices() const {
  std::vector<int> same(vertices());
  std::iota(same.begin(), same.end(), 0);
  return same;
}

void Model::tell_interactions(std::span<const int> vertices) {
  for (const auto& one : interactions_) one->change(*this, vertices);
}

Renumbering Model::remove(BodyId id) {
  const Body gone = body(id);
  Model next(*this);  // whoever refuses leaves this one as it was
  Renumbering change;
  int kept = 0;
  const int first = gone.first_vertex, last = first + static_cast<int>(gone.mesh.vertices.size());
  for (int i = 0; i < static_cast<int>(vertices()); ++i)
    change.vertices.push_back(i >= first && i < last ? -1 : kept++);

  next.bodies_.erase(next.bodies_.begin() + static_cast<std::ptrdiff_t>(index(id)));
  for (Body& other : next.bodies_) other.first_vertex = change.vertices[static_cast<std::size_t>(other.first_vertex)];
  keep(next.mass_, change.vertices);
  keep(next.pinned_, change.vertices);
  next.rest_ = kept_rows(rest_, change.vertices);
  change.interactions = next.erase_interactions([&](const Interaction& one) { return one.body() == id; });
  for (const EnergyId energy : gone.energies) next.erase(energy);
  for (const auto& energy : next.energies_) energy->renumber(change.vertices);
  next.forces_.clear();
  for (const auto& force : forces_)
    if (auto left = force->renumbered(change.vertices)) next.forces_.push_back(std::move(left));
  std::erase_if(next.constraints_, [&](const Constraint& c) { return change.vertices[c.a] < 0; });
  for (Constraint& c : next.constraints_) {
    c.a = change.vertices[c.a];
    c.b = change.vertices[c.b];
  }
  next.pattern_.reset();
  next.tell_interactions(change.vertices);
  *this = std::move(next);
  return change;
}

Renumbering Model::remove(const Driven& support, EnergyId energy) {
  Renumbering change{.vertices = same_vertices()};
  change.interactions = erase_interactions([&](const Interaction& one) { return &one == &support; });
  if (energy) erase(energy);
  pattern_.reset();
  tell_interactions(change.vertices);
  return change;
}

std::uint64_t Model::composition() const {
  std::vector<double> parts;
  for (const Body& body : bodies_) {
    parts.push_back(body.id.number());
    parts.push_back(static_cast<double>(body.mesh.vertices.size()));
  }
  parts.push_back(-1);
  for (const auto& one : interactions_) parts.push_back(one->serial());
  return hash_doubles(parts);
}

}  // namespace brio
