/// Gmsh .msh 4.1 (default) and 2.2. One block of nodes, one entity and one block of elements per kind; tags
/// count from 1.
#include <Eigen/Geometry>
#include <span>

#include "mesh/io/formats.h"
#include "mesh/io/output.h"

namespace brio {
namespace {

/// The cells of one kind as a list of corners.
struct Block {
  int dimension;
  int type;  ///< Gmsh's number
  std::size_t nodes;
  std::span<const int> corners;
  std::size_t count() const { return corners.size() / nodes; }
};

std::vector<Block> blocks_of(const Mesh& mesh) {
  std::vector<Block> blocks;
  const auto add = [&]<std::size_t N>(int dimension, int type, const std::vector<std::array<int, N>>& cells) {
    if (!cells.empty()) blocks.push_back({dimension, type, N, {cells.front().data(), N * cells.size()}});
  };
  add(1, 1, mesh.segments);
  add(2, 2, mesh.triangles);
  add(3, 4, mesh.tets);
  return blocks;
}

std::size_t cell_count(const std::vector<Block>& blocks) {
  std::size_t count = 0;
  for (const Block& block : blocks) count += block.count();
  return count;
}

/// A number of type T in binary; in text, followed by a blank or the end of the line.
template <class T, class Value>
void put(std::string& out, bool binary, Value value, char after = ' ') {
  if (binary)
    append(out, static_cast<T>(value));
  else
    print(out, "{}{}", value, after);
}

void put_point(std::string& out, bool binary, const Vec3& x) {
  put<double>(out, binary, x[0]);
  put<double>(out, binary, x[1]);
  put<double>(out, binary, x[2], '\n');
}

void put_corners(std::string& out, bool binary, const Block& block, std::size_t i, auto tag_type) {
  for (std::size_t k = 0; k < block.nodes; ++k)
    put<decltype(tag_type)>(out, binary, block.corners[i * block.nodes + k] + 1, k + 1 == block.nodes ? '\n' : ' ');
}

using Size = std::uint64_t;

/// Gmsh takes elements only on entities that it knows: one for each kind of cell, the box of the mesh around it. A mesh
/// without cells has a point.
void print_entities(std::string& out, const Mesh& mesh, bool binary, const std::vector<Block>& blocks) {
  Eigen::AlignedBox3d box(Vec3::Zero(), Vec3::Zero());
  if (!mesh.vertices.empty()) box = Eigen::AlignedBox3d(mesh.vertices.front());
  for (const Vec3& x : mesh.vertices) box.extend(x);
  std::array<Size, 4> counts{blocks.empty() ? Size{1} : Size{0}, 0, 0, 0};  // points, curves, surfaces, volumes
  for (const Block& block : blocks) counts[block.dimension] = 1;
  out += "$Entities\n";
  for (std::size_t i = 0; i < 4; ++i) put<Size>(out, binary, counts[i], i == 3 ? '\n' : ' ');
  for (std::size_t dimension = 0; dimension < 4; ++dimension) {
    if (counts[dimension] == 0) continue;
    put<int>(out, binary, 1);  // tag
    for (const double x : box.min()) put<double>(out, binary, x);
    if (dimension > 0)
      for (const double x : box.max()) put<double>(out, binary, x);
    put<Size>(out, binary, 0, dimension > 0 ? ' ' : '\n');  // physical groups
    if (dimension > 0) put<Size>(out, binary, 0, '\n');     // bounding entities
  }
  out += binary ? "\n$EndEntities\n" : "$EndEntities\n";
}

void print_4(std::string& out, const Mesh& mesh, bool binary) {
  const auto put_sizes = [&](Size blocks, Size items) {
    put<Size>(out, binary, blocks);
    put<Size>(out, binary, items);
    put<Size>(out, binary, std::min<Size>(items, 1));
    put<Size>(out, binary, items, '\n');
  };
  const auto put_block = [&](int dimension, int third, Size count) {
    put<int>(out, binary, dimension);
    put<int>(out, binary, 1);  // tag of the entity
    put<int>(out, binary, third);
    put<Size>(out, binary, count, '\n');
  };
  const std::vector<Block> blocks = blocks_of(mesh);
  print_entities(out, mesh, binary, blocks);
  out += "$Nodes\n";
  put_sizes(1, mesh.vertices.size());
  put_block(blocks.empty() ? 0 : blocks.back().dimension, 0, mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) put<Size>(out, binary, i + 1, '\n');
  for (const Vec3& x : mesh.vertices) put_point(out, binary, x);
  out += binary ? "\n$EndNodes\n$Elements\n" : "$EndNodes\n$Elements\n";
  put_sizes(blocks.size(), cell_count(blocks));
  Size tag = 0;
  for (const Block& block : blocks) {
    put_block(block.dimension, block.type, block.count());
    for (std::size_t i = 0; i < block.count(); ++i) {
      put<Size>(out, binary, ++tag);
      put_corners(out, binary, block, i, Size{});
    }
  }
  out += binary ? "\n$EndElements\n" : "$EndElements\n";
}

void print_2(std::string& out, const Mesh& mesh, bool binary) {
  const std::vector<Block> blocks = blocks_of(mesh);
  print(out, "$Nodes\n{}\n", mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    put<int>(out, binary, i + 1);
    put_point(out, binary, mesh.vertices[i]);
  }
  print(out, "{}$EndNodes\n$Elements\n{}\n", binary ? "\n" : "", cell_count(blocks));
  int tag = 0;
  for (const Block& block : blocks) {
    if (binary)
      for (const int header : {block.type, static_cast<int>(block.count()), 2}) append(out, header);
    for (std::size_t i = 0; i < block.count(); ++i) {
      put<int>(out, binary, ++tag);
      if (!binary) print(out, "{} 2 ", block.type);
      put<int>(out, binary, 0);  // physical group: none
      put<int>(out, binary, 1);  // entity
      put_corners(out, binary, block, i, int{});
    }
  }
  out += binary ? "\n$EndElements\n" : "$EndElements\n";
}

}  // namespace

std::string print_msh(const Mesh& mesh, bool binary, const std::string& version) {
  std::string out;
  print(out, "$MeshFormat\n{} {} 8\n", version, binary ? 1 : 0);
  if (binary) {
    append(out, 1);
    out += '\n';
  }
  out += "$EndMeshFormat\n";
  version == "2.2" ? print_2(out, mesh, binary) : print_4(out, mesh, binary);
  return out;
}

}  // namespace brio
