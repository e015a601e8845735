/// Forces of one's own, for Model::add: such as no potential gives, which may add or remove energy.
#pragma once

#include <memory>
#include <span>
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
  /// What is left of it after bodies were removed, null: nothing. `vertices`: the new index of every vertex, -1 of
  /// those that are gone. Where it is not overridden, bodies of models with this force cannot be removed.
  virtual std::shared_ptr<const Force> renumbered(std::span<const int> vertices) const;
};

}  // namespace brio
