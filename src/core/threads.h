/// Work split into chunks whose number never depends on the number of threads, so that neither do the results.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace brio {

namespace threads_detail {
void run_chunks(std::size_t count, void (*call)(void*, std::size_t), void* work);
}

/// Calls `work(chunk)` for every chunk in [0, count), on all threads, in no particular order. Chunks must not share
/// what they write. Allocates nothing. An exception from a chunk reaches the caller.
template <class Work>
void parallel_chunks(std::size_t count, Work&& work) {
  using Function = std::remove_reference_t<Work>;
  threads_detail::run_chunks(
      count, [](void* function, std::size_t chunk) { (*static_cast<Function*>(function))(chunk); },
      const_cast<std::remove_const_t<Function>*>(&work));
}

/// Sum from first to last: with one partial sum per chunk, the order of rounding is fixed.
inline double ordered_sum(std::span<const double> parts) {
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

}  // namespace brio
