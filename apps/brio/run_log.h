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
  enum class Mode { anew, go_on };
  /// Replaces the log of an earlier run, or goes on with it. Throws InputError when the file cannot be made.
  RunLog(const std::filesystem::path& file, Mode mode);
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  void started(const std::string& title, const Simulation& simulation, long frames);
  /// Writes a line for every tenth of the run.
  void finished_frame(long frame, const LedgerRow& row);
  void warning(const std::string& message);
  void failed(const std::string& message);
  void finished(const std::string& summary);

 private:
  std::unique_ptr<spdlog::logger> logger_;
  long frames_ = 0;
  long tenths_ = 0;  ///< lines written
};

}  // namespace brio::app
