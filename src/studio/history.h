/// The last minute, to go back to: moments of all panes, as close together as memory allows.
#pragma once

#include <deque>

#include "studio/pane.h"

namespace brio::studio {

class History {
 public:
  struct Moment {
    long frame = 0;
    std::vector<Pane::Moment> panes;
    std::map<int, Hand> hands;
    std::vector<Vec3> colliders;  ///< how far each was moved by hand [m]
  };

  /// Keeps `frames` of them, or every second, fourth … where they would take more than `bytes`.
  History(long frames, std::size_t bytes) : frames_(frames), bytes_(bytes) {}

  /// Whether a moment of that frame would be kept.
  bool wants(long frame) const { return moments_.empty() || frame >= moments_.back().frame + stride_; }
  void add(Moment moment);
  /// What follows that frame did not happen.
  void forget_after(long frame);
  void clear();

  long first() const { return moments_.empty() ? 0 : moments_.front().frame; }
  long last() const { return moments_.empty() ? 0 : moments_.back().frame; }
  /// The last moment that is no later than that frame, or the first; null: there is none.
  const Moment* at(long frame) const;

 private:
  std::size_t size_of(const Moment& moment) const;

  long frames_;
  std::size_t bytes_;
  long stride_ = 1;
  std::deque<Moment> moments_;
};

}  // namespace brio::studio
