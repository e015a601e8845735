/// Random scenes, each a function of its seed: every kind of body, material, integrator, solver, damping, contact and
/// forcing, in combinations that nobody would think of. Small and short, so that hundreds run in a minute.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "brio/integrators.h"
#include "torture/dice.h"

namespace brio::testing {

using brio::Dice;

/// How many seeds a campaign takes: `few` in every test, or what the environment variable says.
inline int campaign_runs(const char* variable, int few) {
  const char* wanted = std::getenv(variable);
  return wanted != nullptr ? std::atoi(wanted) : few;
}

/// One line of JSON for docs/reliability.md, where a campaign was asked for by its environment variable.
inline void tell_of_campaign(const char* variable, const std::string& campaign, int runs, int failures,
                             double seconds) {
  if (std::getenv(variable) != nullptr)
    fmt::print("{{\"campaign\": \"{}\", \"runs\": {}, \"failures\": {}, \"seconds\": {:.1f}}}\n", campaign, runs,
               failures, seconds);
}

class RandomScene {
 public:
  explicit RandomScene(std::uint64_t seed) : dice_(seed) {
    for (int k = 0; k < 4; ++k) dice_.whole(0, 1);  // neighboring seeds begin alike
    choose_method();
    add_time();
    const int bodies = dice_.whole(1, 3);
    for (int k = 0; k < bodies; ++k) add_body(k);
    const int colliders = dice_.chance(0.6) ? dice_.whole(1, 2) : 0;
    for (int k = 0; k < colliders; ++k) add_collider(k);
    if (has_surface_ && dice_.chance(0.35)) add_free();
    add_damping();
    text_ += "[output]\nformats = []\n";
  }

  const std::string& text() const { return text_; }
  int frames() const { return frames_; }

 private:
  struct Place {
    double half;  ///< length along x [m]
    double y;     ///< [m]
    std::string z;
    bool is_wire;  ///< its ends are three vertices each, whose middle is not on the curve
  };

  template <class... Values>
  void say(fmt::format_string<Values...> format, Values&&... values) {
    text_ += fmt::format(format, std::forward<Values>(values)...) + "\n";
  }
  std::string vector(double size) {
    return fmt::format("[{:.3}, {:.3}, {:.3}]", dice_.between(-size, size), dice_.between(-size, size),
                       dice_.between(-size, size));
  }
  /// Within the run, now and then exactly at the end of a step.
  double moment() {
    const double steps = frames_ * substeps_;
    return h_ * (dice_.chance(0.5) ? dice_.between(0, steps) : dice_.whole(1, frames_ * substeps_));
  }

  void choose_method() {
    std::vector<const Method*> methods;  // what is not held has no equilibrium
    for (const Method& method : integrators())
      if (method.dynamic) methods.push_back(&method);
    method_ = methods[static_cast<std::size_t>(dice_.whole(0, static_cast<int>(methods.size()) - 1))];
    explicit_ = method_->family == "explicit";
    constrained_ = method_->constraints && dice_.chance(0.4);
    say("[integrator]\nname = \"{}\"", method_->name);
    if (method_->name == "newmark") say("gamma = {:.3}\nbeta = 0.4", dice_.between(0.5, 0.8));
    if (method_->name == "avf" && dice_.chance(0.5))
      say("quadrature = \"{}\"", dice_.name({"simpson", "gauss1", "gauss2", "gauss4"}));
    if (method_->name == "stabilized") {
      if (dice_.chance(0.3)) say("start = \"symplectic-euler\"");
      if (dice_.chance(0.4)) say("half_life = {:.3}", dice_.between(0.05, 1));
      if (dice_.chance(0.3)) say("contact_energy = false");
      if (dice_.chance(0.3)) say("epsilon = {:.3}", dice_.between(1e-4, 0.1));
    }
    if (method_->name == "variational") {
      if (dice_.chance(0.3)) {
        say("order = {}", dice_.of(std::vector<int>{4, 6}));
        may_damp_strain_ = false;  // steps that run backwards
      } else {
        say("alpha = {:.2}", dice_.between(0.3, 0.7));
        if (dice_.chance(0.3)) say("damping = 0.002");
      }
    }
    if (explicit_) return;
    const std::string name = dice_.name({"newton", "newton", "local-global", "lbfgs", "root"});
    say("[solver]\nname = \"{}\"", name);
    const SolverMethod& solver = find_solver(name);
    const std::string linear = dice_.name({"auto", "direct", "pcg"}), definite = dice_.name({"project", "tikhonov"}),
                      acceleration = dice_.name({"none", "chebyshev", "anderson"});
    if (solver.knows("linear")) say("linear = \"{}\"", linear);
    if (solver.knows("definite")) say("definite = \"{}\"", definite);
    if (solver.knows("acceleration")) say("acceleration = \"{}\"", acceleration);
    say("tolerance = {}", dice_.of(std::vector<double>{1e-10, 1e-8, 1e-4}));
    if (dice_.chance(0.4)) say("iterations = {}", dice_.whole(2, 25));
    say("unconverged = \"{}\"", dice_.name({"auto", "accept", "substep"}));
  }

