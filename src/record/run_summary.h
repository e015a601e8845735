/// run.json: how a run went, in one object.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "brio/record.h"

namespace brio {

/// status, integrator, frames, energy, momentum, hash, warnings, timings, versions.
nlohmann::ordered_json to_json(const RunSummary& summary);

/// Fraction of the energy in play from which an error is told as such, and as a gain or a loss.
constexpr double notable_energy_error = 0.01;

/// "energy kept to 3e-10", "the integrator took away up to 12 %": of the largest |error| of a run and its last error,
/// as fractions of one scale; `size`: the largest, in words.
std::string energy_verdict(double worst, double last, const std::string& size);

}  // namespace brio
