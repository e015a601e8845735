/// Models: what simulations are of, and what the methods of users evaluate.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "bridge.h"
#include "brio/contact.h"
#include "brio/energy.h"
#include "model/body_checks.h"
#include "model/interaction.h"
#include "model/materials/registry.h"
#include "scene/collider.h"
#include "scene/damping.h"
#include "scene/motion.h"
#include "scene/self_contact.h"
#include "simulation_box.h"

namespace brio::python {
namespace {

py::list add_body(ModelBox& box, const py::dict& keys) {
  const Busy busy(box.busy, "the model");
  const Node node = node_of(keys, "body", "body");
  Model& model = box.mine();
  BodyNames names;
  std::vector<BodyStart> added;
  compute([&] {
    Model copy(model);  // of a body that is refused halfway nothing stays
    names = box.names;
    added = read_bodies(node, copy, names);
    model = std::move(copy);
  });
  box.names = std::move(names);
  py::list ids;
  for (BodyStart& start : added) {
    ids.append(start.body.number());
    box.starts.push_back(std::move(start));
  }
  return ids;
}

/// Changes a copy of the model and keeps that, unless the change is refused.
template <class Change>
void change(ModelBox& box, Change&& how) {
  const Busy busy(box.busy, "the model");
  Model& model = box.mine();
  compute([&] {
    Model copy(model);
    how(copy);
    model = std::move(copy);
  });
}

/// Pins, attachments, pushes and constraints of a body that is there; what they are called is the key.
std::vector<std::uint32_t> add_support(ModelBox& box, std::uint32_t body, const std::string& kind,
                                       const py::dict& keys) {
  Node node{.path = "body"};
  node.children.push_back(node_of(keys, kind, kind));
  BodyStart start{.body = box.mine().body(BodyId(body)).id};
  for (const BodyStart& known : box.starts)
    if (known.body == start.body) start = known;
  std::vector<PinId> pins;
  change(box, [&](Model& m) { pins = read_supports(node, start, m); });
  std::vector<std::uint32_t> numbers;
  for (const PinId pin : pins) numbers.push_back(pin.number());
  return numbers;
}

/// Springs to any points; `keys` say how these move, and when they let go.
void attach_points(ModelBox& box, std::uint32_t body, const py::handle& vertices, const py::handle& points,
                   double stiffness, double rest_length, const py::dict& keys) {
  const std::vector<int> chosen = indices_of(vertices, "vertices");
  const NodalField places = field_of(points, chosen.size(), "points");
  std::vector<Attachment> list;
  Vec3 middle = Vec3::Zero();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    list.push_back({.vertex = chosen[i], .point = places[i], .stiffness = stiffness, .rest_length = rest_length});
    middle += places[i] / static_cast<double>(chosen.size());
  }
  Node node = node_of(keys, "", "attach");
  double release = std::numeric_limits<double>::infinity();
  if (const Node* when = node.find("release"); when != nullptr && std::holds_alternative<double>(when->value))
    release = std::get<double>(when->value);
  std::erase_if(node.children, [](const Node& member) { return member.key == "release"; });
  for (const Node& member : node.children)
    if (std::ranges::count(motion_keys, member.key) == 0) refuse_unknown(member, motion_keys);
  change(box, [&](Model& m) {
    const AttachmentId id = m.attach(BodyId(body), list);
    m.drive(id, read_motion(node, middle));
    if (std::isfinite(release)) m.release(id, release);
  });
}

void remove_body(ModelBox& box, std::uint32_t body) {
  const BodyId id = box.mine().body(BodyId(body)).id;
  const std::string name = box.mine().body(id).name;
  change(box, [&](Model& m) { m.remove(id); });
  box.names.erase(name);
  std::erase_if(box.starts, [&](const BodyStart& start) { return start.body == id; });
}

/// Evaluations keep scratch in the model; where its bodies touch, contacts are those at x.
template <class Evaluate>
auto evaluate(ModelBox& box, const NodalField& x, double time, Evaluate&& at) {
  const Busy busy(box.busy, "the model");
  const Model& model = box.model();
  return compute([&] {
    model.pattern();
    if (!box.is_lent() && !model.interactions().empty()) {  // a simulation has recalled them
      State there{.x = x, .v = NodalField(x.size()), .time = time};
      recall_interactions(model, there);
    }
    return at(model, Configuration(x, Moment::at(time)));
  });
}

void add_gravity(const Model& model, NodalField& g) {
  for (std::size_t i = 0; i < model.vertices(); ++i) g[i] -= model.mass()[i] * model.gravity();
}

using ModelClass = py::class_<ModelBox, std::shared_ptr<ModelBox>>;

void bind_building(ModelClass& model) {
  model.def(py::init<>())
      .def("add_body", &add_body)
      .def("add_collider",
           [](ModelBox& box, const py::dict& keys, double explicit_step) {
             const Node node = node_of(keys, "collider", "collider");
             change(box, [&](Model& m) { read_collider(node, explicit_step, m); });
           })
      .def("set_contact",
           [](ModelBox& box, const py::dict& keys) {
             const Node node = node_of(keys, "contact", "contact");
             change(box, [&](Model& m) { read_contact(node, m); });
           })
      .def("set_damping",
           [](ModelBox& box, const py::list& items) {
             Node node = node_of(items, "damping", "damping");
             if (items.empty()) node.kind = Node::Kind::array;
             change(box, [&](Model& m) { m.set_damping(read_damping(node)); });
           })
      .def("add_support", &add_support)
      .def("attach_points", &attach_points)
      .def("remove_body", &remove_body)
      .def("remove_collider",
           [](ModelBox& box, std::uint32_t collider) {
             change(box, [&](Model& m) { remove_collider(m, ColliderId(collider)); });
           })
      .def("set_wind",
           [](ModelBox& box, std::uint32_t body, const py::dict& keys) {
             const Wind wind = read_wind(node_of(keys, "wind", "wind"));
             change(box, [&](Model& m) { m.set_wind(BodyId(body), wind); });
           })
      .def("set_material",
           [](ModelBox& box, std::uint32_t body, const py::dict& keys) {
             const Material material = read_material(entries_of(keys, "material"), "material");
             change(box, [&](Model& m) { m.set_material(BodyId(body), material); });
           })
      .def_property(
          "gravity", [](const ModelBox& box) { return array_of(box.model().gravity()); },
          [](ModelBox& box, const py::handle& g) {
            const Vec3 gravity = vector_of(g, "gravity");
            change(box, [&](Model& m) { m.set_gravity(gravity); });
          });
}

void bind_evaluation(ModelClass& model) {
  const auto field = [](const ModelBox& box, const py::handle& x, const char* key) {
    return field_of(x, box.model().vertices(), key);
  };
  model
      .def("energy",
           [=](ModelBox& box, const py::handle& x, double time) {
             return evaluate(box, field(box, x, "x"), time,
                             [](const Model& m, const Configuration& at) { return m.potential_energy(at); });
           })
      .def("elastic_energy",
           [=](ModelBox& box, const py::handle& x, std::optional<std::uint32_t> body, double time) {
             return evaluate(box, field(box, x, "x"), time, [&](const Model& m, const Configuration& at) {
               if (body) return m.elastic_energy(BodyId(*body), at);
               double sum = 0;
               for (const auto& energy : m.energies())
                 if (energy->role() == Role::elastic) sum += energy->value(at);
               return sum;
             });
           })
      .def("contact_energy",
           [=](ModelBox& box, const py::handle& x, double time) {
             return evaluate(box, field(box, x, "x"), time,
                             [](const Model& m, const Configuration& at) { return m.contact_energy(at); });
           })
      .def("gravity_energy",
           [=](const ModelBox& box, const py::handle& x) { return box.model().gravity_energy(field(box, x, "x")); })
      .def("measure",
           [=](ModelBox& box, const py::handle& x, const py::handle& v, double time) {
             const NodalField places = field(box, x, "x"), speeds = field(box, v, "v");
             return rows_of({evaluate(box, places, time, [&](const Model& m, const Configuration&) {
               return measure(m, {.x = places, .v = speeds, .time = time});
             })});
           })
      .def("recommended_stiffness",
           [](const ModelBox& box, const std::vector<std::uint32_t>& bodies, double drop_height, double explicit_step) {
             StiffnessQuestion question{.drop_height = drop_height, .explicit_step = explicit_step};
             for (const std::uint32_t body : bodies) question.bodies.push_back(box.model().body(BodyId(body)).id);
             return recommended_stiffness(box.model(), question);
           })
      .def("max_stable_step",
           [=](ModelBox& box, const py::handle& x, const std::string& integrator, const py::dict& options) {
             const NodalField places = field(box, x, "x");
             const SimulationOptions all = options_of(integrator, 1, options, {});
             const Busy busy(box.busy, "the model");
             return compute(
                 [&] { return max_stable_step(find_integrator(all.integrator), all.options, box.model(), places); });
           })
      .def("gradient",
           [=](ModelBox& box, const py::handle& x, double time) {
             const NodalField g = evaluate(box, field(box, x, "x"), time, [](const Model& m, const Configuration& at) {
               NodalField sum(m.vertices());
               for (const auto& energy : m.energies()) energy->gradient(at, {}, sum);
               add_gravity(m, sum);
               return sum;
             });
             return array_of(g);
           })
      .def("force",
           [=](ModelBox& box, const py::handle& x, const py::handle& v, double time) {
             const NodalField velocity = field(box, v, "v");
             return array_of(evaluate(box, field(box, x, "x"), time, [&](const Model& m, const Configuration& at) {
               NodalField f(m.vertices());
               m.force(at, velocity, f);
               return f;
             }));
           })
      .def("hessian",
           [=](ModelBox& box, const py::handle& x, bool psd, double time) {
             const BlockMatrix H =
                 evaluate(box, field(box, x, "x"), time, [&](const Model& m, const Configuration& at) {
                   NodalField unused(m.vertices());
                   BlockMatrix sum(m.pattern());
                   sum.set_zero();
                   const Projection projection = psd ? Projection::psd : Projection::none;
                   for (const auto& energy : m.energies()) energy->hessian(at, {}, projection, unused, sum);
                   return sum;
                 });
             return sparse_parts(H);
           })
      .def("kinetic_energy",
           [=](const ModelBox& box, const py::handle& v) { return box.model().kinetic_energy(field(box, v, "v")); })
      .def("linear_momentum",
           [=](const ModelBox& box, const py::handle& v) {
             return array_of(box.model().linear_momentum(field(box, v, "v")));
           })
      .def("angular_momentum",
           [=](const ModelBox& box, const py::handle& x, const py::handle& v) {
             return array_of(box.model().angular_momentum(field(box, x, "x"), field(box, v, "v")));
           })
      .def("equilibrium",
           [=](ModelBox& box, const py::handle& x, const py::dict& solver) {
             const SimulationOptions all = options_of("backward-euler", 1, {}, solver);
             State state{.x = field(box, x, "x"), .v = NodalField(box.model().vertices())};
             const Busy busy(box.busy, "the model");
             const StepReport report = compute([&] {
               if (!box.model().interactions().empty()) recall_interactions(box.model(), state);
               return find_equilibrium(box.model(), state, all.options.solver);
             });
             return py::make_tuple(array_of(state.x), report);
           })
      .def("highest_frequency", [=](ModelBox& box, const py::handle& x) {
        const NodalField places = field(box, x, "x");
        const Busy busy(box.busy, "the model");
        return compute([&] { return highest_frequency(box.model(), places); });
      });
}

}  // namespace

