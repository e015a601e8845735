/// Equal elements laid out for SIMD and threads: groups of four in lanes, groups in chunks, chunks by color (layout.h).
/// Gathers what the vertices of a group hold, scatters what a group adds to them.
///
/// Whatever does not depend on an element's law is compiled once, in stencils.cpp, which lists the kinds that there
/// are.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "brio/energy.h"
#include "core/large_vector.h"
#include "core/threads.h"
#include "math/small.h"
#include "model/energies/layout.h"

namespace brio {

template <int nodes, int parameters>
class Stencils {
 public:
  static constexpr int block_count = nodes * (nodes + 1) / 2;
  static constexpr int lanes = Doubles::width;
  static constexpr std::size_t chunk_groups = chunk_elements / lanes;
  using Nodes = std::array<int, nodes>;
  using Parameters = std::array<double, parameters>;

  /// x gives the positions by which elements are ordered; its size is that of the whole model.
  Stencils(std::vector<Nodes> elements, const NodalField& x);

  std::size_t count() const { return count_; }
  std::size_t groups() const { return (count_ + lanes - 1) / lanes; }
  std::size_t chunks() const { return (count_ + chunk_elements - 1) / chunk_elements; }
  /// Lanes of a group that hold elements: all but in the last, which is filled up with its last element.
  int active(std::size_t group) const { return static_cast<int>(std::min<std::size_t>(lanes, count_ - group * lanes)); }
  const Doubles* parameter(std::size_t group) const { return parameters_.data() + group * parameters; }
  /// Places of the blocks of a group in the bound pattern: [block][lane].
  const int* slots(std::size_t group) const { return slots_.data() + group * block_count * lanes; }

  void couple(PatternBuilder& pattern) const;
  void bind(const BlockPattern& pattern);
  void renumber(std::span<const int> vertices);

  /// Sets the parameters of every element from its place in the given list and its (ascending) vertices.
  template <class Make>
  void set_parameters(Make make) {
    parallel_chunks(chunks(), [&](std::size_t chunk) {
      const std::size_t first = chunk * chunk_elements;
      const std::size_t last = std::min(groups() * lanes, first + chunk_elements);
      for (std::size_t e = first; e < last; ++e) {
        const std::size_t source = std::min(e, count_ - 1);
        const Parameters p = make(static_cast<std::size_t>(order_[source]), vertices_of(source));
        for (int k = 0; k < parameters; ++k) parameters_[e / lanes * parameters + k].raw[e % lanes] = p[k];
      }
    });
  }

  /// Calls work(chunk, first group, last) for every chunk, color by color: those of one color may run at once.
  template <class Work>
  void for_chunks(Work work) const {
    auto run_chunk = [&](std::size_t chunk) {
      work(chunk, chunk * chunk_groups, std::min(groups(), (chunk + 1) * chunk_groups));
    };
    for (const auto& color : colors_) {
      if (chunks() < fewest_parallel_chunks) {
        for (const int chunk : color) run_chunk(chunk);
      } else {
        parallel_chunks(color.size(), [&](std::size_t k) { run_chunk(color[k]); });
      }
    }
  }

  /// A field that is larger than half a megabyte does not stay in the caches of a core. On smaller ones, fetching rows
  /// ahead takes longer than what it saves.
  static bool is_wide(const NodalField& x) { return x.size() > (1 << 14); }

  /// Asks for the rows that a later group will need: vertices lie too widely for the machine to foresee.
  BRIO_INLINE void fetch_rows(std::size_t group, const double* field) const {
    constexpr std::size_t ahead = 2;
    if (group + ahead >= groups()) return;
    const int* index = indices_.data() + (group + ahead) * nodes * lanes;
    for (int k = 0; k < nodes * lanes; ++k)
      __builtin_prefetch(field + NodalField::stride * static_cast<std::size_t>(index[k]));
  }

