/// Pairs of simplices that may come near each other, found once and used while nothing has moved too far.
///
/// Each body is seen from a frame that moves with its mean. In that frame vertex i is expected to go by u_i and may
/// stray by a margin from its place after any common fraction τ of that path; the frame of body A may stray by β_A from
/// the mean of all. A pair is listed when it may come within its activation distance by all that. Neighbors take
/// similar paths, so that neither flight nor bending makes the list much longer than one at rest. And it is only a
/// cache: whoever sums over pairs that are nearer than their activation distance gets the same, in the same order, from
/// every list that holds.
#pragma once

#include <array>

#include "contact/barrier.h"
#include "contact/bvh.h"
#include "contact/surfaces.h"

namespace brio {

struct ContactPair {
  std::array<int, 4> vertices{};  ///< the first simplex's, then the second's; the last is not used by point_segment
  PairKind kind = PairKind::point_triangle;
  std::array<int, 2> surfaces{};
  double gap = 0;     ///< beyond its activation distance, when the list was made [m]
  double nearer = 0;  ///< by which its distance may fall on the path expected [m]
  Barrier barrier{};
  bool held = false;  ///< all of its vertices are pinned: nothing gives way, but they may be driven through each other
};

struct PairRules {
  double stiffness = 0;  ///< [N/m]; 0: reduced mass (speed / d̂)²
  double speed = 0;      ///< [m/s]
  bool self = true;      ///< parts of one body
  bool between = true;   ///< different bodies
};

class PairList {
 public:
  PairList(const Model& model, std::vector<ContactSurface> surfaces, const PairRules& rules);

  /// Makes the list hold from x to x + scale d; finds pairs anew only where it does not yet.
  void cover(const NodalField& x, const NodalField& d, double scale);
  void cover(const NodalField& x) { cover(x, x, 0); }

  const std::vector<ContactPair>& pairs() const { return pairs_; }
  const std::vector<ContactSurface>& surfaces() const { return surfaces_; }
  /// After cover(x): whether pair p may be within its activation distance at x, by how far its vertices have moved.
  bool may_be_active(const ContactPair& pair) const;
  long searches() const { return searches_; }  ///< how often pairs were found

 private:
  struct Trees {
    Bvh points, edges, triangles;
  };
  struct Motion {
    std::vector<Vec3> mean;      ///< displacement of each surface since the list was made [m]
    Vec3 all = Vec3::Zero();     ///< of all of them
    double fraction = 0;         ///< τ
    std::vector<double> strays;  ///< of each vertex from where it was expected [m]
  };

  bool holds(const NodalField& x, const NodalField& d, double scale, Motion& motion) const;
  void find(const NodalField& x);
  std::vector<Bvh::Pair> near_surfaces() const;
  /// How many more pairs may be found.
  std::size_t pairs_left() const { return max_pairs_ - std::min(max_pairs_, pairs_.size()); }
  [[noreturn]] void refuse(const NodalField& x) const;
  void refit(const NodalField& x);
  void find_within(int surface, const NodalField& x);
  void find_between(int a, int b, const NodalField& x);
  void append(PairKind kind, std::array<int, 2> surfaces, const std::vector<Bvh::Pair>& found, const NodalField& x);
  /// By how much the distance of a pair may fall on the path expected, in the frames of its surfaces.
  double nearer(PairKind kind, const std::array<int, 4>& vertices) const;
  /// Whether the pair may come within its activation distance.
  bool may_meet(PairKind kind, std::array<int, 2> surfaces, const std::array<int, 4>& v, const NodalField& x) const;
  std::array<int, 4> vertices(PairKind kind, std::array<int, 2> surfaces, const Bvh::Pair& items) const;
  double stiffness(PairKind kind, const std::array<int, 4>& vertices, double dhat) const;

  std::vector<ContactSurface> surfaces_;
  std::vector<Trees> trees_;
  PairRules rules_;
  std::vector<double> mass_;  ///< per vertex [kg], infinite where pinned
  NodalField rest_;
  double margin_ = 0;  ///< [m]
  NodalField reference_;
  NodalField expected_;       ///< u [m]
  std::vector<double> beta_;  ///< per surface [m]
  std::vector<ContactPair> pairs_;
  Motion motion_, ahead_;
  std::vector<Box> boxes_;
  long searches_ = 0;
  bool found_ = false;     ///< there is a list
  std::size_t max_pairs_;  ///< pairs that a list may have
};

}  // namespace brio
