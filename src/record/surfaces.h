/// How far what is seen reaches (brio/record.h). surfaces.cpp is the one place that decides which vertices and faces of
/// a body are seen, so that every format shows the same.
#pragma once

#include "brio/record.h"

namespace brio {

struct Extent {
  std::array<float, 3> low{}, high{};
};
Extent bounds(const std::vector<float>& xyz);

}  // namespace brio
