/// ledger.csv: the energy balance of a run, one row per frame, the first for the initial state. Every row is complete
/// as soon as it is added, so that the file can be read while the run goes on and after it was killed.
#pragma once

#include "brio/model.h"
#include "core/append_file.h"

namespace brio {

class LedgerCsv {
 public:
  /// Keeps the header and the first `keep` rows of the file that is there, and goes on after them; 0 starts anew.
  /// Throws InputError when it has fewer.
  explicit LedgerCsv(const std::filesystem::path& path, long keep = 0);
  /// Frames are counted from 0. A row that is not finite is refused with a std::logic_error: it must never get here.
  void add(const LedgerRow& row);
  void sync() { file_.sync(); }

 private:
  AppendFile file_;
  long frame_;
};

}  // namespace brio
