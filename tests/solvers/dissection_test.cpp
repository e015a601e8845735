/// Orders of elimination: separators separate, fill is small, and finding them disturbs no one.
#include "solvers/linear/dissection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <random>
#include <thread>

#include "brio/model.h"
#include "core/cancellation.h"
#include "core/timer.h"
#include "solvers/linear/cholesky.h"
#include "solvers/linear/elimination.h"
#include "solvers/linear/separator.h"

namespace brio {
namespace {

using Edges = std::vector<std::pair<int, int>>;

WeightedGraph graph_of(int n, const Edges& edges) {
  std::vector<std::vector<int>> near(n);
  for (const auto& [a, b] : edges) {
    near[a].push_back(b);
    near[b].push_back(a);
  }
  WeightedGraph graph;
  for (const auto& neighbors : near) {
    graph.adjacent.insert(graph.adjacent.end(), neighbors.begin(), neighbors.end());
    graph.start.push_back(static_cast<int>(graph.adjacent.size()));
  }
  graph.edge_weight.assign(graph.adjacent.size(), 1);
  graph.weight.assign(n, 1);
  return graph;
}

std::shared_ptr<const BlockPattern> pattern_of(int n, const Edges& edges) {
  PatternBuilder builder(n);
  for (const auto& [a, b] : edges) builder.couple(std::array{a, b});
  return builder.build();
}

/// A box of a x b x c points, each joined to the next along the axes.
Edges grid(int a, int b, int c) {
  Edges edges;
  const auto id = [&](int i, int j, int k) { return (i * b + j) * c + k; };
  for (int i = 0; i < a; ++i)
    for (int j = 0; j < b; ++j)
      for (int k = 0; k < c; ++k) {
        if (i + 1 < a) edges.emplace_back(id(i, j, k), id(i + 1, j, k));
        if (j + 1 < b) edges.emplace_back(id(i, j, k), id(i, j + 1, k));
        if (k + 1 < c) edges.emplace_back(id(i, j, k), id(i, j, k + 1));
      }
  return edges;
}

struct Sizes {
  long first, second, separator;
};

Sizes separated(int n, const Edges& edges) {
  const std::vector<Part> part = separate(graph_of(n, edges));
  for (const auto& [a, b] : edges)
    EXPECT_TRUE(part[a] == part[b] || part[a] == Part::separator || part[b] == Part::separator) << a << " to " << b;
  return {std::count(part.begin(), part.end(), Part::first), std::count(part.begin(), part.end(), Part::second),
          std::count(part.begin(), part.end(), Part::separator)};
}

std::shared_ptr<const BlockPattern> cube(int cells) {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.cells = {cells, cells, cells}}), .material = {.name = "corotated"}});
  return model.pattern();
}

/// Operations of a factorization in this order: the squares of the counts of its columns. [Gilbert, Ng & Peyton 1994]
double operations(const BlockPattern& pattern, const std::vector<int>& order) {
  const int n = pattern.vertices();
  std::vector<int> place(n);
  for (int k = 0; k < n; ++k) place[order[k]] = k;
  std::vector<std::vector<int>> below(n);
  for (int j = 0; j < n; ++j)
    for (int k = pattern.column_start[j] + 1; k < pattern.column_start[j + 1]; ++k) {
      const auto [low, high] = std::minmax(place[j], place[pattern.row[k]]);
      below[low].push_back(high);
    }
  double sum = 0;
  for (int k = 0; k < n; ++k) {  // each column hands its rows on to the first of them
    std::vector<int>& rows = below[k];
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    const double count = 1 + static_cast<double>(rows.size());
    sum += count * count;
    if (rows.empty()) continue;
    below[rows[0]].insert(below[rows[0]].end(), rows.begin() + 1, rows.end());
    rows = {};
  }
  return sum;
}

constexpr std::array<int, 4> watched{SIGTERM, SIGINT, SIGABRT, SIGSEGV};

auto dispositions() {
  std::array<void (*)(int), watched.size()> result{};
  for (std::size_t i = 0; i < watched.size(); ++i) {
    struct sigaction action {};
    sigaction(watched[i], nullptr, &action);
    result[i] = action.sa_handler;
  }
  return result;
}

}  // namespace

