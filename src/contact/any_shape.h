/// Any rigid shape. Which one it is gets asked once per vertex, beside which that is nothing, so that contact with
/// friction, along paths and with three orders of derivatives is compiled once and not once per shape.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "contact/mesh_shape.h"
#include "contact/shapes.h"
#include "contact/tunneling.h"

namespace brio {

class AnyShape {
  using Kind = std::variant<shapes::Plane, shapes::Sphere, shapes::Box, shapes::Capsule, TriangleShape>;

 public:
  template <class Shape>
  requires std::is_constructible_v<Kind, Shape> AnyShape(Shape shape)
      : shape_(std::move(shape)) {}  // NOLINT: each of them is one

  Closest closest(const Vec3& p) const {
    return std::visit([&](const auto& shape) { return shape.closest(p); }, shape_);
  }
  /// Whether p is nearer than `thickness`, or inside; only then sets `closest`.
  bool find(const Vec3& p, double thickness, Closest& closest) const {
    return std::visit(
        [&](const auto& shape) {
          if constexpr (requires { shape.min_distance(p); })
            if (shape.min_distance(p) >= thickness) return false;
          const Closest found = shape.closest(p);
          if (!(found.distance < thickness)) return false;
          closest = found;
          return true;
        },
        shape_);
  }
  bool is_passed(const Vec3& from, const Vec3& to) const {
    return std::visit([&](const auto& shape) { return goes_through(shape, from, to); }, shape_);
  }
  bool is_plane() const { return std::holds_alternative<shapes::Plane>(shape_); }
  bool has_dents() const {
    const auto* mesh = std::get_if<TriangleShape>(&shape_);
    return mesh != nullptr && mesh->has_dents();
  }

 private:
  Kind shape_;
};

}  // namespace brio
