/// Fields of vectors over the vertices of a model.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "brio/core.h"

namespace brio {

/// One vector per vertex, each padded to four doubles so that a SIMD register holds a row; the fourth is always zero.
class NodalField {
 public:
  static constexpr std::size_t stride = 4;  ///< doubles per row

  NodalField() = default;
  explicit NodalField(std::size_t size);  ///< all zero
  NodalField(const NodalField& other);
  NodalField& operator=(const NodalField& other);  ///< re-uses the memory when sizes agree
  NodalField(NodalField&& other) noexcept
      : size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)),
        data_(std::move(other.data_)) {}
  NodalField& operator=(NodalField&& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    data_ = std::move(other.data_);
    return *this;
  }
  ~NodalField() = default;

  std::size_t size() const { return size_; }
  void set_zero();
  /// More rows at the end. Memory grows by half, so that n rows one by one cost O(n).
  void append(std::span<const Vec3> rows);

  double* row(std::size_t i) { return data_.get() + stride * i; }
  const double* row(std::size_t i) const { return data_.get() + stride * i; }
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }

  Eigen::Map<Vec3> operator[](std::size_t i) { return Eigen::Map<Vec3>(row(i)); }
  Eigen::Map<const Vec3> operator[](std::size_t i) const { return Eigen::Map<const Vec3>(row(i)); }

 private:
  struct Free {
    void operator()(double* p) const;
  };
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  ///< rows that there is memory for
  std::unique_ptr<double[], Free> data_;
};

}  // namespace brio
