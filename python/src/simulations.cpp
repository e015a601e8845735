/// Simulations and snapshots.
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>

#include "bridge.h"
#include "brio/contact.h"
#include "brio/view.h"
#include "integrators/options.h"
#include "model/materials/registry.h"
#include "scene/collider.h"
#include "scene/damping.h"
#include "scene/kinds.h"
#include "scene/motion.h"
#include "sim/snapshot_file.h"
#include "simulation_box.h"
#include "solvers/options.h"

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

py::array rows_of(const std::vector<LedgerRow>& ledger) {
  py::array_t<Row> array(static_cast<py::ssize_t>(ledger.size()));
  std::ranges::transform(ledger, array.mutable_data(), row_of);
  return array;
}

template <class Number, class Rows>
py::array_t<Number> rows_array(const Rows& rows) {
  py::array_t<Number> array({static_cast<py::ssize_t>(rows.size()), py::ssize_t{3}});
  Number* place = array.mutable_data();
  for (const auto& row : rows)
    for (const Number number : row) *place++ = number;
  return array;
}

BodyPoint point_of(const std::array<int, 3>& vertices, const py::handle& weights) {
  return {.vertices = vertices, .weights = vector_of(weights, "weights")};
}

std::uint32_t add_live(SimulationBox& box, const py::dict& keys, const py::handle& velocity) {
  const Node node = node_of(keys, "body", "body");
  const Vec3 speed = vector_of(velocity, "velocity");
  const Node* mesh = node.find("mesh");
  if (mesh == nullptr) refuse(node, "needs a mesh");
  for (const Node& member : node.children)
    for (const char* later : {"rotate", "spin", "color", "copies", "spacing", "deform", "pin", "attach", "push", "wind",
                              "constrain", "straight"})
      if (member.key == later)
        refuse(member, "is of no use for a body that comes while a simulation runs", "place the mesh, or use edits");
  const Node* kind = node.find("kind");
  const Node* name = node.find("name");
  const auto text = [](const Node* of, const char* otherwise) {
    const auto* given = of != nullptr ? std::get_if<std::string>(&of->value) : nullptr;
    return given != nullptr ? *given : std::string(otherwise);
  };
  BodyCommon common;
  for (const Node& member : node.children)
    if (common_fields().knows(member.key)) common_fields().set(common, member.entry(), node.path);
  const BodyOptions options = compute([&] {
    SceneMesh shape = read_scene_mesh(*mesh);
    for (Vec3& p : shape.mesh.vertices) p = common.scale * p + common.position;
    const char* usual = !shape.mesh.tets.empty() ? "solid" : !shape.mesh.triangles.empty() ? "cloth" : "wire";
    return read_options(node, text(kind, usual), text(name, "body"), std::move(shape));
  });
  const Editing editing(box);
  const BodyId id =
      compute([&] { return std::visit([&](const auto& o) { return box.simulation.add(o, speed); }, options); });
  return id.number();
}

