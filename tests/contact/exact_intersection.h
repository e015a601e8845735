/// Whether things are in each other, decided exactly and by nothing that contact itself uses: signs of determinants in
/// sums of doubles that lose no digit [Shewchuk 1997], distances from round shapes in longer numbers.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "brio/contact.h"
#include "brio/mesh.h"

namespace brio::testing::exact {

/// A number as a sum of doubles that do not overlap, the smallest first. Nothing is ever rounded.
class Number {
 public:
  Number(double value = 0) {  // NOLINT
    if (value != 0) parts_.push_back(value);
  }
  static Number difference(double a, double b) { return Number(a) + Number(-b); }

  Number operator+(const Number& other) const {
    Number sum = *this;
    for (const double part : other.parts_) sum.grow(part);
    return sum;
  }
  Number operator-(const Number& other) const {
    Number sum = *this;
    for (const double part : other.parts_) sum.grow(-part);
    return sum;
  }
  Number operator*(const Number& other) const {
    Number sum;
    for (const double a : parts_)
      for (const double b : other.parts_) {
        const double product = a * b;
        sum.grow(std::fma(a, b, -product));
        sum.grow(product);
      }
    return sum;
  }
  int sign() const { return parts_.empty() ? 0 : parts_.back() > 0 ? 1 : -1; }

 private:
  void grow(double value) {
    std::vector<double> next;
    for (const double part : parts_) {
      const double sum = value + part, back = sum - value;
      const double lost = (value - (sum - back)) + (part - back);
      if (lost != 0) next.push_back(lost);
      value = sum;
    }
    if (value != 0) next.push_back(value);
    parts_ = std::move(next);
  }
  std::vector<double> parts_;
};

using Exact3 = std::array<Number, 3>;
inline Exact3 between(const Vec3& a, const Vec3& b) {
  return {Number::difference(a[0], b[0]), Number::difference(a[1], b[1]), Number::difference(a[2], b[2])};
}
inline Number determinant(const Exact3& a, const Exact3& b, const Exact3& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// On which side of the plane through a, b, c the point p is: -1, 0, 1.
inline int side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const Vec3 u = a - p, v = b - p, w = c - p;
  const double det = u.dot(v.cross(w));
  const double size = u.cwiseAbs().sum() * v.cwiseAbs().sum() * w.cwiseAbs().sum();
  if (std::abs(det) > 1e-14 * size) return det > 0 ? 1 : -1;  // rounding cannot have made it
  return determinant(between(a, p), between(b, p), between(c, p)).sign();
}

/// The same in the plane without axis k.
inline int turn(const Vec3& a, const Vec3& b, const Vec3& p, int k) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  return (Number::difference(a[i], p[i]) * Number::difference(b[j], p[j]) -
          Number::difference(a[j], p[j]) * Number::difference(b[i], p[i]))
      .sign();
}

/// Of two segments and a triangle in one plane.
inline bool flat_meet(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t) {
  int k = 0;
  while (k < 3 && turn(t[0], t[1], t[2], k) == 0) ++k;
  if (k == 3) return false;  // a triangle that is none
  const auto inside = [&](const Vec3& x) {
    const int a = turn(t[0], t[1], x, k), b = turn(t[1], t[2], x, k), c = turn(t[2], t[0], x, k);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
  };
  if (inside(p) || inside(q)) return true;
  for (int e = 0; e < 3; ++e) {
    const Vec3 &a = t[e], &b = t[(e + 1) % 3];
    if (turn(p, q, a, k) * turn(p, q, b, k) <= 0 && turn(a, b, p, k) * turn(a, b, q, k) <= 0) return true;
  }
  return false;
}