TEST(Separator, IsSmallAndBetweenPartsOfLikeWeight) {
  for (const auto& [a, b, c, at_most] :
       {std::array{4000, 1, 1, 1}, std::array{100, 40, 1, 50}, std::array{20, 20, 20, 500}, std::array{80, 8, 8, 70}}) {
    const long n = static_cast<long>(a) * b * c;
    const Sizes sizes = separated(a * b * c, grid(a, b, c));
    EXPECT_LE(sizes.separator, at_most) << a << " x " << b << " x " << c;
    EXPECT_LE(std::max(sizes.first, sizes.second), 7 * n / 10) << a << " x " << b << " x " << c;
  }
}

TEST(Separator, SeparatesAnyGraph) {
  Edges star;
  for (int i = 1; i < 2000; ++i) star.emplace_back(0, i);
  EXPECT_EQ(separated(2000, star).separator, 1);
  EXPECT_EQ(separated(2000, {}).separator, 0);
  Edges complete;
  for (int i = 0; i < 150; ++i)
    for (int j = 0; j < i; ++j) complete.emplace_back(i, j);
  separated(150, complete);
  std::mt19937 random(7);
  for (int graph = 0; graph < 30; ++graph) {
    const int n = 1 + static_cast<int>(random() % 1500);
    Edges edges;
    for (unsigned k = 0; k < random() % 4000; ++k) {
      const int i = static_cast<int>(random() % static_cast<unsigned>(n));
      const int j = static_cast<int>(random() % static_cast<unsigned>(n));
      if (i != j) edges.emplace_back(i, j);
    }
    separated(n, edges);
  }
}

/// Pieces that touch nothing which is eliminated before them are apart from each other: separators lie between.
TEST(Dissection, CutsMostOfAGraphIntoSmallPiecesThatAreApart) {
  constexpr int n = 25 * 25 * 25;
  const Edges edges = grid(25, 25, 25);
  const std::vector<int> piece = dissection(*pattern_of(n, edges));
  const int pieces = 1 + *std::max_element(piece.begin(), piece.end());
  std::vector<int> size(pieces, 0);
  for (const int p : piece) ++size[p];
  std::vector<char> separates(pieces, 0);
  for (const auto& [a, b] : edges)
    if (piece[a] != piece[b]) separates[std::max(piece[a], piece[b])] = 1;
  int apart = 0;
  for (int p = 0; p < pieces; ++p) {
    EXPECT_GT(size[p], 0);
    if (separates[p] == 0) {
      EXPECT_LE(size[p], 800);
      apart += size[p];
    }
  }
  EXPECT_GT(apart, 7 * n / 10);
}

TEST(Dissection, LeavesSmallComponentsTogether) {
  Edges edges;
  for (int body = 0; body < 20000; ++body)
    for (int i = 0; i < 3; ++i) edges.emplace_back(4 * body + i, 4 * body + i + 1);
  const std::vector<int> piece = dissection(*pattern_of(80000, edges));
  EXPECT_EQ(piece, std::vector<int>(80000, 0));
}

TEST(Elimination, OfACubeTakesHalfTheOperationsOfItsNaturalOrderAndLess) {
  const auto pattern = cube(20);
  const auto elimination = elimination_of(*pattern);
  std::vector<int> natural(pattern->vertices());
  for (int v = 0; v < pattern->vertices(); ++v) natural[v] = v;
#ifdef BRIO_WITH_GPL
  EXPECT_TRUE(elimination->dissected);
  EXPECT_LT(operations(*pattern, elimination->order), 0.3 * operations(*pattern, natural));
#else
  EXPECT_LT(operations(*pattern, elimination->order), 0.6 * operations(*pattern, natural));
#endif
}

/// METIS, which did this once, took SIGTERM and SIGABRT for itself while it ran.
TEST(Elimination, LeavesTheSignalsOfTheProgramAlone) {
  const auto pattern = cube(24);
  const auto before = dispositions();
  std::atomic<bool> done = false;
  long changed = 0;
  std::thread watch([&] {
    while (!done) changed += dispositions() != before;
  });
  const auto cholesky = make_cholesky(*pattern, 1);
  done = true;
  watch.join();
  EXPECT_EQ(changed, 0);
  EXPECT_EQ(dispositions(), before);
}

#ifdef BRIO_WITH_GPL
TEST(Elimination, StopsSoonWhenItIsCanceled) {
  const auto pattern = cube(36);
  for (const double ms : {0.0, 50.0, 150.0}) {
    const Stopwatch watch;
    const Cancellation cancellation(nullptr, ms);
    const CancelScope scope(&cancellation);
    EXPECT_THROW(elimination_of(*pattern), Canceled) << ms;
    EXPECT_LT(watch.milliseconds(), ms + 2000);
  }
}
#endif

}  // namespace brio
