/// Pairs as histories know them: by numbers that stay when lists of pairs are made anew.
#pragma once

#include "contact/pair_list.h"

namespace brio {

using PairKey = std::array<double, 5>;  ///< kind and vertices

inline PairKey key_of(const ContactPair& pair) {
  return {static_cast<double>(pair.kind), static_cast<double>(pair.vertices[0]), static_cast<double>(pair.vertices[1]),
          static_cast<double>(pair.vertices[2]), static_cast<double>(pair.vertices[3])};
}

}  // namespace brio
