#include "contact/flat_patches.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "mesh/topology.h"

namespace brio {
// --- What does not change ----------------------------------------------------------------------------------------

FlatPatches::FlatPatches(const ContactSurface& surface, const NodalField& rest) {
  const FlatPieces found = flat_pieces(surface, rest);
  if (found.pieces.empty()) return;
  auto grids = std::make_shared<Grids>();
  std::vector<PatchPlace> of_vertex(rest.size());
  for (PatchPlace& place : of_vertex) place.piece = PatchPlace::empty;
  const auto add = [](PatchPlace& place, int piece, const Rectangle& bounds) {
    place = join(place, {.piece = piece, .bounds = bounds});
  };
  std::vector<int> number_in_piece(surface.triangles.size());
  std::vector<int> counts(found.pieces.size());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const int piece = found.of_triangle[t];
    PatchPlace& own = grids->triangles.emplace_back();
    if (piece >= 0) {
      own = {.piece = piece, .bounds = found.pieces[piece].triangles[counts[piece]++].bounds()};
      for (const int v : surface.triangles[t]) {
        Rectangle point;
        point.include(found.pieces[piece].place(rest[v]));
        add(of_vertex[v], piece, point);
      }
    } else {
      for (const int v : surface.triangles[t]) of_vertex[v].piece = PatchPlace::none;
    }
  }
  for (const int v : surface.points) grids->points.push_back(of_vertex[v]);
  // An edge between two vertices of one piece may still lie in no triangle of it.
  std::size_t next = 0;
  for_each_run(sorted_edges(surface.triangles), [&](auto first, auto last) {
    PatchPlace place{.piece = PatchPlace::empty};
    for (auto use = first; use != last; ++use) {
      const int piece = found.of_triangle[use->cell / 3];
      Rectangle ends;
      if (piece >= 0)
        for (const int v : first->key) ends.include(found.pieces[piece].place(rest[v]));
      add(place, piece >= 0 ? piece : PatchPlace::none, ends);
    }
    grids->edges.push_back(place);
    ++next;
  });
  std::size_t largest = 0;
  for (const FlatPiece& piece : found.pieces) {
    if (piece.triangles.size() > largest) grids->edge = piece.edge;
    largest = std::max(largest, piece.triangles.size());
    Grid grid = make_grid(piece);
    grid.first_patch = static_cast<int>(grids->patches);
    grids->patches += grid.patches.size();
    first_cell_.push_back(grids->cells);
    grids->cells += grid.convex.size();
    grids->of.push_back(std::move(grid));
  }
  allowed_.assign(grids->patches, least_allowed);
  seen_.assign(grids->patches, 0);
  matters_.assign(grids->patches, 0);
  patch_balls_.resize(grids->patches);
  cells_.resize(grids->cells);
  is_apart_.assign(grids->cells, 0);
  grids_ = std::move(grids);
}

PatchPlace FlatPatches::join(const PatchPlace& a, const PatchPlace& b) {
  if (a.piece == PatchPlace::empty) return b;
  if (b.piece == PatchPlace::empty) return a;
  if (a.piece != b.piece || a.piece == PatchPlace::none) return {};
  PatchPlace both = a;
  both.bounds.include(b.bounds);
  return both;
}

