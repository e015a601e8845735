#include "record/run_summary.h"

#include <fmt/format.h>
#include <tbb/version.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/hash.h"
#include "core/platform.h"
#include "model/energy_in_play.h"

namespace brio {
namespace {

using Json = nlohmann::ordered_json;

Json triple(const Vec3& v) { return {v[0], v[1], v[2]}; }

Json versions() {
  Json object;
  for (const auto& [name, value] : platform()) object[name] = value;
  object["eigen"] = fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
  object["tbb"] = TBB_VERSION_STRING;
  return object;
}

}  // namespace

void RunSummary::add(const LedgerRow& row) {
  Gathered& g = gathered_;
  if (g.rows++ == 0) g.first = row;
  g.last = row;
  g.max_residual = std::max(g.max_residual, std::abs(row.residual));
  g.scale = std::max(g.scale, energy_scale(row, g.first));
  g.max_linear_change = std::max(g.max_linear_change, (row.linear - g.first.linear).norm());
  g.max_angular_change = std::max(g.max_angular_change, (row.angular - g.first.angular).norm());
}

void RunSummary::add_energy_error(double error) {
  gathered_.max_energy_error = std::max(gathered_.max_energy_error, error);
}

void RunSummary::add_contact_loss(double loss) { gathered_.contact_loss += loss; }

bool RunSummary::warn(const std::string& about, const std::string& text, double severity) {
  for (Warning& warning : gathered_.warnings)
    if (warning.about == about) {
      ++warning.frames;
      if (severity > warning.severity) {
        warning.severity = severity;
        warning.worst = text;
      }
      return false;
    }
  gathered_.warnings.push_back({.about = about, .text = text, .frames = 1, .severity = severity, .worst = {}});
  return true;
}

double RunSummary::max_relative_error() const {
  return gathered_.scale > 0 ? gathered_.max_residual / gathered_.scale : 0;
}

const char* RunSummary::status() const {
  if (exploded) return "exploded";
  if (!message.empty()) return "failed";
  return interrupted ? "interrupted" : "ok";
}

std::string energy_verdict(double worst, double last, const std::string& size) {
  if (worst < notable_energy_error) return "energy kept to " + size;
  if (last < -worst / 2) return fmt::format("the integrator took away up to {}", size);
  if (last > worst / 2) return fmt::format("the integrator added up to {}", size);
  return fmt::format("energy strayed by up to {}", size);
}

std::string RunSummary::outcome() const {
  const double worst = max_relative_error();
  const std::string size = worst < notable_energy_error ? fmt::format("{:.1e}", worst)
                                                        : fmt::format("{:.0f} % of the energy in play", 100 * worst);
  return fmt::format("{} frames in {:.{}f} s; {}", frames(), total_seconds, total_seconds < 10 ? 1 : 0,
                     energy_verdict(worst, worst > 0 ? gathered_.last.residual / gathered_.scale : 0, size));
}

Json to_json(const RunSummary& summary) {
  const RunSummary::Gathered& g = summary.gathered();
  Json object{{"status", summary.status()}};
  if (!summary.message.empty()) object["message"] = summary.message;
  if (summary.exploded) object["exploded_frame"] = *summary.exploded;
  object["title"] = summary.title;
  object["integrator"] = summary.integrator;
  object["h"] = summary.h;
  object["frames"] = summary.frames();
  object["energy"] = {
      {"initial", g.first.total}, {"final", g.last.total}, {"max_relative_error", summary.max_relative_error()}};
  if (g.max_energy_error > 0) object["energy"]["max_island_error"] = g.max_energy_error;
  if (g.contact_loss > 0) object["energy"]["contact_loss"] = g.contact_loss;
  object["momentum"] = {
      {"linear",
       {{"initial", triple(g.first.linear)}, {"final", triple(g.last.linear)}, {"max_change", g.max_linear_change}}},
      {"angular",
       {{"initial", triple(g.first.angular)},
        {"final", triple(g.last.angular)},
        {"max_change", g.max_angular_change}}}};
  object["hash"] = hash_text(summary.hash);
  object["warnings"] = Json::array();
  for (const RunSummary::Warning& warning : g.warnings) {
    std::string text = warning.text;
    if (warning.frames > 1) text += fmt::format(" (in {} frames)", warning.frames);
    // What to do was said the first time.
    if (!warning.worst.empty())
      text += fmt::format("; at worst in {}", warning.worst.substr(0, warning.worst.find(';')));
    object["warnings"].push_back(text);
  }
  object["timings"] = {
      {"load_s", summary.load_seconds},
      {"run_s", summary.run_seconds},
      {"total_s", summary.total_seconds},
      {"ms_per_frame", summary.frames() > 0 ? 1e3 * summary.run_seconds / static_cast<double>(summary.frames()) : 0.0},
      {"threads", threads()}};
  for (const auto& [phase, ms] : summary.solver_ms) object["timings"]["solver_ms"][phase] = ms;
  for (const auto& [used, steps] : summary.linear_solvers)
    object["linear_solvers"].push_back({{"used", used}, {"steps", steps}});
  object["versions"] = versions();
  return object;
}

}  // namespace brio
