/// Parts of a surface that cannot touch themselves, because what was flat at rest is nearly flat still: their pairs
/// need not be looked for.
///
/// Let a part of a flat piece be convex at rest, and the deformation gradients of its triangles (3 x 2) no farther than
/// ρ from one matrix A. The segment between two of its points X and Y lies in it, so that |φ(X) − φ(Y) − A(X − Y)| ≤
/// ρ|X − Y|, and
///   |φ(X) − φ(Y)| ≥ (σ_min(A) − ρ)|X − Y|.
/// Within a surface contact begins at half the distance at rest at the latest (pair_list.cpp): with σ_min(A) − ρ > ½ no
/// pair of the part is active, and as gradients are linear in x, none becomes so on a straight path whose ends are both
/// like that. Parts are windows of grids from a few edges to the whole piece: a pair is apart when one window that
/// holds it is.
///
/// What holds at one place has to hold at all that a list of pairs is used for: at x + τu + σs for fractions τ and σ
/// (path_cover.h), and for triangles whose gradients differ from there by no more than each is allowed. Those follow
/// what was needed, triangle by triangle.
#pragma once

#include <memory>

#include "contact/flat_pieces.h"
#include "core/threads.h"
#include "math/lanes.h"

namespace brio {

/// Where something lies at rest.
struct PatchPlace {
  int piece = none;
  Rectangle bounds{};  ///< [m]

  static constexpr int empty = -1, none = -2;  ///< nothing yet; in no piece, or in several
};

/// Of one surface.
class FlatPatches {
 public:
  FlatPatches() = default;
  FlatPatches(const ContactSurface& surface, const NodalField& rest);

  bool empty() const { return grids_ == nullptr; }
  double edge() const { return grids_->edge; }  ///< mean length of those of the largest piece [m]
  /// Of all vertices, edges and triangles of the surface.
  const std::vector<PatchPlace>& points() const { return grids_->points; }
  const std::vector<PatchPlace>& edges() const { return grids_->edges; }
  const std::vector<PatchPlace>& triangles() const { return grids_->triangles; }
  static PatchPlace join(const PatchPlace& a, const PatchPlace& b);

  /// Triangles are allowed less again, the longer ago they needed it.
  void begin_step();
  /// Every one is allowed by how much its gradient was off when `holds` looked last, and more: the more often something
  /// was `missed` in this step, until it is left alone.
  void follow_strays(bool missed);
  /// What is apart at x + τu + σs, and by what triangles are allowed beside it.
  void certify(const NodalField& x, const NodalField& u, const NodalField& s);
  /// Whether that holds where vertices stray by so much from there [m].
  bool holds(const NodalField& strays);
  /// Whether all that lies between these two at rest is apart.
  bool are_apart(const PatchPlace& a, const PatchPlace& b) const;

 private:
  /// A column for each direction of the plane.
  struct Gradient {
    Doubles a{0.0}, b{0.0};
    double squared_norm() const { return sum(a * a + b * b); }
  };
  /// Gradients no farther than `radius` from center + (τ − ½) u + (σ − ½) s.
  struct Ball {
    Gradient center{}, u{}, s{};
    double radius = -1;  ///< negative: there are none
    double far_from(const Ball& ball) const;
  };
  struct Patch {  ///< a triangle
    Triangle vertices{};
    std::array<double, 4> inverse{};  ///< of its edges at rest, by columns [1/m]
  };
  struct Level {
    double size = 0;  ///< of a cell [m]
    int columns = 0, rows = 0, first = 0;
    int cells() const { return columns * rows; }
  };
  struct Grid {
    Vec2 corner = Vec2::Zero();
    std::vector<Level> levels{};
    std::vector<Patch> patches{};
    int first_patch = 0;
    std::vector<int> start{}, members{};  ///< patches in the cells of the finest level
    std::vector<char> convex{};           ///< whether the window of 2 x 2 cells from this one on is
  };
  struct Grids {
    std::vector<Grid> of{};
    std::vector<PatchPlace> points{}, edges{}, triangles{};
    std::size_t patches = 0, cells = 0;
    double edge = 0;
  };

  static constexpr double cell_edges = 2;        ///< of the finest grid, by the length of edges
  static constexpr double least_stretch = 0.52;  ///< ½, and what rest shapes that are not quite flat may take of it
  static constexpr double least_allowed = 0.1, most_allowed = 0.3;  ///< of a gradient, where a step begins
  static constexpr double ample = 1.5, lasting = 0.75;
  static constexpr int max_misses = 3;  ///< in a step

  /// work(first, last) for parts of all numbers below `count`, in parallel.
  template <class Work>
  static void for_parts(std::size_t count, Work&& work) {
    constexpr std::size_t part = 1024;
    parallel_chunks((count + part - 1) / part, [&](std::size_t k) { work(k * part, std::min(count, (k + 1) * part)); });
  }
  static Grid make_grid(const FlatPiece& piece);
  static bool is_convex(const FlatPiece& piece, const std::vector<int>& members, const Rectangle& window);
  static Gradient gradient(const Patch& patch, const NodalField& d);
  static Ball around(std::span<const Ball> balls);
  void certify(const Grid& grid, std::size_t first_cell);
  void mark(const Grid& grid, std::size_t first_cell);
  static bool is_far_from_folding(const Ball& ball);

  std::shared_ptr<const Grids> grids_;
  std::vector<std::size_t> first_cell_;  ///< of each grid
  std::vector<double> allowed_, seen_;   ///< per patch
  int misses_ = 0;                       ///< in the step
  std::vector<Ball> patch_balls_, cells_;
  std::vector<char> is_apart_;  ///< per cell: its window
  std::vector<char> matters_;   ///< per patch: it is in such a window
};

}  // namespace brio
