#include "report/phase_chart.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "record/frame_cache.h"

namespace brio {
namespace {

/// Where something is and how it moves.
struct VertexMotion {
  Vec3 x = Vec3::Zero();  ///< [m]
  Vec3 v = Vec3::Zero();  ///< [m/s]
};

int axis_of(const std::string& name, const char* option) {
  if (name == "x" || name == "y" || name == "z") return name[0] - 'x';
  throw InputError({.key = option, .value = name, .problem = "is none of x, y, z"});
}

VertexMotion motion_of(const Frame& frame, long vertex) {
  const auto at = 3 * static_cast<std::size_t>(vertex);
  return {{frame.x[at], frame.x[at + 1], frame.x[at + 2]}, {frame.v[at], frame.v[at + 1], frame.v[at + 2]}};
}

/// Refuses what the recording does not hold.
long checked_vertex(const FrameCache& frames, double vertex, const char* option) {
  const auto count = static_cast<double>(frames.info().vertices);
  if (!(vertex >= 0) || vertex >= count || vertex != std::floor(vertex))
    throw InputError({.key = option,
                      .value = fmt::format("{}", vertex),
                      .problem = fmt::format("{} has no such vertex", frames.path().string()),
                      .advice = fmt::format("name one of 0 to {}", frames.info().vertices - 1)});
  return static_cast<long>(vertex);
}

class Angle {
 public:
  Angle(const FrameCache& frames, const PhaseChoice& choice)
      : axis_(Vec3::Unit(axis_of(choice.about, "--about"))),
        zero_(choice.about == "y" ? Vec3::UnitX() : Vec3(-Vec3::UnitY())) {
    if (choice.pivot.size() == 3) {
      point_.x = {choice.pivot[0], choice.pivot[1], choice.pivot[2]};
    } else if (choice.pivot.size() == 1) {
      vertex_ = checked_vertex(frames, choice.pivot[0], "--pivot");
    } else {
      throw InputError({.key = "--pivot",
                        .problem = fmt::format("has {} numbers", choice.pivot.size()),
                        .advice = "give a vertex, or the x,y,z of a point"});
    }
  }

  /// Angle and rate; the frames come in their order, so that turns add up.
  std::pair<double, double> of(const VertexMotion& motion, const Frame& frame) {
    const VertexMotion pivot = vertex_ < 0 ? point_ : motion_of(frame, vertex_);
    const Vec3 arm = motion.x - pivot.x - axis_ * axis_.dot(motion.x - pivot.x);
    if (arm.squaredNorm() == 0)
      throw InputError({.key = "--pivot",
                        .problem = "the vertex lies on the axis through it, where there is no angle",
                        .advice = "choose another --vertex, --pivot or --about"});
    const double wrapped = std::atan2(arm.dot(axis_.cross(zero_)), arm.dot(zero_));
    const double turn = 2 * std::numbers::pi;
    angle_ = wrapped + turn * std::round((angle_ - wrapped) / turn);
    return {angle_, arm.cross(motion.v - pivot.v).dot(axis_) / arm.squaredNorm()};
  }

 private:
  Vec3 axis_;
  Vec3 zero_;  ///< where the angle is zero
  VertexMotion point_{};
  long vertex_ = -1;
  double angle_ = 0;  ///< of the frame before
};

Series phase_curve(const NamedFrames& run, const PhaseChoice& choice) {
  const FrameCache frames(run.file);
  if (frames.frames() == 0) throw InputError({.file = run.file.string(), .problem = "has no complete frame"});
  const auto last = static_cast<long>(frames.info().vertices) - 1;
  const long vertex = checked_vertex(frames, static_cast<double>(choice.vertex.value_or(last)), "--vertex");
  const bool turns = choice.coordinate == "angle";
  Angle angle(frames, choice);
  Series curve{.name = run.name, .x = {}, .y = {}};
  Frame frame;
  for (long k = 0; k < frames.frames(); ++k) {
    frames.read(k, frame);
    const VertexMotion motion = motion_of(frame, vertex);
    if (turns) {
      const auto [position, rate] = angle.of(motion, frame);
      curve.x.push_back(position);
      curve.y.push_back(rate);
    } else {
      const int axis = axis_of(choice.coordinate, "--phase");
      curve.x.push_back(motion.x[axis]);
      curve.y.push_back(motion.v[axis]);
    }
  }
  return curve;
}

}  // namespace

Chart phase_chart(const std::vector<NamedFrames>& runs, const PhaseChoice& choice) {
  const bool turns = choice.coordinate == "angle";
  Chart chart{.title = "",
              .x_label = turns ? "angle [rad]" : fmt::format("{} [m]", choice.coordinate),
              .x_margin = 0.04,
              .y_label = turns ? "rate [rad/s]" : fmt::format("velocity along {} [m/s]", choice.coordinate)};
  for (const NamedFrames& run : runs) chart.series.push_back(phase_curve(run, choice));
  return chart;
}

}  // namespace brio