  void add_time() {
    frames_ = dice_.whole(6, 14);
    substeps_ = dice_.whole(1, explicit_ ? 8 : 2);
    h_ = explicit_ ? 2e-4 : dice_.of(std::vector<double>{0.004, 0.01, 1.0 / 60, 0.1 / 3});
    say("[time]\nh = {}\nframes = {}\nsubsteps = {}", h_, frames_, substeps_);
    text_ = fmt::format("gravity = [0, {:.3}, 0]\n", dice_.chance(0.8) ? -9.81 : dice_.between(-3, 3)) + text_;
  }

  void add_body(int index) {
    const std::string kind = dice_.name({"solid", "solid", "cloth", "wire", "particles"});
    has_surface_ = has_surface_ || kind != "particles";
    const Place place{.half = 0.25,
                      .y = 0.3 + 0.5 * index,
                      .z = fmt::format("{:.3f}", dice_.between(-0.05, 0.05)),
                      .is_wire = kind == "wire"};
    say("[[body]]\nname = \"body{}\"\nkind = \"{}\"", index, kind);
    say("position = [0, {:.3}, {}]", place.y, place.z);
    if (kind == "solid") {
      if (dice_.chance(0.2))
        say("mesh = {{ generate = \"bar\", size = [0.5, 0.2, 0.2], cells = [12, 3, 3] }}");
      else
        say("mesh = {{ generate = \"bar\", size = [0.5, 0.2, 0.2], cells = [{}, 1, {}] }}", dice_.whole(2, 4),
            dice_.whole(1, 2));
      add_material();
    } else if (kind == "cloth") {
      say("mesh = {{ generate = \"sheet\", size = [0.5, 0.4], cells = [{}, {}] }}", dice_.whole(2, 6),
          dice_.whole(2, 5));
      say("law = \"hookean\"\nmass = 0.2\nstretch = {:.3}", dice_.between(50, 300));
    } else {
      say("mesh = {{ generate = \"line\", length = 0.5, segments = {} }}", dice_.whole(4, 9));
      if (kind == "wire")
        say("radius = 0.03\nmass = 0.1\nstiffness = {:.3}\ntorsion_law = \"{}\"", dice_.between(50, 500),
            dice_.chance(0.7) ? "potential" : "s2");
      else
        say("mass = 0.05\nstiffness = {:.3}", dice_.between(20, 500));
    }
    if (dice_.chance(0.6)) say("velocity = {}", vector(1.5));
    if (dice_.chance(0.5)) say("spin = {}", vector(4));
    const bool constrain = constrained_ && index == 0 && kind != "wire";
    if (constrain) {
      say("constrain = [{{ kind = \"plane\", vertex = 0, point = [-0.25, {:.3}, 0], direction = [1, 0, 0] }}]",
          place.y);
    } else if (dice_.chance(0.4)) {
      add_held("pin", -place.half, place);
    }
    if (!constrain && dice_.chance(0.4)) add_held("attach", place.half, place);
    if (dice_.chance(0.25))
      say("push = [{{ select = {{ vertex = 1 }}, force = [[0, {}], [{:.6}, {}]] }}]", vector(0.5), moment(),
          vector(0.5));
    if ((kind == "cloth" || kind == "solid") && dice_.chance(0.3))
      say("wind = {{ velocity = {}, gust = {:.2}, period = {:.3} }}", vector(4), dice_.between(0, 0.8),
          dice_.between(0.02, 0.4));
  }

  void add_material() {
    const std::string name =
        dice_.name({"stvk", "stvk-volume", "corotated", "neo-hookean", "stable-neo-hookean", "mooney-rivlin"});
    const double stiffness = dice_.between(5e3, 8e4);
    if (name == "mooney-rivlin")
      say("material = {{ name = \"{}\", a = {:.3}, b = {:.3}, kappa = {:.3} }}", name, stiffness / 4, stiffness / 4,
          stiffness);
    else
      say("material = {{ name = \"{}\", young = {:.3}, poisson = {:.2}{} }}", name, stiffness, dice_.between(0.1, 0.4),
          name == "stvk-volume" ? fmt::format(", kappa = {:.3}", stiffness) : "");
  }

