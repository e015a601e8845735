#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

#include "brio/math.h"

namespace brio {
namespace {

double* allocate_zeroed(std::size_t rows) {
  if (rows == 0) return nullptr;
  constexpr std::size_t row_bytes = NodalField::stride * sizeof(double);
  if (rows > std::numeric_limits<std::size_t>::max() / row_bytes - 64) throw std::bad_array_new_length();
  auto* p = static_cast<double*>(std::aligned_alloc(64, (rows * row_bytes + 63) / 64 * 64));
  if (p == nullptr) throw std::bad_alloc();
  std::fill_n(p, rows * NodalField::stride, 0.0);
  return p;
}

}  // namespace

void NodalField::Free::operator()(double* p) const { std::free(p); }

NodalField::NodalField(std::size_t size) : size_(size), data_(allocate_zeroed(size)) {}

NodalField::NodalField(const NodalField& other) : NodalField(other.size_) { *this = other; }

NodalField& NodalField::operator=(const NodalField& other) {
  if (this == &other) return *this;
  if (size_ != other.size_) *this = NodalField(other.size_);
  if (size_ > 0) std::copy_n(other.data(), stride * size_, data());
  return *this;
}

void NodalField::set_zero() { std::fill_n(data(), stride * size_, 0.0); }

}  // namespace brio
