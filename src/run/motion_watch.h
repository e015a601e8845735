/// What a run should tell about its motion, frame by frame, and what its method promised of the energy.
#pragma once

#include <string>
#include <vector>

#include "report/account.h"
#include "scene/scene.h"

namespace brio {

struct Notice {
  std::string about;    ///< tells it from others
  std::string text;     ///< with a remedy
  double severity = 0;  ///< to tell the worst frame; 0: all are alike
};

class MotionWatch {
 public:
  /// Of a scene at its start.
  explicit MotionWatch(const Scene& scene);

  /// At the frame that the report led to.
  std::vector<Notice> look(const Simulation& simulation, const StepReport& report);

 private:
  std::string name_of(const Simulation& simulation, BodyId body) const { return simulation.model().body(body).name; }
  void look_at_elements(const Simulation& simulation, std::vector<Notice>& list) const;
  void look_for_tunneling(const Simulation& simulation, std::vector<Notice>& list);
  void look_for_the_lost(const Simulation& simulation, std::vector<Notice>& list) const;

  long inverted_;                 ///< at the start
  Vec3 middle_;                   ///< of everything then [m]
  double size_;                   ///< likewise, from the middle to the farthest corner [m]
  double epsilon_;                ///< of methods that have one
  std::vector<long> tunneled_{};  ///< through each collider, so far
};

Promise promise_of(const Method& method, const IntegratorOptions& options, long steps);

}  // namespace brio
