#include "contact/path_cover.h"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

constexpr double ample = 2;        ///< times the stray that was seen: the next one is seldom the same
constexpr double bearable = 0.25;  ///< mean square of how far vertices may part, by the length of edges
constexpr double lasting = 0.75;   ///< of a margin that was needed in the step before

/// How far along two directions something has gone, between none and all of each: least squares over the vertices that
/// are given.
struct Fit {
  double uu = 0, us = 0, ss = 0, um = 0, sm = 0;

  void add(const Vec3& moved, const Vec3& u, const Vec3& s) {
    uu += u.squaredNorm();
    us += u.dot(s);
    ss += s.squaredNorm();
    um += u.dot(moved);
    sm += s.dot(moved);
  }
  void solve(double& along, double& aside) const {
    constexpr double parallel = 1e-6;
    const double det = uu * ss - us * us;
    aside = det > parallel * uu * ss ? std::clamp((uu * sm - us * um) / det, 0.0, 1.0) : 0;
    along = uu > 0 ? std::clamp((um - aside * us) / uu, 0.0, 1.0) : 0;
    if (!(uu > 0) && ss > 0) aside = std::clamp(sm / ss, 0.0, 1.0);
  }
};

}  // namespace

PathCover::PathCover(const NodalField& rest, const std::vector<ContactSurface>& surfaces, std::vector<double> least)
    : least_(std::move(least)),
      least_of_all_(least_.empty() ? 0 : std::ranges::min(least_)),  // before there are bodies
      start_(0),
      path_(rest.size()),
      reference_(0),
      expected_(rest.size()),
      aside_(rest.size()),
      margin_(least_),
      seen_(rest.size()),
      beta_(surfaces.size()) {
  constexpr std::size_t few = 64;  // points that tell how a surface moves
  for (const ContactSurface& surface : surfaces) {
    Part part{.points = surface.points, .sample = {}};
    const std::size_t stride = std::max<std::size_t>(1, surface.points.size() / few);
    for (std::size_t k = 0; k < surface.points.size(); k += stride) part.sample.push_back(surface.points[k]);
    parts_.push_back(std::move(part));
    // Among long edges of obstacles bodies would seem coarser than they are.
    if (surface.is_body()) edges_.insert(edges_.end(), surface.edges.begin(), surface.edges.end());
  }
  double length = 0;
  for (const Segment& edge : edges_) length += (rest[edge[0]] - rest[edge[1]]).norm();
  edge_ = edges_.empty() ? 0 : length / static_cast<double>(edges_.size());
  for (Place* place : {&now_, &ahead_}) {
    place->mean.resize(surfaces.size());
    place->by = NodalField(rest.size());
    place->strays.resize(rest.size());
  }
}

void PathCover::begin(const NodalField& x, const NodalField& v, double h) {
  start_ = x;
  for (std::size_t i = 0; i < x.size(); ++i) path_[i] = h * v[i];
  const bool here = holds(x, path_, 0, now_);
  if (is_of_step_) seen_ = now_.strays;
  is_of_step_ = false;
  is_set_ = here;
}

bool PathCover::holds(const NodalField& x, const NodalField& d, double scale, Place& place) {
  if (!is_set_) return false;
  place.mean.resize(parts_.size());
  place.strays.resize(margin_.size());
  if (place.by.size() != margin_.size()) place.by = NodalField(margin_.size());
  place.all.setZero();
  Fit fit;
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    Vec3 sum = Vec3::Zero();
    for (const int i : parts_[s].sample) {
      const Vec3 moved = x[i] + scale * d[i] - reference_[i];
      sum += moved;
      fit.add(moved, expected_[i], aside_[i]);  // the frame's part drops out: these have no mean
    }
    place.mean[s] = sum / static_cast<double>(parts_[s].sample.size());
    place.all += place.mean[s] / static_cast<double>(parts_.size());
  }
  fit.solve(place.along, place.aside);
  bool within = true;
  place.farthest = place.parted = 0;
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    const double parted = (place.mean[s] - place.all).norm();
    place.parted = std::max(place.parted, parted);
    within = within && parted <= beta_[s] - slack();
    for (const int i : parts_[s].points) {
      const Doubles stray = stray_of(i, s, x, d, scale, place);
      store(place.by.row(i), stray);
      place.strays[i] = std::sqrt(sum(stray * stray));
      place.farthest = std::max(place.farthest, place.strays[i]);
      within = within && place.strays[i] <= margin_[i] - slack();
    }
  }
  return within;
}

