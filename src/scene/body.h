/// One [[body]] of a scene.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <unordered_set>

#include "brio/model.h"
#include "scene/reference.h"
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
    std::vector<int> vertices{};    ///< in the body's own numbers
    Vec3 translate = Vec3::Zero();  ///< [m]
    double scale = 1;               ///< about their middle
    Eigen::AngleAxisd turn{0, Vec3::UnitX()};
    std::vector<double> parts{};  ///< how much of that each of them gets, in [0, 1]; empty: all
    double scatter = 0;           ///< each goes anywhere in a cube of this edge around the middle [m]; 0: stays
    int seed = 1;

    Placement placement(std::size_t i) const;  ///< of the i-th of them, about their middle
  };
  BodyId body{};
  std::vector<Vec3> places{};    ///< of its vertices [m]; empty: as at rest
  Vec3 velocity = Vec3::Zero();  ///< [m/s]
  Vec3 spin = Vec3::Zero();      ///< about the center of mass [rad/s]
  std::vector<Deform> deforms{};
  std::optional<std::array<float, 3>> color{};  ///< linear red, green and blue in [0, 1]

  std::vector<Vec3> positions(const Body& body) const;  ///< of its vertices [m]
  void apply(const Model& model, State& state) const;
};

/// `{ axis = [x, y, z], degrees = d }`.
Eigen::AngleAxisd read_turn(const Node& node);

using BodyNames = std::unordered_set<std::string>;  ///< those that are taken

/// Adds the body, or all of its copies, with pins and attachments to the model. Throws InputError naming the place.
std::vector<BodyStart> read_bodies(const Node& node, Model& model, BodyNames& names);

/// What holds and pushes a body that is in the model: the members pin, attach, push, constrain and wind of the node.
/// Returns the pins.
std::vector<PinId> read_supports(const Node& node, const BodyStart& start, Model& model,
                                 const Vec3& offset = Vec3::Zero());

void document_body(Reference& reference);

}  // namespace brio
