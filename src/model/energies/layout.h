/// How the elements of a batch are laid out for SIMD and threads: sorted along a space-filling curve, cut into chunks,
/// the chunks colored so that chunks of one color share no vertex. Scattering then needs no atomics, and the order of
/// additions at each vertex depends on the mesh alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "brio/math.h"

namespace brio {

/// Elements per chunk: large enough to amortize a task, small enough to keep all threads busy on a few thousand
/// elements.
constexpr std::size_t chunk_elements = 512;

/// The order that visits elements along a Morton curve through their centers. `vertices` holds `nodes` indices per
/// element.
std::vector<int> spatial_order(std::span<const int> vertices, int nodes, const NodalField& x);

/// Deals the elements of each full chunk to `lanes` lanes so that neighbors follow each other in one lane instead of
/// standing side by side: lanes that add to the same vertex at once would wait for each other's stores.
std::vector<int> deal_to_lanes(const std::vector<int>& order, int lanes);

/// Chunk numbers by color: chunks within one group share no vertex.
std::vector<std::vector<int>> color_chunks(std::span<const int> vertices, int nodes);

}  // namespace brio
