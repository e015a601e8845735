/// What a run tells while it goes on, for programs.
#pragma once

#include "brio/run.h"

namespace brio::app {

/// One JSON object per line on standard output: started, frame, warning, finished, this with the content of run.json.
class JsonEvents final : public RunObserver {
 public:
  void started(const Scene& scene, const std::filesystem::path& folder, long first) override;
  void frame(long frame, const LedgerRow& row, double in_play) override;
  void warning(const std::string& text) override;
  void finished(const RunSummary& summary, const std::filesystem::path& folder) override;
};

}  // namespace brio::app
