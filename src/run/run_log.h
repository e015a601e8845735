/// run.log: what happened when, for those who look into a run afterwards.
#pragma once

#include <filesystem>
#include <string>

#include "brio/model.h"
#include "core/append_file.h"

namespace brio {

class Simulation;

class RunLog {
 public:
  enum class Mode { anew, go_on };
  /// Replaces the log of an earlier run, or goes on with it. Throws InputError when the file cannot be made.
  RunLog(const std::filesystem::path& file, Mode mode);

  void started(const std::string& title, const Simulation& simulation, long frames);
  /// Writes a line for every tenth of the run.
  void finished_frame(long frame, const LedgerRow& row);
  void warning(const std::string& message);
  void failed(const std::string& message);
  void finished(const std::string& summary);

 private:
  void write(const char* level, const std::string& text);

  AppendFile file_;
  long frames_ = 0;
  long tenths_ = 0;  ///< lines written
};

}  // namespace brio
