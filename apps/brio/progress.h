/// How far a run has come: a bar with the time left on a terminal, a line every tenth otherwise.
#pragma once

#include "core/timer.h"

namespace brio::app {

class Progress {
 public:
  explicit Progress(int frames);
  void show(int frame, double energy);  ///< energy [J]
  void finish();                        ///< clears the bar

 private:
  int frames_;
  bool terminal_;
  Stopwatch watch_;
  double drawn_ = -1;  ///< when the bar was last drawn [s]
  int tenths_ = 0;     ///< lines printed
};

}  // namespace brio::app
