/// Counts what is asked of the heap: by operator new, and by aligned_alloc, from which nodal fields come. Programs that
/// link its source count all of theirs.
#pragma once

#include <atomic>

namespace brio::testing {

extern std::atomic<long> allocations;

}  // namespace brio::testing
