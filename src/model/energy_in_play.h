/// How much energy moves about in a run, and when more appeared than was put in: the one rule by which motion explodes.
#pragma once

#include <algorithm>
#include <cmath>

#include "brio/model.h"

namespace brio {

/// Kinetic and elastic energy, and what gravity has exchanged since the first row [J]: vanishes only where nothing
/// happens, whatever the height that counts as zero.
inline double energy_in_play(const LedgerRow& row, const LedgerRow& first) {
  return row.kinetic + std::abs(row.elastic) + std::abs(row.gravity - first.gravity);
}

/// What energy errors are measured by [J]: the energy in play, but no more than can be by what there was at the start,
/// what gravity has exchanged (which shows in height and in motion) and work from outside. What appears from nowhere
/// does not make its own error look small.
inline double energy_scale(const LedgerRow& row, const LedgerRow& first) {
  const double in_play = energy_in_play(row, first);
  const double accounted = first.kinetic + std::abs(first.elastic) + 2 * std::abs(row.gravity - first.gravity) +
                           std::abs(row.user_work - first.user_work);
  return accounted > 0 ? std::min(in_play, accounted) : in_play;
}

/// What rounding alone may make of a body's energy over a run [J]: energies are differences of numbers that are as
/// large as those of a strain of one.
double rounding_of_energy(const Model& model);

/// What was put into play: kinetic and elastic energy at the start, the most that gravity has exchanged, and work from
/// outside.
class EnergyPutIn {
 public:
  /// `rounding`: less than this [J] is none.
  explicit EnergyPutIn(const LedgerRow& first, double rounding = 0) : first_(first), rounding_(rounding) {}

  void add(const LedgerRow& row) {
    exchanged_ =
        std::max(exchanged_, std::abs(row.gravity - first_.gravity) + std::abs(row.user_work - first_.user_work));
  }
  double total() const { return first_.kinetic + std::abs(first_.elastic) + exchanged_; }  ///< [J]

  /// Whether the energy drift by the row is more than `growth` times that.
  bool exceeded_by(const LedgerRow& row, double growth = 1) const {
    constexpr double rounding = 1e-9;
    const double gained = row.residual - first_.residual;
    return gained > growth * total() && gained > rounding * std::abs(first_.total) && gained > rounding_;
  }

 private:
  LedgerRow first_;
  double rounding_;
  double exchanged_ = 0;
};

}  // namespace brio
