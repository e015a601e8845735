/// operator new that says how much it could not get. Sanitizers bring their own, which looks at more.
#include <cstdlib>

#include "core/out_of_memory.h"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void* operator new(std::size_t bytes) {
  if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) return memory;
  throw brio::OutOfMemory(bytes);
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