void bind_snapshots(py::module_& module) {
  py::class_<Snapshot>(module, "Snapshot")
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

void bind_reports(py::module_& module) {
  py::class_<StepReport>(module, "StepReport")
      .def_property_readonly("ok", &StepReport::ok)
      .def_property_readonly("status",
                             [](const StepReport& r) {
                               return r.ok() ? "ok" : r.status == StepReport::Status::failed ? "failed" : "canceled";
                             })
      .def_readonly("iterations", &StepReport::iterations)
      .def_readonly("residual", &StepReport::residual)
      .def_readonly("halvings", &StepReport::halvings)
      .def_readonly("unconverged", &StepReport::unconverged)
      .def_readonly("out_of_time", &StepReport::out_of_time)
      .def_readonly("energy_error", &StepReport::energy_error)
      .def_readonly("alpha", &StepReport::alpha)
      .def_readonly("damping_loss", &StepReport::damping_loss)
      .def_readonly("friction_loss", &StepReport::friction_loss)
      .def_readonly("user_work", &StepReport::user_work)
      .def_readonly("message", &StepReport::message);
}

void bind_edits(py::class_<SimulationBox, std::shared_ptr<SimulationBox>>& simulation) {
  simulation
      .def("grab",
           [](SimulationBox& box, std::uint32_t body, const std::array<int, 3>& vertices, const py::handle& weights,
              double stiffness) {
             const BodyPoint point = point_of(vertices, weights);
             const Editing editing(box);
             return compute([&] { return box.simulation.grab(BodyId(body), point, stiffness).number(); });
           })
      .def("move",
           [](SimulationBox& box, std::uint32_t hand, const py::handle& to) {
             const Vec3 place = vector_of(to, "to");
             const Editing editing(box);
             compute([&] { box.simulation.move(GrabId(hand), place); });
           })
      .def("let_go",
           [](SimulationBox& box, std::uint32_t hand) {
             const Editing editing(box);
             compute([&] { box.simulation.let_go(GrabId(hand)); });
           })
      .def("held",
           [](SimulationBox& box, std::uint32_t hand) {
             const Busy busy(box.busy, "the simulation");
             const auto [place, point] = box.simulation.held(GrabId(hand));
             return py::make_tuple(array_of(place), array_of(point));
           })
      .def("pick",
           [](SimulationBox& box, const py::handle& origin, const py::handle& direction) -> py::object {
             const Busy busy(box.busy, "the simulation");
             const Vec3 from = vector_of(origin, "origin"), along = vector_of(direction, "direction");
             const RayHit hit = compute([&] { return box.simulation.pick(from, along); });
             if (!hit.body) return py::none();
             return py::make_tuple(hit.body.number(), hit.point.vertices, array_of(hit.point.weights),
                                   array_of(hit.place));
           })
      .def("set_state",
           [](SimulationBox& box, const py::handle& x, const py::handle& v) {
             const State& state = box.simulation.state();
             const NodalField places = x.is_none() ? state.x : field_of(x, state.x.size(), "x");
             const NodalField speeds = v.is_none() ? state.v : field_of(v, state.v.size(), "v");
             const Editing editing(box);
             compute([&] { box.simulation.set_state(places, speeds); });
           })
      .def("set_velocity",
           [](SimulationBox& box, std::uint32_t body, const py::handle& vertices, const py::handle& velocity) {
             const std::vector<int> chosen = indices_of(vertices, "vertices");
             const Vec3 speed = vector_of(velocity, "velocity");
             const Editing editing(box);
             compute([&] { box.simulation.set_velocity(BodyId(body), chosen, speed); });
           })
      .def("apply_impulse",
           [](SimulationBox& box, std::uint32_t body, int vertex, const py::handle& impulse) {
             const Vec3 push = vector_of(impulse, "impulse");
             const Editing editing(box);
             compute([&] { box.simulation.apply_impulse(BodyId(body), vertex, push); });
           })
      .def("move_pins",
           [](SimulationBox& box, std::uint32_t pins, const py::handle& translate, const py::handle& turn) {
             const Motion::Key to{.translate = vector_of(translate, "translate"), .turn = vector_of(turn, "turn")};
             const Editing editing(box);
             compute([&] { box.simulation.move_pins(PinId(pins), to); });
           })
      .def("move_collider",
           [](SimulationBox& box, std::uint32_t collider, const py::handle& translate, const py::handle& turn) {
             const Motion::Key to{.translate = vector_of(translate, "translate"), .turn = vector_of(turn, "turn")};
             const Editing editing(box);
             compute([&] { box.simulation.move_collider(ColliderId(collider), to); });
           })
      .def("set_gravity",
           [](SimulationBox& box, const py::handle& acceleration) {
             const Vec3 gravity = vector_of(acceleration, "gravity");
             const Editing editing(box);
             compute([&] { box.simulation.set_gravity(gravity); });
           })
      .def("set_wind",
           [](SimulationBox& box, std::uint32_t body, const py::dict& keys) {
             const Wind wind = read_wind(node_of(keys, "wind", "wind"));
             const Editing editing(box);
             compute([&] { box.simulation.set_wind(BodyId(body), wind); });
           })
      .def("set_damping",
           [](SimulationBox& box, const py::list& items) {
             Node node = node_of(items, "damping", "damping");
             if (items.empty()) node.kind = Node::Kind::array;
             const Damping damping = read_damping(node);
             const Editing editing(box);
             compute([&] { box.simulation.set_damping(damping); });
           })
      .def("set_material",
           [](SimulationBox& box, std::uint32_t body, const py::dict& keys) {
             const Material material = read_material(entries_of(keys, "material"), "material");
             const Editing editing(box);
             compute([&] { box.simulation.set_material(BodyId(body), material); });
           })
      .def("add_body", &add_live)
      .def("add_collider",
           [](SimulationBox& box, const py::dict& keys) {
             const Node node = node_of(keys, "collider", "collider");
             const Editing editing(box);
             return compute([&] {
               Simulation& s = box.simulation;
               Model copy(s.model());  // reading adds, which a simulation does by itself
               const double explicit_step = s.method().family == "explicit" ? s.h() : 0;
               return s.add_collider(read_collider(node, explicit_step, copy)).number();
             });
           })
      .def("remove_body",
           [](SimulationBox& box, std::uint32_t body) {
             const Editing editing(box);
             compute([&] { box.simulation.remove(BodyId(body)); });
           })
      .def("remove_collider", [](SimulationBox& box, std::uint32_t collider) {
        const Editing editing(box);
        compute([&] { box.simulation.remove(ColliderId(collider)); });
      });
}

StepReport step(SimulationBox& box, int count, double milliseconds, bool finish) {
  const Editing editing(box);
  StepReport report;
  for (;;) {
    const InterruptGuard guard;
    answer_signals();
    {
      const py::gil_scoped_release others_run;
      report = box.simulation.step(count, {.stop = &InterruptGuard::flag(),
                                           .milliseconds = milliseconds,
                                           .on_time_out = finish ? OnTimeOut::finish_with_best : OnTimeOut::cancel});
    }
    if (!InterruptGuard::flag()) break;
    answer_signals();
    if (report.status != StepReport::Status::canceled) break;
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
  PYBIND11_NUMPY_DTYPE(Row, time, kinetic, elastic, gravity, contact, total, user_work, damping_loss, friction_loss,
                       residual, px, py, pz, lx, ly, lz, alpha, iterations, failed, ms);
  bind_reports(module);
  bind_snapshots(module);
  py::class_<SimulationBox, std::shared_ptr<SimulationBox>> simulation(module, "Simulation");
  simulation
      .def(py::init([](ModelBox& box, const std::string& integrator, double h, const py::dict& options,
                       const py::dict& solver, const py::handle& x, const py::handle& v, double time) {
        const Busy busy(box.busy, "the model");
        State state = box.start();
        if (!x.is_none()) state.x = field_of(x, state.x.size(), "x");
        if (!v.is_none()) state.v = field_of(v, state.v.size(), "v");
        state.time = time;
        const SimulationOptions all = options_of(integrator, h, options, solver);
        return compute([&] { return std::make_shared<SimulationBox>(Simulation(Model(box.model()), state, all)); });
      }))
      .def("step", &step)
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
           })
      .def_property_readonly("x", [](SimulationBox& box) { return box.view(SimulationBox::Which::x); })
      .def_property_readonly("v", [](SimulationBox& box) { return box.view(SimulationBox::Which::v); })
      .def_property_readonly("time", [](const SimulationBox& box) { return box.looked_at().state().time; })
      .def_property_readonly("steps", [](const SimulationBox& box) { return box.looked_at().state().step; })
      .def_property_readonly("h", [](const SimulationBox& box) { return box.looked_at().h(); })
      .def_property_readonly("integrator", [](const SimulationBox& box) { return box.looked_at().method().name; })
      .def_property_readonly("hash", [](const SimulationBox& box) { return box.looked_at().hash(); })
      .def("row", [](const SimulationBox& box) { return rows_of({box.looked_at().ledger()}); })
      .def("ledger", [](const SimulationBox& box) { return box.looked_at(), rows_of(box.ledger); })
      .def("model",
           [](SimulationBox& box) {
             const Busy busy(box.busy, "the simulation");
             return std::make_shared<ModelBox>(Model(box.simulation.model()));
           })
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
             return py::make_tuple(p.depth, p.fraction, p.collider);
           })
      .def("solve_times",
           [](const SimulationBox& box) {
             const SolveTimes& times = box.looked_at().times();
             py::dict ms;
             ms["assembly"] = times.assembly;
             ms["factor"] = times.factor;
             ms["solve"] = times.solve;
             ms["search"] = times.search;
             ms["blend"] = times.blend;
             return ms;
           })
      .def("linear_solvers", [](const SimulationBox& box) { return box.looked_at().linear_solvers(); })
      .def("max_stable_step", [](SimulationBox& box, const std::string& integrator, const py::dict& options,
                                 const py::dict& solver, int steps, double longest) {
        const SimulationOptions all = options_of(integrator, box.simulation.h(), options, solver);
        const Editing editing(box);
        return compute([&] { return max_stable_step(box.simulation, all, {.steps = steps, .longest = longest}); });
      });
  bind_edits(simulation);
  module.def("stability_limit", [](const std::string& integrator, const py::dict& options) {
    const SimulationOptions all = options_of(integrator, 1, options, {});
    return compute([&] { return stability_limit(find_integrator(all.integrator), all.options); });
  });
}

}  // namespace brio::python
