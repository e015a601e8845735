/// Work split into chunks, on the one thread of a Worker: pages from a disk get no memory that threads could share.
#include "core/threads.h"

#include "brio/core.h"
#include "core/cancellation.h"

namespace brio {

void set_threads(int count) {
  if (count < 0 || count > 1)
    throw InputError({.key = "threads", .value = std::to_string(count), .problem = "must be 0 or 1 in a browser"});
}

int threads() { return 1; }

void threads_detail::run_chunks(std::size_t count, void (*call)(void*, std::size_t), void* work) {
  for (std::size_t chunk = 0; chunk < count; ++chunk) {
    interruption_point();
    call(work, chunk);
  }
}

}  // namespace brio
