#include "scene/motion.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "scene/select.h"

namespace brio {
namespace {

std::string point_text(const Vec3& p) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", p[0], p[1], p[2]); }

const FieldTable<Wind>& wind_fields() {
  static const auto table = FieldTable<Wind>{}
                                .vector("velocity", &Wind::velocity, "m/s", Bound::any(), "of the air")
                                .number("density", &Wind::density, "kg/m^3", Bound::not_negative(), "of the air")
                                .number("gust", &Wind::gust, "", Bound::any(), "relative amplitude of gusts")
                                .number("period", &Wind::period, "s", Bound::positive(), "of gusts");
  return table;
}

}  // namespace

Vec3 middle_of(const std::vector<Vec3>& places, const std::vector<int>& vertices) {
  Vec3 middle = Vec3::Zero();
  for (const int v : vertices) middle += places[static_cast<std::size_t>(v)] / static_cast<double>(vertices.size());
  return middle;
}

Motion PinReader::read(const Node& node, const std::vector<int>& vertices) {
  const Vec3 middle = middle_of(places_, vertices);
  Pin pin{.path = node.path, .vertices = vertices, .motion = read_motion(node, middle, offset_)};
  refuse_other_start(node, pin.motion);
  for (const Pin& earlier : pins_) refuse_contradiction(node, pin, earlier);
  pins_.push_back(std::move(pin));
  return pins_.back().motion;
}

/// Pins cannot jump: what a path says of the start must be so, give or take the digits that people type.
void PinReader::refuse_other_start(const Node& node, const Motion& motion) const {
  constexpr double typed = 1e-3;    // of the body's size
  constexpr double degrees = 1e-3;  // likewise, of angles
  const Pose start = motion.at(0);
  const Vec3& carried = motion.center;
  const Vec3 gap =
      (carried - start.apply(carried)).unaryExpr([&](double c) { return std::abs(c) < 1e-9 * size_ ? 0 : c; });
  if (gap.norm() > typed * size_) {
    const bool has_pivot = node.find("pivot") != nullptr;
    refuse(*node.find("path"),
           fmt::format("begins at {}, but the {} is at {}", point_text(start.apply(carried) - offset_),
                       has_pivot ? "pivot" : "middle of what it moves", point_text(carried - offset_)),
           fmt::format("a path says where the {} is: add {} to every place", has_pivot ? "pivot" : "middle",
                       point_text(gap)));
  }
  const double turned = Eigen::AngleAxisd(start.rotation).angle() * 180 / std::numbers::pi;
  if (turned > degrees)
    refuse(*node.find("turn"), fmt::format("is {:.4g} degrees at the start, where nothing is turned", turned),
           "begin with 0: subtract the first angle from all");
}

/// When two motions are compared: at the keys of both, and in between, off the middle, where linear and smooth meet.
std::vector<double> probed_times(const Motion& one, const Motion& other) {
  std::vector<double> times = one.times();
  std::ranges::copy(other.times(), std::back_inserter(times));
  std::ranges::sort(times);
  const std::size_t keys = times.size();
  for (std::size_t k = 1; k < keys; ++k) times.push_back(times[k - 1] + 0.25 * (times[k] - times[k - 1]));
  return times;
}

void PinReader::refuse_contradiction(const Node& node, const Pin& pin, const Pin& earlier) const {
  constexpr double same = 1e-3;  // of the body's size, as above
  std::vector<int> both;
  std::ranges::set_intersection(pin.vertices, earlier.vertices, std::back_inserter(both));
  if (both.empty()) return;
  for (const double time : probed_times(pin.motion, earlier.motion)) {
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
  for (const Sample& sample : read_samples(*force, 3, "a list of [time, [x, y, z]]"))
    push.keys.push_back({.time = sample.time, .force = sample.value / static_cast<double>(push.vertices.size())});
  return push;
}

Wind read_wind(const Node& node) {
  require(node, Node::Kind::table, "a table with velocity");
  return wind_fields().read(node.entries(), node.path);
}

void document_motion(Reference& reference, const std::string& body) {
  for (const std::string& owner : {body + ".pin[]", body + ".attach[]", std::string("collider[]")})
    document_keyframes(reference, owner);
  reference.structured(body + ".push[]", "table", "a force from outside: select, force");
  reference.structured(body + ".push[].force", "list of [time, [x, y, z]]",
                       "on all selected vertices together [s, N]; straight in between, none outside");
  reference.table(body + ".wind", wind_fields());
}

}  // namespace brio
