#include "contact/pair_list.h"

#include <fmt/format.h>

#include <cmath>

#include "contact/pair_bounds.h"
#include "core/cancellation.h"
#include "core/memory.h"

namespace brio {
namespace {

double least_margin(const std::vector<ContactSurface>& surfaces) {
  double margin = std::numeric_limits<double>::infinity();
  for (const ContactSurface& surface : surfaces) margin = std::min(margin, surface.half_thickness);
  return margin;
}

/// Whether two simplices share a vertex.
bool are_neighbors(PairKind kind, const std::array<int, 4>& v) {
  const int first = vertices_of_first(kind);
  for (int i = 0; i < first; ++i)
    for (int j = first; j < vertices_of(kind); ++j)
      if (v[i] == v[j]) return true;
  return false;
}

/// By how much the distance of two simplices may fall when their vertices move by d [m].
double approach(PairKind kind, const std::array<int, 4>& v, const NodalField& d) {
  const int count = vertices_of(kind);
  const int first = vertices_of_first(kind);
  Vec3 mean = Vec3::Zero();
  for (int i = 0; i < count; ++i) mean += d[v[i]] / count;
  double farthest_moved[2] = {0, 0};
  for (int i = 0; i < count; ++i) {
    double& side = farthest_moved[i < first ? 0 : 1];
    side = std::max(side, (d[v[i]] - mean).squaredNorm());
  }
  return std::sqrt(farthest_moved[0]) + std::sqrt(farthest_moved[1]);
}

}  // namespace

ContactVertices::ContactVertices(const Model& model, const std::vector<ContactObstacle>& obstacles)
    : rest(model.rest()), mass(model.mass()) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < model.vertices(); ++i)
    if (model.pinned()[i] != 0) mass[i] = infinite;
  for (const ContactObstacle& obstacle : obstacles) {
    rest.append(obstacle.points);
    mass.insert(mass.end(), obstacle.points.size(), infinite);
  }
}

PairList::PairList(const Model& model, std::vector<ContactSurface> surfaces, const PairRules& rules,
                   const std::vector<ContactObstacle>& obstacles)
    : PairList(ContactVertices(model, obstacles), std::move(surfaces), rules) {
  for (const ContactObstacle& one : obstacles) terms_.push_back({one.bodies, one.stiffness, one.explicit_step});
}

PairList::PairList(ContactVertices vertices, std::vector<ContactSurface> surfaces, const PairRules& rules)
    : surfaces_(std::move(surfaces)),
      trees_(surfaces_.size()),
      rules_(rules),
      mass_(std::move(vertices.mass)),
      rest_(std::move(vertices.rest)),
      cover_(rest_, surfaces_, least_margin(surfaces_)),
      last_{.cover = cover_} {
  // What moves within reason meets some dozens; the rest of the bound is for small scenes, and for small machines.
  constexpr std::size_t per_simplex = 300, few = 10'000'000, bytes = sizeof(ContactPair) + 4 * sizeof(Bvh::Pair);
  std::size_t simplices = 0;
  for (const ContactSurface& surface : surfaces_) simplices += surface.points.size() + surface.edges.size();
  max_pairs_ = std::min(std::max(few, per_simplex * simplices), static_cast<std::size_t>(memory_limit() / 4 / bytes));
}

void PairList::expect(const NodalField& x, const NodalField& v, double h) {
  if (surfaces_.empty()) return;
  cover_.begin(x, v, h);
  last_.cover.begin(x, v, h);
}

void PairList::cover(const NodalField& x, const NodalField& d, double scale) {
  if (surfaces_.empty()) return;
  const auto holds = [&] { return cover_.holds(x, d, 0, here_) && (scale == 0 || cover_.holds(x, d, scale, ahead_)); };
  if (found_ && holds()) return;
  if (found_) swap_lists();
  if (found_ && holds()) return;
  if (!holds()) cover_.include(x, d, scale);
  try {
    find(cover_.reference());
  } catch (const TooManyPairs&) {  // perhaps by what is covered for later
    cover_.include_only(x, d, scale);
    try {
      find(x);
    } catch (const TooManyPairs&) {
      refuse(x);
    }
  }
  cover_.holds(x, d, 0, here_);
}

void PairList::swap_lists() {
  std::swap(cover_, last_.cover);
  std::swap(pairs_, last_.pairs);
  std::swap(found_, last_.found);
}

double PairList::slack(const ContactPair& pair) const {
  double farthest_moved[2] = {0, 0};
  const int first = vertices_of_first(pair.kind);
  for (int i = 0; i < vertices_of(pair.kind); ++i) {
    double& side = farthest_moved[i < first ? 0 : 1];
    side = std::max(side, here_.strays[pair.vertices[i]]);
  }
  double by = farthest_moved[0] + farthest_moved[1] + here_.along * pair.nearer[0] + here_.aside * pair.nearer[1];
  if (pair.surfaces[0] != pair.surfaces[1]) by += (here_.mean[pair.surfaces[0]] - here_.mean[pair.surfaces[1]]).norm();
  return pair.gap - by - cover_.slack();
}

