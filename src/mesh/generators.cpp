#include "mesh/generators.h"

#include <fmt/format.h>

#include "core/memory.h"

namespace brio {

const std::vector<Generator>& generators() {
  static const std::vector<Generator> registry = [] {
    std::vector<Generator> all;
    for (const auto& family :
         {block_generators, sheet_generators, round_generators, curve_generators, cactus_generators})
      for (Generator& generator : family()) all.push_back(std::move(generator));
    return all;
  }();
  return registry;
}

Mesh generate_mesh(const std::string& name, const std::vector<Entry>& options, const std::string& path) {
  std::vector<std::string> names;
  for (const Generator& generator : generators()) {
    if (generator.name == name) return generator.make(options, path);
    names.push_back(generator.name);
  }
  refuse_name(path.empty() ? "generate" : path + ".generate", name, "unknown generator", names);
}

void refuse_too_many_cells(double cells, const char* key) {
  constexpr double max_cells = 50e6;
  constexpr double bytes = 500;  // of a tetrahedron with its share of vertices, energy and matrix
  if (cells <= max_cells)
    return claim_memory(bytes * cells, {.key = key,
                                        .problem = fmt::format("a body of {:.3g} million cells", cells / 1e6),
                                        .advice = "choose a coarser resolution"});
  throw InputError({.key = key,
                    .problem = fmt::format("would make {:.3g} million cells, at most {:.0f} million are allowed",
                                           cells / 1e6, max_cells / 1e6),
                    .advice = "choose a coarser resolution"});
}

}  // namespace brio
