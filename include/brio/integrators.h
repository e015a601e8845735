/// Time integrators: what carries a state from one step to the next.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "brio/model.h"

namespace brio {

/// How a step went. Bad numerics are reported here, never thrown.
struct StepReport {
  enum class Status { ok, failed };
  Status status = Status::ok;
  int iterations = 0;     ///< of the solver; 0 for explicit methods
  double alpha = 0;       ///< blend of the stabilized integrator, else 0
  std::string message{};  ///< what failed and what to change; empty when ok

  bool ok() const { return status == Status::ok; }
};

/// One method with its workspace, which is kept between steps.
class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Advances the state by h [s]; pinned vertices stay where they are. When the step fails the state is as it was.
  virtual StepReport step(const Model& model, State& state, double h) = 0;
};

/// What is known of a method; tests measure what can be measured of it.
struct Method {
  std::string name;
  std::vector<std::string> aliases;
  std::string family;     ///< "explicit"
  int order;              ///< of the global error in h
  bool symplectic;        ///< preserves phase-space area
  std::string energy;     ///< how it treats energy, in words
  std::string momentum;   ///< how it treats momenta, in words
  std::string reference;  ///< where to read about it
  std::string sentence;   ///< what it is and when to choose it
  std::unique_ptr<Integrator> (*make)();
};

const std::vector<Method>& integrators();

/// By name or alias; throws InputError with the nearest name when there is none.
const Method& find_integrator(const std::string& name);

}  // namespace brio
