#include "contact/bvh.h"

#include <gtest/gtest.h>

#include <random>

namespace brio {
namespace {

std::vector<Box> random_boxes(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0, 1);
  std::vector<Box> boxes;
  for (int i = 0; i < count; ++i) {
    Box box;
    box.include(Vec3(place(random), place(random), place(random)));
    boxes.push_back(box.inflated(0.06 * place(random)));
  }
  return boxes;
}

std::vector<Bvh::Pair> all_overlapping(const std::vector<Box>& a, const std::vector<Box>& b, double inflation) {
  std::vector<Bvh::Pair> pairs;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = &a == &b ? i + 1 : 0; j < b.size(); ++j)
      if (a[i].inflated(inflation).overlaps(b[j])) pairs.push_back({static_cast<int>(i), static_cast<int>(j)});
  return pairs;
}

const auto every_pair = [](int, int) { return true; };

}  // namespace

TEST(Bvh, FindsExactlyWhatOverlapsABox) {
  for (const int count : {0, 1, 4, 5, 300}) {
    const std::vector<Box> boxes = random_boxes(count, 1);
    const Bvh tree(boxes);
    for (const Box& query : random_boxes(50, 2)) {
      std::vector<int> found, expected;
      tree.overlapping(query, [&](int item) { found.push_back(item); });
      for (int i = 0; i < count; ++i)
        if (boxes[i].overlaps(query)) expected.push_back(i);
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(Bvh, FindsExactlyThePairsThatOverlapInSortedOrder) {
  const std::vector<Box> a = random_boxes(400, 3);
  const std::vector<Box> b = random_boxes(300, 4);
  const Bvh tree_a(a), tree_b(b);
  EXPECT_EQ(tree_a.overlapping_pairs(every_pair), all_overlapping(a, a, 0));
  EXPECT_EQ(tree_a.overlapping_pairs(tree_b, 0.03, every_pair), all_overlapping(a, b, 0.03));
  EXPECT_GT(tree_a.overlapping_pairs(every_pair).size(), 100U);
  const auto odd = tree_a.overlapping_pairs([](int i, int j) { return (i + j) % 2 == 1; });
  EXPECT_GT(odd.size(), 10U);
  for (const auto& [i, j] : odd) EXPECT_EQ((i + j) % 2, 1);
}

TEST(Bvh, AfterARefitAnswersForTheNewPlaces) {
  const std::vector<Box> before = random_boxes(400, 3);
  const std::vector<Box> after = random_boxes(400, 5);
  Bvh tree(before);
  tree.refit(after);
  EXPECT_EQ(tree.overlapping_pairs(every_pair), all_overlapping(after, after, 0));
}

TEST(Bvh, NearestIsTheNearestAndAsksOnlyWhatIsNearEnough) {
  const std::vector<Box> points = [] {
    std::vector<Box> boxes = random_boxes(2000, 6);
    for (Box& box : boxes) box.high = box.low;
    return boxes;
  }();
  const Bvh tree(points);
  int asked = 0;
  for (const Box& query : random_boxes(100, 7)) {
    const Vec3 p = query.low;
    double least = std::numeric_limits<double>::infinity();
    const int found = tree.nearest(p, least, [&](int item) {
      ++asked;
      return (points[item].low - p).squaredNorm();
    });
    for (const Box& box : points) EXPECT_GE((box.low - p).squaredNorm(), least);
    ASSERT_GE(found, 0);
    EXPECT_EQ((points[found].low - p).squaredNorm(), least);
    double too_near = least;
    EXPECT_EQ(tree.nearest(p, too_near, [&](int item) { return (points[item].low - p).squaredNorm(); }), -1);
  }
  EXPECT_LT(asked, 100 * 60);
}

TEST(Bvh, PairsDoNotDependOnTheNumberOfThreads) {
  const Bvh tree(random_boxes(3000, 8));
  set_threads(1);
  const auto once = tree.overlapping_pairs(every_pair);
  for (const int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(tree.overlapping_pairs(every_pair), once);
  }
  set_threads(0);
}

/// Nothing is missed that touches after some common fraction of two paths, and what all have in common finds no more.
TEST(Bvh, PathsCountByTheirDifference) {
  const std::vector<Box> boxes = random_boxes(200, 7);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> way(-0.1, 0.1);
  std::vector<Vec3> moved;
  for (std::size_t k = 0; k < 2 * boxes.size(); ++k) moved.emplace_back(way(random), way(random), way(random));
  const auto found = [&](const Vec3& common) {
    std::vector<Box> paths;
    for (const Vec3& by : moved) paths.push_back({by + common, by + common});
    return Bvh(boxes, paths).overlapping_pairs(every_pair);
  };
  const std::vector<Bvh::Pair> pairs = found(Vec3::Zero());
  EXPECT_GT(pairs.size(), all_overlapping(boxes, boxes, 0).size());
  EXPECT_EQ(found(Vec3(8, -4, 2)), pairs);
  for (const double along : {0.0, 0.3, 1.0})
    for (const double aside : {0.0, 0.6, 1.0}) {
      std::vector<Box> there;
      for (std::size_t k = 0; k < boxes.size(); ++k) {
        const Vec3 by = along * moved[2 * k] + aside * moved[2 * k + 1];
        there.push_back({boxes[k].low + by, boxes[k].high + by});
      }
      for (const Bvh::Pair& pair : all_overlapping(there, there, 0))
        EXPECT_TRUE(std::ranges::binary_search(pairs, pair)) << pair[0] << " " << pair[1];
    }
}

}  // namespace brio