double PairList::farthest_approach(const NodalField& d) const {
  Vec3 mean = Vec3::Zero();
  double count = 0;
  for (const ContactSurface& surface : surfaces_)
    if (surface.is_body()) {
      for (const int i : surface.points) mean += d[i];
      count += static_cast<double>(surface.points.size());
    }
  if (count > 0) mean /= count;
  double most = 0;
  for (const ContactSurface& surface : surfaces_)
    for (const int i : surface.points) most = std::max(most, (d[i] - mean).squaredNorm());
  constexpr double sides = 2, means = 2;  // a pair's own mean is as far from that of all as its vertices are
  return sides * means * std::sqrt(most);
}

double PairList::margin(std::span<const int> vertices) const {
  double largest = 0;
  for (const int v : vertices) largest = std::max(largest, cover_.margin(v));
  return largest;
}

void PairList::sift(PairKind kind, std::array<int, 2> surfaces, const NodalField& x,
                    std::vector<Bvh::Pair>& found) const {
  const auto first = static_cast<std::size_t>(vertices_of_first(kind)),
             count = static_cast<std::size_t>(vertices_of(kind));
  const Layer near = layer(surfaces);
  double reach = near.dhat + near.core;
  if (surfaces[0] != surfaces[1]) reach += cover_.beta(surfaces[0]) + cover_.beta(surfaces[1]);
  std::array<PairVertices, PairSieve::capacity> all;
  std::array<double, PairSieve::capacity> along;
  PairSieve sieve;
  std::size_t kept = 0;
  for (std::size_t begin = 0; begin < found.size(); begin += PairSieve::capacity) {
    const std::size_t size = std::min(PairSieve::capacity, found.size() - begin);
    sieve.clear();
    for (std::size_t k = 0; k < size; ++k) {
      all[k] = vertices(kind, surfaces, found[begin + k]);
      sieve.add(kind, all[k], static_cast<int>(k));
    }
    sieve.measure_distances(x);
    sieve.measure_approaches(cover_.expected());
    for (std::size_t k = 0; k < size; ++k) along[k] = sieve.approach(k);
    sieve.measure_approaches(cover_.aside());
    for (std::size_t k = 0; k < size; ++k) {
      const std::span both(all[k].data(), count);
      const double margins = margin(both.first(first)) + margin(both.subspan(first));
      if (sieve.distance(k) > reach + margins + along[k] + sieve.approach(k)) continue;
      found[kept++] = found[begin + k];
    }
  }
  found.resize(kept);
}

void PairList::refit(const NodalField& x) {
  const auto place = [&](Bvh& tree, const auto& items, double half_thickness, auto&& vertices_of) {
    boxes_.clear();
    paths_.clear();
    for (const auto& item : items) {
      Box box, path, aside;
      const auto& vertices = vertices_of(item);
      for (const int v : vertices) {
        box.include(x[v]);
        path.include(cover_.expected()[v]);
        aside.include(cover_.aside()[v]);
      }
      boxes_.push_back(box.inflated(half_thickness + margin(vertices)));
      paths_.insert(paths_.end(), {path, aside});
    }
    if (tree.size() == boxes_.size())
      tree.refit(boxes_, paths_);
    else
      tree = Bvh(boxes_, paths_);
  };
  const auto itself = [](const auto& cell) -> const auto& { return cell; };
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    const ContactSurface& surface = surfaces_[s];
    const double around = surface.half_thickness + surface.core;
    place(trees_[s].points, surface.points, around, [](int v) { return std::array<int, 1>{v}; });
    place(trees_[s].edges, surface.edges, around, itself);
    place(trees_[s].triangles, surface.triangles, around, itself);
  }
}

void PairList::find(const NodalField& x) {
  found_ = false;  // until the end: a search that is canceled leaves no list
  ++searches_;
  pairs_.clear();
  refit(x);
  const int count = static_cast<int>(surfaces_.size());
  const std::vector<Bvh::Pair> near = rules_.between || !terms_.empty() ? near_surfaces() : std::vector<Bvh::Pair>{};
  auto next = near.begin();
  for (int a = 0; a < count; ++a) {
    const ContactSurface& surface = surfaces_[a];
    if (rules_.self && surface.is_body() && surface.meets_bodies) find_within(a, x);
    for (; next != near.end() && (*next)[0] == a; ++next) find_between(a, (*next)[1], x);
    for (int b = a + 1; b < count; ++b)
      if (surfaces_[b].is_plane && do_meet(a, b)) find_above(a, b, x);
  }
  found_pairs_ += static_cast<long>(pairs_.size());
  found_ = true;
}

