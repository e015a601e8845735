#include "run/run_log.h"

#include <fmt/chrono.h>

#include <chrono>
#include <ctime>

#include "brio/sim.h"
#include "core/printable.h"

namespace brio {
namespace {

std::uint64_t size_of(const std::filesystem::path& file) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(file, none);
  return none ? 0 : size;
}

/// "2026-01-31 12:00:00.123"
std::string local_time() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto ms = std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03}", parts, ms);
}

}  // namespace

RunLog::RunLog(const std::filesystem::path& file, Mode mode) : file_(file, mode == Mode::anew ? 0 : size_of(file)) {}

void RunLog::write(const char* level, const std::string& text) {
  try {
    file_.append(fmt::format("{} {:<7} {}\n", local_time(), level, text));
  } catch (const WriteError&) {
    return;  // a full disk is told of by those who need the room more
  }
}

void RunLog::started(const std::string& title, const Simulation& simulation, long frames) {
  frames_ = frames;
  write("info", title.empty() ? "untitled" : printable(title));
  for (const Body& body : simulation.model().bodies())
    write("info",
          fmt::format("{} '{}': {} vertices", to_string(body.kind), printable(body.name), body.mesh.vertices.size()));
  write("info", fmt::format("{} with h = {} s, {} frames, {} threads", simulation.method().name, simulation.h(), frames,
                            threads()));
  write("info", fmt::format("energy at the start {:.6g} J", simulation.ledger().total));
}

void RunLog::finished_frame(long frame, const LedgerRow& row) {
  const long tenths = frames_ > 0 ? 10 * frame / frames_ : 10;
  if (tenths <= tenths_) return;
  tenths_ = tenths;
  write("info", fmt::format("frame {}/{}: energy {:.6g} J, residual {:.2e} J, {} iterations, {:.3g} ms", frame, frames_,
                            row.total, row.residual, row.iterations, row.ms));
}

void RunLog::warning(const std::string& message) { write("warning", printable(message)); }

void RunLog::failed(const std::string& message) { write("error", printable(message)); }

void RunLog::finished(const std::string& summary) { write("info", summary); }

}  // namespace brio
