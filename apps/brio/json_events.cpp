#include "json_events.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "record/run_summary.h"

namespace brio::app {
namespace {

using Json = nlohmann::ordered_json;

/// Flushed, because whoever reads waits for it; in ASCII, because it may be a terminal.
void print(const Json& event) {
  std::fputs((event.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n").c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace

void JsonEvents::started(const Scene& scene, const std::filesystem::path& folder, long first) {
  print({{"event", "started"},
         {"title", scene.title},
         {"integrator", scene.simulation.method().name},
         {"h", scene.simulation.h()},
         {"vertices", scene.simulation.model().vertices()},
         {"first_frame", first},
         {"frames", scene.frames},
         {"folder", folder.string()}});
}

void JsonEvents::frame(long frame, const LedgerRow& row, double in_play) {
  print({{"event", "frame"},
         {"frame", frame},
         {"time", row.time},
         {"energy", row.total},
         {"in_play", in_play},
         {"residual", row.residual},
         {"iterations", row.iterations},
         {"ms", row.ms}});
}

void JsonEvents::warning(const std::string& text) { print({{"event", "warning"}, {"text", text}}); }

void JsonEvents::finished(const RunSummary& summary, const std::filesystem::path& folder) {
  Json event{{"event", "finished"}, {"folder", folder.string()}};
  event.update(to_json(summary));
  print(event);
}

}  // namespace brio::app
