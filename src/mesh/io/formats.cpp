#include "mesh/io/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/safe_file.h"
#include "mesh/io/files.h"

namespace brio {
namespace {

enum class Writes { text, text_or_binary, binary_or_text };  ///< the usual coding first

struct Cells {
  bool tets, triangles, segments;
};
constexpr Cells all{true, true, true}, tets{true, false, false}, flat{false, true, true}, triangles{false, true, false};

struct Format {
  const char* extension;
  const char* name;
  Mesh (*parse)(std::string_view bytes, const std::string& name);  ///< null: TetGen's pair of files
  std::string (*print)(const Mesh& mesh, bool binary, const std::string& version);
  Writes writes;
  Cells holds;
  std::vector<std::string> versions{};  ///< the default first
  double largest_in_binary = std::numeric_limits<double>::max();
};

const std::vector<Format>& formats() {
  static const std::vector<Format> list = {
      {".msh", "Gmsh 2.2 and 4.1", parse_msh, print_msh, Writes::text_or_binary, all, {"4.1", "2.2"}},
      {".vtu", "VTK XML unstructured grid", parse_vtu, print_vtu, Writes::binary_or_text, all},
      {".vtk", "VTK legacy", parse_vtk, print_vtk, Writes::text_or_binary, all},
      {".node", "TetGen nodes, with .ele beside it", nullptr, nullptr, Writes::text, tets},
      {".ele", "TetGen elements, with .node beside it", nullptr, nullptr, Writes::text, tets},
      {".obj", "Wavefront", parse_obj, print_obj, Writes::text, flat},
      {".ply", "Stanford polygons", parse_ply, print_ply, Writes::binary_or_text, flat},
      {".stl",
       "Stereolithography",
       parse_stl,
       print_stl,
       Writes::binary_or_text,
       triangles,
       {},
       std::numeric_limits<float>::max()},
      {".off", "Geomview", parse_off, print_off, Writes::text, flat}};
  return list;
}

const Format& format_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  std::string known;
  for (const Format& format : formats()) {
    if (format.extension == extension) return format;
    known += (known.empty() ? "" : ", ") + std::string(format.extension);
  }
  refuse_file(file,
              extension.empty() ? "no extension to tell the format by" : fmt::format("unknown format {}", extension),
              "known: " + known);
}

bool is_tetgen(const Format& format) { return format.parse == nullptr; }

/// TetGen's pair of files; the extension given keeps its spelling.
std::pair<std::filesystem::path, std::filesystem::path> tetgen_pair(const std::filesystem::path& file,
                                                                    const Format& format) {
  std::filesystem::path other = file;
  const bool is_node = std::string_view(format.extension) == ".node";
  other.replace_extension(is_node ? ".ele" : ".node");
  return is_node ? std::pair(file, other) : std::pair(other, file);
}

void check_cells(const std::filesystem::path& file, const Mesh& mesh, const Format& format) {
  const std::string cannot = fmt::format("{} cannot hold ", format.extension);
  if (!format.holds.tets && !mesh.tets.empty())
    refuse_file(file, cannot + "tetrahedra",
                fmt::format("extract the surface first: brio mesh in.msh out{} --surface", format.extension));
  if (!format.holds.triangles && !mesh.triangles.empty())
    refuse_file(file, cannot + "triangles", "write .msh, .vtu or .vtk");
  if (!format.holds.segments && !mesh.segments.empty())
    refuse_file(file, cannot + "segments", "write .msh, .vtu, .vtk, .obj, .ply or .off");
}

void check_numbers(const std::filesystem::path& file, const Mesh& mesh, double largest) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& x = mesh.vertices[i];
    if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
      refuse_file(file, fmt::format("not written: vertex {} is ({}, {}, {}), must be finite", i, x[0], x[1], x[2]));
    if (x.cwiseAbs().maxCoeff() > largest)
      refuse_file(
          file,
          fmt::format("not written: vertex {} is ({}, {}, {}), beyond the range of 32-bit floats", i, x[0], x[1], x[2]),
          "write it as text");
  }
  const auto check = [&](const auto& cells, const char* kind) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      for (const int k : cells[i])
        if (k < 0 || static_cast<std::size_t>(k) >= mesh.vertices.size())
          refuse_file(file, fmt::format("not written: {} {} uses vertex {}, but there are {} vertices", kind, i, k,
                                        mesh.vertices.size()));
  };
  check(mesh.tets, "tet");
  check(mesh.triangles, "triangle");
  check(mesh.segments, "segment");
}

}  // namespace

Mesh read_mesh(const std::filesystem::path& file) {
  const Format& format = format_of(file);
  if (!is_tetgen(format)) return format.parse(read_bytes(file), file.string());
  const auto [node, ele] = tetgen_pair(file, format);
  return parse_tetgen(read_bytes(node), node.string(), read_bytes(ele), ele.string());
}

void write_mesh(const std::filesystem::path& file, const Mesh& mesh, const WriteOptions& options) {
  const Format& format = format_of(file);
  const bool binary = options.binary.value_or(format.writes == Writes::binary_or_text);
  if (binary && format.writes == Writes::text) refuse_file(file, fmt::format("{} is always text", format.extension));
  std::string version = options.version;
  if (version.empty() && !format.versions.empty()) version = format.versions.front();
  if (!version.empty() && std::ranges::find(format.versions, version) == format.versions.end())
    refuse_file(file, fmt::format("{} is not written in version {}", format.extension, version),
                format.versions.empty() ? "" : fmt::format("versions: {}", fmt::join(format.versions, ", ")));
  check_cells(file, mesh, format);
  check_numbers(file, mesh, binary ? format.largest_in_binary : std::numeric_limits<double>::max());
  if (!is_tetgen(format)) return write_safely(file, format.print(mesh, binary, version));
  const auto [node, ele] = tetgen_pair(file, format);
  write_safely(node, print_node(mesh));
  write_safely(ele, print_ele(mesh));
}

std::vector<std::filesystem::path> mesh_files(const std::filesystem::path& file) {
  const Format& format = format_of(file);
  if (!is_tetgen(format)) return {file};
  const auto [node, ele] = tetgen_pair(file, format);
  return {node, ele};
}

std::vector<MeshFormat> mesh_formats() {
  std::vector<MeshFormat> list;
  for (const Format& format : formats()) list.push_back({format.extension, format.name, true, true});
  return list;
}

}  // namespace brio
