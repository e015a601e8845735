/// Keyframes as curves: where they are and how fast, from the same formulas.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "model/body_checks.h"

namespace brio {
namespace {

using Key = Motion::Key;

Mat3 turned(const Vec3& turn) {
  const double angle = turn.norm();
  return angle > 0 ? Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() : Mat3(Mat3::Identity());
}

/// Whether both turns go about one axis, so that angles can be interpolated as they are, full turns and all.
bool share_axis(const Key& a, const Key& b) {
  constexpr double parallel = 1e-12;
  return a.turn.cross(b.turn).norm() <= parallel * a.turn.norm() * b.turn.norm();
}

/// The slope of a curve at the key k that never overshoots: zero where it turns back, else the harmonic mean of the
/// secants. [Fritsch & Butland 1984]
template <class Value>
Vec3 slope_at(const std::vector<Key>& keys, std::size_t k, Value value) {
  if (k == 0 || k + 1 == keys.size()) return Vec3::Zero();
  const double before = keys[k].time - keys[k - 1].time, after = keys[k + 1].time - keys[k].time;
  const Vec3 to = (value(keys[k]) - value(keys[k - 1])) / before, from = (value(keys[k + 1]) - value(keys[k])) / after;
  Vec3 slope = Vec3::Zero();
  for (int c = 0; c < 3; ++c) {
    if (!(to[c] * from[c] > 0)) continue;
    const double w = (before + 2 * after) / (3 * (before + after));
    slope[c] = to[c] * from[c] / (w * from[c] + (1 - w) * to[c]);
  }
  return slope;
}

struct Placed {
  Vec3 value, rate;
};

/// Hermite's cubic between two keys.
Placed cubic(const Vec3& a, const Vec3& b, const Vec3& slope_a, const Vec3& slope_b, double s, double span) {
  const double s2 = s * s, s3 = s2 * s;
  return {(2 * s3 - 3 * s2 + 1) * a + (s3 - 2 * s2 + s) * span * slope_a + (3 * s2 - 2 * s3) * b +
              (s3 - s2) * span * slope_b,
          (6 * s2 - 6 * s) / span * (a - b) + (3 * s2 - 4 * s + 1) * slope_a + (3 * s2 - 2 * s) * slope_b};
}

struct Curve {
  Vec3 translate = Vec3::Zero(), velocity = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  Vec3 angular = Vec3::Zero();
};

Curve held(const Key& key) { return {.translate = key.translate, .rotation = turned(key.turn)}; }

Curve between(const Motion& motion, std::size_t i, double time) {
  const std::vector<Key>& keys = motion.keys;
  const Key &a = keys[i], &b = keys[i + 1];
  const double span = b.time - a.time;
  const double s = (time - a.time) / span;
  const bool smooth = motion.interpolation == Motion::Interpolation::smooth;
  const auto follow = [&](auto value, bool rests_at_a, bool rests_at_b) -> Placed {
    if (!smooth) return {value(a) + s * (value(b) - value(a)), (value(b) - value(a)) / span};
    const Vec3 slope_a = rests_at_a ? Vec3(Vec3::Zero()) : slope_at(keys, i, value);
    const Vec3 slope_b = rests_at_b ? Vec3(Vec3::Zero()) : slope_at(keys, i + 1, value);
    return cubic(value(a), value(b), slope_a, slope_b, s, span);
  };
  const Placed place = follow([](const Key& key) { return key.translate; }, false, false);
  Curve curve{.translate = place.value, .velocity = place.rate};
  if (share_axis(a, b)) {
    // Where the axis changes a smooth turn rests for an instant.
    const bool rests_at_a = i > 0 && !share_axis(keys[i - 1], a);
    const bool rests_at_b = i + 2 < keys.size() && !share_axis(b, keys[i + 2]);
    const Placed turn = follow([](const Key& key) { return key.turn; }, rests_at_a, rests_at_b);
    curve.rotation = turned(turn.value);
    curve.angular = turn.rate;
  } else {
    const Mat3 start = turned(a.turn);
    const Eigen::AngleAxisd step(Mat3(turned(b.turn) * start.transpose()));
    const double fraction = smooth ? s * s * (3 - 2 * s) : s;
    const double rate = smooth ? 6 * s * (1 - s) / span : 1 / span;
    curve.rotation = turned(fraction * step.angle() * step.axis()) * start;
    curve.angular = rate * step.angle() * step.axis();
  }
  return curve;
}

/// Between the keys before and after; at a key on the side asked for.
Curve curve_at(const Motion& motion, double time, Side side) {
  const std::vector<Key>& keys = motion.keys;
  const auto after = side == Side::after ? std::ranges::upper_bound(keys, time, {}, &Key::time)
                                         : std::ranges::lower_bound(keys, time, {}, &Key::time);
  if (after == keys.begin()) return held(keys.front());
  if (after == keys.end()) return held(keys.back());
  return between(motion, static_cast<std::size_t>(after - keys.begin()) - 1, time);
}

}  // namespace

Pose Motion::at(double time) const {
  if (keys.empty()) return {};
  const Curve curve = curve_at(*this, time, Side::after);
  return {.rotation = curve.rotation, .translation = center - curve.rotation * center + curve.translate};
}

Motion::Key Motion::key_at(double time) const {
  if (keys.empty()) return {.time = time};
  const Curve curve = curve_at(*this, time, Side::after);
  const Eigen::AngleAxisd turn(curve.rotation);
  return {.time = time, .translate = curve.translate, .turn = turn.angle() * turn.axis()};
}

PoseRate Motion::rate(double time, Side side) const {
  if (keys.empty()) return {};
  const Curve curve = curve_at(*this, time, side);
  return {.linear = curve.velocity, .angular = curve.angular, .pivot = center + curve.translate};
}

void Motion::check(const std::string& key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string place = fmt::format("{}[{}]", key, i);
    check_number(place + ".time", keys[i].time, Bound::any());
    if (i > 0 && keys[i].time <= keys[i - 1].time)
      throw InputError({.key = place + ".time",
                        .value = fmt::format("{}", keys[i].time),
                        .problem = fmt::format("must be later than {}", keys[i - 1].time)});
    for (int c = 0; c < 3; ++c) {
      check_number(place + ".translate", keys[i].translate[c], Bound::any());
      check_number(place + ".turn", keys[i].turn[c], Bound::any());
    }
  }
  for (int c = 0; c < 3; ++c) check_number(key + ".center", center[c], Bound::any());
}

}  // namespace brio
