#include "integrators/islands.h"

#include <algorithm>
#include <numeric>

namespace brio {

void Islands::prepare(const Model& model) {
  model_ = &model;
  const std::size_t bodies = model.bodies().size();
  body_of_.assign(model.vertices(), 0);
  body_mass_.assign(bodies, 0.0);
  pinned_.assign(bodies, 0);
  own_.assign(bodies, {});
  for (std::size_t b = 0; b < bodies; ++b) {
    const Body& body = model.bodies()[b];
    for (std::size_t k = 0; k < body.mesh.vertices.size(); ++k) {
      const std::size_t i = body.first_vertex + k;
      body_of_[i] = static_cast<int>(b);
      body_mass_[b] += model.mass()[i];
      if (model.pinned()[i] != 0) pinned_[b] = 1;
    }
    for (const EnergyId id : body.energies) own_[b].push_back(&model.energy(id));
  }
  for (std::vector<int>* list : {&parent_, &island_}) {
    list->resize(bodies);
    std::iota(list->begin(), list->end(), 0);
  }
  body_held_ = pinned_;
  body_energy_.assign(bodies, 0.0);
  body_gravity_.assign(bodies, 0.0);
  sums_.assign(bodies, 0.0);
  part_ = body_of_;
  held_.assign(bodies, 0);
  mass_ = body_mass_;

  const BlockPattern& pattern = *model.pattern();
  for (int j = 0; j < pattern.vertices(); ++j)
    for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
      unite(body_of_[pattern.row[k]], body_of_[j]);
  free_.clear();
  for (const auto& energy : model.energies()) {
    const auto owns = [&](const std::vector<const Energy*>& own) { return std::ranges::count(own, energy.get()) > 0; };
    if (std::ranges::any_of(own_, owns)) continue;
    free_.push_back({.energy = energy.get(), .parted = dynamic_cast<const PartedEnergy*>(energy.get())});
    if (free_.back().parted == nullptr) join_all();
  }
  for (std::size_t b = 0; b < bodies; ++b) parent_[b] = root(static_cast<int>(b));
  always_ = parent_;
}

int Islands::root(int body) {
  while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
  return body;
}

bool Islands::unite(int a, int b) {
  a = root(a);
  b = root(b);
  if (a == b) return false;
  parent_[std::max(a, b)] = std::min(a, b);
  return true;
}

bool Islands::join_all() {
  bool joined = false;
  for (std::size_t b = 1; b < parent_.size(); ++b) joined = unite(0, static_cast<int>(b)) || joined;
  return joined;
}

void Islands::begin(double end) {
  parent_ = always_;
  body_held_ = pinned_;
  for (std::size_t b = 0; b < body_held_.size(); ++b)
    for (const Energy* const energy : own_[b])
      if (energy->is_anchored() && energy->acts(Moment::at(end))) body_held_[b] = 1;
}

bool Islands::meet(const Configuration& at) {
  bool is_new = false;
  for (const Free& free : free_) {
    if (free.parted == nullptr) {
      for (char& held : body_held_)
        if (held == 0 && free.energy->is_anchored()) {
          held = 1;
          is_new = true;
        }
      continue;
    }
    free.parted->for_coupled(at, [&](int a, int b) {
      if (b >= 0) {
        is_new = unite(body_of_[a], body_of_[b]) || is_new;
      } else if (body_held_[body_of_[a]] == 0) {
        body_held_[body_of_[a]] = 1;
        is_new = true;
      }
    });
    if (!free.energy->is_anchored()) continue;
    std::ranges::fill(sums_, 0.0);
    free.parted->add_values(at, {body_of_}, sums_);
    for (std::size_t b = 0; b < body_held_.size(); ++b)
      if (body_held_[b] == 0 && sums_[b] != 0) {
        body_held_[b] = 1;
        is_new = true;
      }
  }
  return is_new;
}

void Islands::number() {
  int count = 0;
  for (std::size_t b = 0; b < island_.size(); ++b) {
    const int first = root(static_cast<int>(b));  // not after b
    island_[b] = first == static_cast<int>(b) ? count++ : island_[first];
  }
  held_.assign(count, 0);
  mass_.assign(count, 0.0);
  for (std::size_t b = 0; b < island_.size(); ++b) {
    mass_[island_[b]] += body_mass_[b];
    if (body_held_[b] != 0) held_[island_[b]] = 1;
  }
  for (std::size_t i = 0; i < part_.size(); ++i) part_[i] = island_[body_of_[i]];
}

Vec3 Islands::sum_motion(std::size_t body, const Configuration& at, const NodalField& v, IslandEnergy& energy) const {
  const std::size_t first = model_->bodies()[body].first_vertex;
  const std::size_t last = first + model_->bodies()[body].mesh.vertices.size();
  Vec3 momentum = Vec3::Zero(), moment = Vec3::Zero();
  for (std::size_t i = first; i < last; ++i) {
    momentum += model_->mass()[i] * v[i];
    moment += model_->mass()[i] * at.x[i];
  }
  energy.momentum += momentum;
  energy.moment += moment;
  return moment;
}

double Islands::relative_kinetic(std::size_t body, const NodalField& v, const Vec3& mean) const {
  const std::size_t first = model_->bodies()[body].first_vertex;
  const std::size_t last = first + model_->bodies()[body].mesh.vertices.size();
  double sum = 0;
  for (std::size_t i = first; i < last; ++i) sum += 0.5 * model_->mass()[i] * (v[i] - mean).squaredNorm();
  return sum;
}

}  // namespace brio