FlatPatches::Grid FlatPatches::make_grid(const FlatPiece& piece) {
  Grid grid;
  const Rectangle all = piece.bounds();
  grid.corner = all.low;
  for (const FlatTriangle& triangle : piece.triangles) {
    Eigen::Matrix2d edges;
    edges << triangle.corners[1] - triangle.corners[0], triangle.corners[2] - triangle.corners[0];
    const Eigen::Matrix2d inverse = edges.inverse();
    grid.patches.push_back(
        {.vertices = triangle.vertices, .inverse = {inverse(0, 0), inverse(1, 0), inverse(0, 1), inverse(1, 1)}});
  }
  const Vec2 extent = all.high - all.low;
  Level level{.size = cell_edges * piece.edge};
  level.columns = 1 + static_cast<int>(extent.x() / level.size);
  level.rows = 1 + static_cast<int>(extent.y() / level.size);
  grid.levels.push_back(level);
  while (level.cells() > 1) {
    level.first += level.cells();
    level = {2 * level.size, (level.columns + 1) / 2, (level.rows + 1) / 2, level.first};
    grid.levels.push_back(level);
  }
  std::vector<Rectangle> bounds;
  for (const FlatTriangle& triangle : piece.triangles) bounds.push_back(triangle.bounds());
  std::vector<std::vector<int>> inside;
  for (const Level& of : grid.levels) {
    // Triangles of the windows that begin in each cell; of the finest level's cells they are kept.
    inside.assign(static_cast<std::size_t>(of.cells()), {});
    std::vector<std::vector<int>> windows(inside.size());
    for (std::size_t t = 0; t < bounds.size(); ++t) {
      const Vec2 low = (bounds[t].low - grid.corner) / of.size, high = (bounds[t].high - grid.corner) / of.size;
      const auto column = [&](double x) { return std::clamp(static_cast<int>(std::floor(x)), 0, of.columns - 1); };
      const auto row = [&](double y) { return std::clamp(static_cast<int>(std::floor(y)), 0, of.rows - 1); };
      for (int j = std::max(0, row(low.y()) - 1); j <= row(high.y()); ++j)
        for (int i = std::max(0, column(low.x()) - 1); i <= column(high.x()); ++i) {
          const auto cell = static_cast<std::size_t>(j * of.columns + i);
          windows[cell].push_back(static_cast<int>(t));
          if (i >= column(low.x()) && j >= row(low.y())) inside[cell].push_back(static_cast<int>(t));
        }
    }
    if (of.first == 0) {
      grid.start.push_back(0);
      for (const std::vector<int>& cell : inside) {
        grid.members.insert(grid.members.end(), cell.begin(), cell.end());
        grid.start.push_back(static_cast<int>(grid.members.size()));
      }
    }
    for (int j = 0; j < of.rows; ++j)
      for (int i = 0; i < of.columns; ++i) {
        Rectangle window{.low = grid.corner + of.size * Vec2(i, j), .high = grid.corner + of.size * Vec2(i + 2, j + 2)};
        const std::vector<int>& members = windows[static_cast<std::size_t>(j * of.columns + i)];
        grid.convex.push_back(is_convex(piece, members, window) ? 1 : 0);
      }
  }
  return grid;
}

/// Triangles hang together, and what bounds them within the window has all of them on one side.
bool FlatPatches::is_convex(const FlatPiece& piece, const std::vector<int>& members, const Rectangle& window) {
  if (members.empty()) return false;
  DisjointSets parts(members.size());
  std::size_t joined = 1;
  const double rounding = 1e-9 * piece.edge;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const FlatTriangle& triangle = piece.triangles[members[m]];
    for (int e = 0; e < 3; ++e) {
      const int other = triangle.neighbors[e];
      if (const auto found = std::ranges::lower_bound(members, other);
          other >= 0 && found != members.end() && *found == other) {
        const int a = parts.find(static_cast<int>(m)), b = parts.find(static_cast<int>(found - members.begin()));
        if (a != b) ++joined;
        parts.join(a, b);
      }
      if (other >= 0) continue;
      const Vec2 &from = triangle.corners[e], &to = triangle.corners[(e + 1) % 3];
      Rectangle edge;
      edge.include(from);
      edge.include(to);
      if (!edge.overlaps(window)) continue;
      const Vec2 along = (to - from).normalized();
      for (const int t : members)
        for (const Vec2& p : piece.triangles[t].corners)
          if (along.x() * (p - from).y() - along.y() * (p - from).x() < -rounding) return false;
    }
  }
  return joined == members.size();
}

// --- What does -----------------------------------------------------------------------------------------------------

BRIO_INLINE FlatPatches::Gradient FlatPatches::gradient(const Patch& patch, const NodalField& d) {
  const Doubles origin = load(d.row(patch.vertices[0]));
  const Doubles p = load(d.row(patch.vertices[1])) - origin, q = load(d.row(patch.vertices[2])) - origin;
  return {.a = p * Doubles(patch.inverse[0]) + q * Doubles(patch.inverse[1]),
          .b = p * Doubles(patch.inverse[2]) + q * Doubles(patch.inverse[3])};
}

