#include "integrator_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "brio/integrators.h"
#include "integrators/options.h"
#include "solvers/options.h"

namespace brio::app {
namespace {

using Json = nlohmann::ordered_json;

const char* yes(bool value) { return value ? "yes" : "no"; }

const char* momenta(const Method& m) {
  if (m.linear_momentum) return m.angular_momentum ? "linear, angular" : "linear";
  return m.angular_momentum ? "angular" : "none";
}

std::string energy(const Method& m) {
  return m.energy_unless.empty() ? to_string(m.energy) : fmt::format("{}, {}", to_string(m.energy), m.energy_unless);
}

/// Up to which h ω large strains are promised to do no harm; of explicit methods the stable step tells.
std::string resolves(const Method& m) {
  if (m.force_evaluations > 0 || !m.dynamic) return "";
  return std::isinf(m.resolves) ? "any" : fmt::format("{:g}", m.resolves);
}

std::string forces(const Method& m) { return m.force_evaluations > 0 ? std::to_string(m.force_evaluations) : "solver"; }

/// "in (0, 1]", or the words to choose from.
std::string bound_text(const FieldInfo& info) {
  if (!info.choices.empty()) return fmt::format("{}", fmt::join(info.choices, ", "));
  if (info.type == "text") return "";
  if (info.type == "true or false") return "true, false";
  const std::string text = info.bound.text();
  const std::string before = "must be ";
  return text.starts_with(before) ? text.substr(before.size()) : text;
}

template <class Options>
Json options_json(const FieldTable<Options>& table, const std::vector<std::string>* keys) {
  Json list = Json::array();
  for (const auto& field : table.fields()) {
    const FieldInfo& info = field.info;
    if (keys != nullptr && std::ranges::count(*keys, info.key) == 0) continue;
    list.push_back({{"key", info.key},
                    {"type", info.type},
                    {"unit", info.unit},
                    {"bound", bound_text(info)},
                    {"default", to_text(field.get(Options{}))},
                    {"help", info.help}});
  }
  return list;
}

std::string options_markdown(const Json& options) {
  std::string page = "| option | unit | values | default | |\n|---|---|---|---|---|\n";
  for (const Json& o : options)
    page += fmt::format("| `{}` | {} | {} | {} | {} |\n", o["key"].get<std::string>(), o["unit"].get<std::string>(),
                        o["bound"].get<std::string>(), o["default"].get<std::string>(), o["help"].get<std::string>());
  return page;
}

std::string sentence_case(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

constexpr const char* introduction = R"(# Integrators

*Made by `brio list integrators --markdown` from the registry; a test compares.* What is declared here is measured by
`brio orders` and by the tests, for every method: the order on four problems, the symplectic form, reversibility, momenta.

Explicit methods need forces alone and are limited in h by the highest frequency of the model:
`brio orders --stable-step SCENE` tells the limit. Implicit ones solve for each step and stay stable far beyond.

*With drag* and *with damping of strain* are the orders that are left where motion is damped, measured on a nonlinear solid
in positions and velocities together. Drag, and what damps motion relative to
the body, act between steps; damping of strain acts within them, on the strain of one step. Explicit methods take it from
a shape ahead of the one that it acts on, which turns what moves a little: under it they do not keep angular momentum. Forces without a potential, such
as wind and pushes, see the latest velocity known; implicit methods take them where the step begins, at the time of its
middle, and hold them. Of wind that would bring a vertex to rest more than 1.5 times within the step they take as much
less: held, more of it would turn the vertex around, faster than it was. `variational` takes them in two parts, 1 - alpha where the step begins and alpha where it has ended;
`quasi-static` takes them at rest, at the place reached.

*Energy* is that of an undamped system left alone. *h omega at large strains* is the largest product of h and the highest
frequency up to which that holds for motion with large strains too, whatever it starts from: collapsed, inside out,
scattered; *any* for methods that bear all steps. Small strains are borne at any step by all implicit methods. *Forces* is the number of force evaluations per step.

)";

/// The labels by which messages, docs and headers cite what they follow.
constexpr const char* sources = R"(
## Sources

Formulas and choices are cited by these labels.

| label | document |
|---|---|
| S0 | Rojas, Liu & Kavan 2018: Average Vector Field Integration for St. Venant-Kirchhoff Deformable Models |
| S1 | Dinev, Liu, Li, Thomaszewski & Kavan 2018: Stabilizing Integrators for Real-Time Physics |
| S2 | a study of explicit integrators for deformable linear objects: wires of tetrahedral links, torsion, and a score of speed, stability and symplecticity |
| S3 | Kharevych, Yang, Tong, Kanso, Marsden, Schröder & Desbrun 2006: Geometric, Variational Integrators for Computer Animation |
| S4 | Marschner 2023: Numerical integration for graphics simulation, notes of the course CS 5643 at Cornell University |
)";

}  // namespace

