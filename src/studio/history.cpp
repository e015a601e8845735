#include "studio/history.h"

#include <algorithm>

namespace brio::studio {

std::size_t History::size_of(const Moment& moment) const {
  constexpr std::size_t row = NodalField::stride * sizeof(double);
  const auto memory = [](const Memory& m) {
    std::size_t bytes = m.numbers.size() * sizeof(double);
    for (const NodalField& field : m.fields) bytes += field.size() * row;
    return bytes;
  };
  std::size_t bytes = 0;
  for (const Pane::Moment& pane : moment.panes) {
    const State& state = pane.snapshot.state;
    bytes += 2 * state.x.size() * row + memory(state.memory);
    for (const Memory& history : state.histories) bytes += memory(history);
  }
  return bytes;
}

void History::add(Moment moment) {
  const std::size_t size = std::max<std::size_t>(size_of(moment), 1);
  moments_.push_back(std::move(moment));
  while (moments_.front().frame < moments_.back().frame - frames_) moments_.pop_front();
  if (moments_.size() * size <= bytes_ || moments_.size() < 3) return;
  // Every second one goes, but the last.
  stride_ *= 2;
  std::deque<Moment> kept;
  for (std::size_t i = 0; i < moments_.size(); ++i)
    if (i % 2 == 0 || i + 1 == moments_.size()) kept.push_back(std::move(moments_[i]));
  moments_ = std::move(kept);
}

void History::forget_after(long frame) {
  while (!moments_.empty() && moments_.back().frame > frame) moments_.pop_back();
}

void History::clear() {
  moments_.clear();
  stride_ = 1;
}

const History::Moment* History::at(long frame) const {
  if (moments_.empty()) return nullptr;
  auto after = std::ranges::upper_bound(moments_, frame, {}, &Moment::frame);
  return after == moments_.begin() ? &*after : &*std::prev(after);
}

}  // namespace brio::studio
