/// How hard colliders push. Adding one = its entry here, or register_penalty_law.
#include "contact/penalty_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/fields.h"

namespace brio {
namespace {

GapEnergy quadratic(double k, double gap) { return {.value = 0.5 * k * gap * gap, .slope = k * gap, .curvature = k}; }

std::deque<PenaltyLaw>& registry_of_penalties() {
  static std::deque<PenaltyLaw> laws{{.name = "quadratic",
                                      .formula = "k/2 q^2",
                                      .sentence = "a spring: the force grows with the depth",
                                      .reference = "Dinev et al. 2018",
                                      .energy = quadratic}};
  return laws;
}

}  // namespace

void check_penalty_law(const PenaltyLaw& law) {
  constexpr double k = 1000, tolerance = 1e-4;
  for (const double gap : {-1e-5, -1e-4, -1e-3, -1e-2, -1e-1}) {
    const double d = -1e-4 * gap;
    const GapEnergy at = law.energy(k, gap), below = law.energy(k, gap - d), above = law.energy(k, gap + d);
    const double slope = (above.value - below.value) / (2 * d), curvature = (above.slope - below.slope) / (2 * d);
    const auto differs = [&](double said, double measured) {
      return !(std::abs(said - measured) <= tolerance * (std::abs(said) + std::abs(measured)));
    };
    const char* const wrong = !(at.value >= 0 && at.slope <= 0 && at.curvature >= 0)
                                  ? "must have value >= 0, slope <= 0 and curvature >= 0"
                              : differs(at.slope, slope)         ? "has a slope that is not that of its value"
                              : differs(at.curvature, curvature) ? "has a curvature that is not that of its slope"
                                                                 : nullptr;
    if (wrong != nullptr)
      throw InputError({.key = "penalty." + law.name, .value = fmt::format("gap {} m", gap), .problem = wrong});
  }
}

const std::deque<PenaltyLaw>& penalty_laws() { return registry_of_penalties(); }

void register_penalty_law(PenaltyLaw law) {
  for (const PenaltyLaw& known : penalty_laws())
    if (known.name == law.name) throw InputError({.key = "penalty.name", .value = law.name, .problem = "is taken"});
  if (law.name.empty()) throw InputError({.key = "penalty.name", .problem = "is missing"});
  if (law.energy == nullptr) throw InputError({.key = "penalty.energy", .value = law.name, .problem = "is missing"});
  check_penalty_law(law);
  registry_of_penalties().push_back(std::move(law));
}

const PenaltyLaw& find_penalty_law(const std::string& name) {
  std::vector<std::string> names;
  for (const PenaltyLaw& law : penalty_laws()) {
    if (law.name == name) return law;
    names.push_back(law.name);
  }
  refuse_name("penalty", name, "is not known", names);
}

}  // namespace brio
