/// Legacy VTK files, versions up to 5.1: UNSTRUCTURED_GRID and POLYDATA, text or big-endian binary. Reading stops at
/// the data on points or cells, of which nothing is kept. [VTK File Formats, "Simple Legacy Formats"]
#include "mesh/io/cells.h"
#include "mesh/io/formats.h"
#include "mesh/io/output.h"
#include "mesh/io/scalar.h"

namespace brio {
namespace {

Scalar read_vtk_type(Input& in) {
  struct Name {
    std::string_view name;
    Scalar type;
  };
  constexpr Name names[] = {{"char", Scalar::int8},
                            {"signed_char", Scalar::int8},
                            {"unsigned_char", Scalar::uint8},
                            {"short", Scalar::int16},
                            {"unsigned_short", Scalar::uint16},
                            {"int", Scalar::int32},
                            {"unsigned_int", Scalar::uint32},
                            {"long", Scalar::int64},
                            {"unsigned_long", Scalar::uint64},
                            {"vtktypeint64", Scalar::int64},
                            {"vtktypeuint64", Scalar::uint64},
                            {"vtkIdType", Scalar::int32},
                            {"float", Scalar::float32},
                            {"double", Scalar::float64}};
  const std::string_view word = in.word("a data type");
  for (const Name& known : names)
    if (known.name == word) return known.type;
  in.fail("unknown data type: must be float, double, int, vtktypeint64 or the like", word);
}

Scalar read_whole_type(Input& in) {
  const Scalar type = read_vtk_type(in);
  if (!is_whole(type)) in.fail("data type of indices must be a whole one");
  return type;
}

class VtkReader {
 public:
  VtkReader(std::string_view bytes, const std::string& name) : in_(bytes, name) {}

  Mesh read() {
    read_header();
    while (in_.has_word()) {
      const std::string keyword(in_.word("a keyword"));
      if (keyword == "POINT_DATA" || keyword == "CELL_DATA") break;
      if (keyword == "POINTS")
        read_points();
      else if (keyword == "FIELD")
        skip_field();
      else if (keyword == "METADATA")
        skip_metadata();
      else if (grid_ && keyword == "CELLS")
        read_cells();
      else if (grid_ && keyword == "CELL_TYPES")
        read_types();
      else if (!grid_ && section_type(keyword) != 0)
        read_polydata(section_type(keyword));
      else
        in_.fail("unknown keyword", keyword);
    }
    if (!has_points_) in_.fail("no POINTS in the file");
    if (offsets_.size() > 1) in_.fail("CELLS without CELL_TYPES");
    return std::move(mesh_);
  }

 private:
  static int section_type(std::string_view keyword) {
    if (keyword == "VERTICES") return vtk::poly_vertex;
    if (keyword == "LINES") return vtk::poly_line;
    if (keyword == "POLYGONS") return vtk::polygon;
    if (keyword == "TRIANGLE_STRIPS") return vtk::triangle_strip;
    return 0;
  }

  void read_header() {
    if (!in_.rest_of_line().starts_with("# vtk DataFile Version")) in_.fail("expected '# vtk DataFile Version ...'");
    in_.rest_of_line();  // the title
    const std::string_view coding = in_.word("ASCII or BINARY");
    if (coding != "ASCII" && coding != "BINARY") in_.fail("expected ASCII or BINARY", coding);
    coding_ = coding == "ASCII" ? Coding::text : Coding::big_endian;
    in_.expect("DATASET");
    const std::string_view dataset = in_.word("the kind of data set");
    if (dataset != "UNSTRUCTURED_GRID" && dataset != "POLYDATA")
      in_.fail("kind of data set: must be UNSTRUCTURED_GRID or POLYDATA", dataset);
    grid_ = dataset == "UNSTRUCTURED_GRID";
  }

  void start_data() {
    in_.rest_of_line();
    in_.set_coding(coding_);
  }
  void end_data() { in_.set_coding(Coding::text); }
  std::size_t min_bytes(Scalar type) const { return coding_ == Coding::text ? 2 : size_of(type); }

  void read_points() {
    if (has_points_) in_.fail("POINTS given twice");
    has_points_ = true;
    const auto declared = in_.get<std::uint64_t>("the number of points");
    const Scalar type = read_vtk_type(in_);
    const auto count = in_.checked_count(declared, 3 * min_bytes(type), "points");
    start_data();
    mesh_.vertices.resize(count);
    for (Vec3& x : mesh_.vertices)
      for (double& component : x) component = read_coordinate(in_, type);
    end_data();
  }

  void skip_values(std::uint64_t declared, Scalar type) {
    const auto count = in_.checked_count(declared, min_bytes(type), "values");
    start_data();
    if (!in_.is_text()) in_.skip_bytes(count * size_of(type), "values");
    for (std::size_t i = 0; in_.is_text() && i < count; ++i) in_.word("a value");
    end_data();
  }

  void skip_field() {
    in_.word("the name of a field");
    const auto arrays = in_.get<std::uint64_t>("the number of arrays");
    for (std::uint64_t i = 0; i < arrays; ++i) {
      in_.word("the name of an array");
      const auto components = in_.get<std::uint32_t>("the number of components");
      const auto tuples = in_.get<std::uint32_t>("the number of tuples");
      skip_values(std::uint64_t{components} * tuples, read_vtk_type(in_));
    }
  }

  void skip_metadata() {
    in_.rest_of_line();
    while (in_.left() > 0 && !in_.rest_of_line().empty()) {
    }
  }

  int read_index(Scalar type) {
    return in_.vertex_index(read_whole(in_, type, "a point index"), 0, mesh_.vertices.size());
  }

