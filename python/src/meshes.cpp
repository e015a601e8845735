/// Meshes: made, read, checked, mended, chosen from.
#include <pybind11/stl.h>

#include <optional>

#include "bridge.h"
#include "brio/mesh_io.h"
#include "brio/mesh_models.h"
#include "mesh/generators.h"

namespace brio::python {
namespace {

template <std::size_t N>
std::vector<std::array<int, N>> cells_of(const py::handle& array, std::size_t vertices, const char* key) {
  std::vector<std::array<int, N>> cells;
  if (array.is_none()) return cells;
  const py::array given = py::array::ensure(array);
  if (!given) PyErr_Clear();
  const auto refuse = [&](const std::string& problem) { throw InputError({.key = key, .problem = problem}); };
  const std::string shape = "(n, " + std::to_string(N) + ")";
  if (given && given.size() == 0) return cells;
  const bool whole = given && (given.dtype().kind() == 'i' || given.dtype().kind() == 'u');
  using Whole = py::array_t<long long, py::array::c_style | py::array::forcecast>;
  const Whole numbers = whole ? Whole::ensure(given) : py::reinterpret_steal<Whole>(py::handle());
  if (!numbers) refuse("must be an array of whole numbers of shape " + shape);
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
  const py::array_t<double> rows = real_array(vertices);
  if (!rows || rows.ndim() != 2) throw InputError({.key = "vertices", .problem = "must be an array of shape (n, 3)"});
  const NodalField places = field_of(rows, static_cast<std::size_t>(rows.shape(0)), "vertices");
  MeshBox box;
  for (std::size_t i = 0; i < places.size(); ++i) box.shape.mesh.vertices.emplace_back(places[i]);
  box.shape.mesh.tets = cells_of<4>(tets, places.size(), "tets");
  box.shape.mesh.triangles = cells_of<3>(triangles, places.size(), "triangles");
  box.shape.mesh.segments = cells_of<2>(segments, places.size(), "segments");
  return box;
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

py::dict histogram(const QualityHistogram& quality) {
  py::dict facts;
  facts["bins"] = py::array_t<int>(static_cast<py::ssize_t>(quality.bins.size()), quality.bins.data());
  facts["min"] = quality.min;
  facts["mean"] = quality.mean;
  return facts;
}

void bind_reports(py::module_& module) {
  const auto list = [](std::vector<int> MeshReport::*member) {
    return [member](const MeshReport& r) {
      return py::array_t<int>(static_cast<py::ssize_t>((r.*member).size()), (r.*member).data());
    };
  };
  py::class_<MeshReport>(module, "MeshReport",
                         "What a mesh is (counts, low and high corner [m], volume, area, length, components, closed, "
                         "manifold, oriented, quality) and what is wrong with it, by index.")
      .def_readonly("vertices", &MeshReport::vertices)
      .def_readonly("tets", &MeshReport::tets)
      .def_readonly("triangles", &MeshReport::triangles)
      .def_readonly("segments", &MeshReport::segments)
      .def_property_readonly("low", [](const MeshReport& r) { return array_of(r.low); })
      .def_property_readonly("high", [](const MeshReport& r) { return array_of(r.high); })
      .def_readonly("volume", &MeshReport::volume)
      .def_readonly("area", &MeshReport::area)
      .def_readonly("length", &MeshReport::length)
      .def_readonly("components", &MeshReport::components)
      .def_readonly("closed", &MeshReport::closed)
      .def_readonly("manifold", &MeshReport::manifold)
      .def_readonly("oriented", &MeshReport::oriented)
      .def_property_readonly("inverted_tets", list(&MeshReport::inverted_tets))
      .def_property_readonly("flat_tets", list(&MeshReport::flat_tets))
      .def_property_readonly("flat_triangles", list(&MeshReport::flat_triangles))
      .def_property_readonly("empty_segments", list(&MeshReport::empty_segments))
      .def_property_readonly("duplicate_vertices", list(&MeshReport::duplicate_vertices))
      .def_property_readonly("duplicate_tets", list(&MeshReport::duplicate_tets))
      .def_property_readonly("duplicate_triangles", list(&MeshReport::duplicate_triangles))
      .def_property_readonly("duplicate_segments", list(&MeshReport::duplicate_segments))
      .def_property_readonly("unreferenced_vertices", list(&MeshReport::unreferenced_vertices))
      .def_property_readonly("crowded_edges", [](const MeshReport& r) { return cells_array(r.crowded_edges, 2); })
      .def_property_readonly("crowded_faces", [](const MeshReport& r) { return cells_array(r.crowded_faces, 3); })
      .def_property_readonly("tet_quality", [](const MeshReport& r) { return histogram(r.tet_quality); })
      .def_property_readonly("triangle_quality", [](const MeshReport& r) { return histogram(r.triangle_quality); })
      .def("problems", &MeshReport::problems);
}

}  // namespace

void bind_meshes(py::module_& module) {
  bind_reports(module);
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
      .def("check", [](const MeshBox& m) { return compute([&] { return check_mesh(m.shape.mesh); }); })
      .def("welded",
           [](const MeshBox& m, double tolerance) {
             return compute([&] { return MeshBox{.shape = {.mesh = weld(m.shape.mesh, tolerance)}}; });
           })
      .def("without_unreferenced",
           [](const MeshBox& m) { return MeshBox{.shape = {.mesh = remove_unreferenced(m.shape.mesh)}}; })
      .def("select",
           [](const MeshBox& m, const std::string& kind, const py::args& values) {
             return py::array_t<int>(py::cast(select(m.shape.mesh, selection_of(kind, values))));
           })
      .def("write",
           [](const MeshBox& m, const std::string& file, std::optional<bool> binary, const std::string& version) {
             compute([&] { write_mesh(file, m.shape.mesh, {.binary = binary, .version = version}); });
           });
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
  module.def("tetrahedralize", [](const MeshBox& surface, double quality, double max_volume, bool keep_surface) {
    return compute([&] {
      return MeshBox{.shape = {.mesh = tetrahedralize(
                                   surface.shape.mesh,
                                   {.quality = quality, .max_volume = max_volume, .keep_surface = keep_surface})}};
    });
  });
  module.def("model_names", &model_names);
  module.def("mesh_formats", [] {
    py::list list;
    for (const MeshFormat& format : mesh_formats())
      list.append(py::make_tuple(format.extension, format.name, format.can_read, format.can_write));
    return list;
  });
  module.def("generate", [](const std::string& name, const py::dict& options) {
    Node node = node_of(options, "", "");
    node.children.push_back({.key = "generate", .path = "generate", .kind = Node::Kind::plain, .value = name});
    return compute([&] { return MeshBox{.shape = read_scene_mesh(node)}; });
  });
}

}  // namespace brio::python
