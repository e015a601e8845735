/// TetGen: x.node holds "count 3 attributes markers" and lines "index x y z ...", x.ele holds "count 4 attributes" and
/// lines "index a b c d ...". Indices start at 0 or 1, as the first node says. [TetGen 1.5 manual, section 5.2]
#include "mesh/io/formats.h"
#include "mesh/io/input.h"
#include "mesh/io/output.h"

namespace brio {
namespace {

/// Reads the vertices; returns the index of the first.
std::int64_t read_nodes(Input& in, Mesh& mesh) {
  in.next_line();
  const auto count = in.checked_count(in.get<std::uint64_t>("the number of nodes"), 8, "nodes");
  const int dimension = in.has_word() ? in.get<int>("the dimension") : 3;
  if (dimension != 3) in.fail(fmt::format("nodes of dimension {}: must be 3", dimension));
  mesh.vertices.reserve(count);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    in.next_line("node", i, count);
    const auto index = in.get<std::int64_t>("the index of a node");
    if (i == 0) first = index;
    if (first != 0 && first != 1) in.fail(fmt::format("the first node has index {}: must be 0 or 1", first));
    if (index - first != static_cast<std::int64_t>(i))
      in.fail(fmt::format("node {} stands where node {} was expected", index, first + static_cast<std::int64_t>(i)));
    mesh.vertices.push_back(in.point());
  }
  return first;
}

}  // namespace

Mesh parse_tetgen(std::string_view node_bytes, const std::string& node_name, std::string_view ele_bytes,
                  const std::string& ele_name) {
  Mesh mesh;
  Input nodes(node_bytes, node_name);
  const std::int64_t first = read_nodes(nodes, mesh);
  Input in(ele_bytes, ele_name);
  in.next_line();
  const auto count = in.checked_count(in.get<std::uint64_t>("the number of tetrahedra"), 10, "tetrahedra");
  const int corners = in.has_word() ? in.get<int>("the nodes per tetrahedron") : 4;
  if (corners != 4)
    in.fail(fmt::format("tetrahedra of {} nodes: only linear ones (4 nodes) are read", corners), {},
            "run tetgen without -o2");
  mesh.tets.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    in.next_line("tetrahedron", i, count);
    in.get<std::int64_t>("the index of a tetrahedron");
    for (int& corner : mesh.tets[i])
      corner = in.vertex_index(in.get<std::int64_t>("the index of a node"), first, mesh.vertices.size());
  }
  return mesh;
}

std::string print_node(const Mesh& mesh) {
  std::string out;
  print(out, "{} 3 0 0\n", mesh.vertices.size());
  for (std::size_t i = 0; const Vec3& x : mesh.vertices) print(out, "{} {} {} {}\n", i++, x[0], x[1], x[2]);
  return out;
}

std::string print_ele(const Mesh& mesh) {
  std::string out;
  print(out, "{} 4 0\n", mesh.tets.size());
  for (std::size_t i = 0; const Tet& t : mesh.tets) print(out, "{} {} {} {} {}\n", i++, t[0], t[1], t[2], t[3]);
  return out;
}

}  // namespace brio