/// Touching counts.
inline bool meet(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t) {
  for (int c = 0; c < 3; ++c)
    if (std::max(p[c], q[c]) < std::min({t[0][c], t[1][c], t[2][c]}) ||
        std::min(p[c], q[c]) > std::max({t[0][c], t[1][c], t[2][c]}))
      return false;
  const int above = side(t[0], t[1], t[2], p), below = side(t[0], t[1], t[2], q);
  if (above == 0 && below == 0) return flat_meet(p, q, t);
  if (above * below > 0) return false;
  const int a = side(p, q, t[0], t[1]), b = side(p, q, t[1], t[2]), c = side(p, q, t[2], t[0]);
  return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

inline bool meet(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  for (int e = 0; e < 3; ++e)
    if (meet(a[e], a[(e + 1) % 3], b) || meet(b[e], b[(e + 1) % 3], a)) return true;
  return false;
}

using Long3 = Eigen::Matrix<long double, 3, 1>;
inline Long3 longer(const Vec3& v) { return v.cast<long double>(); }

inline long double distance(const Long3& p, const Long3& a, const Long3& b) {
  const Long3 u = b - a;
  const long double length = u.dot(u);
  const long double t = length > 0 ? std::clamp(u.dot(p - a) / length, 0.0L, 1.0L) : 0.0L;
  return (p - a - t * u).norm();
}
inline long double distance(const Long3& p, const std::array<Vec3, 3>& t) {
  const Long3 a = longer(t[0]), b = longer(t[1]), c = longer(t[2]);
  const Long3 normal = (b - a).cross(c - a);
  long double least = std::min({distance(p, a, b), distance(p, b, c), distance(p, c, a)});
  const auto within = [&](const Long3& from, const Long3& to) { return normal.dot((to - from).cross(p - from)) >= 0; };
  if (normal.norm() > 0 && within(a, b) && within(b, c) && within(c, a))
    least = std::min(least, std::abs(normal.dot(p - a)) / normal.norm());
  return least;
}
inline long double distance(const Long3& p, const Long3& q, const Long3& a, const Long3& b) {
  long double least = std::min({distance(p, a, b), distance(q, a, b), distance(a, p, q), distance(b, p, q)});
  const Long3 u = q - p, v = b - a, n = u.cross(v), w = a - p;
  if (n.dot(n) > 0) {
    const long double s = w.cross(v).dot(n) / n.dot(n), t = w.cross(u).dot(n) / n.dot(n);
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = std::min(least, std::abs(w.dot(n)) / n.norm());
  }
  return least;
}

/// Triangles, edges and points of a body where they are.
struct Surface {
  std::string name;
  std::vector<std::array<Vec3, 3>> triangles{};
  std::vector<std::array<int, 3>> corners{};    ///< of those
  std::vector<std::array<Vec3, 2>> segments{};  ///< of wires
  std::vector<Vec3> points{};
};
inline Surface surface_of(const Body& body, const NodalField& x) {
  Surface found{.name = body.name};
  const auto place = [&](int v) { return Vec3(x[body.first_vertex + v]); };
  if (body.kind == BodyKind::wire) {
    for (int k = 0; 3 * k < static_cast<int>(body.mesh.vertices.size()); ++k) {
      found.points.push_back(place(3 * k));
      if (k > 0) found.segments.push_back({place(3 * k - 3), place(3 * k)});
    }
    return found;
  }
  if (body.kind == BodyKind::particles) {
    for (std::size_t k = 0; k < body.mesh.vertices.size(); ++k) found.points.push_back(place(static_cast<int>(k)));
    return found;
  }
  for (const Triangle& t : body.kind == BodyKind::solid ? brio::surface(body.mesh) : body.mesh.triangles) {
    found.triangles.push_back({place(t[0]), place(t[1]), place(t[2])});
    found.corners.push_back({t[0], t[1], t[2]});
    for (const Vec3& p : found.triangles.back()) found.points.push_back(p);
  }
  return found;
}

/// Of a mesh that may deform.
inline Vec3 vertex_at(const MeshShape& mesh, int v, double time) {
  const auto& samples = mesh.samples;
  if (samples.empty()) return mesh.mesh.vertices[v];
  if (time <= samples.front().time) return samples.front().vertices[v];
  for (std::size_t k = 1; k < samples.size(); ++k) {
    if (time > samples[k].time) continue;
    const double part = (time - samples[k - 1].time) / (samples[k].time - samples[k - 1].time);
    return (1 - part) * samples[k - 1].vertices[v] + part * samples[k].vertices[v];
  }
  return samples.back().vertices[v];
}

inline std::vector<std::array<Vec3, 3>> triangles_of(const ColliderShape& shape, const Pose& moved, double time) {
  std::vector<std::array<Vec3, 3>> all;
  if (const auto* box = std::get_if<BoxShape>(&shape)) {
    Mat3 turned = Mat3::Identity();
    if (const double angle = box->turn.norm(); angle > 0)
      turned = Eigen::AngleAxisd(angle, box->turn / angle).toRotationMatrix();
    const auto corner = [&](int x, int y, int z) {
      return moved.apply(box->center + turned * box->size.cwiseProduct(Vec3(x - 0.5, y - 0.5, z - 0.5)));
    };
    for (int axis = 0; axis < 3; ++axis)
      for (int end = 0; end < 2; ++end) {
        std::array<Vec3, 4> face;
        for (int k = 0; k < 4; ++k) {
          int at[3];
          at[axis] = end;
          at[(axis + 1) % 3] = k == 1 || k == 2 ? 1 : 0;
          at[(axis + 2) % 3] = k >= 2 ? 1 : 0;
          face[static_cast<std::size_t>(k)] = corner(at[0], at[1], at[2]);
        }
        all.push_back({face[0], face[1], face[2]});
        all.push_back({face[0], face[2], face[3]});
      }
  }
  if (const auto* mesh = std::get_if<MeshShape>(&shape))
    for (const Triangle& t : mesh->mesh.triangles.empty() ? brio::surface(mesh->mesh) : mesh->mesh.triangles)
      all.push_back({moved.apply(vertex_at(*mesh, t[0], time)), moved.apply(vertex_at(*mesh, t[1], time)),
                     moved.apply(vertex_at(*mesh, t[2], time))});
  return all;
}

/// What of the body is in the collider, or empty.
inline std::string find_in_collider(const Surface& body, const ColliderOptions& collider, double time) {
  constexpr long double rounding = 1e-13L;
  const Pose moved = collider.motion.empty() ? Pose{} : collider.motion.at(time);
  if (const auto* plane = std::get_if<PlaneShape>(&collider.shape)) {
    const Long3 n = longer(moved.rotation * plane->normal).normalized(), at = longer(moved.apply(plane->point));
    for (const Vec3& p : body.points)
      if (n.dot(longer(p) - at) < -rounding) return "a vertex below the plane";
  } else if (const auto* sphere = std::get_if<SphereShape>(&collider.shape)) {
    const Long3 center = longer(moved.apply(sphere->center));
    const long double radius = sphere->radius * (1 - rounding);
    for (const Vec3& p : body.points)
      if ((longer(p) - center).norm() < radius) return "a vertex in the sphere";
    for (const auto& t : body.triangles)
      if (distance(center, t) < radius) return "a triangle in the sphere";
    for (const auto& s : body.segments)
      if (distance(center, longer(s[0]), longer(s[1])) < radius) return "an edge in the sphere";
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&collider.shape)) {
    const Vec3 from = moved.apply(capsule->a), to = moved.apply(capsule->b);
    const Long3 a = longer(from), b = longer(to);
    const long double radius = capsule->radius * (1 - rounding);
    for (const Vec3& p : body.points)
      if (distance(longer(p), a, b) < radius) return "a vertex in the capsule";
    for (const auto& s : body.segments)
      if (distance(longer(s[0]), longer(s[1]), a, b) < radius) return "an edge in the capsule";
    for (const auto& t : body.triangles) {
      if (meet(from, to, t) || distance(a, t) < radius || distance(b, t) < radius) return "a triangle in the capsule";
      for (int e = 0; e < 3; ++e)
        if (distance(longer(t[e]), longer(t[(e + 1) % 3]), a, b) < radius) return "an edge in the capsule";
    }
  } else {
    for (const auto& s : triangles_of(collider.shape, moved, time)) {
      for (const auto& t : body.triangles)
        if (meet(s, t)) return "a triangle through its surface";
      for (const auto& e : body.segments)
        if (meet(e[0], e[1], s)) return "an edge through its surface";
    }
  }
  return {};
}

