#include "torture/trial.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/child.h"
#include "torture/judge.h"
#include "torture/meaningful.h"
#include "torture/momenta.h"

namespace brio::torture {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array outcomes{"ok", "warned", "failed", "refused", "slow", "silent", "crash", "hang"};

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::atomic<bool> time_is_up = false;

/// Asks the run to stop once the processor has worked on it for so long, and ends what does not answer.
void limit_run(double seconds) {
  std::signal(SIGPROF, [](int) { time_is_up = true; });
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = 1;
  setitimer(ITIMER_PROF, &timer, nullptr);
  const auto answered = static_cast<rlim_t>(2 * seconds + 2);
  const rlimit end{answered, answered + 2};  // the harder limit ends it without saying why
  setrlimit(RLIMIT_CPU, &end);
}

/// The rows of a run, and how long frames took.
class Witness final : public RunObserver {
 public:
  std::vector<LedgerRow> rows{};
  double slowest = 0;

  void frame(long /*frame*/, const LedgerRow& row, double /*in_play*/) override {
    rows.push_back(row);
    slowest = std::max(slowest, since());
    last_ = processor_seconds();
  }
  double since() const { return processor_seconds() - last_; }  ///< the last frame

 private:
  double last_ = processor_seconds();
};

void conclude(const Evidence& run, const Judgment& judgment, const TrialLimits& limits, Trial& trial) {
  const std::string status = run.summary.status();
  trial.energy = judgment.energy;
  trial.gained = judgment.gained;
  trial.momentum = judgment.momentum;
  trial.angular = judgment.angular;
  trial.told = judgment.told;
  if (trial.frame_seconds > limits.frame_seconds) {
    trial.outcome = Outcome::hang;
    trial.wrong = fmt::format("a frame took {:.0f} s", trial.frame_seconds);
  } else if (!judgment.unclear.empty()) {
    trial.outcome = Outcome::silent;
    trial.wrong = judgment.unclear;
  } else if (status == "failed" || status == "exploded") {
    trial.outcome = Outcome::failed;
    trial.wrong = status + ": " + run.summary.message;
  } else if (!judgment.broken.empty()) {
    trial.outcome = judgment.told.empty() ? Outcome::silent : Outcome::warned;
    trial.wrong = judgment.broken;
  } else if (status == "interrupted") {
    trial.outcome = Outcome::slow;
    trial.wrong = fmt::format("{} of {} frames", run.summary.frames(), run.scene.frames);
  }
}

/// As the text has it, which may be refused.
std::string integrator_of(const std::string& text) {
  const std::string key = "name = \"";
  const std::size_t at = text.find(key, text.find("[integrator]"));
  if (at == std::string::npos) return {};
  const std::size_t start = at + key.size();
  return text.substr(start, text.find('"', start) - start);
}

/// In the child.
Trial run_and_judge(const std::string& text, const std::filesystem::path& folder, const TrialLimits& limits) {
  Trial trial{.integrator = integrator_of(text)};
  set_threads(1);
  limit_run(limits.run_seconds);
  try {
    Scene scene = parse_scene(text);
    trial.unphysical = unphysical(scene, text);
    trial.beyond = beyond_promise(scene, text);
    const Vec3 center = center_of(scene.simulation.model(), scene.simulation.state().x);
    Witness witness;
    witness.rows.push_back(scene.simulation.ledger());
    const RunSummary summary =
        run(scene, {.folder = folder, .force = true, .report = false, .stop = &time_is_up}, &witness);
    trial.frame_seconds = summary.interrupted ? std::max(witness.slowest, witness.since()) : witness.slowest;
    const Evidence evidence{scene, text, summary, std::move(witness.rows), center};
    conclude(evidence, judge(evidence), limits, trial);
    const NodalField& x = scene.simulation.state().x;
    trial.positions.assign(reinterpret_cast<const char*>(x.data()), sizeof(double) * NodalField::stride * x.size());
  } catch (const InputError& error) {
    trial.outcome = Outcome::refused;
    trial.wrong = error.what();
  }
  trial.seconds = processor_seconds();
  return trial;
}

}  // namespace

const char* to_string(Outcome outcome) { return outcomes[static_cast<std::size_t>(outcome)]; }

Trial try_scene(const std::string& text, const std::filesystem::path& folder, const TrialLimits& limits) {
  const auto work = [&] {
    Trial trial = run_and_judge(text, folder, limits);
    return to_json(trial).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n" + trial.positions;
  };
  constexpr double busy = 60;  // others may use the processor too: what counts is the time that it worked
  const ChildReport report = run_in_child(work, {.seconds = busy * limits.run_seconds, .bytes = 2e9});
  if (report.end == ChildReport::End::finished) {
    const std::size_t end = report.bytes.find('\n');
    Trial trial = trial_of(Json::parse(report.bytes.substr(0, end)));
    trial.positions = report.bytes.substr(end + 1);
    return trial;
  }
  Trial trial{.integrator = integrator_of(text), .wrong = report.text()};
  trial.outcome = report.end == ChildReport::End::out_of_time ? Outcome::hang : Outcome::crash;
  return trial;
}

Json to_json(const Trial& trial) {
  return {{"outcome", to_string(trial.outcome)},
          {"integrator", trial.integrator},
          {"unphysical", trial.unphysical},
          {"beyond", trial.beyond},
          {"wrong", trial.wrong},
          {"told", trial.told},
          {"energy", trial.energy},
          {"gained", trial.gained},
          {"momentum", trial.momentum},
          {"angular", trial.angular},
          {"seconds", trial.seconds},
          {"frame_seconds", trial.frame_seconds}};
}

Trial trial_of(const Json& json) {
  const auto number = [&](const char* key) { return json.at(key).is_number() ? json.at(key).get<double>() : 0; };
  const auto found = std::ranges::find(outcomes, json.at("outcome").get<std::string>());
  if (found == outcomes.end())
    throw InputError({.key = "outcome", .value = json.at("outcome").dump(), .problem = "is none that is known"});
  return {.outcome = static_cast<Outcome>(found - outcomes.begin()),
          .integrator = json.at("integrator"),
          .unphysical = json.at("unphysical"),
          .beyond = json.at("beyond"),
          .wrong = json.at("wrong"),
          .told = json.at("told"),
          .energy = number("energy"),
          .gained = number("gained"),
          .momentum = number("momentum"),
          .angular = number("angular"),
          .seconds = number("seconds"),
          .frame_seconds = number("frame_seconds")};
}

}  // namespace brio::torture