Json integrators_json() {
  Json list = Json::array();
  for (const Method& m : integrators())
    list.push_back({{"name", m.name},
                    {"aliases", m.aliases},
                    {"family", m.family},
                    {"order", m.order},
                    {"order_with_drag", m.order_with_damping.drag},
                    {"order_with_damping_of_strain", m.order_with_damping.strain},
                    {"dynamic", m.dynamic},
                    {"symplectic", m.symplectic},
                    {"reversible", m.reversible},
                    {"energy", to_string(m.energy)},
                    {"energy_unless", m.energy_unless},
                    {"resolves", std::isinf(m.resolves) ? Json() : Json(m.resolves)},
                    {"linear_momentum", m.linear_momentum},
                    {"angular_momentum", m.angular_momentum},
                    {"constraints", m.constraints},
                    {"bounds_restitution", m.bounds_restitution},
                    {"force_evaluations", m.force_evaluations},
                    {"options", options_json(integrator_fields(), &m.options)},
                    {"reference", m.reference},
                    {"sentence", m.sentence},
                    {"cost", m.cost}});
  return list;
}

Json solvers_json() {
  Json list = Json::array();
  for (const SolverMethod& s : solvers()) {
    std::vector<std::string> known = SolverMethod::common_options();
    known.insert(known.end(), s.options.begin(), s.options.end());
    list.push_back({{"name", s.name},
                    {"options", options_json(solver_fields(), &known)},
                    {"ends_early", s.ends_early},
                    {"reference", s.reference},
                    {"sentence", s.sentence}});
  }
  return list;
}

std::string integrators_table() {
  constexpr const char* row = "{:<20} {:<12} {:>5}  {:<10} {:<10} {:<16} {:<11} {:<7} {}\n";
  std::string table = fmt::format(fmt::runtime(row), "integrator", "family", "order", "symplectic", "reversible",
                                  "momenta kept", "constraints", "forces", "energy");
  for (const Method& m : integrators()) {
    table += fmt::format(fmt::runtime(row), m.name, m.family, m.order, yes(m.symplectic), yes(m.reversible), momenta(m),
                         yes(m.constraints), forces(m), to_string(m.energy));
    table += fmt::format("    {}\n    {}{}{}; {}\n", m.sentence, m.cost,
                         m.aliases.empty() ? "" : fmt::format("; also {}", fmt::join(m.aliases, ", ")),
                         m.options.empty() ? "" : fmt::format("; options {}", fmt::join(m.options, ", ")), m.reference);
  }
  return table;
}

std::string integrators_markdown() {
  std::string page = introduction;
  page +=
      "| integrator | family | order | with drag | with damping of strain | symplectic | reversible | momenta kept | "
      "energy | h omega at large strains | forces |\n";
  page += "|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Method& m : integrators())
    page += fmt::format(
        "| [{0}](#{0}) | {1} | {2} | {3} | {4} | {5} | {6} | {7} | {8} | {9} | {10} |\n", m.name, m.family, m.order,
        m.dynamic ? std::to_string(m.order_with_damping.drag) : "",
        m.dynamic ? std::to_string(m.order_with_damping.strain) : "", yes(m.symplectic), yes(m.reversible), momenta(m),
        fmt::format("{}{}", to_string(m.energy), m.energy_unless.empty() ? "" : ", see there"), resolves(m), forces(m));
  for (const Method& m : integrators()) {
    page += fmt::format("\n## {}\n\n{}.\n\n", m.name, sentence_case(m.sentence));
    if (!m.aliases.empty()) page += fmt::format("- Also called {}.\n", fmt::join(m.aliases, ", "));
    page += fmt::format("- Cost: {}.\n- Order {}; {}symplectic; {}reversible; momenta kept: {}; energy {}.\n", m.cost,
                        m.order, m.symplectic ? "" : "not ", m.reversible ? "" : "not ", momenta(m), energy(m));
    if (std::isfinite(m.resolves))
      page += fmt::format(
          "- At large strains nothing is promised of energy where h times the highest frequency exceeds {:g}.\n",
          m.resolves);
    if (m.rayleigh_s0) page += "- Knows the damping `rayleigh-s0`.\n";
    if (m.constraints) page += "- Keeps constraints.\n";
    if (!m.bounds_restitution) page += "- `contact.restitution` is no bound with it: stiff things may part faster.\n";
    page += fmt::format("- Reference: {}.\n", m.reference);
    if (!m.options.empty()) page += "\n" + options_markdown(options_json(integrator_fields(), &m.options));
  }
  page += "\n## Solvers of implicit methods\n\n| solver | | options | reference |\n|---|---|---|---|\n";
  for (const SolverMethod& s : solvers())
    page += fmt::format("| {} | {} | {} | {} |\n", s.name, s.sentence, fmt::join(s.options, ", "), s.reference);
  page +=
      fmt::format("\nKeys of `[solver]`; {} are known to all.\n\n", fmt::join(SolverMethod::common_options(), ", "));
  return page + options_markdown(options_json(solver_fields(), nullptr)) + sources;
}

}  // namespace brio::app