py::dict body_facts(const Model& model, std::uint32_t number) {
  const Body& body = model.body(BodyId(number));
  py::dict facts;
  facts["name"] = body.name;
  facts["kind"] = to_string(body.kind);
  facts["first"] = body.first_vertex;
  facts["vertices"] = body.mesh.vertices.size();
  return facts;
}

py::array_t<int> body_surface(const Model& model, std::uint32_t number) {
  const Body& body = model.body(BodyId(number));
  return cells_array(body.kind == BodyKind::cloth ? body.mesh.triangles : surface(body.mesh), 3);
}

py::list body_numbers(const Model& model) {
  py::list ids;
  for (const Body& body : model.bodies()) ids.append(body.id.number());
  return ids;
}

MeshBox body_mesh(const Model& model, std::uint32_t number) {
  return {.shape = {.mesh = model.body(BodyId(number)).mesh}};
}

const Model& ModelBox::model() const {
  if (model_ == nullptr)
    throw std::runtime_error("this model was lent for one step, which is over; copy what you need");
  return *model_;
}

Model& ModelBox::mine() {
  if (own_ == nullptr) throw std::runtime_error("this model belongs to a simulation, which may be computing with it");
  return *own_;
}

State ModelBox::start() const {
  State state = model().rest_state();
  for (const BodyStart& start : starts) start.apply(model(), state);
  return state;
}

