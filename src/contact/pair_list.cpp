#include "contact/pair_list.h"

#include <fmt/format.h>

#include <cmath>

#include "core/cancellation.h"
#include "core/memory.h"

namespace brio {
namespace {

/// Of the margin, by which lists hold less than they could: rounding must not decide what is on them.
constexpr double list_slack = 1e-6;

/// Whether two simplices share a vertex.
bool are_neighbors(PairKind kind, const std::array<int, 4>& v) {
  const int first = vertices_of_first(kind);
  for (int i = 0; i < first; ++i)
    for (int j = first; j < vertices_of(kind); ++j)
      if (v[i] == v[j]) return true;
  return false;
}

}  // namespace

PairList::PairList(const Model& model, std::vector<ContactSurface> surfaces, const PairRules& rules)
    : surfaces_(std::move(surfaces)),
      trees_(surfaces_.size()),
      rules_(rules),
      mass_(model.mass()),
      rest_(model.rest()) {
  const std::size_t n = model.vertices();
  for (std::size_t i = 0; i < n; ++i)
    if (model.pinned()[i] != 0) mass_[i] = std::numeric_limits<double>::infinity();
  margin_ = std::numeric_limits<double>::infinity();
  for (const ContactSurface& surface : surfaces_) margin_ = std::min(margin_, surface.half_thickness);
  // What moves within reason meets some dozens; the rest of the bound is for small scenes, and for small machines.
  constexpr std::size_t per_simplex = 300, few = 10'000'000, bytes = sizeof(ContactPair) + 4 * sizeof(Bvh::Pair);
  std::size_t simplices = 0;
  for (const ContactSurface& surface : surfaces_) simplices += surface.points.size() + surface.edges.size();
  max_pairs_ = std::min(std::max(few, per_simplex * simplices), static_cast<std::size_t>(memory_limit() / 4 / bytes));
  expected_ = NodalField(n);
  beta_.resize(surfaces_.size());
  for (Motion* motion : {&motion_, &ahead_}) {
    motion->mean.resize(surfaces_.size());
    motion->strays.resize(n);
  }
}

bool PairList::holds(const NodalField& x, const NodalField& d, double scale, Motion& motion) const {
  if (!found_) return false;
  const auto displacement = [&](int i) -> Vec3 { return x[i] + scale * d[i] - reference_[i]; };
  motion.all.setZero();
  double with = 0;
  double length = 0;
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    Vec3 sum = Vec3::Zero();
    for (const int i : surfaces_[s].points) {
      const Vec3 moved = displacement(i);
      sum += moved;
      with += moved.dot(expected_[i]);  // the frame's part drops out: expected paths have no mean
      length += expected_[i].squaredNorm();
    }
    motion.mean[s] = sum / static_cast<double>(surfaces_[s].points.size());
    motion.all += motion.mean[s] / static_cast<double>(surfaces_.size());
  }
  motion.fraction = length > 0 ? std::clamp(with / length, 0.0, 1.0) : 0;
  bool within = true;
  const double slack = list_slack * margin_;
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    within = within && (motion.mean[s] - motion.all).norm() <= beta_[s] - slack;
    for (const int i : surfaces_[s].points) {
      motion.strays[i] = (displacement(i) - motion.mean[s] - motion.fraction * expected_[i]).norm();
      within = within && motion.strays[i] <= margin_ - slack;
    }
  }
  return within;
}

void PairList::cover(const NodalField& x, const NodalField& d, double scale) {
  if (surfaces_.empty()) return;
  const bool now = holds(x, d, 0, motion_);
  if (now && (scale == 0 || holds(x, d, scale, ahead_))) return;
  reference_ = x;
  Vec3 all = Vec3::Zero();
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    Vec3& mean = ahead_.mean[s];
    mean.setZero();
    const auto& points = surfaces_[s].points;
    for (const int i : points) mean += scale / static_cast<double>(points.size()) * d[i];
    for (const int i : points) expected_[i] = scale * d[i] - mean;
    all += mean / static_cast<double>(surfaces_.size());
  }
  for (std::size_t s = 0; s < surfaces_.size(); ++s) beta_[s] = (ahead_.mean[s] - all).norm() + margin_;
  find(x);
  holds(x, d, 0, motion_);
}

bool PairList::may_be_active(const ContactPair& pair) const {
  double farthest_moved[2] = {0, 0};
  const int first = vertices_of_first(pair.kind);
  for (int i = 0; i < vertices_of(pair.kind); ++i) {
    double& side = farthest_moved[i < first ? 0 : 1];
    side = std::max(side, motion_.strays[pair.vertices[i]]);
  }
  double by = farthest_moved[0] + farthest_moved[1] + motion_.fraction * pair.nearer;
  if (pair.surfaces[0] != pair.surfaces[1])
    by += (motion_.mean[pair.surfaces[0]] - motion_.mean[pair.surfaces[1]]).norm();
  return pair.gap <= by + list_slack * margin_;
}

