#include "experiments/kept.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/safe_file.h"
#include "record/text_file.h"

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* relations[] = {"<", ">", "="};

/// JSON has no word for what is not a number.
Json number(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  return std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr);
}
double to_number(const Json& value) {
  return value.is_number() ? value.get<double>() : std::strtod(value.get<std::string>().c_str(), nullptr);
}

Json to_json(const Check& check) {
  Json json{{"what", check.what},
            {"measured", number(check.measured)},
            {"relation", relations[static_cast<int>(check.relation)]},
            {"bound", number(check.bound)}};
  if (check.relation == Check::Relation::near) json["tolerance"] = number(check.tolerance);
  if (!check.unit.empty()) json["unit"] = check.unit;
  if (check.source == Check::Source::beyond) json["beyond"] = true;
  if (!check.refuted.empty()) json["refuted"] = check.refuted;
  return json;
}

Check to_check(const Json& json) {
  Check check{
      .what = json.at("what"), .measured = to_number(json.at("measured")), .bound = to_number(json.at("bound"))};
  const std::string relation = json.at("relation");
  check.relation = relation == "<"   ? Check::Relation::below
                   : relation == ">" ? Check::Relation::above
                                     : Check::Relation::near;
  if (json.contains("tolerance")) check.tolerance = to_number(json.at("tolerance"));
  check.unit = json.value("unit", "");
  check.source = json.value("beyond", false) ? Check::Source::beyond : Check::Source::paper;
  check.refuted = json.value("refuted", "");
  return check;
}

Finished to_finished(const Json& json) {
  Finished finished{.id = json.at("id"),
                    .form = json.at("form") == "full" ? Form::full : Form::quick,
                    .seconds = to_number(json.at("seconds")),
                    .stopped = json.value("stopped", "")};
  for (const Json& check : json.at("checks")) finished.outcome.checks.push_back(to_check(check));
  for (const Json& m : json.at("measured"))
    finished.outcome.measured.push_back({m.at("what"), to_number(m.at("value")), m.value("unit", "")});
  for (const Json& t : json.at("tables"))
    finished.outcome.tables.push_back({t.at("title"), t.at("header"), t.at("rows"), t.value("note", "")});
  finished.outcome.notes = json.at("notes");
  return finished;
}

}  // namespace

std::string to_line(const Finished& finished) {
  const Outcome& outcome = finished.outcome;
  Json json{{"id", finished.id}, {"form", to_string(finished.form)}, {"verdict", finished.verdict()}};
  json["seconds"] = std::strtod(fmt::format("{:.3g}", finished.seconds).c_str(), nullptr);
  if (!finished.stopped.empty()) json["stopped"] = finished.stopped;
  for (const char* list : {"checks", "measured", "tables"}) json[list] = Json::array();
  for (const Check& check : outcome.checks) json["checks"].push_back(to_json(check));
  for (const Measured& m : outcome.measured)
    json["measured"].push_back({{"what", m.what}, {"value", number(m.value)}, {"unit", m.unit}});
  for (const Table& t : outcome.tables)
    json["tables"].push_back({{"title", t.title}, {"header", t.header}, {"rows", t.rows}, {"note", t.note}});
  json["notes"] = outcome.notes;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::map<std::string, Finished> read_kept(const std::filesystem::path& file) {
  std::map<std::string, Finished> kept;
  if (!std::filesystem::exists(file)) return kept;
  std::istringstream lines(read_text(file));
  long number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    try {
      Finished finished = to_finished(Json::parse(line));
      kept[finished.id] = std::move(finished);
    } catch (const Json::exception& error) {
      throw InputError({.file = file.string(),
                        .line = number,
                        .problem = fmt::format("is no result of an experiment: {}", error.what()),
                        .advice = "`brio reproduce --keep` writes such files"});
    }
  }
  return kept;
}

void keep(const std::filesystem::path& file, const std::map<std::string, Finished>& finished) {
  std::map<std::string, Finished> all = read_kept(file);
  for (const auto& [id, one] : finished) all[id] = one;
  std::string text;
  for (const Experiment& experiment : experiments())
    if (all.contains(experiment.id)) text += to_line(all.at(experiment.id)) + "\n";
  write_safely(file, text);
}

}  // namespace brio
