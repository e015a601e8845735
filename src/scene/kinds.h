/// The kinds of body and the keys that each understands.
#pragma once

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

/// Reads the keys of that kind and adds the body; keys of other kinds are refused.
BodyId add_body(const Node& node, const std::string& kind, const std::string& name, SceneMesh shape, Model& model);

void document_kinds(Reference& reference);

}  // namespace brio