double FlatPatches::Ball::far_from(const Ball& ball) const {
  const auto apart = [](const Gradient& f, const Gradient& g) {
    return std::sqrt(Gradient{.a = f.a - g.a, .b = f.b - g.b}.squared_norm());
  };
  return apart(center, ball.center) + 0.5 * (apart(u, ball.u) + apart(s, ball.s)) + ball.radius;
}

FlatPatches::Ball FlatPatches::around(std::span<const Ball> balls) {
  Ball all{.radius = 0};
  double count = 0;
  for (const Ball& ball : balls) {
    if (ball.radius < 0) continue;
    for (const auto part : {&Ball::center, &Ball::u, &Ball::s}) {
      (all.*part).a += (ball.*part).a;
      (all.*part).b += (ball.*part).b;
    }
    ++count;
  }
  if (count == 0) return {};
  for (const auto part : {&Ball::center, &Ball::u, &Ball::s}) {
    (all.*part).a *= Doubles(1 / count);
    (all.*part).b *= Doubles(1 / count);
  }
  double radius = 0;
  for (const Ball& ball : balls)
    if (ball.radius >= 0) radius = std::max(radius, all.far_from(ball));
  all.radius = radius;
  return all;
}

bool FlatPatches::is_far_from_folding(const Ball& ball) {
  const double aa = sum(ball.center.a * ball.center.a), ab = sum(ball.center.a * ball.center.b),
               bb = sum(ball.center.b * ball.center.b);
  const double smallest = 0.5 * (aa + bb) - std::sqrt(0.25 * (aa - bb) * (aa - bb) + ab * ab);
  const double moves = 0.5 * (std::sqrt(ball.u.squared_norm()) + std::sqrt(ball.s.squared_norm()));
  return std::sqrt(std::max(0.0, smallest)) - moves - ball.radius > least_stretch;
}

void FlatPatches::begin_step() {
  misses_ = 0;
  for (double& allowed : allowed_) allowed = std::max(least_allowed, lasting * std::min(allowed, most_allowed));
}

void FlatPatches::follow_strays(bool missed) {
  if (missed) ++misses_;
  const bool give_up = misses_ > max_misses;
  const double more = give_up ? std::numeric_limits<double>::infinity() : std::exp2(misses_) * ample;
  for (std::size_t t = 0; t < allowed_.size(); ++t)
    if (ample * seen_[t] > allowed_[t]) allowed_[t] = more * seen_[t];
}

void FlatPatches::certify(const NodalField& x, const NodalField& u, const NodalField& s) {
  std::ranges::fill(matters_, 0);
  for (std::size_t g = 0; g < grids_->of.size(); ++g) {
    const Grid& grid = grids_->of[g];
    for_parts(grid.patches.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        Ball& ball = patch_balls_[static_cast<std::size_t>(grid.first_patch) + t];
        ball = {.center = gradient(grid.patches[t], x),
                .u = gradient(grid.patches[t], u),
                .s = gradient(grid.patches[t], s),
                .radius = allowed_[static_cast<std::size_t>(grid.first_patch) + t]};
        ball.center.a += Doubles(0.5) * (ball.u.a + ball.s.a);
        ball.center.b += Doubles(0.5) * (ball.u.b + ball.s.b);
      }
    });
    certify(grid, first_cell_[g]);
  }
}

