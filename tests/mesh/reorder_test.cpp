#include "mesh/reorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace brio {
namespace {

Mesh shuffled(const Mesh& mesh) {
  std::vector<int> place(mesh.vertices.size());
  std::iota(place.begin(), place.end(), 0);
  std::shuffle(place.begin(), place.end(), std::mt19937(7));
  Mesh result = mesh;
  for (std::size_t i = 0; i < place.size(); ++i) result.vertices[place[i]] = mesh.vertices[i];
  for (Tet& tet : result.tets)
    for (int& v : tet) v = place[v];
  return result;
}

/// Its corners, in their order, of each tet; sorted.
std::vector<std::array<double, 12>> shapes(const Mesh& mesh) {
  std::vector<std::array<double, 12>> all;
  for (const Tet& tet : mesh.tets) {
    all.emplace_back();
    for (std::size_t k = 0; k < 12; ++k) all.back()[k] = mesh.vertices[tet[k / 3]][static_cast<int>(k % 3)];
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST(Reorder, KeepsEveryTetWithItsOrientationAndNumbersNeighborsNearEachOther) {
  const Mesh mesh = make_bar({.cells = {40, 12, 12}});
  const Mesh bad = shuffled(mesh);
  EXPECT_NEAR(near_edges(bad), 0.04, 0.01);
  const Mesh good = reordered(bad);
  EXPECT_GT(near_edges(good), 0.8);
  EXPECT_EQ(shapes(good), shapes(mesh));
  EXPECT_TRUE(std::ranges::is_sorted(good.tets, {}, [](const Tet& tet) { return std::ranges::min(tet); }));
}

TEST(Reorder, RowsOfGridsAreNearWhateverTheirShape) {
  for (const std::array<int, 3> cells : {std::array{196, 11, 11}, std::array{11, 11, 196}, std::array{92, 3, 93},
                                         std::array{60, 60, 1}, std::array{20, 20, 20}})
    EXPECT_GT(near_edges(make_bar({.cells = cells})), 0.3) << cells[0] << 'x' << cells[1] << 'x' << cells[2];
}

TEST(Reorder, WarnsOfLargeShuffledMeshesOnly) {
  const Mesh large = make_bar({.cells = {40, 12, 12}});
  EXPECT_EQ(numbering_warning("bar", large), "");
  EXPECT_NE(numbering_warning("bar", shuffled(large)).find("bar: only 4 % of the edges"), std::string::npos);
  EXPECT_NE(numbering_warning("bar", shuffled(large)).find("--reorder"), std::string::npos);
  EXPECT_EQ(numbering_warning("bar", shuffled(make_bar({.cells = {10, 4, 4}}))), "");
}

TEST(Reorder, TakesMeshesWithoutCellsOrVertices) {
  EXPECT_EQ(near_edges({}), 1);
  EXPECT_TRUE(reordered({}).vertices.empty());
  Mesh points;
  points.vertices = {{1, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(reordered(points).vertices[0], Vec3(0, 0, 0));
}

}  // namespace brio