double PairList::nearer(PairKind kind, const std::array<int, 4>& v) const {
  const int count = vertices_of(kind);
  const int first = vertices_of_first(kind);
  Vec3 mean = Vec3::Zero();
  for (int i = 0; i < count; ++i) mean += expected_[v[i]] / count;
  double farthest_moved[2] = {0, 0};
  for (int i = 0; i < count; ++i) {
    double& side = farthest_moved[i < first ? 0 : 1];
    side = std::max(side, (expected_[v[i]] - mean).squaredNorm());
  }
  return std::sqrt(farthest_moved[0]) + std::sqrt(farthest_moved[1]);
}

bool PairList::may_meet(PairKind kind, std::array<int, 2> surfaces, const std::array<int, 4>& v,
                        const NodalField& x) const {
  double distance = surfaces_[surfaces[0]].half_thickness + surfaces_[surfaces[1]].half_thickness + 2 * margin_;
  if (surfaces[0] != surfaces[1]) distance += beta_[surfaces[0]] + beta_[surfaces[1]];
  Vec3 place[4];
  for (int i = 0; i < 4; ++i) place[i] = x[v[i]];
  return nearest(kind, place).distance() <= distance + nearer(kind, v);
}

void PairList::refit(const NodalField& x) {
  const auto place = [&](Bvh& tree, const auto& items, auto&& box_of) {
    boxes_.clear();
    for (const auto& item : items) boxes_.push_back(box_of(item));
    if (tree.size() == boxes_.size())
      tree.refit(boxes_);
    else
      tree = Bvh(boxes_);
  };
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    const ContactSurface& surface = surfaces_[s];
    const auto grown = [&](const auto& vertices) {
      Box box;
      for (const int v : vertices) {
        box.include(x[v]);
        box.include(x[v] + expected_[v]);
      }
      return box.inflated(surface.half_thickness + margin_);
    };
    place(trees_[s].points, surface.points, [&](int v) { return grown(std::array<int, 1>{v}); });
    place(trees_[s].edges, surface.edges, grown);
    place(trees_[s].triangles, surface.triangles, grown);
  }
}

void PairList::find(const NodalField& x) {
  found_ = false;  // until the end: a search that is canceled leaves no list
  ++searches_;
  pairs_.clear();
  refit(x);
  const int count = static_cast<int>(surfaces_.size());
  const std::vector<Bvh::Pair> near = rules_.between ? near_surfaces() : std::vector<Bvh::Pair>{};
  auto next = near.begin();
  try {
    for (int a = 0; a < count; ++a) {
      if (rules_.self) find_within(a, x);
      for (; next != near.end() && (*next)[0] == a; ++next) find_between(a, (*next)[1], x);
    }
  } catch (const TooManyPairs&) {
    refuse(x);
  }
  found_ = true;
}

/// Pairs of surfaces whose boxes come within reach of each other, in the order of their numbers: most of many bodies
/// are far apart, and asking each of all others would cost the square of their number.
std::vector<Bvh::Pair> PairList::near_surfaces() const {
  constexpr double ample = 1.01;  // boxes only sort out: rounding must not
  std::vector<Box> bounds;
  for (std::size_t s = 0; s < trees_.size(); ++s) {
    Box box = trees_[s].points.bounds();
    box.include(trees_[s].edges.bounds());
    box.include(trees_[s].triangles.bounds());
    bounds.push_back(box.inflated(ample * beta_[s]));
  }
  return Bvh(bounds).overlapping_pairs([](int, int) { return true; });
}

void PairList::refuse(const NodalField& x) const {
  double farthest = *std::ranges::max_element(beta_);
  for (std::size_t i = 0; i < x.size(); ++i) farthest = std::max(farthest, expected_[i].norm());
  throw InputError(
      {.key = "contact",
       .problem = fmt::format("more than {:.3g} million pairs of points, edges and triangles, {} of memory, may meet "
                              "within a step, in which they move by up to {:.2g} m against each other",
                              static_cast<double>(max_pairs_) / 1e6,
                              size_text(static_cast<double>(max_pairs_ * sizeof(ContactPair))), farthest),
       .advice =
           farthest > 4 * margin_ ? "choose a smaller h, or slower bodies" : "choose a smaller contact.thickness"});
}

void PairList::find_within(int surface, const NodalField& x) {
  const Trees& tree = trees_[surface];
  const std::array<int, 2> both{surface, surface};
  const auto meet = [&](PairKind kind) {
    return [this, kind, both, &x](int a, int b) {
      const std::array<int, 4> v = vertices(kind, both, {a, b});
      return !are_neighbors(kind, v) && may_meet(kind, both, v, x);
    };
  };
  const bool line = surfaces_[surface].is_line;
  const PairKind point = line ? PairKind::point_segment : PairKind::point_triangle;
  append(point, both, tree.points.overlapping_pairs(line ? tree.edges : tree.triangles, 0, meet(point), pairs_left()),
         x);
  append(PairKind::segment_segment, both, tree.edges.overlapping_pairs(meet(PairKind::segment_segment), pairs_left()),
         x);
}

