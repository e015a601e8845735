#include <gtest/gtest.h>

#include <cmath>

#include "brio/mesh.h"

namespace brio {
namespace {

using Indices = std::vector<int>;

std::string complaint(const Selection& selection) {
  try {
    select(make_line({.length = 4, .segments = 4}), selection);
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

/// Five vertices at x = -2, -1, 0, 1, 2.
class Select : public testing::Test {
 protected:
  const Mesh line = make_line({.length = 4, .segments = 4});
};

TEST_F(Select, BoxTakesWhatLiesInItAndOnIt) {
  EXPECT_EQ(select(line, InBox{{-1, 0, 0}, {1.5, 0, 0}}), (Indices{1, 2, 3}));
  EXPECT_EQ(select(line, InBox{{5, 0, 0}, {6, 0, 0}}), Indices{});
}

TEST_F(Select, SphereTakesWhatLiesInItAndOnIt) { EXPECT_EQ(select(line, InSphere{{2, 0, 0}, 1}), (Indices{3, 4})); }

TEST_F(Select, PlaneTakesTheSideItsNormalPointsTo) {
  EXPECT_EQ(select(line, BeyondPlane{{0, 5, 0}, {-2, 0, 0}}), (Indices{0, 1, 2}));
}

TEST_F(Select, PlaneTakesTheSameSideWhateverTheLengthOfItsNormal) {
  for (const double length : {5e-324, 1e-300, 1e-150, 1e150, 1.7e308})
    EXPECT_EQ(select(line, BeyondPlane{{1e-30, 5, 0}, {-length, 0, 0}}), (Indices{0, 1, 2})) << length;
}

TEST_F(Select, IndicesAreSortedAndUnique) { EXPECT_EQ(select(line, ByIndex{{4, 0, 4, 2}}), (Indices{0, 2, 4})); }

TEST_F(Select, BoundaryIsSurfaceRimOrEnds) {
  EXPECT_EQ(select(line, OnBoundary{}), (Indices{0, 4}));
  EXPECT_EQ(select(make_sheet({.cells = {2, 2}}), OnBoundary{}), (Indices{0, 1, 2, 3, 5, 6, 7, 8}));
  EXPECT_EQ(select(make_cube({.cells = 3}), OnBoundary{}).size(), 64u - 8u);
}

TEST_F(Select, RefusesWhatCannotBeMeant) {
  EXPECT_EQ(complaint(ByIndex{{0, 5}}), "vertices = 5: no such vertex; the mesh has 5");
  EXPECT_EQ(complaint(ByIndex{{-1}}), "vertices = -1: no such vertex; the mesh has 5");
  EXPECT_EQ(complaint(InBox{{1, 0, 0}, {0, 0, 0}}),
            "box = [[1, 0, 0], [0, 0, 0]]: the first corner must not exceed the second");
  EXPECT_EQ(complaint(InBox{{std::nan(""), 0, 0}, {0, 0, 0}}),
            "box = [[nan, 0, 0], [0, 0, 0]]: the first corner must not exceed the second");
  EXPECT_EQ(complaint(InSphere{{0, 0, 0}, -1}), "sphere = -1: the radius must be >= 0");
  EXPECT_EQ(complaint(BeyondPlane{{0, 0, 0}, {0, 0, 0}}), "plane = [0, 0, 0]: the normal must be finite and not zero");
}

}  // namespace brio
