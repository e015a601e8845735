/// What renderers want: triangles once, positions and normals after every step, as floats.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "brio/model.h"

namespace brio {

/// The surface of a body: of solids and wires that of their tets, of cloth its triangles; particles have none.
/// Vertices that are in no triangle are left out. Memory is kept from update to update, so pointers stay valid.
class BodyView {
 public:
  BodyView(const Model& model, BodyId body);

  /// Positions and normals of a state of that model, which may have other bodies by now. Throws InputError once this
  /// body has been removed.
  void update(const Model& model, const State& state);

  std::span<const std::array<std::uint32_t, 3>> triangles() const { return triangles_; }
  std::span<const std::array<float, 3>> positions() const { return positions_; }  ///< [m]
  std::span<const std::array<float, 3>> normals() const { return normals_; }      ///< of length 1, outward
  /// The body's vertex behind each of them.
  std::span<const int> vertices() const { return vertices_; }

 private:
  BodyId body_;
  std::vector<int> vertices_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  std::vector<std::array<float, 3>> positions_, normals_;
  std::vector<Vec3> sums_;
};

}  // namespace brio