  /// Fills offsets_ and corners_: cell i has the corners [offsets_[i], offsets_[i+1]).
  void read_connectivity() {
    if (!has_points_) in_.fail("cells stand before POINTS");
    const auto first = in_.get<std::uint64_t>("the number of cells");
    const auto second = in_.get<std::uint64_t>("the number of indices");
    offsets_.clear();
    corners_.clear();
    if (in_.peek() == "OFFSETS")
      read_offsets(first, second);
    else
      read_counted(first, second);
  }

  /// Up to version 4: each cell is its number of corners, then the corners.
  void read_counted(std::uint64_t declared, std::uint64_t integers) {
    const auto total = in_.checked_count(integers, min_bytes(Scalar::int32), "indices");
    if (declared > total) in_.fail(fmt::format("{} cells cannot fit into {} indices", declared, total));
    start_data();
    offsets_.push_back(0);
    for (std::uint64_t i = 0; i < declared; ++i) {
      const auto size = in_.get<std::int32_t>("the number of corners");
      const std::size_t room = total - corners_.size() - i - 1;
      if (size < 0 || static_cast<std::size_t>(size) > room)
        in_.fail(fmt::format("cell of {} corners: must be in [0, {}]", size, room));
      for (int k = 0; k < size; ++k) corners_.push_back(read_index(Scalar::int32));
      offsets_.push_back(corners_.size());
      if (total - corners_.size() - i - 1 < declared - i - 1)
        in_.fail(fmt::format("{} cells cannot fit into {} indices", declared, total));
    }
    end_data();
  }

  /// From version 5 on: an array of offsets, one more than there are cells, and an array of corners.
  void read_offsets(std::uint64_t offsets, std::uint64_t corners) {
    in_.expect("OFFSETS");
    const Scalar offset_type = read_whole_type(in_);
    const auto offset_count = in_.checked_count(offsets, min_bytes(offset_type), "offsets");
    start_data();
    for (std::size_t i = 0; i < offset_count; ++i) {
      const std::int64_t low = i == 0 ? 0 : static_cast<std::int64_t>(offsets_.back());
      const std::int64_t offset = read_whole(in_, offset_type, "an offset");
      if (offset < low || static_cast<std::uint64_t>(offset) > corners || (i == 0 && offset != 0))
        in_.fail(fmt::format("offset {}: must be in [{}, {}]", offset, low, i == 0 ? 0 : corners));
      offsets_.push_back(static_cast<std::size_t>(offset));
    }
    end_data();
    in_.expect("CONNECTIVITY");
    const Scalar type = read_whole_type(in_);
    const auto count = in_.checked_count(corners, min_bytes(type), "indices");
    start_data();
    for (std::size_t i = 0; i < count; ++i) corners_.push_back(read_index(type));
    end_data();
  }

  std::size_t cell_count() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }

  void add_cell(std::size_t i, std::int64_t type) {
    const auto corners = std::span(corners_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
    if (const std::string problem = add_vtk_cell(mesh_, type, corners); !problem.empty())
      in_.fail(fmt::format("cell {}: {}", i, problem));
  }

  void read_cells() {
    if (has_cells_) in_.fail("CELLS given twice");
    has_cells_ = true;
    read_connectivity();
  }

  void read_types() {
    const auto count = in_.get<std::uint64_t>("the number of cells");
    if (count != cell_count()) in_.fail(fmt::format("{} cell types for {} cells", count, cell_count()));
    start_data();
    for (std::size_t i = 0; i < count; ++i) add_cell(i, in_.get<std::int32_t>("the type of a cell"));
    end_data();
    offsets_.clear();
  }

  void read_polydata(int type) {
    read_connectivity();
    for (std::size_t i = 0; i < cell_count(); ++i) add_cell(i, type);
    offsets_.clear();
  }

  Input in_;
  Mesh mesh_;
  Coding coding_ = Coding::text;
  bool grid_ = false, has_points_ = false, has_cells_ = false;
  std::vector<std::size_t> offsets_;
  std::vector<int> corners_;
};

}  // namespace

Mesh parse_vtk(std::string_view bytes, const std::string& name) { return VtkReader(bytes, name).read(); }

std::string print_vtk(const Mesh& mesh, bool binary, const std::string&) {
  std::string out;
  print(out, "# vtk DataFile Version 3.0\nwritten by brio\n{}\nDATASET UNSTRUCTURED_GRID\n",
        binary ? "BINARY" : "ASCII");
  const auto put = [&](auto value, char after) {
    binary ? append(out, value, std::endian::big) : print(out, "{}{}", value, after);
  };
  print(out, "POINTS {} double\n", mesh.vertices.size());
  for (const Vec3& x : mesh.vertices) {
    put(x[0], ' ');
    put(x[1], ' ');
    put(x[2], '\n');
  }
  const std::size_t cells = mesh.segments.size() + mesh.triangles.size() + mesh.tets.size();
  const std::size_t indices = 3 * mesh.segments.size() + 4 * mesh.triangles.size() + 5 * mesh.tets.size();
  print(out, "{}CELLS {} {}\n", binary ? "\n" : "", cells, indices);
  const auto put_cells = [&]<std::size_t N>(const std::vector<std::array<int, N>>& list) {
    for (const std::array<int, N>& cell : list) {
      put(static_cast<int>(N), ' ');
      for (std::size_t k = 0; k < N; ++k) put(cell[k], k + 1 == N ? '\n' : ' ');
    }
  };
  put_cells(mesh.segments);
  put_cells(mesh.triangles);
  put_cells(mesh.tets);
  print(out, "{}CELL_TYPES {}\n", binary ? "\n" : "", cells);
  for (std::size_t i = 0; i < mesh.segments.size(); ++i) put(vtk::line, '\n');
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) put(vtk::triangle, '\n');
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) put(vtk::tetra, '\n');
  if (binary) out += '\n';
  return out;
}

}  // namespace brio
