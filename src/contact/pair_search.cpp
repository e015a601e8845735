/// How pairs are found: trees of what is on every surface, walked by those that may meet.
#include "contact/pair_bounds.h"
#include "contact/pair_list.h"
#include "core/cancellation.h"

namespace brio {
namespace {

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
    Trees& trees = trees_[s];
    const FlatPatches& patches = patches_[s];
    if (patches.empty() || !trees.of_points.empty()) continue;
    trees.of_points = trees.points.of_nodes<PatchPlace>(patches.points(), FlatPatches::join);
    trees.of_edges = trees.edges.of_nodes<PatchPlace>(patches.edges(), FlatPatches::join);
    trees.of_triangles = trees.triangles.of_nodes<PatchPlace>(patches.triangles(), FlatPatches::join);
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

void PairList::find_within(int surface, const NodalField& x) {
  const Trees& tree = trees_[surface];
  const FlatPatches& patches = patches_[surface];
  const std::array<int, 2> both{surface, surface};
  using Places = std::vector<PatchPlace>;
  static const Places nowhere;
  const bool flat = !patches.empty();
  const Places &points = flat ? patches.points() : nowhere, &edges = flat ? patches.edges() : nowhere,
               &triangles = flat ? patches.triangles() : nowhere;
  const auto apart = [&patches, flat](const Places& a, const Places& b) {
    return [&patches, flat, &a, &b](int i, int j) { return flat && patches.are_apart(a[i], b[j]); };
  };
  const auto may_meet = [&](PairKind kind, const Places& first, const Places& second) {
    return [this, kind, both, far = apart(first, second)](int a, int b) {
      return !are_neighbors(kind, vertices(kind, both, {a, b})) && !far(a, b);
    };
  };
  const auto near = [this, both, &x](PairKind kind) {
    return [this, kind, both, &x](std::vector<Bvh::Pair>& found) { sift(kind, both, x, found); };
  };
  const bool line = surfaces_[surface].is_line;
  const PairKind point = line ? PairKind::point_segment : PairKind::point_triangle, edge = PairKind::segment_segment;
  const Bvh& others = line ? tree.edges : tree.triangles;
  append(point, both,
         tree.points.overlapping_pairs(others, 0, may_meet(point, points, triangles), pairs_left(), near(point),
                                       apart(tree.of_points, tree.of_triangles)),
         x);
  append(edge, both,
         tree.edges.overlapping_pairs(may_meet(edge, edges, edges), pairs_left(), near(edge),
                                      apart(tree.of_edges, tree.of_edges)),
         x);
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

}  // namespace brio
