/// Bodies of random scenes: what they are made of.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/materials/registry.h"
#include "torture/random_scene.h"

namespace brio::torture {
namespace {

/// As it is written, so that ends are where pins and constraints look for them.
double round_off(double size) { return std::stod(fmt::format("{:.4g}", size)); }

}  // namespace

void SceneWriter::add_body(int index, int count) {
  const double budget = dice_.log_between(10, 100) / count;  // vertices
  Placed body{.kind = dice_.name({"solid", "solid", "solid", "cloth", "wire", "particles"})};
  body.length = round_off(index == 0 ? setting_.size : setting_.size * dice_.between(0.3, 1));
  body.y = bodies_.empty() ? 0 : bodies_.back().y + bodies_.back().half_height + 0.15 * setting_.size;
  barrier_ = false;
  slices_.clear();
  say("[[body]]\nname = \"body{}\"\nkind = \"{}\"", index, body.kind);
  if (body.kind == "solid") add_solid(body, budget);
  if (body.kind == "cloth") add_cloth(body, budget);
  if (body.kind == "wire" || body.kind == "particles") add_line(body, budget);
  body.y += body.half_height;
  say("position = [{:.6g}, {:.6g}, {:.6g}]", body.x, body.y, body.z);
  add_start(body);
  add_motion(body);
  add_loads(body);
  bodies_.push_back(body);
}

/// What keeps an explicit step stable: ω = sqrt(stiffness / inertia) < 2 / h, with room for large strains.
double SceneWriter::stable_limit(double stiffness, double inertia) {
  if (!setting_.is_explicit() || !setting_.sane) return stiffness;
  const double omega = 0.05 / setting_.h;
  return std::min(stiffness, dice_.log_between(0.01, 1) * inertia * omega * omega);
}

void SceneWriter::add_solid(Placed& body, double budget) {
  const std::string shape = dice_.name({"bar", "bar", "bar", "sphere", "cylinder", "torus"});
  const double size = body.length;
  double volume = 0, cell = 0;
  if (shape == "bar") {
    const int b = budget > 40 ? dice_.whole(1, 2) : 1, c = budget > 60 ? dice_.whole(1, 2) : 1;
    const int a = std::clamp(static_cast<int>(budget / ((b + 1) * (c + 1))) - 1, 1, 12);
    const double height = size * dice_.between(0.15, 1), width = size * dice_.between(0.15, 1);
    say("mesh = {{ generate = \"bar\", size = [{:.4g}, {:.4g}, {:.4g}], cells = [{}, {}, {}]{} }}", size, height, width,
        a, b, c, dice_.chance(0.2) ? ", split = \"six\"" : "");
    for (int k = 0; k <= a; ++k) slices_.push_back(size * (static_cast<double>(k) / a - 0.5));
    body.vertices = (a + 1) * (b + 1) * (c + 1);
    body.half_height = height / 2;
    volume = size * height * width;
    cell = std::min({size / a, height / b, width / c});
  } else if (shape == "sphere") {
    say("mesh = {{ generate = \"sphere\", radius = {:.4g}, rings = {} }}", size / 2, budget > 100 ? 3 : 2);
    body.half_height = size / 2;
    volume = std::numbers::pi / 6 * size * size * size;
    cell = size / 6;
    body.vertices = 30;
    body.upright = false;
  } else {
    const bool torus = shape == "torus";
    const double radius = size / 2 * dice_.between(0.1, 0.4);
    body.half_height = torus ? radius : size / 2;
    if (torus)
      say("mesh = {{ generate = \"torus\", radius = {:.4g}, tube = {:.4g}, rings = 1, slices = {} }}",
          size / 2 - radius, radius, std::clamp(static_cast<int>(budget / 7), 4, 16));
    else
      say("mesh = {{ generate = \"cylinder\", radius = {:.4g}, length = {:.4g}, rings = 1, layers = {} }}", radius,
          size, std::clamp(static_cast<int>(budget / 7), 1, 12));
    volume = std::numbers::pi * radius * radius * size;
    cell = radius / 2;
    body.vertices = static_cast<int>(budget);
    body.upright = false;
  }
  const double density = dice_.chance(0.6) ? 1000 : dice_.log_between(10, 10000);
  say("density = {:.3g}", density);
  body.mass = density * volume;
  add_material(body, density, cell);
}

void SceneWriter::add_material(Placed& body, double density, double cell) {
  const double height = 2 * std::max(body.half_height, body.length / 2);
  const double weight = density * std::max(std::abs(setting_.gravity), 1.0) * height;  // Pa
  const double low = setting_.sane ? std::clamp(3 * weight, 10.0, 1e9) : 10;
  const double young = std::max(10.0, stable_limit(dice_.log_between(low, 1e10), density * cell * cell));
  const bool soft = setting_.is_explicit() && setting_.sane;  // near 1/2 waves are fast
  const double poisson = !soft && dice_.chance(0.15) ? 0.499
                         : dice_.chance(0.2)         ? dice_.between(-0.3, 0)
                                                     : dice_.between(0, soft ? 0.4 : 0.49);
  const double mu = young / (2 * (1 + poisson)), bulk = young / (3 * (1 - 2 * poisson));
  const std::deque<MaterialEntry>& all = materials();
  const MaterialEntry& entry = all[static_cast<std::size_t>(dice_.whole(0, static_cast<int>(all.size()) - 1))];
  const auto takes = [&](const char* key) { return std::ranges::count(entry.keys, key) > 0; };
  std::string moduli = takes("mu") ? fmt::format(", young = {:.3g}, poisson = {:.3g}", young, poisson) : "";
  if (takes("a")) {
    const double part = dice_.between(0.1, 0.9);
    moduli = fmt::format(", a = {:.3g}, b = {:.3g}", part * mu / 2, (1 - part) * mu / 2);
  }
  if (takes("kappa")) moduli += fmt::format(", kappa = {:.3g}", bulk);
  say("material = {{ name = \"{}\"{} }}", entry.name, moduli);
  barrier_ = entry.barrier;
  body.sound = std::sqrt(young / density);
}

/// [N/m] from what hardly carries the weight up to steel wire.
double SceneWriter::spring_stiffness(const Placed& body) {
  const double weight = body.mass * std::max(std::abs(setting_.gravity), 1.0) / body.length;
  const double k = weight * (setting_.sane ? dice_.log_between(3, 1e6) : dice_.log_between(1e-3, 1e9));
  return stable_limit(k, body.mass / body.vertices / 10);
}

void SceneWriter::add_cloth(Placed& body, double budget) {
  const double size = body.length;
  const int a = std::clamp(static_cast<int>(std::sqrt(budget)) - 1, 1, 11), b = std::max(1, a - dice_.whole(0, 2));
  const double width = size * dice_.between(0.5, 1);
  body.vertices = (a + 1) * (b + 1);
  say("mesh = {{ generate = \"sheet\", size = [{:.4g}, {:.4g}], cells = [{}, {}] }}", size, width, a, b);
  body.mass = size * width * dice_.log_between(0.05, 5);
  const double k = spring_stiffness(body);
  const bool stvk = dice_.chance(0.3);
  const double per_length = stvk ? a * a / (size * size) : 1;  // N/m^3
  body.sound = std::sqrt(k / body.mass) * size;
  say("mass = {:.3g}\nlaw = \"{}\"\nstretch = {:.3g}\nshear = {:.3g}\nbend = {:.3g}", body.mass,
      stvk ? "stvk" : "hookean", k * per_length, k * per_length * dice_.between(0.1, 1),
      k * per_length * dice_.log_between(1e-3, 0.3));
}

void SceneWriter::add_line(Placed& body, double budget) {
  const bool wire = body.kind == "wire", coil = dice_.chance(0.3);
  const double size = body.length;
  const int segments = std::clamp(static_cast<int>(budget / (wire ? 3 : 1)) - 1, 2, 45);
  body.vertices = (segments + 1) * (wire ? 3 : 1);
  if (coil) {
    say("mesh = {{ generate = \"helix\", radius = {:.4g}, pitch = {:.4g}, turns = 2, segments = {} }}", size / 2,
        size / 2, segments);
    body.half_height = size / 2;
    body.upright = false;
  } else {
    say("mesh = {{ generate = \"line\", length = {:.4g}, segments = {} }}", size, segments);
  }
  const double radius = size / segments * dice_.between(0.1, 0.6);
  body.mass = dice_.log_between(100, 10000) * size * radius * radius;
  const double k = spring_stiffness(body);
  body.sound = std::sqrt(k / body.mass) * size;
  const bool stvk = dice_.chance(0.3);
  const double per_length = stvk ? segments * segments / (size * size) : 1;
  say("mass = {:.3g}\nlaw = \"{}\"\nstiffness = {:.3g}", wire ? body.mass : body.mass / (segments + 1),
      stvk ? "stvk" : "hookean", k * per_length);
  if (!wire) return;
  const double volume = k * radius * radius * dice_.log_between(0.03, 1);
  say("radius = {:.3g}\nvolume = {:.3g}\ntorsion = {:.3g}", radius, volume,
      k * radius * radius * size * dice_.log_between(1e-4, 1e-2));
  if (dice_.chance(0.15)) say("torsion_law = \"s2\"");
  if (dice_.chance(0.2)) say("improved = false");
  if (coil && dice_.chance(0.3)) say("straight = true");
}

}  // namespace brio::torture
