/// Simulations: what steps them, and looks into them.
#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "brio/contact.h"
#include "brio/view.h"
#include "integrators/options.h"
#include "simulation_box.h"
#include "solvers/options.h"

namespace brio::python {
namespace {

template <class Number, class Rows>
py::array_t<Number> rows_array(const Rows& rows) {
  py::array_t<Number> array({static_cast<py::ssize_t>(rows.size()), py::ssize_t{3}});
  Number* place = array.mutable_data();
  for (const auto& row : rows)
    for (const Number number : row) *place++ = number;
  return array;
}

StepReport step(SimulationBox& box, int count, double milliseconds, bool finish) {
  const Editing editing(box);
  box.stop = false;
  StepReport report;
  for (;;) {
    const InterruptGuard guard(&box.stop);
    answer_signals();
    {
      const py::gil_scoped_release others_run;
      report = box.simulation.step(count, {.stop = &box.stop,
                                           .milliseconds = milliseconds,
                                           .on_time_out = finish ? OnTimeOut::finish_with_best : OnTimeOut::cancel});
    }
    if (!InterruptGuard::flag()) break;
    answer_signals();
    if (report.status != StepReport::Status::canceled) break;
    box.stop = false;
  }
  box.ledger.push_back(box.simulation.ledger());
  return report;
}

}  // namespace

SimulationOptions options_of(const std::string& integrator, double h, const py::dict& options, const py::dict& solver) {
  const Method& method = find_integrator(integrator);
  const Node node = node_of(options, "integrator", "");
  for (const Node& member : node.children)
    if (std::ranges::count(method.options, member.key) == 0) {
      const std::string near = nearest(member.key, method.options);
      std::string knows;
      for (const std::string& option : method.options) knows += (knows.empty() ? "" : ", ") + option;
      throw InputError({.key = member.key,
                        .value = member.text(),
                        .problem = "is no option of " + method.name,
                        .advice = !near.empty()   ? "did you mean '" + near + "'?"
                                  : knows.empty() ? "it has none"
                                                  : "it has " + knows});
    }
  SimulationOptions all{.integrator = method.name, .h = h};
  all.options = integrator_fields().read(node.entries(), "");
  all.options.solver = solver_fields().read(entries_of(solver, "solver"), "solver");
  find_solver(all.options.solver.name);
  return all;
}

py::array SimulationBox::view(Which which) {
  const Busy working(busy, "the simulation");
  std::weak_ptr<Lease>& known = which == Which::x ? x_lease_ : v_lease_;
  std::shared_ptr<Lease> lease = known.lock();
  if (!lease) known = lease = std::make_shared<Lease>();
  const NodalField& field = which == Which::x ? simulation.state().x : simulation.state().v;
  const py::capsule owner(new std::shared_ptr<Lease>(lease),
                          [](void* held) { delete static_cast<std::shared_ptr<Lease>*>(held); });
  constexpr py::ssize_t number = sizeof(double);
  py::array_t<double> array({static_cast<py::ssize_t>(field.size()), py::ssize_t{3}},
                            {number * static_cast<py::ssize_t>(NodalField::stride), number}, field.data(), owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

void SimulationBox::part_with_views() {
  const std::shared_ptr<Lease> x = x_lease_.lock(), v = v_lease_.lock();
  if (!x && !v) return;
  auto [places, speeds] = simulation.part_with_state();
  if (x) x->memory = std::move(places);
  if (v) v->memory = std::move(speeds);
  x_lease_.reset();
  v_lease_.reset();
}

void bind_simulations(py::module_& module) {
  SimulationClass simulation(module, "Simulation");
  simulation
      .def(py::init([](ModelBox& box, const std::string& integrator, double h, const py::dict& options,
                       const py::dict& solver, const py::handle& x, const py::handle& v, double time) {
        State state = box.start();
        if (!x.is_none()) state.x = field_of(x, state.x.size(), "x");
        if (!v.is_none()) state.v = field_of(v, state.v.size(), "v");
        state.time = time;
        const SimulationOptions all = options_of(integrator, h, options, solver);
        const Model model = [&] {  // under the lock of Python: several threads may start from one model
          const Busy busy(box.busy, "the model");
          return Model(box.model());
        }();
        return compute([&] { return std::make_shared<SimulationBox>(Simulation(Model(model), state, all), all); });
      }))
      .def("step", &step)
      .def("cancel", [](SimulationBox& box) { box.stop = true; })
      .def("repeat_steps",
           [](SimulationBox& box, int count) {  // what stepping costs without Python, for benchmarks
             const Editing editing(box);
             compute([&] {
               for (int i = 0; i < count; ++i)
                 if (!box.simulation.step(1, {.stop = &InterruptGuard::flag()}).ok()) break;
             });
           })
      .def("use",
           [](SimulationBox& box, const std::string& integrator, double h, const py::dict& options,
              const py::dict& solver) {
             const SimulationOptions all = options_of(integrator, h, options, solver);
             const Editing editing(box);
             compute([&] { box.simulation.use(all); });
             box.options = all;
           })
      .def_property_readonly("x", [](SimulationBox& box) { return box.view(SimulationBox::Which::x); })
      .def_property_readonly("v", [](SimulationBox& box) { return box.view(SimulationBox::Which::v); })
      .def_property_readonly("time", [](const SimulationBox& box) { return box.looked_at().state().time; })
      .def_property_readonly("steps", [](const SimulationBox& box) { return box.looked_at().state().step; })
      .def_property_readonly("h", [](const SimulationBox& box) { return box.looked_at().h(); })
      .def("time_of", [](const SimulationBox& box, long step) { return box.looked_at().clock().time_of(step); })
      .def_property_readonly("integrator", [](const SimulationBox& box) { return box.looked_at().method().name; })
      .def_property_readonly("hash", [](const SimulationBox& box) { return box.looked_at().hash(); })
      .def("row", [](const SimulationBox& box) { return rows_of({box.looked_at().ledger()}); })
      .def("ledger", [](const SimulationBox& box) { return box.looked_at(), rows_of(box.ledger); })
      .def("model",
           [](SimulationBox& box) {
             const Busy busy(box.busy, "the simulation");
             return std::make_shared<ModelBox>(Model(box.simulation.model()));
           })
      .def("bodies", [](const SimulationBox& box) { return body_numbers(box.looked_at().model()); })
      .def("body_facts",
           [](const SimulationBox& box, std::uint32_t number) { return body_facts(box.looked_at().model(), number); })
      .def("body_surface",
           [](const SimulationBox& box, std::uint32_t number) { return body_surface(box.looked_at().model(), number); })
      .def("body_mesh",
           [](const SimulationBox& box, std::uint32_t number) { return body_mesh(box.looked_at().model(), number); })
      .def("snapshot", [](const SimulationBox& box) { return box.looked_at().snapshot(); })
      .def("restore",
           [](SimulationBox& box, const Snapshot& snapshot) {
             const Editing editing(box);
             compute([&] { box.simulation.restore(snapshot); });
           })
      .def("surface",
           [](SimulationBox& box, std::uint32_t body) {
             const Busy busy(box.busy, "the simulation");
             BodyView view(box.simulation.model(), BodyId(body));
             view.update(box.simulation.model(), box.simulation.state());
             return py::make_tuple(
                 rows_array<float>(view.positions()), rows_array<float>(view.normals()),
                 rows_array<std::uint32_t>(view.triangles()),
                 py::array_t<int>(py::cast(std::vector<int>(view.vertices().begin(), view.vertices().end()))));
           })
      .def("penetration",
           [](SimulationBox& box) {
             const Busy busy(box.busy, "the simulation");
             const Penetration p =
                 compute([&] { return deepest_penetration(box.simulation.model(), box.simulation.state()); });
             return py::make_tuple(p.depth, p.fraction, p.collider, p.body ? py::cast(p.body.number()) : py::none(),
                                   p.vertex);
           })
      .def("solve_times", [](const SimulationBox& box) { return times_of(box.looked_at().times()); })
      .def("linear_solvers", [](const SimulationBox& box) { return box.looked_at().linear_solvers(); })
      .def("max_stable_step", [](SimulationBox& box, const std::string& integrator, const py::dict& options,
                                 const py::dict& solver, int steps, const std::map<std::string, double>& numbers) {
        const SimulationOptions all = options_of(integrator, box.simulation.h(), options, solver);
        const Editing editing(box);
        const StableRun run{.steps = steps,
                            .duration = numbers.at("duration"),
                            .growth = numbers.at("growth"),
                            .longest = numbers.at("longest"),
                            .resolution = numbers.at("resolution")};
        try {
          const double found = compute([&] { return max_stable_step(box.simulation, all, run); });
          box.options = all;
          box.options.h = box.simulation.h();
          return found;
        } catch (...) {  // interrupted, or by a method of the user's: it goes on as it did before
          box.simulation.use(box.options);
          throw;
        }
      });
  bind_edits(simulation);
  module.def("stability_limit", [](const std::string& integrator, const py::dict& options) {
    const SimulationOptions all = options_of(integrator, 1, options, {});
    return compute([&] { return stability_limit(find_integrator(all.integrator), all.options); });
  });
}

}  // namespace brio::python
