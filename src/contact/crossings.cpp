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

}  // namespace

std::vector<Crossing> find_crossings(const std::vector<ContactSurface>& surfaces, const NodalField& x) {
  std::vector<Crossing> found;
  for (const ContactSurface& a : surfaces)
    for (const ContactSurface& b : surfaces)
      for (const auto& [i, j] : near_pairs(a.edges, b.triangles, x, x)) {
        const Segment& e = a.edges[i];
        const Triangle& t = b.triangles[j];
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
  for (const ContactSurface& a : surfaces) {
    std::vector<std::array<int, 1>> points;
    for (const int p : a.points) points.push_back({p});
    for (const ContactSurface& b : surfaces) {
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