void bind_models(py::module_& module) {
  ModelClass model(module, "Model");
  bind_building(model);
  bind_evaluation(model);
  model.def_property_readonly("vertices", [](const ModelBox& box) { return box.model().vertices(); })
      .def_property_readonly("mass",
                             [](const ModelBox& box) {
                               const auto& mass = box.model().mass();
                               return py::array_t<double>(static_cast<py::ssize_t>(mass.size()), mass.data());
                             })
      .def_property_readonly("pinned",
                             [](const ModelBox& box) {
                               py::array_t<bool> array(static_cast<py::ssize_t>(box.model().vertices()));
                               std::ranges::transform(box.model().pinned(), array.mutable_data(),
                                                      [](char pinned) { return pinned != 0; });
                               return array;
                             })
      .def_property_readonly("rest", [](const ModelBox& box) { return array_of(box.model().rest()); })
      .def("start",
           [](const ModelBox& box) {
             const State state = box.start();
             return py::make_tuple(array_of(state.x), array_of(state.v));
           })
      .def("bodies", [](const ModelBox& box) { return body_numbers(box.model()); })
      .def("body_facts", [](const ModelBox& box, std::uint32_t number) { return body_facts(box.model(), number); })
      .def("body_surface", [](const ModelBox& box, std::uint32_t number) { return body_surface(box.model(), number); })
      .def("body_mesh", [](const ModelBox& box, std::uint32_t number) { return body_mesh(box.model(), number); });
}

void bind_values(py::module_& module) {
  module.def("lame", [](double young, double poisson) {
    check_number("young", young, Bound::positive());
    check_number("poisson", poisson, Bound::open(-1, 0.5));
    const Lame moduli = lame(young, poisson);
    return py::make_tuple(moduli.mu, moduli.lambda);
  });
  module.def("parse_scene_text",
             [](const std::string& text, const std::string& name) { return object_of(parse_toml(text, name)); });
  module.def("scene_text", [](const py::dict& tree) { return to_toml(node_of(tree, "", "")); });
}

}  // namespace brio::python