/// Triangles of one body, or of two, that meet and have no corner in common.
inline std::string find_in_bodies(const std::vector<Surface>& bodies) {
  struct Item {
    double low, high;
    std::size_t body, triangle;
  };
  std::vector<Item> items;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (std::size_t t = 0; t < bodies[b].triangles.size(); ++t) {
      const auto& p = bodies[b].triangles[t];
      items.push_back({std::min({p[0][0], p[1][0], p[2][0]}), std::max({p[0][0], p[1][0], p[2][0]}), b, t});
    }
  std::ranges::sort(items, {}, &Item::low);
  for (std::size_t i = 0; i < items.size(); ++i)
    for (std::size_t j = i + 1; j < items.size() && items[j].low <= items[i].high; ++j) {
      const Item &a = items[i], &b = items[j];
      if (a.body == b.body) {
        bool shared = false;
        for (const int v : bodies[a.body].corners[a.triangle])
          for (const int w : bodies[b.body].corners[b.triangle]) shared = shared || v == w;
        if (shared) continue;
      }
      if (meet(bodies[a.body].triangles[a.triangle], bodies[b.body].triangles[b.triangle]))
        return bodies[a.body].name + " through " + bodies[b.body].name;
    }
  return {};
}

/// Empty where nothing is in anything.
inline std::string find_any(const Model& model, const State& state, const std::vector<ColliderOptions>& colliders,
                            bool among_bodies) {
  std::vector<Surface> bodies;
  for (const Body& body : model.bodies()) bodies.push_back(surface_of(body, state.x));
  for (const Surface& body : bodies)
    for (const ColliderOptions& collider : colliders)
      if (const std::string found = find_in_collider(body, collider, state.time); !found.empty())
        return body.name + " and " + collider.name + ": " + found;
  return among_bodies ? find_in_bodies(bodies) : std::string();
}

}  // namespace brio::testing::exact
