/// What steps and states leave behind: reports, rows of the ledger, snapshots.
#include <pybind11/stl.h>

#include <algorithm>
#include <string>

#include "sim/snapshot_file.h"
#include "simulation_box.h"

namespace brio::python {
namespace {

/// A row of the ledger as it lies in a structured array.
struct Row {
  double time, kinetic, elastic, gravity, contact, total, user_work, damping_loss, friction_loss, residual;
  double px, py, pz, lx, ly, lz, alpha;
  std::int64_t iterations;
  bool failed;
  double ms;
};

Row row_of(const LedgerRow& r) {
  return {r.time,         r.kinetic,       r.elastic,  r.gravity,    r.contact,   r.total,     r.user_work,
          r.damping_loss, r.friction_loss, r.residual, r.linear[0],  r.linear[1], r.linear[2], r.angular[0],
          r.angular[1],   r.angular[2],    r.alpha,    r.iterations, r.failed,    r.ms};
}

void bind_snapshots(py::module_& module) {
  py::class_<Snapshot>(module, "Snapshot",
                       "A moment of a simulation to return to: positions x [m], velocities v [m/s], and all else that "
                       "its future depends on. It can be pickled.")
      .def_property_readonly("time", [](const Snapshot& s) { return s.state.time; })
      .def_property_readonly("step", [](const Snapshot& s) { return s.state.step; })
      .def_readonly("integrator", &Snapshot::integrator)
      .def_property_readonly("x", [](const Snapshot& s) { return array_of(s.state.x); })
      .def_property_readonly("v", [](const Snapshot& s) { return array_of(s.state.v); })
      .def("save", [](const Snapshot& s, const std::string& path) { save(s, path); })
      .def_static("load", [](const std::string& path) { return load_snapshot(path); })
      .def(py::pickle([](const Snapshot& s) { return py::bytes(to_bytes(s)); },
                      [](const py::bytes& bytes) { return snapshot_from(std::string(bytes), "pickle"); }));
}

/// All of it but where the time went, as Python can keep it.
py::tuple numbers_of_report(const StepReport& r) {
  return py::make_tuple(static_cast<int>(r.status), r.iterations, r.residual, r.halvings, r.energy_halvings,
                        r.unconverged, r.out_of_time, r.strayed, r.strayed_by, r.strayed_body, r.limited_drag,
                        r.energy_error, r.alpha, r.damping_loss, r.contact_loss, r.friction_loss, r.user_work,
                        r.message);
}

StepReport report_of_numbers(const py::tuple& t) {
  if (t.size() != 18) throw py::value_error("this is no StepReport");
  return {.status = static_cast<StepReport::Status>(std::clamp(t[0].cast<int>(), 0, 2)),
          .iterations = t[1].cast<int>(),
          .residual = t[2].cast<double>(),
          .halvings = t[3].cast<int>(),
          .energy_halvings = t[4].cast<int>(),
          .unconverged = t[5].cast<bool>(),
          .out_of_time = t[6].cast<bool>(),
          .strayed = t[7].cast<int>(),
          .strayed_by = t[8].cast<double>(),
          .strayed_body = t[9].cast<int>(),
          .limited_drag = t[10].cast<int>(),
          .energy_error = t[11].cast<double>(),
          .alpha = t[12].cast<double>(),
          .damping_loss = t[13].cast<double>(),
          .contact_loss = t[14].cast<double>(),
          .friction_loss = t[15].cast<double>(),
          .user_work = t[16].cast<double>(),
          .message = t[17].cast<std::string>()};
}

void bind_step_reports(py::module_& module) {
  py::class_<StepReport>(
      module, "StepReport",
      "How a call of step went: ok, or what failed, in its message; what the solver did (iterations, residual, "
      "halvings, "
      "unconverged, out_of_time, times [ms], linear); what was put in and lost [J] (user_work, damping_loss, of it "
      "contact_loss, friction_loss); of methods that steer by energy how far they strayed from it.")
      .def_property_readonly("ok", &StepReport::ok)
      .def_property_readonly("status",
                             [](const StepReport& r) {
                               return r.ok() ? "ok" : r.status == StepReport::Status::failed ? "failed" : "canceled";
                             })
      .def_readonly("iterations", &StepReport::iterations)
      .def_readonly("residual", &StepReport::residual)
      .def_readonly("halvings", &StepReport::halvings)
      .def_readonly("energy_halvings", &StepReport::energy_halvings)
      .def_readonly("unconverged", &StepReport::unconverged)
      .def_readonly("out_of_time", &StepReport::out_of_time)
      .def_readonly("strayed", &StepReport::strayed)
      .def_readonly("strayed_by", &StepReport::strayed_by)
      .def_readonly("strayed_body", &StepReport::strayed_body)
      .def_readonly("limited_drag", &StepReport::limited_drag)
      .def_readonly("energy_error", &StepReport::energy_error)
      .def_readonly("alpha", &StepReport::alpha)
      .def_readonly("damping_loss", &StepReport::damping_loss)
      .def_readonly("contact_loss", &StepReport::contact_loss)
      .def_readonly("friction_loss", &StepReport::friction_loss)
      .def_readonly("user_work", &StepReport::user_work)
      .def_property_readonly("times", [](const StepReport& r) { return times_of(r.times); })
      .def_property_readonly("linear", [](const StepReport& r) { return std::string(r.linear); })
      .def_readonly("message", &StepReport::message)
      .def("__repr__",
           [](const StepReport& r) {
             return r.ok() ? "<StepReport: ok, " + std::to_string(r.iterations) + " iterations>"
                           : "<StepReport: " + r.message + ">";
           })
      .def(py::pickle(&numbers_of_report, &report_of_numbers));
}

}  // namespace

py::array rows_of(const std::vector<LedgerRow>& ledger) {
  py::array_t<Row> array(static_cast<py::ssize_t>(ledger.size()));
  std::ranges::transform(ledger, array.mutable_data(), row_of);
  return array;
}

py::dict times_of(const SolveTimes& times) {
  py::dict ms;
  ms["assembly"] = times.assembly;
  ms["factor"] = times.factor;
  ms["solve"] = times.solve;
  ms["search"] = times.search;
  ms["blend"] = times.blend;
  return ms;
}

void bind_records(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(Row, time, kinetic, elastic, gravity, contact, total, user_work, damping_loss, friction_loss,
                       residual, px, py, pz, lx, ly, lz, alpha, iterations, failed, ms);
  bind_step_reports(module);
  bind_snapshots(module);
}

}  // namespace brio::python
