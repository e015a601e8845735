/// One simulation of several that run beside each other under the same hands.
#pragma once

#include <map>
#include <optional>

#include "brio/scene.h"
#include "model/energy_in_play.h"
#include "studio/settings.h"

namespace brio::studio {

/// The text of a scene, what complaints call it, and where the files that it names are.
struct SceneText {
  std::string text;
  std::string name = "scene.toml";
  std::filesystem::path folder{};
};

/// Something that holds a point of a body by a spring: the hand of whoever drags, or a pin.
struct Hand {
  std::size_t body = 0;  ///< among the model's bodies
  BodyPoint point{};
  double stiffness = 1;  ///< [N/m]
  bool pin = false;      ///< stays where it is
};

class Pane {
 public:
  /// Of the scene's own integrator where none is named.
  Pane(const SceneText& text, const std::string& integrator);

  /// A frame of so many steps. Once it has failed it stays where it is. False, and nothing done, where it was stopped;
  /// then others may have done theirs, and wait until it has caught up.
  bool advance(int steps, const StepControl& control);
  void catch_up() { waits_ = false; }

  /// From the present moment on. All or nothing, as for all edits: they throw InputError and change nothing.
  void use(const std::string& integrator, const Wishes& wishes, double h);
  void apply(const Settings& settings, const Settings& before);

  // Hands have the same number in all panes.
  void grab(int number, const Hand& hand);
  void move(int number, const Vec3& by);  ///< from where it took hold [m]
  void let_go(int number);
  /// Where the hand is and the point that it holds [m].
  std::optional<std::pair<Vec3, Vec3>> held(int number) const;

  struct Moment {
    Snapshot snapshot;
    std::map<int, std::pair<GrabId, Vec3>> grabs;
    std::string ended;
  };
  Moment moment() const { return {simulation().snapshot(), grabs_, ended_}; }
  void restore(const Moment& moment);

  Simulation& simulation() { return scene_.simulation; }
  const Simulation& simulation() const { return scene_.simulation; }
  const Scene& scene() const { return scene_; }
  const Wishes& wishes() const { return wishes_; }
  const IntegratorOptions& options() const { return options_; }
  const std::string& integrator() const { return simulation().method().name; }
  const StepReport& report() const { return report_; }  ///< of the last frame
  double ms() const { return ms_; }                     ///< that it took
  const std::string& ended() const { return ended_; }   ///< why it cannot go on; empty: it can
  /// What happened, once, when more energy appeared than was put in or the last step failed; empty: nothing.
  std::string take_alarm() { return std::exchange(alarm_, {}); }

 private:
  void watch();  ///< for energy from nowhere

  Scene scene_;
  Wishes wishes_;
  IntegratorOptions options_;
  std::vector<std::optional<Material>> materials_;  ///< of bodies at stiffness 1, where they are known
  std::map<int, std::pair<GrabId, Vec3>> grabs_;    ///< with where they took hold [m]
  EnergyPutIn put_in_;
  LedgerRow first_;
  double lowest_ = 0;  ///< residual so far [J]
  bool exploded_ = false;
  bool waits_ = false;  ///< for the others
  StepReport report_{};
  double ms_ = 0;
  std::string ended_, alarm_;
};

}  // namespace brio::studio
