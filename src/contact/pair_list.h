/// Pairs of simplices that may come near each other, found once and used while nothing has moved too far
/// (path_cover.h).
///
/// A pair is listed when it may come within its activation distance by all that the cover allows. The list is only a
/// cache: whoever sums over pairs that are nearer than their activation distance gets the same, in the same order, from
/// every list that holds.
#pragma once

#include <array>

#include "contact/barrier.h"
#include "contact/bvh.h"
#include "contact/continuous.h"
#include "contact/flat_patches.h"
#include "contact/obstacle.h"
#include "contact/path_cover.h"
#include "contact/surfaces.h"

namespace brio {

struct ContactPair {
  std::array<int, 4> vertices{};  ///< the first simplex's, then the second's; the last is not used by point_segment
  PairKind kind = PairKind::point_triangle;
  std::array<int, 2> surfaces{};
  double gap = 0;                  ///< beyond its activation distance, when the list was made [m]
  std::array<double, 2> nearer{};  ///< by which its distance may fall along the path expected, and aside [m]
  Barrier barrier{};
  int obstacle = -1;  ///< which one it is with; -1: another body
  int body = 0;       ///< a vertex of the body that meets it
  bool held = false;  ///< all of its vertices are pinned: nothing gives way, but they may be driven through each other
};

/// Where its vertices are.
inline void gather(const NodalField& x, const ContactPair& pair, Vec3* place) {
  for (int i = 0; i < vertices_of(pair.kind); ++i) place[i] = x[pair.vertices[i]];
}

struct PairRules {
  double stiffness = 0;  ///< [N/m]; 0: reduced mass (speed / d̂)²
  double speed = 0;      ///< [m/s]
  double damper = 0;     ///< [s/m]: SelfContactOptions::damper
  bool self = true;      ///< parts of one body
  bool between = true;   ///< different bodies
};

/// What pairs are made of: the vertices of the model, and after them those of obstacles.
struct ContactVertices {
  NodalField rest;           ///< [m]
  std::vector<double> mass;  ///< [kg], infinite where pinned or of an obstacle

  ContactVertices(const Model& model, const std::vector<ContactObstacle>& obstacles);
};

class PairList {
 public:
  /// `obstacles` are those that surfaces speak of.
  PairList(const Model& model, std::vector<ContactSurface> surfaces, const PairRules& rules,
           const std::vector<ContactObstacle>& obstacles = {});

  /// A step begins at x that will move by about h v.
  void expect(const NodalField& x, const NodalField& v, double h);
  /// Makes the list hold from x to x + scale d; finds pairs anew only where it does not yet.
  void cover(const NodalField& x, const NodalField& d, double scale);
  void cover(const NodalField& x) { cover(x, x, 0); }

  const std::vector<ContactPair>& pairs() const { return pairs_; }
  const std::vector<ContactSurface>& surfaces() const { return surfaces_; }
  /// After cover(x): whether pair p may be within its activation distance at x, by how far its vertices have moved.
  bool may_be_active(const ContactPair& pair) const { return may_become_active(pair, 0); }
  /// After cover(x, d, 1): the same of any place between x and x + d, by how far any pair approaches there.
  bool may_become_active(const ContactPair& pair, double farthest) const {
    return least_slack(pair) <= farthest && slack(pair) <= farthest;
  }
  /// By how much any pair approaches when vertices move by d, at most [m].
  double farthest_approach(const NodalField& d) const;
  long searches() const { return searches_; }  ///< how often pairs were found
  long found() const { return found_pairs_; }  ///< how many, by all searches

 private:
  PairList(ContactVertices vertices, std::vector<ContactSurface> surfaces, const PairRules& rules);

  struct Trees {
    Bvh points, edges, triangles;
    std::vector<PatchPlace> of_points{}, of_edges{}, of_triangles{};  ///< where their nodes are in flat patches
  };
  /// A list that is kept beside the one at hand: those who compare two steps go back and forth between them.
  struct Known {
    PathCover cover;
    std::vector<FlatPatches> patches{};
    std::vector<ContactPair> pairs{};
    bool found = false;
  };
  void swap_lists();
  bool patches_hold(const NodalField& strays);
  /// Of where the list that will be found is to hold.
  void certify_patches(const NodalField& x, const NodalField& d, double scale);
  /// After cover(x): the pair is at least so much farther apart than its activation distance at x [m].
  double slack(const ContactPair& pair) const;
  /// No more than that, without a look at the vertices.
  double least_slack(const ContactPair& pair) const {
    constexpr double sides = 2, ample = 1.000001;  // rounding must not decide
    const double by =
        sides * (here_.farthest + here_.parted) + here_.along * pair.nearer[0] + here_.aside * pair.nearer[1];
    return pair.gap - ample * by - cover_.slack();
  }
  /// Throws TooManyPairs.
  void find(const NodalField& x);
  std::vector<Bvh::Pair> near_surfaces() const;
  /// How many more pairs may be found.
  std::size_t pairs_left() const { return max_pairs_ - std::min(max_pairs_, pairs_.size()); }
  [[noreturn]] void refuse(const NodalField& x) const;
  void refit(const NodalField& x);
  void find_within(int surface, const NodalField& x);
  void find_between(int a, int b, const NodalField& x);
  /// All points of a body with a plane: to look at one costs less than to know that it is far away.
  void find_above(int body, int plane, const NodalField& x);
  /// Whether two surfaces may touch at all.
  bool do_meet(int a, int b) const;
  Layer layer(std::array<int, 2> surfaces) const;
  void append(PairKind kind, std::array<int, 2> surfaces, const std::vector<Bvh::Pair>& found, const NodalField& x);
  /// How far the vertices of a simplex may stray [m].
  double margin(std::span<const int> vertices) const;
  /// Leaves those that may come within their activation distance.
  void sift(PairKind kind, std::array<int, 2> surfaces, const NodalField& x, std::vector<Bvh::Pair>& found) const;
  std::array<int, 4> vertices(PairKind kind, std::array<int, 2> surfaces, const Bvh::Pair& items) const;
  double yielding_mass(PairKind kind, const std::array<int, 4>& vertices) const;
  double stiffness(PairKind kind, const std::array<int, 4>& vertices, double dhat, int obstacle) const;

  std::vector<ContactSurface> surfaces_;
  struct Terms {
    std::vector<BodyId> bodies;  ///< that feel it; empty: all
    double stiffness;            ///< [N/m]; 0: by the masses that meet
    double explicit_step;        ///< [s]; 0: steps are implicit
  };
  std::vector<Terms> terms_;  ///< of each obstacle
  std::vector<Trees> trees_;
  PairRules rules_;
  std::vector<double> mass_;  ///< per vertex [kg], infinite where pinned
  NodalField rest_;
  std::vector<FlatPatches> patches_;  ///< of each surface; none of those that do not meet themselves
  PathCover cover_;
  std::vector<ContactPair> pairs_;
  PathCover::Place here_{}, ahead_{};
  std::vector<Box> boxes_, paths_;
  long searches_ = 0, found_pairs_ = 0;
  bool found_ = false;  ///< there is a list
  Known last_;
  std::size_t max_pairs_;  ///< pairs that a list may have
};

}  // namespace brio
