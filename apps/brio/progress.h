/// How far a run has come: a bar with the time left on a terminal, a line every tenth otherwise.
#pragma once

#include "brio/run.h"
#include "core/timer.h"

namespace brio::app {

class Progress final : public RunObserver {
 public:
  Progress();
  void started(const Scene& scene, const std::filesystem::path& folder, long first) override;
  void frame(long frame, const LedgerRow& row, double in_play) override;
  void warning(const std::string& text) override;
  void recorded() override;  ///< clears the bar

 private:
  bool terminal_;
  long first_ = 0;
  long frames_ = 0;
  Stopwatch watch_;
  double started_ = 0;  ///< [s]
  double drawn_ = -1;   ///< when the bar was last drawn [s]
  long tenths_ = 0;     ///< lines printed
};

}  // namespace brio::app
