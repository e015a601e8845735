/// What bodies of random scenes run into, and what slows them.
#include <algorithm>
#include <cmath>

#include "torture/random_scene.h"

namespace brio::torture {

/// Below the bodies, near enough to be met within the run.
void SceneWriter::add_collider(int index) {
  const Placed& first = bodies_.front();
  const double size = setting_.size, time = setting_.duration();
  const double fall = speed(first) * time + 0.5 * std::abs(setting_.gravity) * time * time;
  const double top = first.y - first.half_height - std::min(0.5 * size, fall * dice_.between(0, 0.5));
  const std::string shape = index == 0 ? dice_.name({"plane", "plane", "sphere", "box", "capsule"})
                                       : dice_.name({"sphere", "box", "capsule"});
  say("[[collider]]\nname = \"collider{}\"\nshape = \"{}\"", index, shape);
  const double radius = size * dice_.between(0.3, 1);
  const std::string center =
      fmt::format("[{:.4g}, {:.4g}, 0]", first.x + size * dice_.between(-0.3, 0.3), top - radius);
  if (shape == "plane") say("point = [0, {:.4g}, 0]\nnormal = [{:.2g}, 1, 0]", top, dice_.between(-0.2, 0.2));
  if (shape == "sphere") say("center = {}\nradius = {:.4g}", center, radius);
  if (shape == "box") say("center = {}\nsize = [{:.4g}, {:.4g}, {:.4g}]", center, 2 * size, 2 * radius, 2 * size);
  if (shape == "capsule")
    say("from = [{:.4g}, {:.4g}, 0]\nto = [{:.4g}, {:.4g}, 0]\nradius = {:.4g}", -size, top - radius, size,
        top - radius, radius);
  if (dice_.chance(0.5) || setting_.is_explicit()) {
    const double per_vertex = first.mass / first.vertices;
    const double soft = per_vertex * std::max(std::abs(setting_.gravity), 1.0) / (0.1 * size);
    say("stiffness = {:.3g}", stable_limit(soft * dice_.log_between(1, 1e5), per_vertex / 3));
  }
  if (dice_.chance(0.4)) say("law = \"{}\"", dice_.name({"spring", "held-spring"}));
  if (dice_.chance(0.5)) say("friction = {:.2g}", dice_.between(0.05, 1));
  if (dice_.chance(0.3)) say("thickness = {:.3g}", 0.02 * size);
  const double away = std::min(0.3 * size, speed(first) * time);
  if (shape == "sphere" && dice_.chance(0.4))
    say("path = [[0, {}], [{:.4g}, [{:.4g}, {:.4g}, 0]]]", center, moment(), first.x + away * dice_.between(-1, 1),
        top - radius + away * dice_.between(-1, 1));
  else if (dice_.chance(0.15))
    say("turn = [[0, 0], [{:.4g}, {:.3g}]]\naxis = [0, 1, 0.2]\ninterpolate = \"smooth\"", moment(),
        40 * std::min(1.0, away / size) * dice_.between(-1, 1));
}

void SceneWriter::add_contact() {
  say("[contact]\nthickness = {:.3g}", setting_.size * dice_.log_between(0.003, 0.05));
  if (dice_.chance(0.4)) say("friction = {:.2g}", dice_.between(0.05, 0.8));
  if (dice_.chance(0.3)) say("self = false");
}

void SceneWriter::add_damping() {
  const double time = setting_.duration();
  if (setting_.may_damp_strain && dice_.chance(0.2))
    say("[[damping]]\nname = \"{}\"\nstiffness = {:.2g}", dice_.name({"rayleigh", "variational"}),
        setting_.h * dice_.log_between(1e-3, setting_.is_explicit() ? 0.03 : 10));
  if (dice_.chance(0.1)) say("[[damping]]\nname = \"rayleigh\"\nmass = {:.2g}", dice_.log_between(0.01, 10) / time);
  if (dice_.chance(0.1))
    say("[[damping]]\nname = \"momentum-preserving\"\nper_step = {:.2g}", dice_.log_between(1e-4, 0.5));
  if (dice_.chance(0.1))
    say("[[damping]]\nname = \"drag\"\ncoefficient = {:.2g}",
        bodies_.front().mass / bodies_.front().vertices * dice_.log_between(0.01, 10) / time);
}

}  // namespace brio::torture
