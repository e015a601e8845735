#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "brio/integrators.h"
#include "core/threads.h"

namespace brio {
namespace {

/// Symplectic Euler (Cromer's, semi-implicit). Order 1. One force evaluation per step. [Hairer, Lubich & Wanner 2006,
/// section I.1.2]
///   v' = v + h a(x, v);   x' = x + h v'
/// Preserves phase-space area and both momenta; energy oscillates but does not drift while h < 2/ω for the highest
/// frequency ω of the model, beyond which it explodes.
class SymplecticEuler final : public Integrator {
 public:
  StepReport step(const Model& model, State& state, double h) override {
    const std::size_t count = model.vertices();
    if (force_.size() != count) {
      force_ = NodalField(count);
      x_next_ = NodalField(count);
      v_next_ = NodalField(count);
    }
    model.force(state, force_);

    constexpr std::size_t chunk_size = 2048;  // vertices; a chunk's rows fit the second-level cache
    std::atomic<bool> finite = true;
    parallel_chunks((count + chunk_size - 1) / chunk_size, [&](std::size_t chunk) {
      const std::size_t first = chunk * chunk_size;
      const std::size_t last = std::min(count, first + chunk_size);
      if (!advance(model, state, h, first, last)) finite = false;
    });
    if (!finite)
      return {.status = StepReport::Status::failed,
              .message = fmt::format("positions are no longer finite after step {}; choose a smaller h than {} s",
                                     state.step + 1, h)};
    std::swap(state.x, x_next_);
    std::swap(state.v, v_next_);
    state.time += h;
    ++state.step;
    return {};
  }

 private:
  /// False when something is not finite.
  bool advance(const Model& model, const State& state, double h, std::size_t first, std::size_t last) {
    double sum = 0;
    for (std::size_t i = first; i < last; ++i) {
      if (model.pinned()[i] != 0) {
        v_next_[i].setZero();
        x_next_[i] = state.x[i];
      } else {
        v_next_[i] = state.v[i] + h / model.mass()[i] * force_[i];
        x_next_[i] = state.x[i] + h * v_next_[i];
      }
      sum += 0 * x_next_[i].sum();  // NaN from the first infinity or NaN on
    }
    return std::isfinite(sum);
  }

  NodalField force_, x_next_, v_next_;
};

}  // namespace

Method symplectic_euler() {
  return {.name = "symplectic-euler",
          .aliases = {"semi-implicit-euler", "cromer"},
          .family = "explicit",
          .order = 1,
          .symplectic = true,
          .angular_momentum = true,
          .energy = EnergyBehaviour::oscillates,
          .force_evaluations = 1,
          .reference = "Cromer 1981; Hairer, Lubich & Wanner 2006, section I.1.2",
          .sentence = "the cheapest lively method for small steps; explodes beyond h = 2/omega_max",
          .cost = "one force evaluation per step",
          .make = [](const IntegratorOptions&) -> std::unique_ptr<Integrator> {
            return std::make_unique<SymplecticEuler>();
          }};
}

}  // namespace brio
