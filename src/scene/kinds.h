/// The kinds of body and the keys that each understands.
#pragma once

#include <variant>

#include "brio/model.h"
#include "scene/mesh.h"

namespace brio {

/// What bodies of every kind have.
struct BodyCommon {
  std::string name;
  std::string kind{};            ///< empty: what the mesh suggests
  Vec3 position = Vec3::Zero();  ///< [m]
  double scale = 1;
  Vec3 velocity = Vec3::Zero();  ///< [m/s]
  Vec3 spin = Vec3::Zero();      ///< [rad/s]
  std::vector<double> color{};   ///< red, green and blue as screens show them (sRGB); empty: the next of a palette
};
const FieldTable<BodyCommon>& common_fields();

using BodyOptions = std::variant<SolidOptions, ClothOptions, WireOptions, ParticlesOptions>;
/// Reads the keys of that kind; keys of other kinds are refused.
BodyOptions read_options(const Node& node, const std::string& kind, const std::string& name, SceneMesh shape);

void document_kinds(Reference& reference);

}  // namespace brio
