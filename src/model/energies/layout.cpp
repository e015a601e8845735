#include "model/energies/layout.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "math/morton.h"

namespace brio {

std::vector<int> spatial_order(std::span<const int> vertices, int nodes, const NodalField& x) {
  const std::size_t count = vertices.size() / nodes;
  std::vector<Vec3> centers(count, Vec3::Zero());
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = -low;
  for (std::size_t e = 0; e < count; ++e) {
    for (int a = 0; a < nodes; ++a) centers[e] += x[vertices[e * nodes + a]] / nodes;
    low = low.cwiseMin(centers[e]);
    high = high.cwiseMax(centers[e]);
  }
  const double extent = std::max((high - low).maxCoeff(), 1e-300);
  constexpr double cells = (1 << 21) - 1;
  std::vector<std::uint64_t> code(count);
  for (std::size_t e = 0; e < count; ++e)
    for (int c = 0; c < 3; ++c)
      code[e] |= spread_bits(static_cast<std::uint64_t>((centers[e][c] - low[c]) / extent * cells)) << c;
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&code](int a, int b) { return code[a] < code[b]; });
  return order;
}

std::vector<int> deal_to_lanes(const std::vector<int>& order, int lanes) {
  std::vector<int> dealt = order;
  const std::size_t groups = chunk_elements / lanes;
  for (std::size_t first = 0; first + chunk_elements <= order.size(); first += chunk_elements)
    for (std::size_t group = 0; group < groups; ++group)
      for (int lane = 0; lane < lanes; ++lane)
        dealt[first + group * lanes + lane] = order[first + lane * groups + group];
  return dealt;
}

std::vector<std::vector<int>> color_chunks(std::span<const int> vertices, int nodes) {
  const std::size_t per_chunk = chunk_elements * nodes;
  const std::size_t chunks = (vertices.size() + per_chunk - 1) / per_chunk;
  if (chunks == 0) return {};
  // A body has its own vertices in a row: what all bodies have together would make many of them cost their square.
  const auto [first, last] = std::ranges::minmax(vertices);
  const int low = first;
  std::vector<std::uint64_t> used(static_cast<std::size_t>(last - low) + 1);  // bit c: belongs to a chunk of color c
  std::vector<std::vector<int>> groups;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    const auto mine = vertices.subspan(chunk * per_chunk, std::min(per_chunk, vertices.size() - chunk * per_chunk));
    std::uint64_t taken = 0;
    for (const int v : mine) taken |= used[v - low];
    // Colors beyond the 64 that fit in the mask get one chunk each, which is correct if slow; meshes need about ten.
    const int free = std::countr_one(taken);
    const std::size_t color = free < 63 ? static_cast<std::size_t>(free) : std::max<std::size_t>(63, groups.size());
    if (color >= groups.size()) groups.resize(color + 1);
    groups[color].push_back(static_cast<int>(chunk));
    if (color < 63)
      for (const int v : mine) used[v - low] |= std::uint64_t{1} << color;
  }
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

}  // namespace brio
