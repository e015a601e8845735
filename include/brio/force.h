/// Forces of one's own, for Model::add: such as no potential gives, which may add or remove energy.
#pragma once

#include <string>

#include "brio/math.h"

namespace brio {

class Force {
 public:
  virtual ~Force() = default;
  virtual std::string name() const = 0;
  /// Whether it acts from outside: its work is then booked as the user's.
  virtual bool external() const { return false; }
  /// Adds to f [N].
  virtual void add(const NodalField& x, const NodalField& v, double time, NodalField& f) const = 0;
};

}  // namespace brio
