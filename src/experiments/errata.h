/// Mistakes in the five documents that were found on the way, each with its proof.
#pragma once

#include <string>
#include <vector>

namespace brio {

struct Erratum {
  std::string where;    ///< "S0 Eq. 33"
  std::string printed;  ///< what it says
  std::string correct;  ///< what it should say
  std::string proof;    ///< why, and where it is checked
};
const std::vector<Erratum>& errata();

}  // namespace brio
