/// Vectors for arrays that are streamed: aligned to cache lines, and on huge pages when they are large, which spares
/// the page walks that scattered access to tens of megabytes would cost.
#pragma once

#include <cstdlib>
#include <vector>

#include "core/out_of_memory.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace brio {

template <class T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}  // NOLINT: allocators convert freely

  T* allocate(std::size_t count) {
    constexpr std::size_t huge_page = std::size_t{2} << 20;
    if (count > std::size_t(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t alignment = count * sizeof(T) >= huge_page ? huge_page : 64;
    const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, bytes);
    if (memory == nullptr) throw OutOfMemory(bytes);
#if defined(__linux__)
    if (alignment == huge_page) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: without it everything works, slower
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  template <class U>
  bool operator==(const LargeAllocator<U>&) const {
    return true;
  }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

}  // namespace brio
