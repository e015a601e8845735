/// A force that no potential gives: it may add or remove energy.
#pragma once

#include <string>

#include "brio/math.h"

namespace brio {

class Force {
 public:
  virtual ~Force() = default;
  virtual std::string name() const = 0;
  /// Adds to f [N].
  virtual void add(const NodalField& x, const NodalField& v, NodalField& f) const = 0;
};

}  // namespace brio
