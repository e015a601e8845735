/// Work split into chunks whose number never depends on the number of threads, so that neither do the results.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace brio {

/// Calls `work(chunk)` for every chunk in [0, count), on all threads, in no particular order. Chunks must not share
/// what they write.
void parallel_chunks(std::size_t count, const std::function<void(std::size_t)>& work);

/// Sum from first to last: with one partial sum per chunk, the order of rounding is fixed.
inline double ordered_sum(std::span<const double> parts) {
  double sum = 0;
  for (double part : parts) sum += part;
  return sum;
}

}  // namespace brio
