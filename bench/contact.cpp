#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "bench/contact_subjects.h"
#include "bench/suite.h"
#include "brio/core.h"
#include "contact/self_contact.h"

namespace brio::bench {
namespace {

/// Of this process, which computes with one thread: what else the machine does is not counted.
double processor_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

ContactCounts counts(const Simulation& simulation) {
  for (const auto& energy : simulation.model().energies())
    if (const auto* contact = dynamic_cast<const SelfContact*>(energy.get())) return contact->counts();
  return {};
}

struct Played {
  int frames = 0;
  double ms = 0;  ///< of all
  long iterations = 0;
  int most_iterations = 0;  ///< of a frame
};

class Player {
 public:
  explicit Player(ContactSubject subject) : subject_(std::move(subject)) {
    frame();  // factors and workspaces are there from now on
    frames_ = {};
    before_ = counts(subject_.simulation);
  }

  /// Does nothing once one has failed.
  void frame() {
    if (!failure_.empty()) return;
    const double start = processor_ms();
    const StepReport report = subject_.simulation.step(subject_.steps_per_frame);
    if (!report.ok()) failure_ = report.message;
    frames_.ms += processor_ms() - start;
    frames_.iterations += report.iterations;
    frames_.most_iterations = std::max(frames_.most_iterations, report.iterations);
    ++frames_.frames;
  }

  /// Of a frame; a row without times tells that its scene did not get to its end.
  double ms() const { return failure_.empty() ? frames_.ms / frames_.frames : 0; }

  std::string size() const { return fmt::format("{} v", subject_.simulation.model().vertices()); }

  /// What contact did in a frame, on average.
  std::string detail() const {
    const ContactCounts now = counts(subject_.simulation);
    const auto per_frame = [&](long ContactCounts::*what) {
      return static_cast<double>(now.*what - before_.*what) / frames_.frames;
    };
    const double asked = per_frame(&ContactCounts::asked);
    const double iterations = static_cast<double>(frames_.iterations) / frames_.frames;
    const std::string failed = failure_.empty() ? "" : fmt::format("the last one failed: {}; ", failure_);
    return failed + fmt::format(
                        "{} frames, each {:.1f} searches that found {:.0f} pairs in all; {:.0f} pairs asked, {:.1f} % "
                        "of them culled; "
                        "{:.0f} active by all evaluations; {:.0f} calls of CCD; {:.1f} iterations, at most {}",
                        frames_.frames, per_frame(&ContactCounts::searches), per_frame(&ContactCounts::found), asked,
                        asked > 0 ? 100 * per_frame(&ContactCounts::culled) / asked : 0.0,
                        per_frame(&ContactCounts::active), per_frame(&ContactCounts::ccd), iterations,
                        frames_.most_iterations);
  }

 private:
  ContactSubject subject_;
  Played frames_;
  ContactCounts before_;
  std::string failure_;
};

/// Played of both in turns: what slows one down for a while then slows the other as well. `wanted`: times as long, at
/// most; 0: as it comes.
void compare_contact(const std::string& name, ContactSubject with, ContactSubject without, int frames, double wanted,
                     const Done& done, const std::string& otherwise = "the same without contact") {
  Player ours(std::move(with)), baseline(std::move(without));
  for (int k = 0; k < frames; ++k) {
    ours.frame();
    baseline.frame();
  }
  const double ms = ours.ms(), baseline_ms = baseline.ms();
  done({.name = name,
        .size = ours.size(),
        .baseline = otherwise,
        .detail = fmt::format("{:.2f} times as long{}; {}", ms / baseline_ms,
                              wanted > 0 ? fmt::format(" (at most {} wanted)", wanted) : "", ours.detail()),
        .ms = ms,
        .baseline_ms = baseline_ms,
        .wanted = wanted > 0 ? 1 / wanted : 0});
}

void measure_contact(const std::string& name, ContactSubject subject, int frames, double wanted_ms, const Done& done) {
  Player ours(std::move(subject));
  for (int k = 0; k < frames; ++k) ours.frame();
  done({.name = name,
        .size = ours.size(),
        .baseline = "what a frame may take",
        .detail = ours.detail(),
        .ms = ours.ms(),
        .baseline_ms = wanted_ms,
        .wanted = 1});
}

}  // namespace

void run_contact(bool quick, const Done& done) {
  set_threads(1);
  const int cells = 99;  // 10,000 vertices
  compare_contact("cloth, nothing touches", swinging_cloth(cells, true), swinging_cloth(cells, false), quick ? 10 : 20,
                  1.5, done);
  compare_contact("cloth folded on itself", folded_cloth(cells, true), folded_cloth(cells, false), quick ? 4 : 20, 4,
                  done);
  compare_contact("rain of cubes", rain(true), rain(false), quick ? 40 : 120, 5, done);
  for (const double tolerance : {1e-6, 1e-10})
    measure_contact(fmt::format("tablecloth, to {}", tolerance), tablecloth(tolerance), quick ? 8 : 40, 100, done);
  measure_contact("cloth and ball", cloth_and_ball(), quick ? 40 : 90, 1000.0 / 60, done);
  compare_contact("hose coils up", hose(true), hose(false), quick ? 100 : 180, 1.6, done);
  compare_contact("bar bounces", bounce(true), bounce(false), quick ? 60 : 150, 0, done, "the law \"potential\"");
  set_threads(0);
}

}  // namespace brio::bench
