#include "studio/settings.h"

#include <algorithm>

#include "integrators/options.h"
#include "solvers/options.h"

namespace brio::studio {
namespace {

const std::string solver_prefix = "solver.";

bool knows(const SolverMethod& solver, const std::string& key) {
  return solver.knows(key) || std::ranges::count(SolverMethod::common_options(), key) > 0;
}

template <class Options, class Known>
Json keys_of(const FieldTable<Options>& table, const std::string& prefix, Known known) {
  Json list = Json::array();
  for (const auto& field : table.fields()) {
    if (!known(field.info.key)) continue;
    Json item = to_json(field.info);
    item["key"] = prefix + field.info.key;
    list.push_back(std::move(item));
  }
  return list;
}

/// In place of what was said of that key before.
void put(std::vector<Entry>& entries, const std::string& key, const Value& value) {
  std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; });
  entries.push_back({.key = key, .value = value});
}

template <class Options>
std::vector<Entry> differences(const FieldTable<Options>& table, const Options& options) {
  std::vector<Entry> list;
  for (const auto& field : table.fields())
    if (field.get(options) != field.get(Options{})) list.push_back({field.info.key, field.get(options)});
  return list;
}

}  // namespace

const FieldTable<Settings>& settings_fields() {
  using S = Settings;
  static const auto table =
      FieldTable<S>{}
          .vector("gravity", &S::gravity, "m/s^2", Bound::closed(-1e3, 1e3), "acceleration by gravity; y is up")
          .vector("wind", &S::wind, "m/s", Bound::closed(-1e3, 1e3), "velocity of the air around every body")
          .number("stiffness", &S::stiffness, "", Bound::closed(1e-3, 1e3), "of all solids, times that of the scene")
          .number("strain_damping", &S::strain_damping, "s", Bound::closed(0, 1e3),
                  "resists the rate of strain: a motion of frequency w decays as exp(-damping w^2 t/2)")
          .number("relative_damping", &S::relative_damping, "1/s", Bound::closed(0, 1e3),
                  "velocities relative to the body's rigid motion decay as exp(-damping t)")
          .number("drag", &S::drag, "kg/s", Bound::closed(0, 1e3),
                  "every vertex of mass m slows down as exp(-drag t/m), falling ones too")
          .number("hand", &S::hand, "N/m", Bound::closed(1e-6, 1e9), "stiffness of the spring by which you pull")
          .whole("substeps", &S::substeps, Bound::closed(1, 1000),
                 "integration steps per frame: h is the frame's time over this")
          .number("budget", &S::budget, "ms", Bound::closed(0, 1e4),
                  "for a frame of all panes together: solvers end with the best that they have; 0: none");
  return table;
}

Json to_json(const Value& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Json to_json(const FieldInfo& info) {
  Json json{{"key", info.key}, {"type", info.type}, {"unit", info.unit}, {"help", info.help}};
  json["choices"] = info.choices;
  json["bound"] = info.bound.text();
  if (std::isfinite(info.bound.low)) json["low"] = info.bound.low;
  if (std::isfinite(info.bound.high)) json["high"] = info.bound.high;
  return json;
}

Json catalog() {
  Json methods = Json::array();
  for (const Method& method : integrators()) {
    const auto known = [&](const std::string& key) { return std::ranges::count(method.options, key) > 0; };
    methods.push_back({{"name", method.name},
                       {"family", method.family},
                       {"order", method.order},
                       {"energy", to_string(method.energy)},
                       {"sentence", method.sentence},
                       {"solves", method.force_evaluations == 0},
                       {"options", keys_of(integrator_fields(), "", known)}});
  }
  Json solver_list = Json::array();
  for (const SolverMethod& solver : solvers()) {
    const auto known = [&](const std::string& key) { return key != "name" && knows(solver, key); };
    solver_list.push_back({{"name", solver.name},
                           {"sentence", solver.sentence},
                           {"options", keys_of(solver_fields(), solver_prefix, known)}});
  }
  return {{"integrators", std::move(methods)},
          {"solvers", std::move(solver_list)},
          {"settings", keys_of(settings_fields(), "", [](const std::string&) { return true; })}};
}

Wishes::Wishes(const IntegratorOptions& options)
    : integrator_(differences(integrator_fields(), options)), solver_(differences(solver_fields(), options.solver)) {}

void Wishes::set(const std::string& key, const Value& value) {
  if (!key.starts_with(solver_prefix)) {
    IntegratorOptions tried;
    integrator_fields().set(tried, {.key = key, .value = value});
    return put(integrator_, key, value);
  }
  const std::string rest = key.substr(solver_prefix.size());
  SolverOptions tried;
  solver_fields().set(tried, {.key = rest, .value = value}, "solver");
  if (rest == "name") find_solver(tried.name);
  put(solver_, rest, value);
}

const SolverMethod& Wishes::solver() const {
  const auto name = std::ranges::find(solver_, "name", &Entry::key);
  return find_solver(name == solver_.end() ? SolverOptions{}.name : std::get<std::string>(name->value));
}

IntegratorOptions Wishes::options_for(const Method& method) const {
  IntegratorOptions options;
  for (const Entry& entry : integrator_)
    if (std::ranges::count(method.options, entry.key) > 0) integrator_fields().set(options, entry);
  for (const Entry& entry : solver_)
    if (entry.key == "name" || knows(solver(), entry.key)) solver_fields().set(options.solver, entry);
  return options;
}

Json values_of(const Method& method, const IntegratorOptions& options) {
  Json values = Json::object();
  for (const auto& field : integrator_fields().fields())
    if (std::ranges::count(method.options, field.info.key) > 0) values[field.info.key] = to_json(field.get(options));
  const SolverMethod& solver = find_solver(options.solver.name);
  for (const auto& field : solver_fields().fields())
    if (field.info.key == "name" || knows(solver, field.info.key))
      values[solver_prefix + field.info.key] = to_json(field.get(options.solver));
  return values;
}

}  // namespace brio::studio
