#include "contact/crossings.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/bvh.h"
#include "contact/continuous.h"
#include "core/memory.h"

namespace brio {
namespace {

/// Boxes around all that the cells sweep on their path.
template <class Cells>
Bvh swept(const Cells& cells, const NodalField& before, const NodalField& after) {
  std::vector<Box> boxes;
  for (const auto& cell : cells) {
    Box box;
    for (const int v : cell) {
      box.include(before[v]);
      box.include(after[v]);
    }
    boxes.push_back(box);
  }
  return Bvh(boxes);
}

template <class A, class B>
bool share_a_vertex(const A& a, const B& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

/// Pairs of cells without a common vertex whose boxes overlap.
template <class A, class B>
std::vector<Bvh::Pair> near_pairs(const A& a, const B& b, const NodalField& before, const NodalField& after) {
  const auto max_pairs = static_cast<std::size_t>(memory_limit() / 8 / sizeof(Bvh::Pair));
  const auto apart = [&](int i, int j) { return !share_a_vertex(a[i], b[j]); };
  try {
    return swept(a, before, after).overlapping_pairs(swept(b, before, after), 0, apart, max_pairs);
  } catch (const TooManyPairs&) {
    throw InputError({.key = "contact",
                      .problem = fmt::format("more than {:.3g} million pairs of edges and triangles overlap",
                                             static_cast<double>(max_pairs) / 1e6),
                      .advice = "move the bodies apart, or untangle them"});
  }
}

/// For each surface those that it may meet on the way, itself among them, in ascending order: of many bodies most are
/// far apart, and looking at all pairs of them would cost the square of their number.
std::vector<std::vector<int>> near_surfaces(const std::vector<ContactSurface>& surfaces, const NodalField& before,
                                            const NodalField& after) {
  std::vector<std::vector<int>> points;
  for (const ContactSurface& surface : surfaces) points.push_back(surface.points);
  std::vector<std::vector<int>> near(surfaces.size());
  for (std::size_t s = 0; s < surfaces.size(); ++s) near[s].push_back(static_cast<int>(s));
  for (const auto& [a, b] : swept(points, before, after).overlapping_pairs([](int, int) { return true; })) {
    near[a].push_back(b);
    near[b].push_back(a);
  }
  for (std::vector<int>& list : near) std::ranges::sort(list);
  return near;
}

}  // namespace

std::vector<Crossing> find_crossings(const std::vector<ContactSurface>& surfaces, const NodalField& x) {
  std::vector<Crossing> found;
  const std::vector<std::vector<int>> near = near_surfaces(surfaces, x, x);
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    for (const int other : near[s]) {
      const std::vector<Crossing> more = find_crossings(surfaces[s], surfaces[other], x);
      found.insert(found.end(), more.begin(), more.end());
    }
  return found;
}

std::vector<Crossing> find_crossings(const ContactSurface& edges, const ContactSurface& triangles,
                                     const NodalField& x) {
  std::vector<Crossing> found;
  for (const auto& [i, j] : near_pairs(edges.edges, triangles.triangles, x, x)) {
    const Segment& e = edges.edges[i];
    const Triangle& t = triangles.triangles[j];
    const Vec3 corners[5] = {x[e[0]], x[e[1]], x[t[0]], x[t[1]], x[t[2]]};
    if (pierces(corners)) found.push_back({e, t});
  }
  return found;
}

bool went_through(const std::vector<ContactSurface>& surfaces, const NodalField& before, const NodalField& after) {
  const auto passed = [&](PairKind kind, const std::array<int, 4>& v) {
    Vec3 from[4], to[4];
    for (int k = 0; k < 4; ++k) {
      from[k] = before[v[k]];
      to[k] = after[v[k]];
    }
    return passed_through(kind, from, to);
  };
  const std::vector<std::vector<int>> near = near_surfaces(surfaces, before, after);
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    const ContactSurface& a = surfaces[k];
    std::vector<std::array<int, 1>> points;
    for (const int p : a.points) points.push_back({p});
    for (const int other : near[k]) {
      const ContactSurface& b = surfaces[other];
      for (const auto& [i, j] : near_pairs(points, b.triangles, before, after)) {
        const Triangle& t = b.triangles[j];
        if (passed(PairKind::point_triangle, {a.points[i], t[0], t[1], t[2]})) return true;
      }
      for (const auto& [i, j] : near_pairs(a.edges, b.edges, before, after)) {
        const Segment& s = a.edges[i];
        const Segment& t = b.edges[j];
        if (passed(PairKind::segment_segment, {s[0], s[1], t[0], t[1]})) return true;
      }
    }
  }
  return false;
}

}  // namespace brio