/// Pairs of surfaces whose boxes come within reach of each other, in the order of their numbers: most of many bodies
/// are far apart, and asking each of all others would cost the square of their number.
std::vector<Bvh::Pair> PairList::near_surfaces() const {
  constexpr double ample = 1.01;  // boxes only sort out: rounding must not
  std::vector<Box> bounds;
  std::vector<int> which;
  for (std::size_t s = 0; s < trees_.size(); ++s) {
    if (surfaces_[s].is_plane) continue;
    which.push_back(static_cast<int>(s));
    const Trees& trees = trees_[s];
    Box box = trees.points.swept_bounds();
    box.include(trees.edges.swept_bounds());
    box.include(trees.triangles.swept_bounds());
    bounds.push_back(box.inflated(ample * cover_.beta(static_cast<int>(s))));
  }
  std::vector<Bvh::Pair> pairs =
      Bvh(bounds).overlapping_pairs([&](int a, int b) { return do_meet(which[a], which[b]); });
  for (Bvh::Pair& pair : pairs) pair = {which[pair[0]], which[pair[1]]};
  return pairs;
}

bool PairList::do_meet(int a, int b) const {
  const ContactSurface &first = surfaces_[a], &second = surfaces_[b];
  if (first.is_body() && second.is_body()) return rules_.between && first.meets_bodies && second.meets_bodies;
  if (first.is_body() == second.is_body()) return false;
  const std::vector<BodyId>& bodies = terms_[std::max(first.obstacle, second.obstacle)].bodies;
  return bodies.empty() || std::ranges::count(bodies, first.is_body() ? first.body : second.body) > 0;
}

/// Wires have a radius, everything else is as thin as its surface: an obstacle's own thickness is all there is.
Layer PairList::layer(std::array<int, 2> surfaces) const {
  double dhat = 0, core = 0;
  const bool both_bodies = surfaces_[surfaces[0]].is_body() && surfaces_[surfaces[1]].is_body();
  for (const int s : surfaces) {
    const ContactSurface& surface = surfaces_[s];
    if (both_bodies || !surface.is_body() || surface.is_line) dhat += surface.half_thickness;
    core += surface.core;
  }
  return {dhat, core};
}

void PairList::refuse(const NodalField& x) const {
  double farthest = 0;
  for (std::size_t s = 0; s < surfaces_.size(); ++s) farthest = std::max(farthest, cover_.beta(static_cast<int>(s)));
  for (std::size_t i = 0; i < x.size(); ++i) farthest = std::max(farthest, cover_.expected()[i].norm());
  throw InputError(
      {.key = "contact",
       .problem = fmt::format("more than {:.3g} million pairs of points, edges and triangles, {} of memory, may meet "
                              "within a step, in which they move by up to {:.2g} m against each other",
                              static_cast<double>(max_pairs_) / 1e6,
                              size_text(static_cast<double>(max_pairs_ * sizeof(ContactPair))), farthest),
       .advice = farthest > 4 * least_margin(surfaces_) ? "choose a smaller h, or slower bodies"
                                                        : "choose a smaller contact.thickness"});
}

void PairList::find_within(int surface, const NodalField& x) {
  const Trees& tree = trees_[surface];
  const std::array<int, 2> both{surface, surface};
  const auto apart = [this, both](PairKind kind) {
    return [this, kind, both](int a, int b) { return !are_neighbors(kind, vertices(kind, both, {a, b})); };
  };
  const auto near = [this, both, &x](PairKind kind) {
    return [this, kind, both, &x](std::vector<Bvh::Pair>& found) { sift(kind, both, x, found); };
  };
  const bool line = surfaces_[surface].is_line;
  const PairKind point = line ? PairKind::point_segment : PairKind::point_triangle, edge = PairKind::segment_segment;
  const Bvh& others = line ? tree.edges : tree.triangles;
  append(point, both, tree.points.overlapping_pairs(others, 0, apart(point), pairs_left(), near(point)), x);
  append(edge, both, tree.edges.overlapping_pairs(apart(edge), pairs_left(), near(edge)), x);
}