void FlatPatches::certify(const Grid& grid, std::size_t first_cell) {
  const auto ball_of = [&](const Level& level, int i, int j) -> Ball& {
    return cells_[first_cell + static_cast<std::size_t>(level.first + j * level.columns + i)];
  };
  // From what is finer to what is coarser.
  for (std::size_t l = 0; l < grid.levels.size(); ++l) {
    const Level& level = grid.levels[l];
    parallel_chunks(static_cast<std::size_t>(level.rows), [&](std::size_t row) {
      const int j = static_cast<int>(row);
      std::vector<Ball> parts;
      for (int i = 0; i < level.columns; ++i) {
        parts.clear();
        if (l == 0) {
          const auto cell = static_cast<std::size_t>(j * level.columns + i);
          for (int m = grid.start[cell]; m < grid.start[cell + 1]; ++m)
            parts.push_back(patch_balls_[static_cast<std::size_t>(grid.first_patch + grid.members[m])]);
        } else {
          const Level& finer = grid.levels[l - 1];
          for (int b = 2 * j; b < std::min(2 * j + 2, finer.rows); ++b)
            for (int a = 2 * i; a < std::min(2 * i + 2, finer.columns); ++a) parts.push_back(ball_of(finer, a, b));
        }
        ball_of(level, i, j) = around(parts);
      }
    });
  }
  for (const Level& level : grid.levels)
    parallel_chunks(static_cast<std::size_t>(level.rows), [&](std::size_t row) {
      const int j = static_cast<int>(row);
      for (int i = 0; i < level.columns; ++i) {
        const auto cell = static_cast<std::size_t>(level.first + j * level.columns + i);
        std::array<Ball, 4> window;
        for (int k = 0; k < 4; ++k)
          if (const int a = i + k % 2, b = j + k / 2; a < level.columns && b < level.rows)
            window[k] = ball_of(level, a, b);
        is_apart_[first_cell + cell] = grid.convex[cell] != 0 && is_far_from_folding(around(window)) ? 1 : 0;
      }
    });
  mark(grid, first_cell);
}

/// Triangles that lie in a window which is apart, from what is coarser to what is finer.
void FlatPatches::mark(const Grid& grid, std::size_t first_cell) {
  std::vector<char> in_window(grid.convex.size(), 0);
  for (std::size_t l = grid.levels.size(); l-- > 0;) {
    const Level& level = grid.levels[l];
    for (int j = 0; j < level.rows; ++j)
      for (int i = 0; i < level.columns; ++i) {
        const auto at = [&](int a, int b) { return static_cast<std::size_t>(level.first + b * level.columns + a); };
        char& marked = in_window[at(i, j)];
        for (int b = std::max(0, j - 1); b <= j; ++b)
          for (int a = std::max(0, i - 1); a <= i; ++a) marked |= is_apart_[first_cell + at(a, b)];
        if (l + 1 == grid.levels.size()) continue;
        const Level& coarser = grid.levels[l + 1];
        marked |= in_window[static_cast<std::size_t>(coarser.first + j / 2 * coarser.columns + i / 2)];
      }
  }
  for (int cell = 0; cell < grid.levels.front().cells(); ++cell)
    if (in_window[static_cast<std::size_t>(cell)] != 0)
      for (int m = grid.start[cell]; m < grid.start[cell + 1]; ++m) matters_[grid.first_patch + grid.members[m]] = 1;
}

bool FlatPatches::holds(const NodalField& strays) {
  std::atomic<bool> within = true;
  for (const Grid& grid : grids_->of)
    for_parts(grid.patches.size(), [&](std::size_t first, std::size_t last) {
      bool all = true;
      for (std::size_t t = first; t < last; ++t) {
        const std::size_t patch = static_cast<std::size_t>(grid.first_patch) + t;
        seen_[patch] = std::sqrt(gradient(grid.patches[t], strays).squared_norm());
        all = all && (matters_[patch] == 0 || seen_[patch] <= allowed_[patch]);
      }
      if (!all) within = false;
    });
  return within;
}

bool FlatPatches::are_apart(const PatchPlace& a, const PatchPlace& b) const {
  if (a.piece < 0 || a.piece != b.piece) return false;
  const Grid& grid = grids_->of[static_cast<std::size_t>(a.piece)];
  const Vec2 low = a.bounds.low.cwiseMin(b.bounds.low), extent = a.bounds.high.cwiseMax(b.bounds.high) - low;
  const double size = extent.maxCoeff();
  for (const Level& level : grid.levels) {
    if (level.size < size) continue;
    const Vec2 at = (low - grid.corner) / level.size;
    const int i = std::clamp(static_cast<int>(at.x()), 0, level.columns - 1);
    const int j = std::clamp(static_cast<int>(at.y()), 0, level.rows - 1);
    const auto cell = static_cast<std::size_t>(level.first + j * level.columns + i);
    return is_apart_[first_cell_[static_cast<std::size_t>(a.piece)] + cell] != 0;
  }
  return false;
}

}  // namespace brio