void PairList::find_between(int a, int b, const NodalField& x) {
  const double inflation = beta_[a] + beta_[b];
  const auto meet = [&](PairKind kind, int p, int q) {
    return [this, kind, p, q, &x](int i, int j) { return may_meet(kind, {p, q}, vertices(kind, {p, q}, {i, j}), x); };
  };
  const auto points_against = [&](int p, int q) {
    const bool line = surfaces_[q].is_line;
    const PairKind kind = line ? PairKind::point_segment : PairKind::point_triangle;
    const Bvh& tree = line ? trees_[q].edges : trees_[q].triangles;
    append(kind, {p, q}, trees_[p].points.overlapping_pairs(tree, inflation, meet(kind, p, q), pairs_left()), x);
  };
  points_against(a, b);
  points_against(b, a);
  append(PairKind::segment_segment, {a, b},
         trees_[a].edges.overlapping_pairs(trees_[b].edges, inflation, meet(PairKind::segment_segment, a, b),
                                           pairs_left()),
         x);
}

std::array<int, 4> PairList::vertices(PairKind kind, std::array<int, 2> surfaces, const Bvh::Pair& items) const {
  const ContactSurface& first = surfaces_[surfaces[0]];
  const ContactSurface& second = surfaces_[surfaces[1]];
  switch (kind) {
    case PairKind::point_triangle: {
      const Triangle& t = second.triangles[items[1]];
      return {first.points[items[0]], t[0], t[1], t[2]};
    }
    case PairKind::segment_segment: {
      const Segment& s = first.edges[items[0]];
      const Segment& t = second.edges[items[1]];
      return {s[0], s[1], t[0], t[1]};
    }
    case PairKind::point_segment: {
      const Segment& t = second.edges[items[1]];
      return {first.points[items[0]], t[0], t[1], t[1]};
    }
  }
  return {};
}

/// Simplices of one body that are near each other at rest begin to touch at half that distance, so that a shape at rest
/// is free of contact.
void PairList::append(PairKind kind, std::array<int, 2> surfaces, const std::vector<Bvh::Pair>& found,
                      const NodalField& x) {
  const bool same = surfaces[0] == surfaces[1];
  const double dhat = surfaces_[surfaces[0]].half_thickness + surfaces_[surfaces[1]].half_thickness;
  for (const Bvh::Pair& items : found) {
    interruption_point();
    const std::array<int, 4> v = vertices(kind, surfaces, items);
    Vec3 place[4], rest[4];
    for (int i = 0; i < 4; ++i) {
      place[i] = x[v[i]];
      rest[i] = rest_[v[i]];
    }
    ContactPair pair{.vertices = v, .kind = kind, .surfaces = surfaces, .nearer = nearer(kind, v)};
    pair.barrier.dhat = same ? std::min(dhat, 0.5 * nearest(kind, rest).distance()) : dhat;
    pair.barrier.k = stiffness(kind, v, dhat);
    pair.held = !std::isfinite(pair.barrier.k);
    if (pair.barrier.dhat <= 0) continue;
    if (kind == PairKind::segment_segment)
      pair.barrier.epsilon = 1e-3 * (rest[1] - rest[0]).squaredNorm() * (rest[3] - rest[2]).squaredNorm();
    pair.gap = nearest(kind, place).distance() - pair.barrier.dhat;
    pairs_.push_back(pair);
  }
}

/// Infinite where nothing can move.
double PairList::stiffness(PairKind kind, const std::array<int, 4>& v, double dhat) const {
  const int first = vertices_of_first(kind);
  const int count = vertices_of(kind);
  double mass[2] = {0, 0};
  for (int i = 0; i < count; ++i) mass[i < first ? 0 : 1] += mass_[v[i]] / (i < first ? first : count - first);
  const double reduced = 1 / (1 / mass[0] + 1 / mass[1]);
  if (!std::isfinite(reduced)) return reduced;
  if (rules_.stiffness > 0) return rules_.stiffness;
  const double k = reduced * rules_.speed * rules_.speed / (dhat * dhat);
  if (k > 0 && std::isfinite(k)) return k;
  throw InputError({.key = "contact.stiffness",
                    .value = fmt::format("{} N/m", k),
                    .problem = fmt::format("follows from masses of {} kg that are stopped from {} m/s within {} m",
                                           reduced, rules_.speed, dhat),
                    .advice = "give a stiffness, or another contact.thickness or contact.speed"});
}

}  // namespace brio
