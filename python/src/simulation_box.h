/// A simulation as Python holds it, and the arrays that look into it.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "bridge.h"

namespace brio::python {

/// As a structured array.
py::array rows_of(const std::vector<LedgerRow>& ledger);
/// By phase [ms].
py::dict times_of(const SolveTimes& times);

/// Arrays look at the memory of the state itself. Before that changes, or goes, they are given it for good: what they
/// show stays what it was, and the simulation goes on with a copy. Who keeps none from step to step pays nothing.
class SimulationBox {
 public:
  enum class Which { x, v };

  SimulationBox(Simulation s, SimulationOptions in_use) : simulation(std::move(s)), options(std::move(in_use)) {
    ledger.push_back(simulation.ledger());
  }
  ~SimulationBox() { part_with_views(); }
  SimulationBox(const SimulationBox&) = delete;
  SimulationBox& operator=(const SimulationBox&) = delete;

  py::array view(Which which);
  void part_with_views();
  /// Between steps.
  const Simulation& looked_at() const {
    bool is_busy = busy;
    const Busy free(is_busy, "the simulation");
    return simulation;
  }

  Simulation simulation;
  SimulationOptions options;      ///< that it goes on with
  std::vector<LedgerRow> ledger;  ///< after every call of `step`, the initial one first
  bool busy = false;
  std::atomic<bool> stop = false;  ///< ends the step that is under way

 private:
  /// What arrays of one state share.
  struct Lease {
    NodalField memory{};  ///< once it is theirs
  };
  std::weak_ptr<Lease> x_lease_, v_lease_;
};

/// While it lives the simulation may change: no other thread may look at it, and arrays no longer do.
class Editing {
 public:
  explicit Editing(SimulationBox& box) : busy_(box.busy, "the simulation") { box.part_with_views(); }

 private:
  Busy busy_;
};

using SimulationClass = py::class_<SimulationBox, std::shared_ptr<SimulationBox>>;
void bind_edits(SimulationClass& simulation);

}  // namespace brio::python
