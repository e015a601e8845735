#include "core/counted_allocations.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace brio::testing {

std::atomic<long> allocations = 0;

namespace {

void* counted(std::size_t alignment, std::size_t size) {
  ++allocations;
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

}  // namespace
}  // namespace brio::testing

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return brio::testing::counted(alignment, size);
}

// Not inlined: GCC would see memory from operator new go to free and take it for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* memory = brio::testing::counted(alignof(std::max_align_t), size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return brio::testing::counted(alignof(std::max_align_t), size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
