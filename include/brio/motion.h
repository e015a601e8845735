/// Keyframes: how what is driven from outside moves.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "brio/core.h"

namespace brio {

/// A rigid displacement: turned, then moved.
struct Pose {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();  ///< [m]

  Vec3 apply(const Vec3& point) const { return rotation * point + translation; }
  Vec3 undo(const Vec3& point) const { return rotation.transpose() * (point - translation); }
};

/// How fast the points of something rigid move.
struct PoseRate {
  Vec3 linear = Vec3::Zero();   ///< of the pivot [m/s]
  Vec3 angular = Vec3::Zero();  ///< ω [rad/s]
  Vec3 pivot = Vec3::Zero();    ///< [m]

  Vec3 at(const Vec3& point) const { return linear + angular.cross(point - pivot); }
};

/// Which of two limits is meant where a path has a kink.
enum class Side { before, after };

/// Keyframes: at rest before the first and after the last. In between turns go about the axis that leads from one
/// key to the next; along one axis they may exceed a full turn.
struct Motion {
  struct Key {
    double time = 0;                ///< [s]
    Vec3 translate = Vec3::Zero();  ///< [m]
    Vec3 turn = Vec3::Zero();       ///< about `center`: axis times angle [rad]
  };
  enum class Interpolation {
    linear,  ///< velocities jump at keys
    smooth,  ///< they do not: cubics that stay between the keys' values
  };
  std::vector<Key> keys{};
  Vec3 center = Vec3::Zero();  ///< [m]
  Interpolation interpolation = Interpolation::linear;
  /// Turns that have times of their own: of these only `turn` counts, and of `keys` only `translate`. Empty: `keys`
  /// say both.
  std::vector<Key> turns{};
  /// Beyond the first and the last key it goes on as it goes next to them, instead of resting.
  bool extends = false;

  bool empty() const { return keys.empty() && turns.empty(); }
  std::vector<double> times() const;  ///< of all keys, ascending [s]
  Pose at(double time) const;
  /// The same as a key.
  Key key_at(double time) const;
  /// Of the same curve.
  PoseRate rate(double time, Side side = Side::after) const;
  /// Throws InputError naming `key` for times that do not ascend and numbers that are not finite.
  void check(const std::string& key) const;
};

/// How the points of attachments are driven.
enum class Forcing {
  path,  ///< within the step, as everything that has a path
  s1,    ///< they jump before it; the energy which that adds is the user's work [S1 section 4.3]
};

}  // namespace brio
