#include "report/run_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "brio/core.h"
#include "record/recorder.h"
#include "record/safe_file.h"
#include "report/ledger_charts.h"
#include "report/page.h"
#include "report/text_file.h"

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

Json read_summary(const std::filesystem::path& file) {
  const std::string text = read_text(file);
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw InputError({.file = file.string(), .problem = "is not the summary of a run"});
  return json;
}

/// A member of one's own program's file that may have been edited since.
template <class T>
T member(const Json& json, const char* path, T otherwise) {
  const Json::json_pointer pointer(path);
  if (!json.contains(pointer)) return otherwise;
  const Json& value = json[pointer];
  const bool fits = std::is_same_v<T, std::string> ? value.is_string() : value.is_number();
  return fits ? value.get<T>() : otherwise;
}

}  // namespace

std::string mood(const Account& account, const Ending& ending) {
  if (ending.status == "failed" || exploded_at(account, ending)) return "bad";
  return account.worst >= 0.01 || ending.status != "ok" ? "warn" : "good";
}

RunRecord read_run(const std::filesystem::path& folder) {
  RunRecord run;
  const Json json = read_summary(folder / RunFiles::summary);
  run.ledger = read_ledger(folder / RunFiles::ledger);
  run.account = account(run.ledger);
  run.scene = read_text(folder / RunFiles::scene);
  run.facts = json.dump(2, ' ', false, Json::error_handler_t::replace);
  run.title = member<std::string>(json, "/title", folder.filename().string());
  run.ending = {member<std::string>(json, "/status", "ok"), member<std::string>(json, "/message", "")};
  run.subtitle =
      fmt::format("{}, steps of {:.6g} s; {} frames, {:.4g} s of motion, computed in {:.3g} s",
                  member<std::string>(json, "/integrator", "unknown integrator"), member<double>(json, "/h", 0),
                  run.account.frames, run.ledger.column("time").back(), member<double>(json, "/timings/run_s", 0));
  if (const auto solvers = json.find("linear_solvers"); solvers != json.end() && solvers->is_array())
    for (const Json& solver : *solvers)
      run.subtitle += fmt::format("; {} steps solved by {}", member<long>(solver, "/steps", 0),
                                  member<std::string>(solver, "/used", "an unknown solver"));
  if (const Json::json_pointer phases("/timings/solver_ms"); json.contains(phases) && json[phases].is_object())
    for (const auto& [name, ms] : json[phases].items())
      if (ms.is_number()) run.phases.emplace_back(name, ms.get<double>());
  if (json.contains("warnings") && json["warnings"].is_array())
    for (const Json& warning : json["warnings"])
      if (warning.is_string()) run.warnings.push_back(warning.get<std::string>());
  return run;
}

void write_run_report(const std::filesystem::path& folder, Scenery scenery) {
  const RunRecord run = read_run(folder);
  Page page{.title = run.title, .subtitle = run.subtitle, .mood = mood(run.account, run.ending)};
  page.verdict = verdict(run.account, run.ending);
  page.warnings = run.warnings;
  page.charts = run_charts(run.ledger);
  const Recording recording = read_recording(FrameCache(folder / RunFiles::frames), std::move(scenery));
  page.playbacks.push_back(playback_json(recording, "", ""));
  page.playback_note = recording.note();
  page.phases = run.phases;
  page.scene = run.scene;
  page.facts = run.facts;
  write_safely(folder / "report.html", to_html(page));
}

}  // namespace brio
