/// Number types that files name at run time ("float64", "Int32", "unsigned_char"), read into one C++ type.
#pragma once

#include "mesh/io/input.h"

namespace brio {

enum class Scalar { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

inline std::size_t size_of(Scalar type) {
  constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

inline bool is_whole(Scalar type) { return type < Scalar::float32; }

/// Calls `use` with a value of the C++ type that `type` stands for.
template <class Use>
auto with_type(Scalar type, Use use) {
  switch (type) {
    case Scalar::int8:
      return use(std::int8_t{});
    case Scalar::uint8:
      return use(std::uint8_t{});
    case Scalar::int16:
      return use(std::int16_t{});
    case Scalar::uint16:
      return use(std::uint16_t{});
    case Scalar::int32:
      return use(std::int32_t{});
    case Scalar::uint32:
      return use(std::uint32_t{});
    case Scalar::int64:
      return use(std::int64_t{});
    case Scalar::uint64:
      return use(std::uint64_t{});
    case Scalar::float32:
      return use(float{});
    default:
      return use(double{});
  }
}

inline double read_coordinate(Input& in, Scalar type) {
  return with_type(type, [&]<class T>(T) { return in.coordinate_as<T>(); });
}

/// A whole number; `type` is one of the whole ones. Beyond the range of 64 signed bits it comes out negative, which no
/// count or index may be.
inline std::int64_t read_whole(Input& in, Scalar type, std::string_view what) {
  if (in.is_text()) return in.get<std::int64_t>(what);
  return with_type(type, [&]<class T>(T) { return static_cast<std::int64_t>(in.get<T>(what)); });
}

}  // namespace brio
