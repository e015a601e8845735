#include "torture/random_scene.h"

#include <algorithm>

#include "brio/solvers.h"

namespace brio::torture {

SceneWriter::SceneWriter(std::uint64_t seed, std::uint64_t index, const std::vector<std::string>& methods)
    : dice_(seed * 0x9e3779b97f4a7c15ULL + index) {
  for (int k = 0; k < 4; ++k) dice_.whole(0, 1);  // neighboring seeds begin alike
  choose_method(methods);
  choose_time();
  setting_.sane = dice_.chance(0.85);
  setting_.size = dice_.log_between(1e-3, 100);
  setting_.gravity = dice_.chance(0.75) ? 9.81 : dice_.chance(0.5) ? 0 : dice_.between(-20, 20);
  say("gravity = [0, {:.3g}, 0]", setting_.gravity == 0 ? 0 : -setting_.gravity);
  say("[time]\nh = {:.4g}\nframes = {}\nsubsteps = {}", setting_.h, setting_.frames, setting_.substeps);
  if (dice_.chance(0.03)) say("start = \"equilibrium\"");
  say("[integrator]\nname = \"{}\"", setting_.method->name);
  add_options();
  if (!setting_.is_explicit() && dice_.chance(0.6)) add_solver();
  const int count = dice_.of(std::vector<int>{1, 1, 1, 2, 2, 3});
  for (int k = 0; k < count; ++k) add_body(k, count);
  const int colliders = dice_.chance(0.5) ? dice_.whole(1, 2) : 0;
  for (int k = 0; k < colliders; ++k) add_collider(k);
  const bool surfaces = std::ranges::any_of(bodies_, [](const Placed& body) { return body.kind != "particles"; });
  const bool calm = std::ranges::all_of(bodies_, &Placed::calm);
  if (surfaces && dice_.chance(calm ? 0.4 : 0.05)) add_contact();
  add_damping();
  say("[output]\nformats = []");
}

std::string SceneWriter::vector(double size) {
  const double x = dice_.between(-size, size), y = dice_.between(-size, size), z = dice_.between(-size, size);
  return fmt::format("[{:.3g}, {:.3g}, {:.3g}]", x, y, z);
}

/// What the torture test is about comes more often.
void SceneWriter::choose_method(const std::vector<std::string>& names) {
  std::vector<const Method*> methods;
  for (const Method& method : integrators()) {
    if (!names.empty() && std::ranges::count(names, method.name) == 0) continue;
    const bool often = method.energy == EnergyBehavior::tracked || method.name == "avf";
    const int weight = often ? 6 : method.force_evaluations == 0 ? 2 : 1;
    methods.insert(methods.end(), static_cast<std::size_t>(method.dynamic ? weight : 1), &method);
  }
  setting_.method = dice_.of(methods);
}

void SceneWriter::choose_time() {
  setting_.frames = dice_.whole(10, dice_.chance(0.2) ? 40 : 20);
  setting_.substeps = dice_.chance(0.8) ? 1 : dice_.whole(2, 3);
  setting_.h = setting_.is_explicit() ? dice_.log_between(1e-4, 1e-2) : dice_.log_between(1e-4, 0.1);
}

void SceneWriter::add_options() {
  const auto knows = [&](const char* option) { return std::ranges::count(setting_.method->options, option) > 0; };
  if (knows("gamma") && dice_.chance(0.5)) say("gamma = {:.2g}\nbeta = 0.4", dice_.between(0.5, 0.8));
  if (knows("quadrature") && dice_.chance(0.3))
    say("quadrature = \"{}\"", dice_.name({"adaptive", "simpson", "gauss1", "gauss2", "gauss4"}));
  if (knows("start") && dice_.chance(0.2)) say("start = \"symplectic-euler\"");
  if (knows("half_life") && dice_.chance(0.3)) say("half_life = {:.2g}", setting_.duration() * dice_.between(0.1, 5));
  if (knows("contact_energy") && dice_.chance(0.15)) say("contact_energy = false");
  if (knows("epsilon") && dice_.chance(0.3)) say("epsilon = {:.1g}", dice_.log_between(1e-4, 0.2));
  if (!knows("alpha")) return;
  if (dice_.chance(0.25)) {
    say("order = {}", dice_.of(std::vector<int>{4, 6}));
    setting_.may_damp_strain = false;  // steps that run backwards
  } else if (dice_.chance(0.5)) {
    say("alpha = {:.2g}", dice_.between(0.3, 1));
    if (dice_.chance(0.4)) say("damping = {:.2g}", setting_.h * dice_.log_between(1e-3, 1));
  }
}

void SceneWriter::add_solver() {
  const std::string name = dice_.name({"newton", "newton", "newton", "local-global", "lbfgs", "root"});
  say("[solver]\nname = \"{}\"", name);
  const SolverMethod& solver = find_solver(name);
  if (solver.knows("linear") && dice_.chance(0.4)) say("linear = \"{}\"", dice_.name({"direct", "pcg"}));
  if (solver.knows("definite") && dice_.chance(0.4)) say("definite = \"tikhonov\"");
  if (solver.knows("acceleration") && dice_.chance(0.5))
    say("acceleration = \"{}\"", dice_.name({"chebyshev", "anderson"}));
  if (dice_.chance(0.4)) say("tolerance = {:g}", dice_.of(std::vector<double>{1e-12, 1e-8, 1e-6, 1e-4}));
  // Who gives a solver few iterations and wants it to converge asks for failure.
  if (dice_.chance(0.2))
    say("iterations = {}\nunconverged = \"accept\"", dice_.whole(2, 50));
  else if (dice_.chance(0.2))
    say("unconverged = \"{}\"", dice_.name({"accept", "substep"}));
}

}  // namespace brio::torture
