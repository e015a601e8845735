/// run.log: what happened when, for those who look into a run afterwards.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "brio/sim.h"

namespace spdlog {
class logger;
}

namespace brio::app {

class RunLog {
 public:
  /// Replaces the log of an earlier run. Throws InputError when the file cannot be made.
  explicit RunLog(const std::filesystem::path& file);
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  void started(const std::string& title, const Simulation& simulation, int frames);
  /// Writes a line for every tenth of the run.
  void finished_frame(int frame, const LedgerRow& row);
  void failed(const std::string& message);
  void finished(const std::string& summary);

 private:
  std::unique_ptr<spdlog::logger> logger_;
  int frames_ = 0;
  int tenths_ = 0;  ///< lines written
};

}  // namespace brio::app
