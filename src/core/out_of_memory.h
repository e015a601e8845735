/// Allocation that failed, with what was asked for: std::bad_alloc alone helps nobody.
#pragma once

#include <array>
#include <new>

namespace brio {

class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(std::size_t bytes);  ///< asked for at once

  std::size_t bytes() const { return bytes_; }
  const char* what() const noexcept override { return text_.data(); }

 private:
  std::size_t bytes_;
  std::array<char, 64> text_{};  ///< there is no memory for a string
};

}  // namespace brio
