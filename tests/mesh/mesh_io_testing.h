/// What the tests of mesh files share.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "brio/mesh.h"

namespace brio {

/// The message of the InputError that `action` throws.
template <class Action>
std::string complaint_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

/// Not only equal: the same bits, so -0 is not 0.
inline void expect_same_bits(const Mesh& a, const Mesh& b) {
  ASSERT_EQ(a.vertices.size(), b.vertices.size());
  for (std::size_t i = 0; i < a.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(a.vertices[i][k]), std::bit_cast<std::uint64_t>(b.vertices[i][k]))
          << "vertex " << i << ": " << a.vertices[i][k] << " and " << b.vertices[i][k];
  EXPECT_EQ(a.tets, b.tets);
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.segments, b.segments);
}

/// Indices in range and coordinates finite.
inline bool is_sound(const Mesh& mesh) {
  for (const Vec3& x : mesh.vertices)
    if (!x.allFinite()) return false;
  const auto in_range = [&](const auto& cells) {
    for (const auto& cell : cells)
      for (const int i : cell)
        if (i < 0 || static_cast<std::size_t>(i) >= mesh.vertices.size()) return false;
    return true;
  };
  return in_range(mesh.tets) && in_range(mesh.triangles) && in_range(mesh.segments);
}

inline void replace(std::string& text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

/// Appends the bytes of a number as machines of the other order write them.
template <class T>
void append_big(std::string& out, T value) {
  const auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  out.append(raw.rbegin(), raw.rend());
}

}  // namespace brio
