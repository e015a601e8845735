/// Geomview OFF: an optional keyword, the numbers of vertices, faces and edges, then a line for each vertex and face.
/// Colors and normals at the end of lines (COFF, NOFF, STOFF) are dropped. Faces of two corners are segments.
#include "mesh/io/cells.h"
#include "mesh/io/formats.h"
#include "mesh/io/input.h"
#include "mesh/io/output.h"

namespace brio {
namespace {

void read_keyword(Input& in) {
  const std::string_view keyword = in.peek();
  if (!keyword.ends_with("OFF")) return;  // the keyword may be left out
  in.word("OFF");
  if (keyword.find_first_of("4n") != std::string_view::npos)
    in.fail("points of other than three dimensions are not read", keyword);
  if (in.has_word() && in.peek() == "BINARY") {
    in.word("BINARY");
    in.fail("binary .off files are not read", {}, "write it as text, or as .ply");
  }
}

void read_face(Input& in, Mesh& mesh, std::vector<int>& corners) {
  const auto size = in.checked_count(in.get<std::uint32_t>("the number of corners"), 2, "corners");
  corners.clear();
  for (std::size_t i = 0; i < size; ++i)
    corners.push_back(in.vertex_index(in.get<std::int64_t>("a vertex index"), 0, mesh.vertices.size()));
  if (size == 2) add_chain(mesh, corners);
  add_polygon(mesh, corners);
}

}  // namespace

Mesh parse_off(std::string_view bytes, const std::string& name) {
  Mesh mesh;
  Input in(bytes, name);
  in.next_line();
  read_keyword(in);
  if (!in.has_word()) in.next_line();
  const auto vertices = in.checked_count(in.get<std::uint64_t>("the number of vertices"), 6, "vertices");
  const auto faces = in.checked_count(in.get<std::uint64_t>("the number of faces"), 2, "faces");
  mesh.vertices.reserve(vertices);
  for (std::size_t i = 0; i < vertices; ++i) {
    in.next_line("vertex", i, vertices);
    mesh.vertices.push_back(in.point());
  }
  std::vector<int> corners;
  for (std::size_t i = 0; i < faces; ++i) {
    in.next_line("face", i, faces);
    read_face(in, mesh, corners);
  }
  if (in.next_line()) {
    const std::string_view more = in.word("nothing");
    in.fail(fmt::format("expected nothing after {} faces", faces), more);
  }
  return mesh;
}

std::string print_off(const Mesh& mesh, bool, const std::string&) {
  std::string out;
  print(out, "OFF\n{} {} 0\n", mesh.vertices.size(), mesh.triangles.size() + mesh.segments.size());
  for (const Vec3& x : mesh.vertices) print(out, "{} {} {}\n", x[0], x[1], x[2]);
  for (const Triangle& t : mesh.triangles) print(out, "3 {} {} {}\n", t[0], t[1], t[2]);
  for (const Segment& s : mesh.segments) print(out, "2 {} {}\n", s[0], s[1]);
  return out;
}

}  // namespace brio
