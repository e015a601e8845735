/// Keyframes as curves: where they are and how fast, from the same formulas.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

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

struct Turned {
  Mat3 rotation = Mat3::Identity();
  Vec3 angular = Vec3::Zero();  // [rad/s]
};

/// Of one value of the keys, from the key i to the next. `rests_at_*`: its slope is zero there.
template <class Value>
Placed follow(const Motion& motion, const std::vector<Key>& keys, std::size_t i, double time, Value value,
              bool rests_at_a = false, bool rests_at_b = false) {
  const Key &a = keys[i], &b = keys[i + 1];
  const double span = b.time - a.time;
  const double s = (time - a.time) / span;
  if (motion.interpolation == Motion::Interpolation::linear)
    return {value(a) + s * (value(b) - value(a)), (value(b) - value(a)) / span};
  const Vec3 slope_a = rests_at_a ? Vec3(Vec3::Zero()) : slope_at(keys, i, value);
  const Vec3 slope_b = rests_at_b ? Vec3(Vec3::Zero()) : slope_at(keys, i + 1, value);
  return cubic(value(a), value(b), slope_a, slope_b, s, span);
}

Turned turn_between(const Motion& motion, const std::vector<Key>& keys, std::size_t i, double time) {
  const Key &a = keys[i], &b = keys[i + 1];
  if (share_axis(a, b)) {
    // Where the axis changes a smooth turn rests for an instant.
    const bool rests_at_a = i > 0 && !share_axis(keys[i - 1], a);
    const bool rests_at_b = i + 2 < keys.size() && !share_axis(b, keys[i + 2]);
    const Placed turn = follow(
        motion, keys, i, time, [](const Key& key) { return key.turn; }, rests_at_a, rests_at_b);
    return {.rotation = turned(turn.value), .angular = turn.rate};
  }
  const double span = b.time - a.time;
  const double s = (time - a.time) / span;
  const bool smooth = motion.interpolation == Motion::Interpolation::smooth;
  const Mat3 start = turned(a.turn);
  const Eigen::AngleAxisd step(Mat3(turned(b.turn) * start.transpose()));
  const double fraction = smooth ? s * s * (3 - 2 * s) : s;
  const double rate = smooth ? 6 * s * (1 - s) / span : 1 / span;
  return {.rotation = turned(fraction * step.angle() * step.axis()) * start,
          .angular = rate * step.angle() * step.axis()};
}

/// Steps rarely end on a key to the last digit: a time so near to one is taken as its own, so that the right one of two
/// velocities is.
double snapped(const std::vector<Key>& keys, double time) {
  constexpr double near = 1e-9;  // of the shorter way to a neighbor
  const auto after = std::ranges::lower_bound(keys, time, {}, &Key::time);
  const auto try_key = [&](auto key) {
    double span = std::numeric_limits<double>::infinity();
    if (key != keys.begin()) span = key->time - (key - 1)->time;
    if (key + 1 != keys.end()) span = std::min(span, (key + 1)->time - key->time);
    return std::isfinite(span) && std::abs(time - key->time) <= near * span;
  };
  if (after != keys.end() && try_key(after)) return after->time;
  if (after != keys.begin() && try_key(after - 1)) return (after - 1)->time;
  return time;
}

/// What holds at a time: `held` of the nearest key outside of them, unless the path extends, else `between` a key and
/// the next; at a key on the side asked for.
template <class Held, class Between>
auto look_up(const std::vector<Key>& keys, bool extends, double exact_time, Side side, Held held, Between between) {
  const double time = snapped(keys, exact_time);
  const auto after = side == Side::after ? std::ranges::upper_bound(keys, time, {}, &Key::time)
                                         : std::ranges::lower_bound(keys, time, {}, &Key::time);
  if (extends && keys.size() > 1 && time < keys.front().time) return between(std::size_t{0}, time);
  if (extends && keys.size() > 1 && time > keys.back().time) return between(keys.size() - 2, time);
  if (after == keys.begin()) return held(keys.front());
  if (after == keys.end()) return held(keys.back());
  return between(static_cast<std::size_t>(after - keys.begin()) - 1, time);
}

Placed place_at(const Motion& motion, double time, Side side) {
  if (motion.keys.empty()) return {.value = Vec3::Zero(), .rate = Vec3::Zero()};
  return look_up(
      motion.keys, motion.extends, time, side,
      [](const Key& key) { return Placed{.value = key.translate, .rate = Vec3::Zero()}; },
      [&](std::size_t i, double at) {
        return follow(motion, motion.keys, i, at, [](const Key& key) { return key.translate; });
      });
}

Turned turn_at(const Motion& motion, double time, Side side) {
  const std::vector<Key>& keys = motion.turns.empty() ? motion.keys : motion.turns;
  if (keys.empty()) return {};
  return look_up(
      keys, motion.extends, time, side, [](const Key& key) { return Turned{.rotation = turned(key.turn)}; },
      [&](std::size_t i, double at) { return turn_between(motion, keys, i, at); });
}

void check_keys(const std::vector<Key>& keys, const std::string& name) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string place = fmt::format("{}[{}]", name, i);
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
}

}  // namespace

Pose Motion::at(double time) const {
  if (empty()) return {};
  const Mat3 rotation = turn_at(*this, time, Side::after).rotation;
  return {.rotation = rotation, .translation = center - rotation * center + place_at(*this, time, Side::after).value};
}

Motion::Key Motion::key_at(double time) const {
  const Eigen::AngleAxisd turn(turn_at(*this, time, Side::after).rotation);
  return {.time = time, .translate = place_at(*this, time, Side::after).value, .turn = turn.angle() * turn.axis()};
}

PoseRate Motion::rate(double time, Side side) const {
  if (empty()) return {};
  const Placed place = place_at(*this, time, side);
  return {.linear = place.rate, .angular = turn_at(*this, time, side).angular, .pivot = center + place.value};
}

std::vector<double> Motion::times() const {
  std::vector<double> times;
  for (const std::vector<Key>* list : {&keys, &turns})
    for (const Key& key : *list) times.push_back(key.time);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void Motion::check(const std::string& key) const {
  check_keys(keys, key);
  check_keys(turns, key + ".turns");
  for (int c = 0; c < 3; ++c) check_number(key + ".center", center[c], Bound::any());
}

}  // namespace brio
