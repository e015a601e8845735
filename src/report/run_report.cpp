#include "report/run_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "brio/core.h"
#include "core/safe_file.h"
#include "record/recorder.h"
#include "record/text_file.h"
#include "report/ledger_charts.h"
#include "report/page.h"

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

/// A summary is small and shallow; one of another kind is refused before it is written out again, line by line and
/// deeper and deeper.
Json read_summary(const std::filesystem::path& file) {
  constexpr std::size_t max_bytes = 16U << 20U;
  constexpr int deepest = 16;
  const std::string text = read_text(file, max_bytes);
  bool too_deep = false;
  const auto look = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > deepest;
    return !too_deep;
  };
  Json json = Json::parse(text, look, false);
  if (too_deep) throw InputError({.file = file.string(), .problem = fmt::format("nests deeper than {}", deepest)});
  if (!json.is_object()) throw InputError({.file = file.string(), .problem = "is not the summary of a run"});
  return json;
}

/// A member of one's own program's file that may have been edited since.
template <class T>
T member(const Json& json, const char* path, T otherwise) {
  const Json::json_pointer pointer(path);
  if (!json.contains(pointer)) return otherwise;
  const Json& value = json[pointer];
  const bool fits = std::is_same_v<T, std::string> ? value.is_string()
                    : std::is_integral_v<T>        ? value.is_number_integer()
                                                   : value.is_number();
  return fits ? value.get<T>() : otherwise;
}

}  // namespace

std::string mood(const Account& account, const Ending& ending) {
  if (!ending.message.empty() || exploded_at(account, ending)) return "bad";
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
  run.ending = {member<std::string>(json, "/status", "ok"), member<std::string>(json, "/message", ""),
                member<double>(json, "/energy/rounding", 0)};
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
  if (page.mood == "good" && !run.warnings.empty()) page.mood = "warn";
  page.verdict = verdict(run.account, run.ending);
  page.warnings = run.warnings;
  page.charts = run_charts(run.ledger);
  const Recording recording = read_recording(FrameCache(folder / RunFiles::frames), std::move(scenery));
  page.playbacks.push_back(playback_json(recording, "", ""));
  page.playback_note = recording.note();
  page.phases = run.phases;
  page.scene = run.scene;
  page.facts = run.facts;
  write_safely(folder / RunFiles::report, to_html(page));
}

}  // namespace brio
