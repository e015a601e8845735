/// Counts what is asked of the heap: by operator new, and by aligned_alloc, from which nodal fields come.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "integrators/testing.h"

namespace {
std::atomic<long> allocations = 0;

void* counted(std::size_t alignment, std::size_t size) {
  ++allocations;
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}
}  // namespace

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return counted(alignment, size); }

void* operator new(std::size_t size) {
  if (void* memory = counted(alignof(std::max_align_t), size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace brio {

TEST(Allocations, AreCountedForNodalFields) {
  const long before = allocations;
  const NodalField field(100);
  EXPECT_EQ(allocations, before + 1);
}

TEST(Allocations, NoneInAStepAfterTheFirst) {
  set_threads(1);
  for (const Method& method : integrators()) {
    Model model;
    const int bar = model.add(SolidOptions{.mesh = make_bar({.cells = {12, 6, 6}})});
    model.attach(bar, {{.vertex = 3}});
    model.set_gravity({0, -9.81, 0});
    State state = model.rest_state();
    const auto integrator = method.make({});
    integrator->step(model, state, 1e-4);
    const long before = allocations;
    for (int i = 0; i < 5; ++i) integrator->step(model, state, 1e-4);
    EXPECT_EQ(allocations, before) << method.name;
  }
  set_threads(0);
}

}  // namespace brio
