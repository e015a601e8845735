/// Random scenes of the torture test, as text that anyone can run: every kind of body, material, integrator, solver,
/// damping, contact and driving, from 1 mm to 100 m, from jelly to steel, from calm to scattered.
#pragma once

#include <fmt/format.h>

#include <string>

#include "brio/integrators.h"
#include "torture/dice.h"

namespace brio::torture {

/// What the parts of a scene have to know of each other.
struct Setting {
  const Method* method = nullptr;
  bool sane = true;       ///< bodies carry their own weight, nothing moves faster than sound
  double size = 1;        ///< of the largest body [m]
  double gravity = 9.81;  ///< [m/s²]
  double h = 0.01;        ///< [s]
  int frames = 20, substeps = 1;
  bool may_damp_strain = true;

  bool is_explicit() const { return method->force_evaluations > 0; }
  double duration() const { return h * frames * substeps; }  ///< [s]
};

/// A body as others see it, after it was written.
struct Placed {
  std::string kind;
  double length = 1;       ///< along x [m]
  double half_height = 0;  ///< [m]
  double mass = 1;         ///< [kg]
  int vertices = 1;
  double sound = 1;            ///< speed of waves in it [m/s]
  double x = 0, y = 0, z = 0;  ///< its middle [m]
  bool calm = true;            ///< starts from its rest shape
  bool upright = true;         ///< its ends are at x ± length/2
};

/// Writes a scene piece by piece; each file adds what it knows.
class SceneWriter {
 public:
  /// `methods`: names of the integrators to choose from; all where there are none.
  SceneWriter(std::uint64_t seed, std::uint64_t index, const std::vector<std::string>& methods);
  std::string text() const { return text_; }

 private:
  template <class... Values>
  void say(fmt::format_string<Values...> format, Values&&... values) {
    text_ += fmt::format(format, std::forward<Values>(values)...) + "\n";
  }
  std::string vector(double size);  ///< each part within ± size
  double moment() { return setting_.duration() * dice_.between(0.1, 1); }
  double speed(const Placed& body);  ///< [m/s], for it to start or to be driven with

  // random_scene.cpp
  void choose_method(const std::vector<std::string>& names);
  void choose_time();
  void add_options();
  void add_solver();
  // random_body.cpp
  void add_body(int index, int count);
  void add_solid(Placed& body, double budget);
  void add_material(Placed& body, double density, double cell);
  void add_cloth(Placed& body, double budget);
  void add_line(Placed& body, double budget);
  double spring_stiffness(const Placed& body);
  double stable_limit(double stiffness, double inertia);
  // random_start.cpp
  void add_start(Placed& body);
  void add_motion(const Placed& body);
  void add_held(const char* how, double side, const Placed& body);
  void add_loads(const Placed& body);
  void add_slices(double stretch, double shift, const Placed& body);
  // random_surroundings.cpp
  void add_collider(int index);
  void add_contact();
  void add_damping();

  Dice dice_;
  Setting setting_;
  std::string text_;
  std::vector<Placed> bodies_;
  std::vector<double> slices_;  ///< of the body at hand, where it has some: x of its vertices [m]
  bool barrier_ = false;        ///< of the body at hand: it must not start inside out
};

/// A function of both numbers and of the integrators to choose from alone.
inline std::string random_scene(std::uint64_t seed, std::uint64_t index, const std::vector<std::string>& methods = {}) {
  return SceneWriter(seed, index, methods).text();
}

}  // namespace brio::torture
