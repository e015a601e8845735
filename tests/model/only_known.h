/// One set of parameters for a loop over all materials.
#pragma once

#include <algorithm>

#include "model/materials/registry.h"

namespace brio::testing {

/// Without what that material does not know, which it would refuse.
inline Material only_known(const Material& all) {
  Material known{.name = all.name};
  const std::vector<std::string>& keys = find_material(all.name).keys;
  const std::pair<const char*, double Material::*> members[]{{"mu", &Material::mu},
                                                             {"lambda", &Material::lambda},
                                                             {"kappa", &Material::kappa},
                                                             {"a", &Material::a},
                                                             {"b", &Material::b}};
  for (const auto& [key, member] : members)
    if (std::ranges::count(keys, key) > 0) known.*member = all.*member;
  return known;
}

}  // namespace brio::testing
