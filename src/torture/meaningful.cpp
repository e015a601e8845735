#include "torture/meaningful.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/domain.h"
#include "model/energy_in_play.h"
#include "torture/momenta.h"

namespace brio::torture {
namespace {

bool is_warned_of(const Scene& scene, const char* words) {
  return std::ranges::any_of(scene.warnings,
                             [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

/// Growth of energy by the fastest oscillation over a run, of methods without a stable step, is (1 + (h omega)^2)^steps
/// for the worst of them.
std::string unstable(const Scene& scene, double omega) {
  const Method& method = scene.simulation.method();
  const double limit = stability_limit(method, scene.options.options), reached = scene.simulation.h() * omega;
  if (std::isinf(limit)) return {};
  const double steps = static_cast<double>(scene.frames) * scene.steps_per_frame;
  const double most = limit > 0 ? 0.5 * limit : std::sqrt(0.7 / steps);
  if (reached <= most) return {};
  return fmt::format("h omega = {:.2g}, of {} at most {:.2g}", reached, method.name, most);
}

/// Of what is free relative to the mean motion of each body [J].
double kinetic_at_start(const Scene& scene, const std::string& text) {
  const Model& model = scene.simulation.model();
  double kinetic = scene.simulation.ledger().kinetic;
  if (!is_free(text)) return kinetic;
  for (const Body& body : model.bodies()) {
    double mass = 0;
    Vec3 momentum = Vec3::Zero();
    for (std::size_t i = 0; i < body.mesh.vertices.size(); ++i) {
      mass += model.mass()[body.first_vertex + i];
      momentum += model.mass()[body.first_vertex + i] * scene.simulation.state().v[body.first_vertex + i];
    }
    kinetic -= 0.5 * momentum.squaredNorm() / mass;
  }
  return kinetic;
}

/// The highest frequency at the start or of the rest shape, which what starts collapsed comes back to [rad/s].
double fastest(const Scene& scene) {
  const Model& model = scene.simulation.model();
  return std::max(highest_frequency(model, scene.simulation.state().x), highest_frequency(model, model.rest()));
}

/// Elastic energy at a strain of one [J], of which rounding_of_energy is a part in 1e12.
double strength(const Model& model) { return 1e12 * rounding_of_energy(model); }

/// Energy that presses the smallest element of a material that forbids inversion to a millionth of its volume [J],
/// where rounding of positions shows in energies that should be kept; infinite where there is none.
double weakest_barrier(const Model& model) {
  constexpr double flat = 1e-6;
  double weakest = std::numeric_limits<double>::infinity();
  for (const Body& body : model.bodies()) {
    double smallest = std::numeric_limits<double>::infinity(), all = 0, energy = 0;
    const std::vector<Vec3>& rest = body.mesh.vertices;
    for (const Tet& t : body.mesh.tets) {
      const double volume =
          std::abs((rest[t[1]] - rest[t[0]]).cross(rest[t[2]] - rest[t[0]]).dot(rest[t[3]] - rest[t[0]])) / 6;
      smallest = std::min(smallest, volume);
      all += volume;
    }
    NodalField x = model.rest();
    for (std::size_t i = 0; i < rest.size(); ++i) x[body.first_vertex + i][0] *= flat;
    for (const auto& of : model.energies())
      if (has_domain(*of)) energy += of->value({x, Moment::at(0)});
    if (energy > 0 && all > 0) weakest = std::min(weakest, energy * smallest / all);
  }
  return weakest;
}

}  // namespace

std::string unphysical(const Scene& scene, const std::string& text) {
  constexpr double resolved = 1e5;
  const Model& model = scene.simulation.model();
  const double omega = fastest(scene);
  if (!std::isfinite(omega)) return "forces at the start are beyond what numbers hold";
  if (std::string why = unstable(scene, omega); !why.empty()) return why;
  if (scene.simulation.h() * omega > resolved) return fmt::format("h omega = {:.1g}", scene.simulation.h() * omega);
  // What gives way has energy without end to set free: no method can hold it.
  for (const char* words :
       {"too soft", "no stiffness", "inside collider", "overlap", "lost in it", "beyond what", "gives way"})
    if (is_warned_of(scene, words)) return fmt::format("warned at the start: {}", words);
  if (kinetic_at_start(scene, text) > strength(model)) return "moves with more energy than bodies hold";
  return {};
}

std::string beyond_promise(const Scene& scene, const std::string& text) {
  for (const char* words :
       {"quadrature = \"simpson\"", "quadrature = \"gauss", "unconverged = \"accept\"", "contact_energy = false",
        "name = \"local-global\"", "name = \"root\"", "torsion_law = \"s2\""})
    if (text.find(words) != std::string::npos) return words;
  if (const char* words = "keeps no energy"; is_warned_of(scene, words)) return words;
  const LedgerRow& start = scene.simulation.ledger();
  if (scene.simulation.method().energy == EnergyBehavior::kept &&
      kinetic_at_start(scene, text) + std::abs(start.elastic) > weakest_barrier(scene.simulation.model()))
    return "more energy than a barrier holds";
  const double resolves = scene.simulation.method().resolves;
  if (std::isinf(resolves)) return {};
  const double reached = scene.simulation.h() * fastest(scene);
  return reached > resolves ? fmt::format("h omega = {:.1g}", reached) : "";
}

}  // namespace brio::torture
