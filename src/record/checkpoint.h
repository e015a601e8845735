/// checkpoint.brio: all that a run needs to go on bit for bit in another process.
#pragma once

#include <filesystem>

#include "brio/model.h"
#include "core/platform.h"
#include "record/run_summary.h"

namespace brio {

struct Checkpoint {
  std::uint64_t digest = 0;  ///< of the scene
  Platform platform{};       ///< that the run was on
  long frame = 0;
  State state{};
  LedgerRow ledger{};
  RunSummary::Gathered gathered{};
  double run_seconds = 0;                                   ///< spent so far
  std::vector<std::pair<std::string, double>> solver_ms{};  ///< likewise
};

/// Under a temporary name first, then renamed when the disk has it: at any moment there is a whole checkpoint.
void write_checkpoint(const std::filesystem::path& path, Checkpoint checkpoint);

/// Throws InputError when the file is damaged, belongs to another scene than that of the digest, or holds numbers that
/// no run has: sizes that do not agree, numbers that are not finite, a frame below zero. What only the simulation can
/// know of its state, `Simulation::restore` looks at.
Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t digest);
/// Of the bytes behind magic word and checksum; complaints name `path`.
Checkpoint parse_checkpoint(std::string_view content, const std::filesystem::path& path, std::uint64_t digest);

}  // namespace brio
