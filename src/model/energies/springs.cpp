#include "model/energies/springs.h"

namespace brio {
namespace {

std::vector<Segment> ends_of(const std::vector<Spring>& springs) {
  std::vector<Segment> ends;
  ends.reserve(springs.size());
  for (const Spring& spring : springs) ends.push_back(spring.ends);
  return ends;
}

}  // namespace

template <class Law>
SpringBatch<Law>::SpringBatch(std::string name, const std::vector<Spring>& springs, const NodalField& rest)
    : Base(std::move(name), {}, ends_of(springs), rest) {
  for (const Spring& spring : springs) stiffness_.push_back(spring.stiffness);
  set_rest(rest);
}

template <class Law>
void SpringBatch<Law>::set_rest(const NodalField& x) {
  Base::set_parameters([this, &x](std::size_t spring, const Segment& v) {
    return std::array<double, 2>{(x[v[1]] - x[v[0]]).norm(), stiffness_[spring]};
  });
}

template class SpringBatch<HookeanLaw>;
template class SpringBatch<StVKLaw>;

}  // namespace brio
