/// VTK's XML unstructured grids (.vtu): points and cells of all pieces, one after another.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/io/cells.h"
#include "mesh/io/formats.h"
#include "mesh/io/output.h"
#include "mesh/io/vtu_arrays.h"

namespace brio {
namespace {

std::size_t count_of(const VtuArrays& file, pugi::xml_node piece, const char* attribute) {
  const std::string_view text = piece.attribute(attribute).value();
  std::uint64_t count = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || stop != text.data() + text.size() || count > std::numeric_limits<int>::max())
    file.fail(piece, fmt::format("{} of a Piece: must be in [0, {}]", attribute, std::numeric_limits<int>::max()),
              text);
  return static_cast<std::size_t>(count);
}

void read_points(VtuArrays& file, pugi::xml_node piece, Mesh& mesh) {
  const std::size_t count = count_of(file, piece, "NumberOfPoints");
  if (count == 0) return;
  const pugi::xml_node array = piece.child("Points").child("DataArray");
  if (!array) file.fail(piece, "no DataArray in Points");
  if (mesh.vertices.size() + count > std::numeric_limits<int>::max()) file.fail(piece, "too many points");
  const std::vector<double> numbers = file.numbers(array, 3 * count);
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    const Vec3 x(numbers[i], numbers[i + 1], numbers[i + 2]);
    if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
      file.fail(array, fmt::format("point {} is ({}, {}, {}): must be finite", i / 3, x[0], x[1], x[2]));
    mesh.vertices.push_back(x);
  }
}

void read_cells(VtuArrays& file, pugi::xml_node piece, std::size_t first_vertex, Mesh& mesh) {
  const std::size_t count = count_of(file, piece, "NumberOfCells");
  if (count == 0) return;
  const auto array = [&](const char* name) {
    const pugi::xml_node found = piece.child("Cells").find_child_by_attribute("DataArray", "Name", name);
    if (!found) file.fail(piece, fmt::format("no DataArray {} in Cells", name));
    return found;
  };
  const std::vector<std::int64_t> offsets = file.wholes(array("offsets"), count);
  const auto used = static_cast<std::uint64_t>(std::max<std::int64_t>(offsets.back(), 0));
  const std::vector<std::int64_t> connectivity = file.wholes_up_to(array("connectivity"), used);
  const std::vector<std::int64_t> types = file.wholes(array("types"), count);
  const auto vertices = static_cast<std::int64_t>(mesh.vertices.size() - first_vertex);
  std::vector<int> corners;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t end = offsets[i];
    if (end < begin || end > static_cast<std::int64_t>(connectivity.size()))
      file.fail(array("offsets"),
                fmt::format("offset {} of cell {}: must be in [{}, {}]", end, i, begin, connectivity.size()));
    corners.clear();
    for (; begin < end; ++begin) {
      const std::int64_t index = connectivity[begin];
      if (index < 0 || index >= vertices)
        file.fail(array("connectivity"),
                  fmt::format("point {} of cell {} is out of range: the piece has {} points", index, i, vertices));
      corners.push_back(static_cast<int>(first_vertex) + static_cast<int>(index));
    }
    if (const std::string problem = add_vtk_cell(mesh, types[i], corners); !problem.empty())
      file.fail(array("types"), fmt::format("cell {}: {}", i, problem));
  }
}

/// Gathers arrays as text in place, or as raw bytes behind the XML, each after its length.
class Writer {
 public:
  explicit Writer(bool binary) : binary_(binary) {}

  template <class Fill>
  void array(const char* attributes, Fill fill) {
    if (binary_) {
      print(xml_, "<DataArray {} format=\"appended\" offset=\"{}\"/>\n", attributes, appended_.size());
      std::string data;
      fill(data);
      append(appended_, std::uint64_t{data.size()});
      appended_ += data;
    } else {
      print(xml_, "<DataArray {} format=\"ascii\">\n", attributes);
      fill(xml_);
      xml_ += "\n</DataArray>\n";
    }
  }
  template <class T>
  void put(std::string& out, T value) const {
    binary_ ? append(out, value) : print(out, "{} ", +value);
  }
  std::string& xml() { return xml_; }
  std::string finish() {
    if (binary_) print(xml_, "<AppendedData encoding=\"raw\">\n_{}\n</AppendedData>\n", appended_);
    return xml_ + "</VTKFile>\n";
  }

 private:
  bool binary_;
  std::string xml_, appended_;
};

template <class Use>
void for_each_cell(const Mesh& mesh, Use use) {
  for (const Segment& s : mesh.segments) use(std::span<const int>(s), vtk::line);
  for (const Triangle& t : mesh.triangles) use(std::span<const int>(t), vtk::triangle);
  for (const Tet& t : mesh.tets) use(std::span<const int>(t), vtk::tetra);
}

}  // namespace

Mesh parse_vtu(std::string_view bytes, const std::string& name) {
  Mesh mesh;
  VtuArrays file(bytes, name);
  const pugi::xml_node grid = file.root().child("UnstructuredGrid");
  if (!grid.child("Piece")) file.fail(file.root(), "no Piece in an UnstructuredGrid");
  for (const pugi::xml_node piece : grid.children("Piece")) {
    const std::size_t first_vertex = mesh.vertices.size();
    read_points(file, piece, mesh);
    read_cells(file, piece, first_vertex, mesh);
  }
  return mesh;
}

std::string print_vtu(const Mesh& mesh, bool binary, const std::string&) {
  Writer writer(binary);
  const std::size_t cells = mesh.segments.size() + mesh.triangles.size() + mesh.tets.size();
  print(writer.xml(),
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n",
        mesh.vertices.size(), cells);
  writer.array("type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"", [&](std::string& out) {
    for (const Vec3& x : mesh.vertices)
      for (const double component : x) writer.put(out, component);
  });
  writer.xml() += "</Points>\n<Cells>\n";
  writer.array("type=\"Int64\" Name=\"connectivity\"", [&](std::string& out) {
    for_each_cell(mesh, [&](std::span<const int> corners, int) {
      for (const int i : corners) writer.put(out, std::int64_t{i});
    });
  });
  writer.array("type=\"Int64\" Name=\"offsets\"", [&](std::string& out) {
    std::int64_t end = 0;
    for_each_cell(mesh, [&](std::span<const int> corners, int) {
      writer.put(out, end += static_cast<std::int64_t>(corners.size()));
    });
  });
  writer.array("type=\"UInt8\" Name=\"types\"", [&](std::string& out) {
    for_each_cell(mesh, [&](std::span<const int>, int type) { writer.put(out, static_cast<std::uint8_t>(type)); });
  });
  writer.xml() += "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
  return writer.finish();
}

}  // namespace brio
