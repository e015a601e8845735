/// Where vertices may go while what was found around them stays true.
///
/// Each body is seen from a frame that moves with the mean of some of its points. In that frame vertex i is expected to
/// go by u_i, the path of its velocity, and by s_i aside, to where a solver first tried it; it may stray by a margin of
/// its own from x_i + τ u_i + σ s_i, for fractions τ and σ that all have in common. The frame of body A may stray by
/// β_A from the mean of all. Neighbors take similar paths, so that neither flight nor bending makes more of them near
/// than there are at rest. Few stray far, those beside a pin or in touch: margins grow where they were too small,
/// vertex by vertex, and when a step begins they are what the last one needed.
#pragma once

#include "contact/surfaces.h"
#include "math/lanes.h"

namespace brio {

class PathCover {
 public:
  /// `rest`: of all vertices; `least`: the least margin of each [m].
  PathCover(const NodalField& rest, const std::vector<ContactSurface>& surfaces, std::vector<double> least);

  struct Place {
    std::vector<Vec3> mean{};      ///< displacement of each surface's frame [m]
    Vec3 all = Vec3::Zero();       ///< of all of them
    double along = 0, aside = 0;   ///< τ, σ
    NodalField by{};               ///< from where each vertex was expected [m]
    std::vector<double> strays{};  ///< how far that is [m]
    double farthest = 0;           ///< the largest of them [m]
    double parted = 0;             ///< how far any frame is from that of all [m]
  };

  /// A step begins at x that will move by about h v.
  void begin(const NodalField& x, const NodalField& v, double h);
  /// Whether x + scale d is covered; where that is.
  bool holds(const NodalField& x, const NodalField& d, double scale, Place& place);
  /// From now on all between x and x + scale d is covered, and what else may be tried in the step that has begun, if
  /// that is no more than a list of pairs can bear.
  void include(const NodalField& x, const NodalField& d, double scale);
  /// Nothing else.
  void include_only(const NodalField& x, const NodalField& d, double scale);

  const NodalField& reference() const { return reference_; }
  const NodalField& expected() const { return expected_; }     ///< u [m]
  const NodalField& aside() const { return aside_; }           ///< s [m]
  double margin(int vertex) const { return margin_[vertex]; }  ///< [m]
  double beta(int surface) const { return beta_[surface]; }    ///< [m]
  /// By which it covers less than it could: rounding must not decide what is near [m].
  double slack() const { return 1e-6 * least_of_all_; }

 private:
  struct Part {
    std::vector<int> points, sample;
  };

  Doubles stray_of(int i, std::size_t part, const NodalField& x, const NodalField& d, double scale,
                   const Place& place) const;
  void set_aside(const NodalField& x, const NodalField& d, double scale, const Place& place);
  void aim(const NodalField& x, const NodalField& d, double scale);
  bool grow(const Place& place);
  /// Whether neighbors move so much alike that little more comes near.
  bool moves_together(const NodalField& by) const;

  std::vector<Part> parts_;
  std::vector<Segment> edges_;  ///< of all surfaces of bodies
  std::vector<double> least_;   ///< margins [m]
  double least_of_all_;         ///< [m]
  double edge_ = 0;             ///< mean length at rest [m]
  bool is_set_ = false, is_of_step_ = false, has_aside_ = false;
  NodalField start_, path_;  ///< of the step
  NodalField reference_, expected_, aside_;
  std::vector<double> margin_, seen_;  ///< seen: strays where the last step ended
  std::vector<double> beta_;
  Place now_, ahead_;
};

}  // namespace brio
