/// S4: the order of every integrator, and what a force that depends on velocity makes of it.
#include <fmt/format.h>

#include <cmath>

#include "experiments/measure.h"
#include "experiments/rows.h"

namespace brio {
namespace {

Outcome orders(const Trial& trial) {
  Outcome outcome;
  std::vector<const Problem*> problems;
  for (const Problem& problem : order_problems())
    if (!trial.quick() || problem.name == "oscillator" || problem.name == "pendulum") problems.push_back(&problem);
  Table table{.title = "Order of the global error", .header = {"integrator", "declared"}, .rows = {}};
  for (const Problem* problem : problems) table.header.push_back(problem->name);
  table.header.emplace_back("with drag");
  table.note =
      "On the most general problem an order is what is declared; on special ones a method may converge faster, which "
      "is no failure.";
  for (const Method& declared : integrators()) {
    if (!declared.dynamic) continue;
    const Method& method = find_integrator(trial.integrator(declared.name));
    std::vector<std::string> row{declared.name, std::to_string(declared.order)};
    double least = std::numeric_limits<double>::infinity();
    for (const Problem* problem : problems) {
      const double measured = measured_order(method, precise(), *problem);
      row.push_back(fmt::format("{:.2f}", measured));
      least = std::isnan(measured) ? measured : std::min(least, measured);
      if (std::isnan(least)) break;
    }
    outcome.near(declared.name + ": least order measured", least, declared.order, 0.1);
    const double damped = measured_order(method, precise(), *problems.back(), {.drag = 0.5});
    row.push_back(fmt::format("{:.2f}", damped));
    if (declared.name == "verlet" || declared.name == "leapfrog" || declared.name == "stormer-verlet")
      outcome.near(declared.name + ": order with drag", damped, 1, 0.1).refuted =
          declared.order_with_damping.drag == 1 ? ""
                                                : "drag is no force at the latest velocity here, as in S4: it acts "
                                                  "exactly between steps, before and after "
                                                  "them by halves, which keeps the second order";
    table.rows.push_back(std::move(row));
  }
  outcome.tables.push_back(std::move(table));
  return outcome;
}

}  // namespace

Experiments s4_orders() {
  return {{"s4-orders", "S4",
           "Every integrator has the order it is said to have, to within 0.1; a force that depends on velocity takes "
           "Verlet and leapfrog down to the first.",
           "Every integrator of the registry on an oscillator, a pendulum, an ellipse around a star, a tumbling solid; "
           "and with drag.",
           orders}};
}

}  // namespace brio
