/// ledger.csv: the energy balance of a run, one row per frame, the first for the initial state.
#pragma once

#include "brio/model.h"
#include "record/safe_file.h"

namespace brio {

class LedgerCsv {
 public:
  explicit LedgerCsv(const std::filesystem::path& path);
  /// Frames are counted from 0. A row that is not finite is refused with a std::logic_error: it must never get here.
  void add(const LedgerRow& row);
  void finish() { file_.finish(); }

 private:
  SafeFile file_;
  long frame_ = 0;
};

}  // namespace brio
