#include "run_log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>

#include "brio/core.h"

namespace brio::app {

RunLog::RunLog(const std::filesystem::path& file, Mode mode) {
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(file.string(), mode == Mode::anew);
    logger_ = std::make_unique<spdlog::logger>("run", std::move(sink));
  } catch (const spdlog::spdlog_ex& error) {
    throw InputError({.file = file.string(), .problem = error.what()});
  }
  logger_->set_error_handler([](const std::string&) {});  // a full disk is told of by those who need the room more
  logger_->set_pattern("%Y-%m-%d %H:%M:%S.%e %-7l %v");
  logger_->flush_on(spdlog::level::info);  // a killed run leaves all it had to say
}

RunLog::~RunLog() = default;

void RunLog::started(const std::string& title, const Simulation& simulation, long frames) {
  frames_ = frames;
  logger_->info("{}", title.empty() ? "untitled" : title);
  for (const Body& body : simulation.model().bodies())
    logger_->info("{} '{}': {} vertices", body.kind, body.name, body.mesh.vertices.size());
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

void RunLog::warning(const std::string& message) { logger_->warn("{}", message); }

void RunLog::failed(const std::string& message) { logger_->error("{}", message); }

void RunLog::finished(const std::string& summary) { logger_->info("{}", summary); }

}  // namespace brio::app