void PairList::find_between(int a, int b, const NodalField& x) {
  const double inflation = cover_.beta(a) + cover_.beta(b);
  const auto all = [](int, int) { return true; };
  const auto near = [&](PairKind kind, int p, int q) {
    return [this, kind, p, q, &x](std::vector<Bvh::Pair>& found) { sift(kind, {p, q}, x, found); };
  };
  const bool are_dots = surfaces_[a].edges.empty() && surfaces_[b].edges.empty();
  const auto points_against = [&](int p, int q) {
    const bool line = surfaces_[q].is_line || are_dots;
    const PairKind kind = line ? PairKind::point_segment : PairKind::point_triangle;
    const Bvh& tree = are_dots ? trees_[q].points : line ? trees_[q].edges : trees_[q].triangles;
    append(kind, {p, q}, trees_[p].points.overlapping_pairs(tree, inflation, all, pairs_left(), near(kind, p, q)), x);
  };
  points_against(a, b);
  if (are_dots) return;
  points_against(b, a);
  append(PairKind::segment_segment, {a, b},
         trees_[a].edges.overlapping_pairs(trees_[b].edges, inflation, all, pairs_left(),
                                           near(PairKind::segment_segment, a, b)),
         x);
}

void PairList::find_above(int body, int plane, const NodalField& x) {
  std::vector<Bvh::Pair> all;
  for (std::size_t k = 0; k < surfaces_[body].points.size(); ++k) all.push_back({static_cast<int>(k), 0});
  append(PairKind::point_plane, {body, plane}, all, x);
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
      const int dot = second.edges.empty() ? second.points[items[1]] : 0;
      const Segment& t = second.edges.empty() ? Segment{dot, dot} : second.edges[items[1]];
      return {first.points[items[0]], t[0], t[1], t[1]};
    }
    case PairKind::point_plane:
      return {first.points[items[0]], second.points[0], second.points[1], second.points[2]};
  }
  return {};
}

/// Simplices of one body that are near each other at rest begin to touch at half that distance, so that a shape at rest
/// is free of contact.
void PairList::append(PairKind kind, std::array<int, 2> surfaces, const std::vector<Bvh::Pair>& found,
                      const NodalField& x) {
  const bool same = surfaces[0] == surfaces[1];
  const Layer near = layer(surfaces);
  const int obstacle = std::max(surfaces_[surfaces[0]].obstacle, surfaces_[surfaces[1]].obstacle);
  const int body_side = surfaces_[surfaces[0]].is_body() ? 0 : vertices_of_first(kind);
  for (const Bvh::Pair& items : found) {
    interruption_point();
    const std::array<int, 4> v = vertices(kind, surfaces, items);
    Vec3 place[4], rest[4];
    for (int i = 0; i < 4; ++i) {
      place[i] = x[v[i]];
      rest[i] = rest_[v[i]];
    }
    ContactPair pair{.vertices = v,
                     .kind = kind,
                     .surfaces = surfaces,
                     .nearer = {approach(kind, v, cover_.expected()), approach(kind, v, cover_.aside())},
                     .obstacle = obstacle,
                     .body = v[static_cast<std::size_t>(body_side)]};
    pair.barrier.dhat = same ? std::min(near.dhat, 0.5 * nearest(kind, rest).distance()) : near.dhat;
    pair.barrier.core = near.core;
    pair.barrier.k = stiffness(kind, v, near.dhat, obstacle);
    pair.held = !std::isfinite(pair.barrier.k);
    if (pair.barrier.dhat <= 0) continue;
    if (kind == PairKind::segment_segment)
      pair.barrier.epsilon = 1e-3 * (rest[1] - rest[0]).squaredNorm() * (rest[3] - rest[2]).squaredNorm();
    pair.gap = kind == PairKind::point_plane ? -std::numeric_limits<double>::infinity()
                                             : nearest(kind, place).distance() - pair.barrier.dhat - near.core;
    pairs_.push_back(pair);
  }
}

/// Infinite where nothing can move.
double PairList::stiffness(PairKind kind, const std::array<int, 4>& v, double dhat, int obstacle) const {
  const int first = vertices_of_first(kind);
  const int count = vertices_of(kind);
  double mass[2] = {0, 0};
  for (int i = 0; i < count; ++i) mass[i < first ? 0 : 1] += mass_[v[i]] / (i < first ? first : count - first);
  const double reduced = 1 / (1 / mass[0] + 1 / mass[1]);
  if (!std::isfinite(reduced)) return reduced;
  const double given = obstacle >= 0 ? terms_[obstacle].stiffness : rules_.stiffness;
  if (given > 0) return given;
  double k = reduced * rules_.speed * rules_.speed / (dhat * dhat);
  constexpr double explicit_fraction = 0.25;  // of m/h²: half as near as where contact begins it is stable still
  if (const double h = obstacle >= 0 ? terms_[obstacle].explicit_step : 0; h > 0)
    k = std::min(k, explicit_fraction * reduced / (h * h));
  if (k > 0 && std::isfinite(k)) return k;
  throw InputError({.key = "contact.stiffness",
                    .value = fmt::format("{} N/m", k),
                    .problem = fmt::format("follows from masses of {} kg that are stopped from {} m/s within {} m",
                                           reduced, rules_.speed, dhat),
                    .advice = "give a stiffness, or another contact.thickness or contact.speed"});
}

}  // namespace brio
