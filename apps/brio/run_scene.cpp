#include "run_scene.h"

#include "program/interrupt.h"

namespace brio::app {

RunSummary run_scene(Scene& scene, RunPlan plan, RunObserver& observer) {
  plan.stop = &Interrupt::flag();
  Run run(scene, plan, observer);
  const auto give_up = [&run] {
    const std::optional<std::string> words = run.give_up();
    if (words) say_interrupted(*words);
    return words.has_value();
  };
  {
    const Patience patience(give_up);
    run.simulate();
  }
  {
    const Patience patience(give_up);  // of its own: what came before took some of the other's
    run.write_pages();
  }
  if (!run.left_out().empty()) throw Interrupted(run.left_out());
  return run.summary();
}

}  // namespace brio::app
