/// What moves together in a step: bodies that energies couple, or that touch. Methods that steer by energy keep that of
/// each island by itself, as an observer sees it who moves along: neither flight nor what happens elsewhere in the
/// scene loosens it.
///
/// An island is held where vertices of it are pinned, attached, grabbed, or touch a collider in this step. Its energy
/// is then kinetic + elastic + contact + gravity. Otherwise it is free: its mean motion is a parabola that nothing
/// inside can change, and its energy is kinetic relative to the mean + elastic + contact.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "brio/energy.h"
#include "model/parts.h"

namespace brio {

struct IslandEnergy {
  double kinetic = 0;            ///< of free islands relative to their mean motion [J]
  double stored = 0;             ///< elastic and of contact [J]
  double gravity = 0;            ///< [J]
  Vec3 momentum = Vec3::Zero();  ///< [kg m/s]
  Vec3 moment = Vec3::Zero();    ///< Σ m x [kg m]
};

class Islands {
 public:
  void prepare(const Model& model);
  /// Each body by itself again, but for those that are always coupled; when the step ends decides what is let go.
  void begin(double end);
  /// Joins what touches there, and takes note of what touches something that holds it. Returns whether that was new.
  bool meet(const Configuration& at);
  bool join_all();
  /// To be called after changes: islands are numbered in the order of their first bodies.
  void number();

  std::size_t count() const { return held_.size(); }
  int of_body(std::size_t body) const { return island_[body]; }
  int first_body(std::size_t island) const {
    return static_cast<int>(std::ranges::find(island_, static_cast<int>(island)) - island_.begin());
  }
  Parts parts() const { return {part_}; }
  Parts bodies() const { return {body_of_}; }
  std::size_t bodies_count() const { return island_.size(); }
  double body_mass(std::size_t body) const { return body_mass_[body]; }  ///< [kg]
  bool is_held(std::size_t island) const { return held_[island] != 0; }
  double mass(std::size_t island) const { return mass_[island]; }  ///< [kg]

  /// Sets the energies of those islands for which `wanted`; keeps those of their bodies for `share`.
  template <class Wanted>
  void measure(const Configuration& at, const NodalField& v, bool contact_counts, Wanted wanted,
               std::span<IslandEnergy> energies);
  double body_gravity(std::size_t body) const { return body_gravity_[body]; }  ///< as measured last [J]
  /// Deals a number of each island out to its bodies, in proportion to their energies as measured last.
  template <class Number, class Take>
  void deal(Number number, Take take);

 private:
  struct Free {
    const Energy* energy;
    const PartedEnergy* parted;
  };
  int root(int body);
  bool unite(int a, int b);
  /// Returns its Σ m x [kg m].
  Vec3 sum_motion(std::size_t body, const Configuration& at, const NodalField& v, IslandEnergy& energy) const;
  double relative_kinetic(std::size_t body, const NodalField& v, const Vec3& mean) const;

  const Model* model_ = nullptr;
  std::vector<std::vector<const Energy*>> own_;  ///< energies of each body
  std::vector<Free> free_;                       ///< energies of no body
  std::vector<int> body_of_;                     ///< of each vertex
  std::vector<double> body_mass_;                ///< [kg]
  std::vector<int> always_;                      ///< per body: the first one that energies always couple it to
  std::vector<char> pinned_;                     ///< per body
  std::vector<int> parent_;                      ///< per body
  std::vector<char> body_held_;                  ///< per body
  std::vector<int> island_, part_;
  std::vector<char> held_;    ///< per island
  std::vector<double> mass_;  ///< per island [kg]
  std::vector<double> sums_;
  std::vector<double> body_energy_, body_gravity_;  ///< [J]
};

template <class Wanted>
void Islands::measure(const Configuration& at, const NodalField& v, bool contact_counts, Wanted wanted,
                      std::span<IslandEnergy> energies) {
  for (std::size_t i = 0; i < count(); ++i)
    if (wanted(i)) energies[i] = {};
  for (std::size_t b = 0; b < island_.size(); ++b)
    if (wanted(island_[b])) body_gravity_[b] = -model_->gravity().dot(sum_motion(b, at, v, energies[island_[b]]));
  for (std::size_t b = 0; b < island_.size(); ++b) {
    const std::size_t i = island_[b];
    if (!wanted(i)) continue;
    const Vec3 mean = is_held(i) ? Vec3(Vec3::Zero()) : Vec3(energies[i].momentum / mass_[i]);
    const double kinetic = relative_kinetic(b, v, mean);
    double elastic = 0;
    for (const Energy* const energy : own_[b]) elastic += energy->value(at);
    energies[i].kinetic += kinetic;
    energies[i].stored += elastic;
    body_energy_[b] = kinetic + std::abs(elastic);
  }
  for (const Free& free : free_) {
    if (!contact_counts && free.energy->role() == Role::contact) continue;
    std::fill_n(sums_.begin(), count(), 0.0);
    if (free.parted != nullptr) {
      free.parted->add_values(at, parts(), {sums_.data(), count()});
    } else {
      sums_[0] = free.energy->value(at);  // it has joined all
    }
    for (std::size_t i = 0; i < count(); ++i)
      if (wanted(i)) energies[i].stored += sums_[i];
  }
  for (std::size_t i = 0; i < count(); ++i)
    if (wanted(i)) energies[i].gravity = -model_->gravity().dot(energies[i].moment);
}

template <class Number, class Take>
void Islands::deal(Number number, Take take) {
  std::fill_n(sums_.begin(), count(), 0.0);
  for (std::size_t b = 0; b < island_.size(); ++b) sums_[island_[b]] += body_energy_[b];
  for (std::size_t b = 0; b < island_.size(); ++b) {
    const std::size_t i = island_[b];
    const bool by_energy = sums_[i] > 0 && std::isfinite(sums_[i]);
    take(b, number(i) * (by_energy ? body_energy_[b] / sums_[i] : body_mass_[b] / mass_[i]));
  }
}

}  // namespace brio
