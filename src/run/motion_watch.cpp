#include "run/motion_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "brio/contact.h"
#include "contact/passing.h"
#include "contact/tunneling.h"
#include "model/inversion.h"

namespace brio {
namespace {

void look_at_solver(const Simulation& simulation, const StepReport& report, std::vector<Notice>& list) {
  if (report.halvings > 0)
    list.push_back({"halved steps", fmt::format("steps of {} s failed and were halved until they did not; more "
                                                "time.substeps would spare the failed attempts",
                                                simulation.h())});
  if (report.unconverged)
    list.push_back({"unconverged steps",
                    fmt::format("the solver stopped short of its tolerance, at a residual of {:.1e} of the forces, and "
                                "that was accepted; raise solver.iterations, or shorten h",
                                report.residual),
                    report.residual});
  if (report.limited_drag > 0)
    list.push_back(
        {"weakened wind",
         fmt::format("wind was weakened on vertices so light ({} of them, over the steps of a frame) that, held "
                     "over a step of {:g} s, it would have turned them around; raise time.substeps, or "
                     "their mass",
                     report.limited_drag, simulation.h()),
         static_cast<double>(report.limited_drag)});
}

void look_at_depth(const Simulation& simulation, std::vector<Notice>& list) {
  constexpr double much = 0.05;  // of a body's size
  const Penetration deepest = deepest_penetration(simulation.model(), simulation.state());
  if (deepest.fraction <= much) return;
  list.push_back(
      {"penetration of " + deepest.collider,
       fmt::format("{} is {:.2g} m inside {}, {:.0f} % of its size; raise the collider's stiffness, or "
                   "shorten h",
                   simulation.model().body(deepest.body).name, deepest.depth, deepest.collider, 100 * deepest.fraction),
       deepest.fraction});
}

void look_between_vertices(const Simulation& simulation, std::vector<Notice>& list) {
  for (const Passing& one : find_passing(simulation.model(), simulation.state()))
    list.push_back({"passing through " + one.collider,
                    fmt::format("{} goes through {} {} of {} between their vertices, which is all that its law looks "
                                "at; choose law = \"barrier\", or a finer mesh",
                                one.collider, one.faces, one.faces == 1 ? "face" : "faces",
                                simulation.model().body(one.body).name),
                    static_cast<double>(one.faces)});
}

}  // namespace

MotionWatch::MotionWatch(const Scene& scene)
    : inverted_(find_inverted(scene.simulation.model(), scene.simulation.state().x).inverted),
      epsilon_(scene.options.options.epsilon) {
  Vec3 low = scene.simulation.state().x[0];
  Vec3 high = low;
  const auto include = [&](const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  };
  for (std::size_t i = 0; i < scene.simulation.model().vertices(); ++i) include(scene.simulation.state().x[i]);
  for (const Obstacle& obstacle : scene.scenery.obstacles) {
    include(obstacle.pose.translation);
    for (const Vec3& vertex : obstacle.vertices) include(obstacle.pose.apply(vertex));
  }
  middle_ = (low + high) / 2;
  size_ = (high - low).norm() / 2;
}

std::vector<Notice> MotionWatch::look(const Simulation& simulation, const StepReport& report) {
  std::vector<Notice> list;
  look_at_solver(simulation, report, list);
  if (report.strayed > 0)
    list.push_back(
        {"energy outside epsilon",
         fmt::format("a step of {} ended {} from its energy, beyond integrator.epsilon = {:g}; shorten h, "
                     "raise solver.iterations, or start from implicit-midpoint",
                     simulation.model().bodies()[report.strayed_body].name, ratio_text(report.strayed_by), epsilon_),
         report.strayed_by});
  look_for_tunneling(simulation, list);
  look_between_vertices(simulation, list);
  look_at_depth(simulation, list);
  look_at_elements(simulation, list);
  look_for_the_lost(simulation, list);
  return list;
}

void MotionWatch::look_for_tunneling(const Simulation& simulation, std::vector<Notice>& list) {
  const auto now = tunneled(simulation.model());
  tunneled_.resize(now.size());
  for (std::size_t k = 0; k < now.size(); ++k) {
    const auto& [name, count] = now[k];
    const long vertices = count - std::exchange(tunneled_[k], count);
    if (vertices <= 0) continue;
    list.push_back({"passing through " + name,
                    fmt::format("{} {} passed through {} within a step, from one side to the other; shorten h, or make "
                                "it thicker or slower",
                                vertices, vertices == 1 ? "vertex" : "vertices", name),
                    static_cast<double>(vertices)});
  }
}

/// Those that the motion turned inside out: a scene may start from a heap of them, which comes right in its time.
void MotionWatch::look_at_elements(const Simulation& simulation, std::vector<Notice>& list) const {
  const Inversion now = find_inverted(simulation.model(), simulation.state().x);
  if (now.inverted <= 2 * inverted_) return;
  list.push_back({"inverted elements",
                  fmt::format("{} of {} tets are inside out, the worst, of {}, at {:.2g} % of its volume; shorten h, "
                              "stiffen the material, or refine the mesh",
                              now.inverted, now.tets, name_of(simulation, now.body), 100 * now.worst),
                  static_cast<double>(now.inverted)});
}

void MotionWatch::look_for_the_lost(const Simulation& simulation, std::vector<Notice>& list) const {
  constexpr double out_of_sight = 100;  // times the size of the scene
  const NodalField& x = simulation.state().x;
  double farthest = 0;
  std::size_t vertex = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (const double distance = (x[i] - middle_).norm(); distance > farthest) {
      farthest = distance;
      vertex = i;
    }
  if (!(farthest > out_of_sight * size_)) return;
  int body = static_cast<int>(simulation.model().bodies().size()) - 1;
  while (simulation.model().bodies()[body].first_vertex > static_cast<int>(vertex)) --body;
  list.push_back({"out of sight",
                  fmt::format("{} has flown or fallen {:.2g} m away, {:.0f} times the size of the scene; give it a "
                              "floor, or end the run before",
                              simulation.model().bodies()[body].name, farthest, farthest / size_),
                  farthest});
}

/// An error of the solver's tolerance in every step, in units of the energy in play, is what its methods allow.
Promise promise_of(const Method& method, const IntegratorOptions& options, long steps) {
  constexpr double rounding = 1e-9;
  switch (method.energy) {
    case EnergyBehavior::kept:
      return {.sentence = method.name + " promises to keep the energy to the solver's tolerance",
              .limit = rounding + options.solver.tolerance * static_cast<double>(steps),
              .remedy = "shorten h, or use stabilized, which bounds what it strays"};
    case EnergyBehavior::tracked:  // twice: its own scale may be twice the energy in play
      return {
          .sentence = fmt::format("{} promises to keep the energy within epsilon = {:g}", method.name, options.epsilon),
          .limit = rounding + 2 * options.epsilon,
          .remedy = "shorten h, raise solver.iterations, or start from implicit-midpoint"};
    case EnergyBehavior::decays:
      return {.sentence = method.name + " promises that energy only decays",
              .limit = 0.01,
              .allows_loss = true,
              .remedy = "shorten h, or soften what drives or touches"};
    default:
      return {};
  }
}

}  // namespace brio
