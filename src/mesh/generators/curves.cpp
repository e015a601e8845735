#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/generators.h"

namespace brio {
namespace {

constexpr double pi = std::numbers::pi;

const Bound segment_bound = Bound::closed(1, 1e7);

const FieldTable<PointsOptions>& points_fields() {
  static const auto table = FieldTable<PointsOptions>{}
                                .whole("count", &PointsOptions::count, Bound::closed(1, 1e6), "particles")
                                .number("spacing", &PointsOptions::spacing, "m", Bound::positive(), "between them");
  return table;
}

const FieldTable<LineOptions>& line_fields() {
  static const auto table = FieldTable<LineOptions>{}
                                .number("length", &LineOptions::length, "m", Bound::positive(), "length along x")
                                .whole("segments", &LineOptions::segments, segment_bound, "segments");
  return table;
}

const FieldTable<HelixOptions>& helix_fields() {
  static const auto table = FieldTable<HelixOptions>{}
                                .number("radius", &HelixOptions::radius, "m", Bound::positive(), "radius")
                                .number("pitch", &HelixOptions::pitch, "m", Bound::not_negative(), "rise per turn")
                                .number("turns", &HelixOptions::turns, "", Bound::positive(), "turns")
                                .whole("segments", &HelixOptions::segments, segment_bound, "segments");
  return table;
}

const FieldTable<OverhandKnotOptions>& knot_fields() {
  static const auto table =
      FieldTable<OverhandKnotOptions>{}
          .number("size", &OverhandKnotOptions::size, "m", Bound::positive(), "width of the knot")
          .number("tail", &OverhandKnotOptions::tail, "m", Bound::not_negative(), "length of each tail")
          .whole("segments", &OverhandKnotOptions::segments, Bound::closed(16, 1e7), "segments");
  return table;
}

Mesh chain(std::vector<Vec3> points) {
  Mesh mesh;
  mesh.vertices = std::move(points);
  for (int i = 0; i + 1 < static_cast<int>(mesh.vertices.size()); ++i) mesh.segments.push_back({i, i + 1});
  return mesh;
}

/// Points at equal distances along a polyline, its ends among them.
std::vector<Vec3> spread_evenly(const std::vector<Vec3>& line, int segments) {
  std::vector<double> walked{0};
  for (std::size_t i = 1; i < line.size(); ++i) walked.push_back(walked.back() + (line[i] - line[i - 1]).norm());
  std::vector<Vec3> points;
  std::size_t at = 0;
  for (int s = 0; s < segments; ++s) {
    const double target = walked.back() * s / segments;
    while (walked[at + 1] <= target) ++at;
    points.push_back(line[at] + (target - walked[at]) / (walked[at + 1] - walked[at]) * (line[at + 1] - line[at]));
  }
  points.push_back(line.back());
  return points;
}

/// Uniform cubic B-spline: smooth in curvature, never leaves the hull of four neighboring control points, so straight
/// tails stay straight.
std::vector<Vec3> spline(const std::vector<Vec3>& control, int samples_per_span) {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i + 3 < control.size(); ++i)
    for (int s = 0; s < samples_per_span; ++s) {
      const double t = double(s) / samples_per_span;
      const double u = 1 - t;
      points.push_back((u * u * u * control[i] + (3 * t * t * t - 6 * t * t + 4) * control[i + 1] +
                        (3 * u * u * u - 6 * u * u + 4) * control[i + 2] + t * t * t * control[i + 3]) /
                       6);
    }
  return points;
}

}  // namespace

Mesh make_points(const PointsOptions& options) {
  points_fields().check(options);
  Mesh mesh;
  for (int i = 0; i < options.count; ++i)
    mesh.vertices.emplace_back(options.spacing * (i - 0.5 * (options.count - 1)), 0.0, 0.0);
  return mesh;
}

Mesh make_line(const LineOptions& options) {
  line_fields().check(options);
  std::vector<Vec3> points;
  for (int i = 0; i <= options.segments; ++i)
    points.emplace_back(options.length * (double(i) / options.segments - 0.5), 0.0, 0.0);
  return chain(std::move(points));
}

Mesh make_helix(const HelixOptions& options) {
  helix_fields().check(options);
  std::vector<Vec3> points;
  for (int i = 0; i <= options.segments; ++i) {
    const double turn = options.turns * (double(i) / options.segments - 0.5);
    const double angle = 2 * pi * turn;
    points.emplace_back(options.radius * std::cos(angle), options.pitch * turn, -options.radius * std::sin(angle));
  }
  return chain(std::move(points));
}

/// The trefoil (sin t + 2 sin 2t, 2 cos 2t - cos t, 1.5 sin 3t) has three crossings, alternately over and under. Its
/// upper lobe, around t = pi, is left out and the two loose strands are led away along -x and +x, away from each other,
/// so that no crossing is added or lost.
Mesh make_overhand_knot(const OverhandKnotOptions& options) {
  knot_fields().check(options);
  constexpr double gap = 0.75;  // half of the parameter range left out
  constexpr int trefoil_points = 25;
  constexpr double shoulder = 3.5;     // |x| where the tails begin; the trefoil is 5.2 wide
  constexpr double tail_height = 3.2;  // y of the tails
  constexpr double width = 5.2;
  const double scale = options.size / width;
  const double tail = std::max(options.tail / scale, 1e-3);

  std::vector<Vec3> control;
  for (int i = 3; i >= 0; --i) control.emplace_back(shoulder + tail * i / 2.0, tail_height, 0.0);
  for (int i = 0; i < trefoil_points; ++i) {
    const double t = pi + gap + (2 * pi - 2 * gap) * i / (trefoil_points - 1);
    control.emplace_back(std::sin(t) + 2 * std::sin(2 * t), 2 * std::cos(2 * t) - std::cos(t), 1.5 * std::sin(3 * t));
  }
  for (int i = 0; i <= 3; ++i) control.emplace_back(-shoulder - tail * i / 2.0, tail_height, 0.0);

  std::vector<Vec3> points = spread_evenly(spline(control, 64), options.segments);
  for (Vec3& p : points) p = scale * (p - Vec3(0, tail_height, 0));
  return chain(std::move(points));
}

std::vector<Generator> curve_generators() {
  return {make_generator("points", "loose particles in a row along x", points_fields(), make_points),
          make_generator("line", "a straight wire along x", line_fields(), make_line),
          make_generator("helix", "a coiled wire around the y axis", helix_fields(), make_helix),
          make_generator("overhand-knot", "a wire along x with an open overhand knot in it", knot_fields(),
                         make_overhand_knot)};
}

}  // namespace brio
