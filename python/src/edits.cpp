/// What is done to a running simulation from outside.
#include <pybind11/stl.h>

#include <optional>

#include "brio/contact.h"
#include "model/materials/registry.h"
#include "scene/collider.h"
#include "scene/damping.h"
#include "scene/motion.h"
#include "simulation_box.h"

namespace brio::python {
namespace {

BodyPoint point_of(const std::array<int, 3>& vertices, const py::handle& weights) {
  return {.vertices = vertices, .weights = vector_of(weights, "weights")};
}

std::optional<Vec3> pivot_of(const py::handle& pivot) {
  if (pivot.is_none()) return {};
  return vector_of(pivot, "pivot");
}

/// With all that bodies of scenes have.
std::uint32_t add_live(SimulationBox& box, const py::dict& keys) {
  const Node node = node_of(keys, "body", "body");
  const Editing editing(box);
  const std::vector<BodyId> ids = compute([&] {
    BodyNames names;
    for (const Body& body : box.simulation.model().bodies()) names.insert(body.name);
    std::vector<BodyStart> starts;
    return box.simulation.add([&](Model& model) { starts = read_bodies(node, model, names); },
                              [&](const Model& model, State& state) {
                                for (const BodyStart& start : starts) start.apply(model, state);
                              });
  });
  return ids.front().number();
}

}  // namespace

void bind_edits(SimulationClass& simulation) {
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
           [](SimulationBox& box, std::uint32_t pins, const py::handle& translate, const py::handle& turn,
              const py::handle& pivot) {
             const Motion::Key to{.translate = vector_of(translate, "translate"), .turn = vector_of(turn, "turn")};
             const std::optional<Vec3> about = pivot_of(pivot);
             const Editing editing(box);
             compute([&] { box.simulation.move_pins(PinId(pins), to, about); });
           })
      .def("move_collider",
           [](SimulationBox& box, std::uint32_t collider, const py::handle& translate, const py::handle& turn,
              const py::handle& pivot) {
             const Motion::Key to{.translate = vector_of(translate, "translate"), .turn = vector_of(turn, "turn")};
             const std::optional<Vec3> about = pivot_of(pivot);
             const Editing editing(box);
             compute([&] { box.simulation.move_collider(ColliderId(collider), to, about); });
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

}  // namespace brio::python
