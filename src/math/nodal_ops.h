/// Sums over vertices in parallel chunks, added up in a fixed order: the same bits for any number of threads.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "brio/math.h"
#include "core/threads.h"
#include "math/lanes.h"

namespace brio {

inline constexpr std::size_t nodal_chunk = 2048;  ///< vertices; a chunk's rows fit the second-level cache

/// Calls work(i) for every vertex, chunks of them in parallel.
template <class Work>
void for_vertices(std::size_t count, Work&& work) {
  parallel_chunks((count + nodal_chunk - 1) / nodal_chunk, [&](std::size_t chunk) {
    const std::size_t last = std::min(count, (chunk + 1) * nodal_chunk);
    for (std::size_t i = chunk * nodal_chunk; i < last; ++i) work(i);
  });
}

/// sum = a + factor * b, whole rows at once.
inline void add_scaled(const NodalField& a, double factor, const NodalField& b, NodalField& sum) {
  const Doubles f(factor);
  for_vertices(a.size(), [&](std::size_t i) { store(sum.row(i), load(a.row(i)) + f * load(b.row(i))); });
}

/// Scratch of a sum over vertices, kept so that summing allocates nothing.
class NodalSum {
 public:
  /// Σ term(i).
  template <class Term>
  double operator()(std::size_t count, Term&& term) {
    return of_chunks(count, [&](std::size_t first, std::size_t last) {
      double sum = 0;
      for (std::size_t i = first; i < last; ++i) sum += term(i);
      return sum;
    });
  }

  /// Four rows at once: one sum would wait for itself at every row.
  double dot(const NodalField& a, const NodalField& b) {
    return of_chunks(a.size(), [&](std::size_t first, std::size_t last) {
      Doubles sums[4] = {0, 0, 0, 0};
      const auto add = [&](Doubles& sum, std::size_t i) { sum = fma(load(a.row(i)), load(b.row(i)), sum); };
      std::size_t i = first;
      for (; i + 4 <= last; i += 4)
        for (std::size_t k = 0; k < 4; ++k) add(sums[k], i + k);
      for (; i < last; ++i) add(sums[0], i);
      return sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
    });
  }
  /// A sum that is finite only if every entry is.
  bool finite(const NodalField& a) {
    return std::isfinite((*this)(a.size(), [&](std::size_t i) { return 0 * a[i].sum(); }));
  }

 private:
  template <class SumOfChunk>
  double of_chunks(std::size_t count, SumOfChunk&& sum_of_chunk) {
    const std::size_t chunks = (count + nodal_chunk - 1) / nodal_chunk;
    if (parts_.size() < chunks) parts_.resize(chunks);
    parallel_chunks(chunks, [&](std::size_t chunk) {
      parts_[chunk] = sum_of_chunk(chunk * nodal_chunk, std::min(count, (chunk + 1) * nodal_chunk));
    });
    return ordered_sum(std::span<const double>(parts_.data(), chunks));
  }

  std::vector<double> parts_;
};

}  // namespace brio