  /// The end at x, held by pins or springs, where it is or along a path that begins there; springs may let go.
  void add_held(const char* how, double x, const Place& place) {
    const double side = x < 0 ? -1 : 1;
    std::string held = fmt::format("select = {{ plane = [[{:.4}, {:.3}, 0], [{}, 0, 0]] }}", 0.98 * x, place.y, side);
    if (std::string(how) == "attach") {
      held += fmt::format(", stiffness = {:.4}", dice_.between(5, 800));
      if (dice_.chance(0.6)) held += fmt::format(", release = {}", moment());
    }
    if (!place.is_wire && dice_.chance(0.5))
      held +=
          fmt::format(", path = [[0, [{}, {:.3}, {}]], [{}, [{:.3}, {:.3}, {:.3}]]]", x, place.y, place.z, moment(),
                      x + side * dice_.between(0, 0.1), place.y + dice_.between(-0.1, 0.1), dice_.between(-0.1, 0.1));
    if (dice_.chance(0.3))
      held += dice_.chance(0.5)
                  ? fmt::format(", turn = [[0, 0], [{}, {:.3}]], axis = [1, 0, 0]", moment(), dice_.between(-60, 60))
                  : fmt::format(", turn = [[0, [0, 0, 0]], [{}, {}]]", moment(), vector(60));
    if (held.find("path = ") != std::string::npos || held.find("turn = ") != std::string::npos) {
      if (dice_.chance(0.5)) held += ", interpolate = \"smooth\"";
      if (std::string(how) == "attach" && dice_.chance(0.2)) held += ", forcing = \"s1\"";
    }
    say("{} = [{{ {} }}]", how, held);
  }

  void add_collider(int index) {
    const std::string shape = index == 0 ? "plane" : dice_.name({"sphere", "box", "capsule"});
    const std::string middle = fmt::format("[{:.3}, -0.4, 0]", dice_.between(-0.3, 0.3));
    say("[[collider]]\nname = \"collider{}\"\nshape = \"{}\"", index, shape);
    if (shape == "plane") say("point = [0, -0.02, 0]\nnormal = [{:.2}, 1, 0]", dice_.between(-0.1, 0.1));
    if (shape == "sphere") say("center = {}\nradius = 0.5", middle);
    if (shape == "box") say("center = {}\nsize = [0.4, 0.9, 0.6]", middle);
    if (shape == "capsule") say("from = [-0.4, -0.3, 0]\nto = [0.4, -0.3, 0.1]\nradius = 0.35");
    say("stiffness = {:.4}\nlaw = \"{}\"", dice_.between(50, 3000),
        dice_.name({"potential", "potential", "spring", "held-spring"}));
    if (dice_.chance(0.6)) say("friction = {:.2}", dice_.between(0.05, 0.8));
    if (dice_.chance(0.3)) say("thickness = 0.01");
    if (shape == "sphere" && dice_.chance(0.5))
      say("path = [[0, {}], [{}, [0.1, -0.3, 0.1]]]", middle, moment());
    else if (dice_.chance(0.3))
      say("turn = [[0, 0], [{}, {:.3}]]\naxis = [0, 1, 0.2]\npivot = {}\ninterpolate = \"{}\"", moment(),
          dice_.between(-40, 40), vector(0.2), dice_.chance(0.5) ? "smooth" : "linear");
  }

  void add_free() {
    say("[contact]\nthickness = 0.01");
    if (dice_.chance(0.5)) say("friction = {:.2}", dice_.between(0.05, 0.6));
    if (dice_.chance(0.3)) say("self = false");
  }

  void add_damping() {
    if (may_damp_strain_ && dice_.chance(0.25))
      say("[[damping]]\nname = \"rayleigh\"\nstiffness = {:.3}", dice_.between(1e-4, 2e-3));
    if (dice_.chance(0.2)) say("[[damping]]\nname = \"momentum-preserving\"\nrate = {:.3}", dice_.between(0.1, 5));
    if (dice_.chance(0.2)) say("[[damping]]\nname = \"drag\"\ncoefficient = {:.3}", dice_.between(1e-4, 1e-2));
  }

  Dice dice_;
  std::string text_;
  const Method* method_ = nullptr;
  bool explicit_ = false, constrained_ = false, has_surface_ = false, may_damp_strain_ = true;
  int frames_ = 0, substeps_ = 1;
  double h_ = 0;
};

}  // namespace brio::testing
