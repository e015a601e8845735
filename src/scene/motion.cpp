#include "scene/motion.h"

#include <algorithm>
#include <numbers>

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

Motion read_motion(const Node& node, const Body& body, const std::vector<int>& vertices) {
  Vec3 middle = Vec3::Zero();
  for (const int v : vertices) middle += body.mesh.vertices[v] / static_cast<double>(vertices.size());
  return read_motion(node, middle);
}

Motion read_motion(const Node& node, const Vec3& middle) {
  const Node* path = node.find("path");
  const Node* turn = node.find("turn");
  const Node* axis_node = node.find("axis");
  Axis axis;
  if (axis_node != nullptr) axis_fields().set(axis, axis_node->entry(), node.path);
  if (axis_node != nullptr && turn == nullptr) refuse(*axis_node, "is of no use without turn");
  if (axis.axis.isZero(0)) refuse(*axis_node, "must not be zero");
  if (path == nullptr && turn == nullptr) return {};
  const std::vector<Sample> places =
      path != nullptr ? read_samples(*path, 3) : std::vector<Sample>{{.time = 0, .value = middle}};
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
                           .turn = at(angles, time)[0] * std::numbers::pi / 180 * axis.axis.normalized()});
  return motion;
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
                         "where its middle is at those times [s, m]; straight in between, held outside");
    reference.structured(owner + ".turn", "list of [time, degrees]", "about the axis through its middle");
    reference.table(owner, axis_fields());
  }
  reference.structured(body + ".push[]", "table", "a force from outside: select, force");
  reference.structured(body + ".push[].force", "list of [time, [x, y, z]]",
                       "on all selected vertices together [s, N]; straight in between, none outside");
  reference.table(body + ".wind", wind_fields());
}

}  // namespace brio
