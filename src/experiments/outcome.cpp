#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/experiment.h"

namespace brio {

const char* to_string(Form form) { return form == Form::quick ? "quick" : "full"; }

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::better:
      return "better than the paper";
    case Verdict::refuted:
      break;
  }
  return "does not come out";
}

bool Check::passed() const {
  switch (relation) {
    case Relation::below:
      return measured < bound;
    case Relation::above:
      return measured > bound;
    case Relation::near:
      break;
  }
  return std::abs(measured - bound) <= tolerance;
}

std::string Check::text() const {
  const std::string in = unit.empty() ? "" : " " + unit;
  if (relation == Relation::near)
    return fmt::format("{:.6g} {} {:.6g}{}{}", measured, passed() ? "=" : "≠", bound,
                       tolerance > 0 ? fmt::format(" ± {:.2g}", tolerance) : "", in);
  const char* sign = passed() == (relation == Relation::below) ? "<" : ">";
  return fmt::format("{:.4g} {} {:.4g}{}", measured, std::isnan(measured) ? "is not" : sign, bound, in);
}

void Outcome::measure(std::string what, double value, std::string unit) {
  measured.push_back({std::move(what), value, std::move(unit)});
}

Check& Outcome::below(std::string what, double value, double bound, std::string unit) {
  return checks.emplace_back(Check{
      .what = std::move(what), .measured = value, .relation = Check::Relation::below, .bound = bound, .unit = unit});
}

Check& Outcome::above(std::string what, double value, double bound, std::string unit) {
  return checks.emplace_back(Check{
      .what = std::move(what), .measured = value, .relation = Check::Relation::above, .bound = bound, .unit = unit});
}

Check& Outcome::near(std::string what, double value, double wanted, double tolerance, std::string unit) {
  return checks.emplace_back(Check{.what = std::move(what),
                                   .measured = value,
                                   .relation = Check::Relation::near,
                                   .bound = wanted,
                                   .tolerance = tolerance,
                                   .unit = std::move(unit)});
}

Verdict Outcome::verdict() const {
  const auto passed = [](const Check& check) { return check.passed(); };
  const auto beyond = [](const Check& check) { return check.source == Check::Source::beyond; };
  if (checks.empty() || !std::ranges::all_of(checks, passed)) return Verdict::refuted;
  return std::ranges::any_of(checks, beyond) ? Verdict::better : Verdict::holds;
}

bool Outcome::expected() const {
  return !checks.empty() && std::ranges::all_of(checks, [](const Check& check) { return check.expected(); });
}

}  // namespace brio
