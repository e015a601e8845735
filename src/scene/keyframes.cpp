#include "scene/keyframes.h"

#include <cmath>
#include <numbers>

#include "math/direction.h"

namespace brio {
namespace {

/// What stands beside the keys.
struct Course {
  Vec3 axis{0, 1, 0};
  Vec3 pivot = Vec3::Zero();  ///< [m]
  std::string interpolate = "linear";
};

const FieldTable<Course>& axis_fields() {
  static const auto table =
      FieldTable<Course>{}.vector("axis", &Course::axis, "", Bound::any(), "of the turn, any length but zero");
  return table;
}
const FieldTable<Course>& pivot_fields() {
  static const auto table = FieldTable<Course>{}.vector("pivot", &Course::pivot, "m", Bound::any(),
                                                        "the point that the path carries and about which it turns");
  return table;
}
const FieldTable<Course>& interpolate_fields() {
  static const auto table =
      FieldTable<Course>{}.text("interpolate", &Course::interpolate, {"linear", "smooth"},
                                "linear: velocities jump at keys; smooth: they do not, nothing overshoots, and it "
                                "starts and ends at rest");
  return table;
}

double number_of(const Node& item) {
  const Entry entry = item.entry();
  if (const auto* whole = std::get_if<std::int64_t>(&entry.value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&entry.value)) return *real;
  refuse(item, "must be a number");
}

/// Angles about `axis`, or axes times angles, whichever the first of them is; in radians.
std::vector<Sample> read_turns(const Node& turn, const Node* axis_node, const Vec3& axis) {
  const auto has_own_axis = [](const Node& item) { return item.kind == Node::Kind::array; };
  const bool own_axes = turn.kind == Node::Kind::array && !turn.children.empty() && has_own_axis(turn.children[0]);
  if (own_axes && axis_node != nullptr)
    refuse(*axis_node, "is of no use where turn gives [time, [x, y, z]]", "there, axis times degrees say both");
  std::vector<Sample> turns = read_samples(turn, own_axes ? 3 : 1,
                                           own_axes ? "a list of [time, [x, y, z]], axis times degrees, throughout"
                                                    : "a list of [time, degrees], or of [time, [x, y, z]]");
  constexpr double degree = std::numbers::pi / 180;
  for (Sample& sample : turns)
    sample.value = own_axes ? Vec3(degree * sample.value) : Vec3(sample.value[0] * degree * direction_of(axis));
  return turns;
}

}  // namespace

const std::vector<std::string> motion_keys{"path", "turn", "axis", "pivot", "interpolate"};

std::vector<Sample> read_samples(const Node& node, int length, const std::string& form) {
  std::vector<Sample> samples;
  const auto list = [&](const Node& item, std::size_t wanted) {
    if (item.kind != Node::Kind::plain) refuse(item, "must be " + form);
    const Entry entry = item.entry();
    const auto* numbers = std::get_if<std::vector<double>>(&entry.value);
    if (numbers == nullptr || numbers->size() != wanted) refuse(item, "must be " + form);
    return *numbers;
  };
  if (node.kind != Node::Kind::array || node.children.empty()) refuse(node, "must be " + form);
  for (const Node& item : node.children) {
    Sample sample{};
    if (length == 1) {
      const std::vector<double> pair = list(item, 2);
      sample = {.time = pair[0], .value = Vec3(pair[1], 0, 0)};
    } else {
      if (item.kind != Node::Kind::array || item.children.size() != 2) refuse(item, "must be " + form);
      const std::vector<double> place = list(item.children[1], 3);
      sample = {.time = number_of(item.children[0]), .value = Vec3(place[0], place[1], place[2])};
    }
    if (!std::isfinite(sample.time) || !sample.value.allFinite()) refuse(item, "must be finite");
    if (!samples.empty() && !(sample.time > samples.back().time)) refuse(item, "times must ascend");
    samples.push_back(sample);
  }
  return samples;
}

Motion read_motion(const Node& node, const Vec3& middle, const Vec3& offset) {
  const Node* path = node.find("path");
  const Node* turn = node.find("turn");
  const Node* axis = node.find("axis");
  const Node* pivot = node.find("pivot");
  const Node* interpolate = node.find("interpolate");
  Course course;
  if (axis != nullptr) axis_fields().set(course, axis->entry(), node.path);
  if (axis != nullptr && turn == nullptr) refuse(*axis, "is of no use without turn");
  if (course.axis.isZero(0)) refuse(*axis, "must not be zero");
  if (pivot != nullptr) pivot_fields().set(course, pivot->entry(), node.path);
  if (interpolate != nullptr) interpolate_fields().set(course, interpolate->entry(), node.path);
  if (path == nullptr && turn == nullptr) {
    for (const Node* idle : {pivot, interpolate})
      if (idle != nullptr) refuse(*idle, "is of no use without path or turn");
    return {};
  }
  Motion motion{.center = pivot != nullptr ? Vec3(course.pivot + offset) : middle};
  if (course.interpolate == "smooth") motion.interpolation = Motion::Interpolation::smooth;
  if (path != nullptr)
    for (const Sample& place : read_samples(*path, 3, "a list of [time, [x, y, z]]"))
      motion.keys.push_back({.time = place.time, .translate = place.value + offset - motion.center});
  if (turn != nullptr)
    for (const Sample& sample : read_turns(*turn, axis, course.axis))
      motion.turns.push_back({.time = sample.time, .turn = sample.value});
  return motion;
}

void document_keyframes(Reference& reference, const std::string& owner) {
  const bool is_pin = owner.ends_with("pin[]");
  reference.structured(owner + ".path", "list of [time, [x, y, z]]",
                       "where its middle, or the pivot, is at those times [s, m]; straight in between unless "
                       "interpolate says otherwise, held outside" +
                           std::string(is_pin ? "; begins where the body starts" : ""));
  reference.structured(owner + ".turn", "list of [time, degrees] or [time, [x, y, z]]",
                       "about the axis through its middle or pivot; or axis times degrees, each with an axis of its "
                       "own" +
                           std::string(is_pin ? "; begins with 0" : ""));
  reference.table(owner, axis_fields());
  reference.structured(owner + ".pivot", "vector",
                       "[m] the point that the path carries and about which it turns; else its middle");
  reference.table(owner, interpolate_fields());
}

}  // namespace brio
