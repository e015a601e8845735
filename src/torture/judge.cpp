#include "torture/judge.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "model/energy_in_play.h"
#include "torture/momenta.h"

namespace brio::torture {
namespace {

/// What was put into play [J]: there at the start, exchanged with gravity, done from outside.
struct InPlay {
  double scale = 0;  ///< the most that was in play, and no more than twice what was put in
  double put_in = 0;
  double rounding = 0;
};

InPlay in_play(const Evidence& run) {
  const LedgerRow& first = run.rows.front();
  double exchanged = 0, work = 0, seen = 0, largest = 0;
  for (std::size_t k = 0; k < run.rows.size(); ++k) {
    const LedgerRow& row = run.rows[k];
    exchanged = std::max(exchanged, std::abs(row.gravity - first.gravity));
    if (k > 0) work += std::abs(row.user_work - run.rows[k - 1].user_work);
    const double stored = row.kinetic + std::abs(row.elastic) + row.contact;
    seen = std::max(seen, stored + std::abs(row.gravity - first.gravity));
    largest = std::max(largest, stored + std::abs(row.gravity));
  }
  constexpr double digits = 1e-13;
  InPlay out;
  out.put_in = first.kinetic + std::abs(first.elastic) + first.contact + exchanged + work;
  out.scale = std::min(seen, 2 * out.put_in);
  out.rounding = rounding_of_energy(run.scene.simulation.model()) +
                 digits * largest * static_cast<double>(run.rows.size() * run.scene.steps_per_frame);
  return out;
}

/// The first warning that has one of these words.
std::string told(const RunSummary& summary, std::initializer_list<const char*> words) {
  if (summary.status() != std::string("ok"))
    return summary.message.empty() ? std::string(summary.status()) : summary.message;
  for (const RunSummary::Warning& warning : summary.gathered().warnings)
    for (const char* word : words)
      if (warning.text.find(word) != std::string::npos) return warning.text;
  return {};
}

struct EnergyErrors {
  double error = 0, gained = 0;  ///< [J]
};
EnergyErrors energy_errors(const Evidence& run) {
  EnergyErrors out;
  double lowest = 0;
  for (const LedgerRow& row : run.rows) {
    out.error = std::max(out.error, std::abs(row.residual));
    out.gained = std::max(out.gained, row.residual - lowest);
    lowest = std::min(lowest, row.residual);
  }
  return out;
}

/// What the registry says of the energy, as a sentence where it was not so.
std::string broken_energy(const Evidence& run, const EnergyErrors& found, const InPlay& play) {
  const Method& method = run.scene.simulation.method();
  const IntegratorOptions& options = run.scene.options.options;
  const double steps = static_cast<double>(run.rows.size() - 1) * run.scene.steps_per_frame;
  constexpr double exact = 1e-8, calm = 0.01;
  const auto beyond = [&](double energy, double limit) { return energy > limit * play.scale + play.rounding; };
  const double ratio = play.scale > 0 ? found.error / play.scale : 0;
  if (method.energy == EnergyBehavior::kept &&
      beyond(found.error, std::max(exact, 2 * options.solver.tolerance * steps)))
    return fmt::format("energy strayed by {:.1e} of what is in play, and should be kept", ratio);
  if (method.energy == EnergyBehavior::tracked && beyond(found.error, 2 * options.epsilon))
    return fmt::format("energy strayed by {:.1e} of what is in play, and epsilon is {:g}", ratio, options.epsilon);
  if (method.energy == EnergyBehavior::decays && beyond(found.gained, calm))
    return fmt::format("energy grew by {:.1e} of what is in play, and should decay", found.gained / play.scale);
  if (found.gained > play.put_in + play.rounding)
    return fmt::format("energy grew by {:.1e} of all that was put in", found.gained / play.put_in);
  return {};
}

/// The books must add up, and be of the state that is there.
std::string unsound_books(const Evidence& run) {
  const Model& model = run.scene.simulation.model();
  const State& state = run.scene.simulation.state();
  const LedgerRow& last = run.scene.simulation.ledger();  // a frame that could not be recorded is not among the rows
  for (const LedgerRow& row : run.rows)
    if (!row.finite()) return "the ledger is not finite";
  double kinetic = 0;
  for (std::size_t i = 0; i < model.vertices(); ++i) {
    if (!state.x[i].allFinite() || !state.v[i].allFinite()) return "the state is not finite";
    kinetic += 0.5 * model.mass()[i] * state.v[i].squaredNorm();
  }
  constexpr double digits = 1e-10;
  if (std::abs(kinetic - last.kinetic) > digits * kinetic) return "the ledger's kinetic energy is not the state's";
  const double size = last.kinetic + std::abs(last.elastic) + std::abs(last.gravity) + std::abs(last.contact);
  if (std::abs(last.kinetic + last.elastic + last.gravity + last.contact - last.total) > digits * size)
    return "the ledger's total is not its sum";
  const LedgerRow& first =
      run.rows.front();  // what starts in touch was set off, which is booked before the first frame
  const double booked = (last.total - first.total) - (last.user_work - first.user_work) +
                        (last.damping_loss - first.damping_loss) + (last.friction_loss - first.friction_loss);
  const double flow = size + std::abs(first.total) + std::abs(last.user_work) + std::abs(last.damping_loss);
  if (std::abs(booked - (last.residual - first.residual)) > digits * flow)
    return "the ledger's residual is not what its columns leave";
  return {};
}

std::string unclear_report(const Evidence& run) {
  const RunSummary& summary = run.summary;
  const std::string status = summary.status();
  if (std::string wrong = unsound_books(run); !wrong.empty()) return wrong;
  if (status == "ok" && summary.frames() < run.scene.frames) return "ok, but frames are missing";
  if (status == "failed" && summary.message.find(';') == std::string::npos) return "failed without a remedy";
  if (summary.message.find("nan") != std::string::npos) return "a message has a number that is none";
  return {};
}

}  // namespace

Judgment judge(const Evidence& run) {
  Judgment out;
  const InPlay play = in_play(run);
  const EnergyErrors found = energy_errors(run);
  if (play.scale > play.rounding) {
    out.energy = std::max(0.0, found.error - play.rounding) / play.scale;
    out.gained = std::max(0.0, found.gained - play.rounding) / play.scale;
  }
  out.broken = broken_energy(run, found, play);
  out.told = told(run.summary, {"energy", "Energy", "stopped short of its tolerance"});
  const Momenta momenta = stray_momenta(run, play.scale);
  out.momentum = momenta.linear;
  out.angular = momenta.angular;
  if (out.broken.empty() && !momenta.broken.empty()) {
    out.broken = momenta.broken;
    out.told = told(run.summary, {"momentum", "stopped short of its tolerance"});
  }
  out.unclear = unclear_report(run);
  return out;
}

}  // namespace brio::torture
