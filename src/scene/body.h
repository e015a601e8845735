/// One [[body]] of a scene.
#pragma once

#include <Eigen/Geometry>

#include "brio/model.h"
#include "scene/value.h"

namespace brio {

/// p -> turn * (scale * p) + position, about the body's origin or the middle of what is deformed.
struct Placement {
  Vec3 position = Vec3::Zero();  ///< [m]
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  double scale = 1;

  Vec3 operator()(const Vec3& p) const { return turn * (scale * p) + position; }
};

/// How a body starts, once all bodies are there.
struct BodyStart {
  struct Deform {
    std::vector<int> vertices;  ///< in the body's own numbers
    Placement placement;        ///< about their middle
  };
  int body = 0;
  Vec3 velocity = Vec3::Zero();  ///< [m/s]
  Vec3 spin = Vec3::Zero();      ///< about the centre of mass [rad/s]
  std::vector<Deform> deforms{};

  void apply(const Model& model, State& state) const;
};

/// Adds the body with its pins and attachments to the model. Throws InputError naming the place.
BodyStart read_body(const Node& node, Model& model);

}  // namespace brio
