/// What is measured of runs: energy, distance from another run, how high something comes back.
#pragma once

#include <vector>

#include "experiments/follow.h"

namespace brio {

double total(const LedgerRow& row);  ///< energy [J]
/// The largest value of all its rows.
double largest(const Track& track, const OfRow& value);
/// Largest change of the energy, in units of that of the start, for what nothing acts on from outside; infinite where
/// the run has not come to its end.
double energy_error(const Track& track);
/// Mean of a quantity of frames over a part of the run.
double mean(const std::vector<double>& values, double from, double to);

/// How far vertices are from where the other run has them, frame by frame: root of the mean square [m]. Both runs must
/// have kept their positions.
std::vector<double> distances(const Track& a, const Track& b);

/// A turn from rising to falling.
struct Return {
  std::size_t frame;
  double height;  ///< over the lowest point before: 1 is where the run began
};
/// Of the middle of what falls, swings or bounces, by its gravity energy, in order.
std::vector<Return> returns(const Track& track);

}  // namespace brio
