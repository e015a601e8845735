#include "mesh/io/formats.h"
#include "mesh/mesh_io_testing.h"

namespace brio {
namespace {

/// As Gmsh 4.8 writes one tetrahedron with all its points, edges and faces.
const std::string gmsh_41 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
1 1 1 1
1 0 0 0 0 
1 0 0 0 1 0 0 0 2 1 -2 
1 0 0 0 1 1 0 0 3 1 2 3 
1 0 0 0 1 1 1 0 4 1 2 3 4 
$EndEntities
$Nodes
5 4 1 4
0 1 0 1
1
0 0 0
0 2 0 1
2
1 0 0
0 3 0 1
3
0 1 0
1 1 1 1
4
0 0 1 0.5
3 1 0 0
$EndNodes
$Elements
4 5 1 15
0 1 15 1
1 1 
1 1 1 1
5 1 2 
2 1 2 2
11 1 2 3 
12 1 2 4 
3 1 4 1
15 1 3 4 2 
$EndElements
)";

const std::string gmsh_22 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
3 1 "jelly"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
30 0 1 0
4 0 0 1
$EndNodes
$Elements
4
1 15 2 0 1 1
5 1 2 0 1 1 2
11 3 2 0 1 1 2 30 4
15 4 2 0 1 1 30 4 2
$EndElements
)";

std::string complaint(const std::string& text) {
  return complaint_of([&] { parse_msh(text, "a.msh"); });
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  replace(text, from, to);
  return text;
}

}  // namespace

TEST(Msh, ReadsGmsh41WithEntitiesPointsAndParameters) {
  const Mesh mesh = parse_msh(gmsh_41, "a.msh");
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(mesh.segments, (std::vector<Segment>{{0, 1}}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 1, 3}}));
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 2, 3, 1}}));
}

TEST(Msh, ReadsGmsh22WithNamesGapsInNumbersAndQuadrangles) {
  const Mesh mesh = parse_msh(gmsh_22, "a.msh");
  EXPECT_EQ(mesh.vertices[2], Vec3(0, 1, 0));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.tets, (std::vector<Tet>{{0, 2, 3, 1}}));
}

TEST(Msh, ReadsBigEndianBinary) {
  std::string bytes = "$MeshFormat\n2.2 1 8\n";
  append_big(bytes, 1);
  bytes += "\n$EndMeshFormat\n$Nodes\n2\n";
  for (const int i : {1, 2}) {
    append_big(bytes, i);
    for (const double x : {0.5 * i, 0.0, -1.0}) append_big(bytes, x);
  }
  bytes += "\n$EndNodes\n$Elements\n1\n";
  for (const int i : {1, 1, 2, 1, 0, 1, 1, 2}) append_big(bytes, i);
  bytes += "\n$EndElements\n";
  const Mesh mesh = parse_msh(bytes, "a.msh");
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0.5, 0, -1}, {1, 0, -1}}));
  EXPECT_EQ(mesh.segments, (std::vector<Segment>{{0, 1}}));
}

TEST(Msh, WritesTheEntitiesWithoutWhichGmshDropsElements) {
  const Mesh mesh{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, -3}},
                  .tets = {{0, 1, 2, 3}},
                  .triangles = {},
                  .segments = {{0, 1}}};
  EXPECT_NE(
      print_msh(mesh, false, "4.1").find("$Entities\n0 1 0 1\n1 0 0 -3 1 2 0 0 0\n1 0 0 -3 1 2 0 0 0\n$EndEntities\n"),
      std::string::npos);
}

TEST(Msh, NamesThePlaceOfEveryMistake) {
  EXPECT_EQ(complaint("hello"), "a.msh:1: 'hello': expected $MeshFormat");
  EXPECT_EQ(complaint(changed(gmsh_41, "4.1", "4")),
            "a.msh:2: '4': version of the format: must be 2.2 or 4.1; convert it: gmsh -save -format msh41 IN -o OUT");
  EXPECT_EQ(complaint(changed(gmsh_22, "30 0 1 0\n", "30 0 x 0\n")), "a.msh:12: 'x': expected a coordinate");
  EXPECT_EQ(complaint(changed(gmsh_22, "30 0 1 0\n", "30 0 nan 0\n")),
            "a.msh:12: coordinate is not a number: must be finite");
  EXPECT_EQ(complaint(changed(gmsh_22, "30 0 1 0\n", "2 0 1 0\n")), "a.msh:13: node 2 is given twice");
  EXPECT_EQ(complaint(changed(gmsh_22, "15 4 2 0 1 1 30", "15 4 2 0 1 1 31")),
            "a.msh:20: node 31 is used but not given");
  EXPECT_EQ(complaint(changed(gmsh_22, "15 4 2 0 1", "15 11 2 0 1")),
            "a.msh:20: element of type 11 (second-order tetrahedron): only points, lines, triangles, quadrangles and "
            "linear tetrahedra are read; mesh with first-order tetrahedra: gmsh -3 -order 1");
  EXPECT_EQ(complaint(changed(gmsh_22, "$Nodes\n4\n", "$Nodes\n4000000000000\n")),
            "a.msh:9: 4000000000000 nodes declared, but the rest of the file (135 bytes) cannot hold so many");
  EXPECT_EQ(complaint(changed(gmsh_41, "5 4 1 4\n", "5 6 1 4\n")), "a.msh:25: 6 nodes declared, 4 given");
  EXPECT_EQ(complaint(changed(gmsh_41, "$EndNodes", "$EndNoses")), "a.msh:26: '$EndNoses': expected $EndNodes");
  EXPECT_EQ(complaint(gmsh_41.substr(0, gmsh_41.find("$Nodes"))), "a.msh:10: no section $Nodes in the file");
  EXPECT_EQ(complaint(gmsh_41.substr(0, gmsh_41.find("$EndEntities"))),
            "a.msh:4: '$Entities': section is not closed by $EndEntities");
  EXPECT_EQ(complaint(changed(gmsh_22.substr(0, gmsh_22.find("$EndNodes")), "4 0 0 1\n", "4 0 0 \n\n")),
            "a.msh:13: file ends: expected a coordinate");
}

TEST(Msh, NamesTheByteOfMistakesInBinaryFiles) {
  const Mesh mesh{.vertices = {{0, 0, 0}, {1, 0, 0}}, .tets = {}, .triangles = {}, .segments = {{0, 1}}};
  const std::string bytes = print_msh(mesh, true, "4.1");
  const std::size_t nodes = bytes.find("$Nodes\n") + 7;
  EXPECT_EQ(complaint(bytes.substr(0, nodes + 20)),
            "a.msh: byte " + std::to_string(nodes + 16) + ": file ends: expected the least tag (8 bytes, 4 left)");
}

}  // namespace brio