  BRIO_INLINE void gather(const double* x, std::size_t group, Vector3<Doubles> position[nodes]) const {
    const int* index = indices_.data() + group * nodes * lanes;
#pragma GCC unroll 4
    for (int a = 0; a < nodes; ++a) {
      Doubles row[4];
      for (int lane = 0; lane < lanes; ++lane)
        row[lane] = load(x + NodalField::stride * static_cast<std::size_t>(index[a * lanes + lane]));
      transpose(row);
      position[a] = {{row[0], row[1], row[2]}};
    }
  }

  BRIO_INLINE void scatter(std::size_t group, const Vector3<Doubles> force[nodes], double* g) const {
    if (active(group) == lanes) {
      scatter_lanes(group, std::integral_constant<int, lanes>{}, force, g);
    } else {
      scatter_lanes(group, active(group), force, g);
    }
  }

  BRIO_INLINE void scatter(std::size_t group, const Matrix3<Doubles> K[block_count], BlockMatrix& H) const {
    // Fetch the blocks of the next group while its kernel runs: they are scattered too widely for the machine to
    // foresee.
    if (group + 1 < groups()) {
      const int* next = slots(group + 1);
      for (int k = 0; k < block_count * lanes; ++k) {
        __builtin_prefetch(H.block(next[k]), 1);
        __builtin_prefetch(H.block(next[k]) + 8, 1);  // a block is longer than a cache line
      }
    }
    if (active(group) == lanes) {
      scatter_lanes(group, std::integral_constant<int, lanes>{}, K, H);
    } else {
      scatter_lanes(group, active(group), K, H);
    }
  }

  /// The same, for loops that are long enough by themselves: compiled once.
  [[gnu::noinline]] void scatter_blocks(std::size_t group, const Matrix3<Doubles> K[block_count], BlockMatrix& H) const;

 private:
  static constexpr std::size_t fewest_parallel_chunks = 6;  ///< below, waking threads costs more than they save

  Nodes vertices_of(std::size_t element) const {
    Nodes v;
    for (int a = 0; a < nodes; ++a) v[a] = indices_[(element / lanes * nodes + a) * lanes + element % lanes];
    return v;
  }

  /// `count` lanes hold elements; a count known to the compiler keeps the rows in registers.
  template <class Count>
  BRIO_INLINE void scatter_lanes(std::size_t group, Count count, const Vector3<Doubles> force[nodes], double* g) const {
    const int* index = indices_.data() + group * nodes * lanes;
#pragma GCC unroll 4
    for (int a = 0; a < nodes; ++a) {
      Doubles row[4] = {force[a][0], force[a][1], force[a][2], Doubles(0.0)};
      transpose(row);
      for (int lane = 0; lane < count; ++lane) {
        double* place = g + NodalField::stride * static_cast<std::size_t>(index[a * lanes + lane]);
        store(place, load(place) + row[lane]);
      }
    }
  }

  template <class Count>
  BRIO_INLINE void scatter_lanes(std::size_t group, Count count, const Matrix3<Doubles> K[block_count],
                                 BlockMatrix& H) const {
    const int* slot = slots(group);
    for (int k = 0; k < block_count; ++k) {
      const Doubles* m = K[k].m;
      Doubles head[4] = {m[0], m[1], m[2], m[3]};
      Doubles tail[4] = {m[4], m[5], m[6], m[7]};
      transpose(head);
      transpose(tail);
      for (int lane = 0; lane < count; ++lane) {
        double* place = H.block(slot[k * lanes + lane]);
        store(place, load(place) + head[lane]);
        store(place + 4, load(place + 4) + tail[lane]);
        place[8] += m[8][lane];
      }
    }
  }

  std::size_t count_;
  std::vector<int> order_;                ///< place of each element in the list it came from
  LargeVector<int> indices_;              ///< [group][node][lane]
  LargeVector<Doubles> parameters_;       ///< [group][parameter]
  LargeVector<int> slots_;                ///< [group][block][lane]: places in the bound pattern
  std::vector<std::vector<int>> colors_;  ///< chunks by color
};

}  // namespace brio