BRIO_INLINE Doubles PathCover::stray_of(int i, std::size_t part, const NodalField& x, const NodalField& d, double scale,
                                        const Place& place) const {
  const Vec3& mean = place.mean[part];
  const Doubles moved = load(x.row(i)) + Doubles(scale) * load(d.row(i)) - load(reference_.row(i)) -
                        Doubles(Doubles::Raw{mean.x(), mean.y(), mean.z(), 0});
  return moved - Doubles(place.along) * load(expected_.row(i)) - Doubles(place.aside) * load(aside_.row(i));
}

/// Once for every step: what a solver tries lies mostly on the way from where it began to where it will end.
void PathCover::set_aside(const NodalField& x, const NodalField& d, double scale, const Place& place) {
  constexpr double farther = 1.25;
  for (std::size_t s = 0; s < parts_.size(); ++s)
    for (const int i : parts_[s].points) store(aside_.row(i), Doubles(farther) * stray_of(i, s, x, d, scale, place));
  has_aside_ = true;
}

void PathCover::include(const NodalField& x, const NodalField& d, double scale) {
  if (start_.size() == x.size()) {
    if (!is_of_step_) {
      for (std::size_t i = 0; i < margin_.size(); ++i)
        margin_[i] = std::max({least_[i], ample * seen_[i], lasting * margin_[i]});
      aim(start_, path_, 1);
      is_of_step_ = moves_together(expected_);
    }
    for (const double at : {0.0, scale}) {
      if (!is_of_step_ || has_aside_ || holds(x, d, at, now_)) continue;
      set_aside(x, d, at, now_);
      is_of_step_ = moves_together(aside_);
    }
    if (is_of_step_) {
      const bool now = holds(x, d, 0, now_);
      const bool ahead = scale == 0 || holds(x, d, scale, ahead_);
      if ((now || grow(now_)) && (ahead || grow(ahead_))) return;
    }
  }
  include_only(x, d, scale);  // too far from what was expected for margins to make up for it, or that leads too far
}

void PathCover::include_only(const NodalField& x, const NodalField& d, double scale) {
  constexpr double near = 0.2;  // of an edge: no more of the neighbors come near
  for (std::size_t i = 0; i < margin_.size(); ++i) margin_[i] = std::max(least_[i], near * edge_);
  is_of_step_ = false;
  aim(x, d, scale);
}

/// Edges whose ends part meet all that is around, the square of how far they part. Velocities of stiff springs tell
/// little of where a step will end: one vertex that is said to cross the body would be near everything on its path.
bool PathCover::moves_together(const NodalField& by) const {
  double load = 0;
  for (const Segment& edge : edges_) load += (by[edge[0]] - by[edge[1]]).squaredNorm();
  return load <= bearable * static_cast<double>(edges_.size()) * edge_ * edge_;
}

/// Margins that reach farther than the next edges make many more vertices near, the square of how far.
bool PathCover::grow(const Place& place) {
  double load = 0;
  double count = 0;
  for (const Part& part : parts_) {
    for (const int i : part.points) {
      const double reach = ample * place.strays[i] / edge_;
      load += reach * reach;
    }
    count += static_cast<double>(part.points.size());
  }
  if (!(load <= bearable * count)) return false;
  for (const Part& part : parts_)
    for (const int i : part.points) margin_[i] = std::max(margin_[i], ample * place.strays[i]);
  for (std::size_t s = 0; s < parts_.size(); ++s)
    beta_[s] = std::max(beta_[s], ample * (place.mean[s] - place.all).norm() + least_of_all_);
  return true;
}

void PathCover::aim(const NodalField& x, const NodalField& d, double scale) {
  reference_ = x;
  aside_.set_zero();
  has_aside_ = false;
  Vec3 all = Vec3::Zero();
  std::vector<Vec3>& mean = ahead_.mean;
  for (std::size_t s = 0; s < parts_.size(); ++s) {
    mean[s].setZero();
    for (const int i : parts_[s].sample) mean[s] += scale / static_cast<double>(parts_[s].sample.size()) * d[i];
    for (const int i : parts_[s].points) expected_[i] = scale * d[i] - mean[s];
    all += mean[s] / static_cast<double>(parts_.size());
  }
  for (std::size_t s = 0; s < parts_.size(); ++s) beta_[s] = (mean[s] - all).norm() + least_of_all_;
  is_set_ = true;
}

}  // namespace brio
