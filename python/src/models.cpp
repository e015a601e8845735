/// Meshes and models: what simulations are of, and what the methods of users evaluate.
#include <pybind11/stl.h>

#include <algorithm>

#include "bridge.h"
#include "brio/energy.h"
#include "brio/mesh_io.h"
#include "brio/mesh_models.h"
#include "mesh/generators.h"
#include "model/interaction.h"
#include "scene/collider.h"
#include "scene/damping.h"
#include "scene/self_contact.h"

namespace brio::python {
namespace {

template <std::size_t N>
std::vector<std::array<int, N>> cells_of(const py::handle& array, std::size_t vertices, const char* key) {
  std::vector<std::array<int, N>> cells;
  if (array.is_none()) return cells;
  const auto numbers = py::array_t<long long, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!numbers) PyErr_Clear();
  const auto refuse = [&](const std::string& problem) { throw InputError({.key = key, .problem = problem}); };
  const std::string shape = "(n, " + std::to_string(N) + ")";
  if (!numbers) refuse("must be an array of whole numbers of shape " + shape);
  if (numbers.size() == 0) return cells;
  if (numbers.ndim() != 2 || numbers.shape(1) != py::ssize_t{N}) refuse("must have the shape " + shape);
  cells.resize(static_cast<std::size_t>(numbers.shape(0)));
  const long long* from = numbers.data();
  for (auto& cell : cells)
    for (int& vertex : cell) {
      if (*from < 0 || *from >= static_cast<long long>(vertices))
        refuse("names vertex " + std::to_string(*from) + " of " + std::to_string(vertices));
      vertex = static_cast<int>(*from++);
    }
  return cells;
}

MeshBox make_mesh(const py::handle& vertices, const py::handle& tets, const py::handle& triangles,
                  const py::handle& segments) {
  const auto rows = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(vertices);
  if (!rows) PyErr_Clear();
  if (!rows || rows.ndim() != 2) throw InputError({.key = "vertices", .problem = "must be an array of shape (n, 3)"});
  const NodalField places = field_of(rows, static_cast<std::size_t>(rows.shape(0)), "vertices");
  MeshBox box;
  for (std::size_t i = 0; i < places.size(); ++i) box.shape.mesh.vertices.emplace_back(places[i]);
  box.shape.mesh.tets = cells_of<4>(tets, places.size(), "tets");
  box.shape.mesh.triangles = cells_of<3>(triangles, places.size(), "triangles");
  box.shape.mesh.segments = cells_of<2>(segments, places.size(), "segments");
  return box;
}

py::array_t<double> vertices_array(const std::vector<Vec3>& vertices) {
  py::array_t<double> array({static_cast<py::ssize_t>(vertices.size()), py::ssize_t{3}});
  double* place = array.mutable_data();
  for (const Vec3& vertex : vertices)
    for (const double number : vertex) *place++ = number;
  return array;
}

Selection selection_of(const std::string& kind, const py::args& values) {
  const auto need = [&](std::size_t count) {
    if (values.size() != count)
      throw InputError({.key = "select", .value = kind, .problem = "takes " + std::to_string(count) + " values"});
  };
  if (kind == "box") return need(2), Selection(InBox{vector_of(values[0], "low"), vector_of(values[1], "high")});
  if (kind == "sphere") return need(2), Selection(InSphere{vector_of(values[0], "center"), values[1].cast<double>()});
  if (kind == "plane")
    return need(2), Selection(BeyondPlane{vector_of(values[0], "point"), vector_of(values[1], "normal")});
  if (kind == "vertices") return need(1), Selection(ByIndex{indices_of(values[0], "vertices")});
  if (kind == "boundary") return need(0), Selection(OnBoundary{});
  refuse_name("select", kind, "no such selection", {"box", "sphere", "plane", "vertices", "boundary"});
}

py::list add_body(ModelBox& box, const py::dict& keys) {
  const Busy busy(box.busy, "the model");
  const Node node = node_of(keys, "body", "body");
  Model copy(box.mine());  // of a body that is refused halfway nothing stays
  BodyNames names = box.names;
  std::vector<BodyStart> added = compute([&] { return read_bodies(node, copy, names); });
  box.mine() = std::move(copy);
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
  Model copy(box.mine());
  compute([&] { how(copy); });
  box.mine() = std::move(copy);
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

using ModelClass = py::class_<ModelBox, std::shared_ptr<ModelBox>>;

void bind_meshes(py::module_& module) {
  py::class_<MeshBox>(module, "Mesh")
      .def(py::init(&make_mesh), py::arg("vertices"), py::arg("tets") = py::none(), py::arg("triangles") = py::none(),
           py::arg("segments") = py::none())
      .def_property_readonly("vertices", [](const MeshBox& m) { return vertices_array(m.shape.mesh.vertices); })
      .def_property_readonly("tets", [](const MeshBox& m) { return cells_array(m.shape.mesh.tets, 4); })
      .def_property_readonly("triangles", [](const MeshBox& m) { return cells_array(m.shape.mesh.triangles, 3); })
      .def_property_readonly("segments", [](const MeshBox& m) { return cells_array(m.shape.mesh.segments, 2); })
      .def_property(
          "grid", [](const MeshBox& m) { return m.shape.grid; },
          [](MeshBox& m, const std::array<int, 2>& grid) { m.shape.grid = grid; })
      .def("surface", [](const MeshBox& m) { return cells_array(surface(m.shape.mesh), 3); })
      .def("orient", [](MeshBox& m) { orient(m.shape.mesh); })
      .def("problems", [](const MeshBox& m) { return check_mesh(m.shape.mesh).problems(); })
      .def("select",
           [](const MeshBox& m, const std::string& kind, const py::args& values) {
             return py::array_t<int>(py::cast(select(m.shape.mesh, selection_of(kind, values))));
           })
      .def("write",
           [](const MeshBox& m, const std::string& file) { compute([&] { write_mesh(file, m.shape.mesh); }); });
  module.def("read_mesh", [](const std::string& file) {
    return compute([&] {
      MeshBox box{.shape = {.mesh = read_mesh(file)}};
      if (!box.shape.mesh.tets.empty()) orient(box.shape.mesh);
      return box;
    });
  });
  module.def("load_model", [](const std::string& name, int vertices) {
    return compute([&] { return MeshBox{.shape = {.mesh = load_model(name, {.vertices = vertices})}}; });
  });
  module.def("generate", [](const std::string& name, const py::dict& options) {
    Node node = node_of(options, "", "");
    node.children.push_back({.key = "generate", .path = "generate", .kind = Node::Kind::plain, .value = name});
    return compute([&] { return MeshBox{.shape = read_scene_mesh(node)}; });
  });
}

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
  bind_meshes(module);
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
      .def("bodies",
           [](const ModelBox& box) {
             py::list ids;
             for (const Body& body : box.model().bodies()) ids.append(body.id.number());
             return ids;
           })
      .def("body_facts", [](const ModelBox& box, std::uint32_t number) { return body_facts(box.model(), number); })
      .def("body_surface", [](const ModelBox& box, std::uint32_t number) { return body_surface(box.model(), number); })
      .def("body_mesh", [](const ModelBox& box, std::uint32_t number) {
        return MeshBox{.shape = {.mesh = box.model().body(BodyId(number)).mesh}};
      });
}

void bind_values(py::module_& module) {
  module.def("parse_scene_text",
             [](const std::string& text, const std::string& name) { return object_of(parse_toml(text, name)); });
  module.def("scene_text", [](const py::dict& tree) { return to_toml(node_of(tree, "", "")); });
}

}  // namespace brio::python
