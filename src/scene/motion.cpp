#include "scene/motion.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "math/direction.h"
#include "scene/select.h"

namespace brio {
namespace {

struct Sample {
  double time;
  Vec3 value;
};

/// A list of [time, value] pairs; `length` numbers make a value, 1 or 3.
std::vector<Sample> read_samples(const Node& node, int length) {
  const std::string form = length == 3 ? "a list of [time, [x, y, z]]" : "a list of [time, value]";
  std::vector<Sample> samples;
  const auto number = [&](const Node& item) {
    const Entry entry = item.entry();
    if (const auto* whole = std::get_if<std::int64_t>(&entry.value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&entry.value)) return *real;
    refuse(item, "must be a number");
  };
  const auto list = [&](const Node& item, std::size_t wanted) {
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
      sample = {.time = number(item.children[0]), .value = Vec3(place[0], place[1], place[2])};
    }
    if (!samples.empty() && !(sample.time > samples.back().time)) refuse(item, "times must ascend");
    samples.push_back(sample);
  }
  return samples;
}

/// Linear in between, held outside.
Vec3 at(const std::vector<Sample>& samples, double time) {
  const auto after = std::ranges::upper_bound(samples, time, {}, &Sample::time);
  if (after == samples.begin()) return samples.front().value;
  if (after == samples.end()) return samples.back().value;
  const Sample& from = *(after - 1);
  return from.value + (time - from.time) / (after->time - from.time) * (after->value - from.value);
}

std::string point_text(const Vec3& p) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", p[0], p[1], p[2]); }

struct Axis {
  Vec3 axis{0, 1, 0};
};

const FieldTable<Axis>& axis_fields() {
  static const auto table =
      FieldTable<Axis>{}.vector("axis", &Axis::axis, "", Bound::any(), "of the turn, any length but zero");
  return table;
}

const FieldTable<Wind>& wind_fields() {
  static const auto table = FieldTable<Wind>{}
                                .vector("velocity", &Wind::velocity, "m/s", Bound::any(), "of the air")
                                .number("density", &Wind::density, "kg/m^3", Bound::not_negative(), "of the air")
                                .number("gust", &Wind::gust, "", Bound::any(), "relative amplitude of gusts")
                                .number("period", &Wind::period, "s", Bound::positive(), "of gusts");
  return table;
}

}  // namespace

const std::vector<std::string> motion_keys{"path", "turn", "axis"};

Vec3 middle_of(const std::vector<Vec3>& places, const std::vector<int>& vertices) {
  Vec3 middle = Vec3::Zero();
  for (const int v : vertices) middle += places[static_cast<std::size_t>(v)] / static_cast<double>(vertices.size());
  return middle;
}

Motion read_motion(const Node& node, const Vec3& middle, const Vec3& offset) {
  const Node* path = node.find("path");
  const Node* turn = node.find("turn");
  const Node* axis_node = node.find("axis");
  Axis axis;
  if (axis_node != nullptr) axis_fields().set(axis, axis_node->entry(), node.path);
  if (axis_node != nullptr && turn == nullptr) refuse(*axis_node, "is of no use without turn");
  if (axis.axis.isZero(0)) refuse(*axis_node, "must not be zero");
  if (path == nullptr && turn == nullptr) return {};
  std::vector<Sample> places =
      path != nullptr ? read_samples(*path, 3) : std::vector<Sample>{{.time = 0, .value = middle}};
  if (path != nullptr)
    for (Sample& place : places) place.value += offset;
  const std::vector<Sample> angles =
      turn != nullptr ? read_samples(*turn, 1) : std::vector<Sample>{{.time = 0, .value = Vec3::Zero()}};
  std::vector<double> times;
  if (path != nullptr)
    for (const Sample& sample : places) times.push_back(sample.time);
  if (turn != nullptr)
    for (const Sample& sample : angles) times.push_back(sample.time);
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());

  Motion motion{.center = middle};
  for (const double time : times)
    motion.keys.push_back({.time = time,
                           .translate = at(places, time) - middle,
                           .turn = at(angles, time)[0] * std::numbers::pi / 180 * direction_of(axis.axis)});
  return motion;
}

