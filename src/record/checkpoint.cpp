#include "record/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <stdexcept>

#include "core/hash.h"
#include "core/safe_file.h"
#include "mesh/io/files.h"
#include "model/archive.h"
#include "model/memory.h"

namespace brio {
namespace {

constexpr std::string_view magic = "BRIOCHK5";

class CheckpointArchive : public Archive<CheckpointArchive> {
 public:
  using Archive::Archive;
  using Archive::operator();
  void operator()(RunSummary::Warning& w) { all(w.about, w.text, w.frames, w.severity, w.worst); }
  void operator()(RunSummary::Gathered& g) {
    all(g.first, g.last, g.rows, g.max_residual, g.scale, g.max_energy_error, g.contact_loss, g.max_linear_change,
        g.max_angular_change, g.warnings);
  }
  void operator()(Checkpoint& c) {
    all(c.digest, c.platform, c.frame, c.state, c.ledger, c.gathered, c.run_seconds, c.solver_ms);
  }
};

/// "frame" or whatever else a checkpoint says that no run does; empty when nothing.
std::string nonsense(const Checkpoint& c) {
  constexpr long last_frame = 1'000'000'000;
  const auto is_amount = [](double number) { return std::isfinite(number) && number >= 0; };
  const RunSummary::Gathered& g = c.gathered;
  if (c.frame < 0 || c.frame > last_frame) return "frame";
  if (c.state.x.size() == 0 || c.state.v.size() != c.state.x.size()) return "number of vertices";
  if (!is_finite(c.state.x) || !is_finite(c.state.v)) return "state";
  if (!is_finite(c.state.memory) ||
      !std::ranges::all_of(c.state.histories, [](const Memory& history) { return is_finite(history); }))
    return "memory";
  if (!is_amount(c.state.time) || c.state.step < c.frame) return "time";
  if (!c.ledger.finite() || c.ledger.iterations < 0 || c.ledger.time != c.state.time) return "ledger";
  if (g.rows != c.frame + 1 || !g.first.finite() || !g.last.finite()) return "number of rows";
  if (!is_amount(g.max_residual) || !is_amount(g.scale) || !is_amount(g.max_energy_error) ||
      !is_amount(g.contact_loss) || !is_amount(g.max_linear_change) || !is_amount(g.max_angular_change))
    return "energy or momentum";
  for (const RunSummary::Warning& warning : g.warnings)
    if (warning.frames < 0 || warning.frames > g.rows || !std::isfinite(warning.severity)) return "warnings";
  if (!is_amount(c.run_seconds)) return "seconds";
  for (const auto& [phase, ms] : c.solver_ms)
    if (!is_amount(ms)) return "time of the solver";
  return {};
}

std::uint64_t checksum(std::string_view content) { return hash_bytes(std::as_bytes(std::span(content))); }

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& problem, const std::string& advice) {
  throw InputError({.file = path.string(), .problem = problem, .advice = advice});
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, Checkpoint checkpoint) {
  CheckpointArchive archive;
  archive(checkpoint);
  std::uint64_t sum = checksum(archive.bytes());
  SafeFile file(path);
  file.write(magic);
  file.write({reinterpret_cast<const char*>(&sum), sizeof sum});
  file.write(archive.bytes());
  file.finish(true);
}

namespace {

Checkpoint unpack(std::string_view content, const std::filesystem::path& path) {
  CheckpointArchive archive(content);
  Checkpoint checkpoint;
  try {
    archive(checkpoint);
  } catch (const std::length_error& error) {
    refuse(path, error.what(), "start the run again with --force");
  }
  if (!archive.at_end()) refuse(path, "longer than it says", "start the run again with --force");
  return checkpoint;
}

}  // namespace

Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t digest) {
  if (std::error_code none; std::filesystem::file_size(path, none) == 0)
    refuse(path, "is empty", "start the run again with --force");
  const std::string bytes = read_bytes(path);
  const std::string_view all = bytes;
  constexpr std::size_t head = magic.size() + sizeof(std::uint64_t);
  if (!all.starts_with(magic) || all.size() < head)
    refuse(path, "is not a checkpoint of this version", "start the run again with --force");
  std::uint64_t sum = 0;
  std::memcpy(&sum, all.data() + magic.size(), sizeof sum);
  if (sum != checksum(all.substr(head))) refuse(path, "is damaged", "start the run again with --force");
  return parse_checkpoint(all.substr(head), path, digest);
}

Checkpoint parse_checkpoint(std::string_view content, const std::filesystem::path& path, std::uint64_t digest) {
  Checkpoint checkpoint = unpack(content, path);
  if (checkpoint.digest != digest)
    refuse(path, "belongs to another scene",
           "resume with the scene and options that the run was started with (only frames and formats may differ), or "
           "start it again with --force");
  if (const std::string what = nonsense(checkpoint); !what.empty())
    refuse(path, fmt::format("its {} is one that no run has", what), "start the run again with --force");
  return checkpoint;
}

}  // namespace brio
