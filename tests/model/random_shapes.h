/// Deformed shapes for testing energies away from rest.
#pragma once

#include <Eigen/Geometry>
#include <random>
#include <string>
#include <vector>

#include "brio/math.h"
#include "brio/mesh.h"

namespace brio::testing {

/// A small irregular block of tetrahedra: 2 x 2 x 2 cells of six, inner vertices displaced.
inline Mesh small_block() {
  Mesh mesh;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> shift(-0.15, 0.15);
  auto id = [](int i, int j, int k) { return (k * 3 + j) * 3 + i; };
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) mesh.vertices.emplace_back(i + shift(random), j + shift(random), k + shift(random));
  constexpr int six[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
        for (const auto& t : six) {
          auto corner = [&](int c) { return id(i + (c & 1), j + ((c >> 1) & 1), k + ((c >> 2) & 1)); };
          mesh.tets.push_back({corner(t[0]), corner(t[1]), corner(t[2]), corner(t[3])});
        }
  return mesh;
}

inline NodalField field(const std::vector<Vec3>& points) {
  NodalField x(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) x[i] = points[i];
  return x;
}

struct Shape {
  std::string name;
  NodalField x;
  bool inverted;  ///< some element has J < 0
};

inline NodalField moved(const NodalField& x, const Eigen::Matrix3d& linear, const Vec3& shift, double noise = 0) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> u(-noise, noise);
  NodalField y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = linear * Vec3(x[i]) + shift + Vec3(u(random), u(random), u(random));
  return y;
}

inline Eigen::Matrix3d rotation(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

/// Random, rotated, stretched, compressed, nearly flat, inverted.
inline std::vector<Shape> shapes(const NodalField& rest) {
  const Eigen::Matrix3d turn = rotation(2.1, {1, 2, -1});
  auto scaled = [&](double a, double b, double c) -> Eigen::Matrix3d {
    return turn * Vec3(a, b, c).asDiagonal() * rotation(0.7, {0, 1, 1});
  };
  const Vec3 away(3, -2, 1);
  return {{"random", moved(rest, Eigen::Matrix3d::Identity(), Vec3::Zero(), 0.08), false},
          {"rotated", moved(rest, turn, away, 0.05), false},
          {"stretched", moved(rest, scaled(1.9, 1.4, 1.1), away, 0.05), false},
          {"compressed", moved(rest, scaled(0.6, 0.7, 0.5), away, 0.02), false},
          {"nearly flat", moved(rest, scaled(1.2, 1.1, 0.02), away), false},
          {"inverted", moved(rest, scaled(1.1, 0.9, -0.6), away, 0.03), true},
          {"nearly flat, inverted", moved(rest, scaled(1.2, 1.1, -0.02), away), true}};
}

}  // namespace brio::testing
