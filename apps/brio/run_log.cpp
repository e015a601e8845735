#include "run_log.h"

#include <spdlog/details/null_mutex.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>

#include "brio/core.h"
#include "core/append_file.h"
#include "core/printable.h"

namespace brio::app {
namespace {

/// Lines go where an AppendFile goes: through no link.
class LogSink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  LogSink(const std::filesystem::path& file, std::uint64_t keep) : file_(file, keep) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    file_.append({line.data(), line.size()});
  }
  void flush_() override {}

  AppendFile file_;
};

std::uint64_t size_of(const std::filesystem::path& file) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(file, none);
  return none ? 0 : size;
}

}  // namespace

RunLog::RunLog(const std::filesystem::path& file, Mode mode) {
  auto sink = std::make_shared<LogSink>(file, mode == Mode::anew ? 0 : size_of(file));
  logger_ = std::make_unique<spdlog::logger>("run", std::move(sink));
  logger_->set_error_handler([](const std::string&) {});  // a full disk is told of by those who need the room more
  logger_->set_pattern("%Y-%m-%d %H:%M:%S.%e %-7l %v");
}

RunLog::~RunLog() = default;

void RunLog::started(const std::string& title, const Simulation& simulation, long frames) {
  frames_ = frames;
  logger_->info("{}", title.empty() ? "untitled" : printable(title));
  for (const Body& body : simulation.model().bodies())
    logger_->info("{} '{}': {} vertices", body.kind, printable(body.name), body.mesh.vertices.size());
  logger_->info("{} with h = {} s, {} frames, {} threads", simulation.method().name, simulation.h(), frames, threads());
  logger_->info("energy at the start {:.6g} J", simulation.ledger().total);
}

void RunLog::finished_frame(long frame, const LedgerRow& row) {
  const long tenths = frames_ > 0 ? 10 * frame / frames_ : 10;
  if (tenths <= tenths_) return;
  tenths_ = tenths;
  logger_->info("frame {}/{}: energy {:.6g} J, residual {:.2e} J, {} iterations, {:.3g} ms", frame, frames_, row.total,
                row.residual, row.iterations, row.ms);
}

void RunLog::warning(const std::string& message) { logger_->warn("{}", printable(message)); }

void RunLog::failed(const std::string& message) { logger_->error("{}", printable(message)); }

void RunLog::finished(const std::string& summary) { logger_->info("{}", summary); }

}  // namespace brio::app
