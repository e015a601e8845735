#include <algorithm>
#include <cstdlib>
#include <limits>

#include "brio/math.h"
#include "core/out_of_memory.h"

namespace brio {
namespace {

double* allocate_zeroed(std::size_t rows) {
  if (rows == 0) return nullptr;
  constexpr std::size_t row_bytes = NodalField::stride * sizeof(double);
  if (rows > std::numeric_limits<std::size_t>::max() / row_bytes - 64) throw std::bad_array_new_length();
  const std::size_t bytes = (rows * row_bytes + 63) / 64 * 64;
  auto* p = static_cast<double*>(std::aligned_alloc(64, bytes));
  if (p == nullptr) throw OutOfMemory(bytes);
  std::fill_n(p, rows * NodalField::stride, 0.0);
  return p;
}

}  // namespace

void NodalField::Free::operator()(double* p) const { std::free(p); }

NodalField::NodalField(std::size_t size) : size_(size), capacity_(size), data_(allocate_zeroed(size)) {}

NodalField::NodalField(const NodalField& other) : NodalField(other.size_) { *this = other; }

NodalField& NodalField::operator=(const NodalField& other) {
  if (this == &other) return *this;
  if (size_ != other.size_) *this = NodalField(other.size_);
  if (size_ > 0) std::copy_n(other.data(), stride * size_, data());
  return *this;
}

void NodalField::set_zero() { std::fill_n(data(), stride * size_, 0.0); }

void NodalField::append(std::span<const Vec3> rows) {
  const std::size_t before = size_;
  if (before + rows.size() > capacity_) {
    NodalField larger(std::max(before + rows.size(), before + before / 2));
    std::copy_n(data(), stride * before, larger.data());
    *this = std::move(larger);
  }
  size_ = before + rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) (*this)[before + i] = rows[i];
}

}  // namespace brio
