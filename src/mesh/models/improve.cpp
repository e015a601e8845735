#include "mesh/models/improve.h"

#include <algorithm>

#include "mesh/quality.h"

namespace brio {
namespace {

double quality_of(const Mesh& solid, const Tet& tet) {
  const Vec3& origin = solid.vertices[tet[0]];
  const Vec3 a = solid.vertices[tet[1]] - origin;
  const Vec3 b = solid.vertices[tet[2]] - origin;
  const Vec3 c = solid.vertices[tet[3]] - origin;
  return tet_quality(a, b, c, a.cross(b).dot(c) / 6);
}

class Improver {
 public:
  explicit Improver(Mesh& solid) : solid_(solid), start_(solid.vertices), around_(solid.vertices.size()) {
    for (std::size_t t = 0; t < solid.tets.size(); ++t)
      for (const int v : solid.tets[t]) around_[v].push_back(static_cast<int>(t));
  }

  /// One pattern search for every vertex of a poor tet; whether any of them moved.
  bool sweep(double wanted) {
    bool moved = false;
    for (const Tet& tet : solid_.tets)
      if (quality_of(solid_, tet) < wanted)
        for (const int v : tet) moved = search(v) || moved;
    return moved;
  }

 private:
  double worst_around(int v) const {
    double worst = 1;
    for (const int t : around_[v]) worst = std::min(worst, quality_of(solid_, solid_.tets[t]));
    return worst;
  }
  double mean_edge(int v) const {
    double sum = 0;
    for (const int t : around_[v])
      for (const int w : solid_.tets[t]) sum += (start_[w] - start_[v]).norm();
    return sum / (3.0 * static_cast<double>(around_[v].size()));
  }
  bool search(int v) {
    constexpr double farthest = 0.2;
    const double edge = mean_edge(v);
    Vec3& place = solid_.vertices[v];
    double best = worst_around(v);
    bool moved = false;
    for (const double step : {0.2, 0.1, 0.03, 0.01})
      for (int direction = 0; direction < 26; ++direction) {
        const int code = direction < 13 ? direction : direction + 1;  // 13 is no direction at all
        const Vec3 along(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1);
        const Vec3 before = place;
        place += step * edge * along.normalized();
        const double now = (place - start_[v]).norm() <= farthest * edge ? worst_around(v) : 0;
        if (now > best) {
          best = now;
          moved = true;
        } else {
          place = before;
        }
      }
    return moved;
  }

  Mesh& solid_;
  std::vector<Vec3> start_;
  std::vector<std::vector<int>> around_;  ///< tets of each vertex
};

}  // namespace

void improve(Mesh& solid, double wanted) {
  constexpr int max_sweeps = 50;
  Improver improver(solid);
  for (int sweep = 0; sweep < max_sweeps && improver.sweep(wanted); ++sweep) {
  }
}

}  // namespace brio
