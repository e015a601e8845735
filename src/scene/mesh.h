/// `mesh = { generate = "bar", … }`, `{ file = "x.msh" }` or `{ model = "bunny" }`.
#pragma once

#include "brio/mesh.h"
#include "scene/reference.h"
#include "scene/value.h"

namespace brio {

struct SceneMesh {
  Mesh mesh;
  std::array<int, 2> grid{0, 0};  ///< cells, when it is a generated sheet
};

SceneMesh read_scene_mesh(const Node& node);

void document_mesh(Reference& reference, const std::string& prefix);

}  // namespace brio
