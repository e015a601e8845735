/// VTK unstructured grids, one .vtu per frame with raw appended arrays, and the .pvd that lists them with their times.
/// Points: velocity [m/s]. Cells: number of the body; of solids strain energy density [J/m³] and von Mises stress [Pa],
/// which are zero for other bodies. [VTK file formats, XML]
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/safe_file.h"
#include "mesh/io/output.h"
#include "model/stress.h"
#include "record/exports/formats.h"

namespace brio {
namespace {

/// What does not change from frame to frame.
struct Cells {
  std::vector<std::int32_t> connectivity;
  std::vector<std::int32_t> offsets;
  std::vector<std::uint8_t> types;
  std::vector<std::int32_t> body;

  template <std::size_t N>
  void add(const std::vector<std::array<int, N>>& cells, int first_vertex, int of_body) {
    static_assert(N >= 2 && N <= 4);
    constexpr std::uint8_t vtk_types[] = {3, 5, 10};  // line, triangle, tetrahedron
    for (const auto& cell : cells) {
      for (const int v : cell) connectivity.push_back(first_vertex + v);
      finish(vtk_types[N - 2], of_body);
    }
  }
  void add_point(int vertex, int of_body) {
    connectivity.push_back(vertex);
    finish(1, of_body);
  }

 private:
  void finish(std::uint8_t type, int of_body) {
    offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
    types.push_back(type);
    body.push_back(of_body);
  }
};

Cells cells_of(const Model& model) {
  Cells cells;
  int index = 0;
  for (const Body& body : model.bodies()) {
    const Mesh& mesh = body.mesh;
    if (!mesh.tets.empty()) {
      cells.add(mesh.tets, body.first_vertex, index);
    } else if (!mesh.triangles.empty()) {
      cells.add(mesh.triangles, body.first_vertex, index);
    } else {
      cells.add(mesh.segments, body.first_vertex, index);
      for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        cells.add_point(body.first_vertex + static_cast<int>(i), index);
    }
    ++index;
  }
  return cells;
}

struct Stresses {
  std::vector<float> energy_density;  ///< [J/m³]
  std::vector<float> von_mises;       ///< [Pa]
};

/// What float32 cannot hold is as much as it can: no file has an infinity.
float to_float(double value) {
  constexpr double max = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -max, max));
}

/// Per cell, in the order of `cells_of`.
Stresses stresses(const Model& model, const std::vector<float>& xyz, std::size_t cells) {
  Stresses all{std::vector<float>(cells), std::vector<float>(cells)};
  NodalField x(model.vertices());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = Vec3(xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);
  std::size_t first = 0;
  for (const Body& body : model.bodies()) {
    const Mesh& mesh = body.mesh;
    std::size_t cell = first;
    for (const ElementStress& element : element_stresses(model, body, x)) {
      all.energy_density[cell] = to_float(element.psi);
      all.von_mises[cell++] = to_float(element.von_mises());
    }
    if (!mesh.tets.empty()) {
      first += mesh.tets.size();
    } else {
      first += !mesh.triangles.empty() ? mesh.triangles.size() : mesh.segments.size() + mesh.vertices.size();
    }
  }
  return all;
}

/// Elements in XML whose content follows at the end of the file.
class VtuFile {
 public:
  template <class T>
  void array(const char* type, const char* name, int components, const std::vector<T>& values) {
    print(xml_, "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
          type, name, components, appended_.size());
    append(appended_, std::uint64_t{sizeof(T) * values.size()});
    appended_.append(reinterpret_cast<const char*>(values.data()), sizeof(T) * values.size());
  }
  void tag(const std::string& text) { xml_ += text + "\n"; }
  std::string finish() {
    return xml_ + "<AppendedData encoding=\"raw\">\n_" + appended_ + "\n</AppendedData>\n</VTKFile>\n";
  }

 private:
  std::string xml_, appended_;
};

}  // namespace

void write_vtu(const Animation& animation, const std::filesystem::path& folder) {
  const std::filesystem::path place = output_folder(folder, "vtu");
  const Cells cells = cells_of(animation.model);
  std::string collection =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  Frame frame;
  for (long k = 0; k < animation.frames.frames(); ++k) {
    animation.frames.read(k, frame);
    const Stresses stress = stresses(animation.model, frame.x, cells.types.size());
    VtuFile file;
    file.tag(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<UnstructuredGrid>");
    file.tag(fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">", animation.model.vertices(),
                         cells.types.size()));
    file.tag("<PointData Vectors=\"velocity\">");
    file.array("Float32", "velocity", 3, frame.v);
    file.tag("</PointData>\n<CellData Scalars=\"von_mises\">");
    file.array("Int32", "body", 1, cells.body);
    file.array("Float32", "strain_energy_density", 1, stress.energy_density);
    file.array("Float32", "von_mises", 1, stress.von_mises);
    file.tag("</CellData>\n<Points>");
    file.array("Float32", "points", 3, frame.x);
    file.tag("</Points>\n<Cells>");
    file.array("Int32", "connectivity", 1, cells.connectivity);
    file.array("Int32", "offsets", 1, cells.offsets);
    file.array("UInt8", "types", 1, cells.types);
    file.tag("</Cells>\n</Piece>\n</UnstructuredGrid>");
    const std::string name = sequence_file(k, "vtu");
    write_safely(place / name, file.finish());
    print(collection, "<DataSet timestep=\"{}\" part=\"0\" file=\"vtu/{}\"/>\n", animation.frames.time(k), name);
  }
  write_safely(folder / "animation.pvd", collection + "</Collection>\n</VTKFile>\n");
}

}  // namespace brio