Motion PinReader::read(const Node& node, const std::vector<int>& vertices) {
  const Vec3 middle = middle_of(places_, vertices);
  Pin pin{.path = node.path, .vertices = vertices, .motion = read_motion(node, middle, offset_)};
  refuse_other_start(node, pin.motion, middle);
  for (const Pin& earlier : pins_) refuse_contradiction(node, pin, earlier);
  pins_.push_back(std::move(pin));
  return pins_.back().motion;
}

/// Pins cannot jump: what a path says of the start must be so, give or take the digits that people type.
void PinReader::refuse_other_start(const Node& node, const Motion& motion, const Vec3& middle) const {
  constexpr double typed = 1e-3;    // of the body's size
  constexpr double degrees = 1e-3;  // likewise, of angles
  const Pose start = motion.at(0);
  const Vec3 gap =
      (middle - start.apply(middle)).unaryExpr([&](double c) { return std::abs(c) < 1e-9 * size_ ? 0 : c; });
  if (gap.norm() > typed * size_)
    refuse(*node.find("path"),
           fmt::format("begins at {}, but the middle of what it moves is at {}",
                       point_text(start.apply(middle) - offset_), point_text(middle - offset_)),
           fmt::format("a path says where the middle is: add {} to every place", point_text(gap)));
  const double turned = Eigen::AngleAxisd(start.rotation).angle() * 180 / std::numbers::pi;
  if (turned > degrees)
    refuse(*node.find("turn"), fmt::format("is {:.4g} degrees at the start, where nothing is turned", turned),
           "begin with 0: subtract the first angle from all");
}

void PinReader::refuse_contradiction(const Node& node, const Pin& pin, const Pin& earlier) const {
  constexpr double same = 1e-3;  // of the body's size, as above
  std::vector<int> both;
  std::ranges::set_intersection(pin.vertices, earlier.vertices, std::back_inserter(both));
  if (both.empty()) return;
  std::vector<double> times;
  for (const Motion* motion : {&pin.motion, &earlier.motion})
    for (const Motion::Key& key : motion->keys) times.push_back(key.time);
  for (const double time : times) {
    const Pose here = pin.motion.at(time), there = earlier.motion.at(time);
    for (const int v : both) {
      const Vec3& start = places_[static_cast<std::size_t>(v)];
      if ((here.apply(start) - there.apply(start)).norm() <= same * size_) continue;
      refuse(node,
             fmt::format("moves vertex {} to {} at {:.4g} s, where {} has it at {}", v, point_text(here.apply(start)),
                         time, earlier.path, point_text(there.apply(start))),
             "select each vertex in one of them only");
    }
  }
}

Push read_push(const Node& node, const Body& body) {
  for (const Node& member : node.children)
    if (member.key != "select" && member.key != "force") refuse_unknown(member, {"select", "force"});
  const Node* force = node.find("force");
  if (force == nullptr) refuse(node, "needs force", "for example force = [[0, [0, 1, 0]], [2, [0, 1, 0]]]");
  Push push{.vertices = read_selection(node, body)};
  for (const Sample& sample : read_samples(*force, 3))
    push.keys.push_back({.time = sample.time, .force = sample.value / static_cast<double>(push.vertices.size())});
  return push;
}

Wind read_wind(const Node& node) {
  require(node, Node::Kind::table, "a table with velocity");
  return wind_fields().read(node.entries(), node.path);
}

void document_motion(Reference& reference, const std::string& body) {
  for (const std::string& owner : {body + ".pin[]", body + ".attach[]", std::string("collider[]")}) {
    reference.structured(owner + ".path", "list of [time, [x, y, z]]",
                         "where its middle is at those times [s, m]; straight in between, held outside" +
                             std::string(owner.ends_with("pin[]") ? "; begins where the body starts" : ""));
    reference.structured(
        owner + ".turn", "list of [time, degrees]",
        "about the axis through its middle" + std::string(owner.ends_with("pin[]") ? "; begins with 0" : ""));
    reference.table(owner, axis_fields());
  }
  reference.structured(body + ".push[]", "table", "a force from outside: select, force");
  reference.structured(body + ".push[].force", "list of [time, [x, y, z]]",
                       "on all selected vertices together [s, N]; straight in between, none outside");
  reference.table(body + ".wind", wind_fields());
}

}  // namespace brio
