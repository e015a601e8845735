#include "bench/contact_subjects.h"

#include <cmath>
#include <numbers>

#include "brio/contact.h"
#include "brio/mesh.h"

namespace brio::bench {
namespace {

Model heavy_model() {
  Model model;
  model.set_gravity({0, -9.81, 0});
  return model;
}

ContactSubject real_time_cloth(Model model) {
  return {.simulation = Simulation(
              std::move(model), {.integrator = "stabilized",
                                 .h = 0.02,
                                 .options = {.epsilon = 0.01, .solver = {.name = "local-global", .iterations = 10}}})};
}

ClothOptions soft_cloth(Mesh mesh, int cells) {
  return {.mesh = std::move(mesh), .grid = {cells, cells}, .stretch = 100, .shear = 50, .bend = 5, .mass = 0.3};
}

Mesh square(int cells) { return make_sheet({.size = {1, 1}, .cells = {cells, cells}}); }

template <class Options>
Options moved(Options options, const Vec3& by) {
  for (Vec3& vertex : options.mesh.vertices) vertex += by;
  return options;
}

}  // namespace

ContactSubject swinging_cloth(int cells, bool contact) {
  Model model = heavy_model();
  const BodyId body = model.add(soft_cloth(square(cells), cells));
  model.pin(body, std::vector<int>{0, cells});
  if (contact) add_self_contact(model, {.thickness = 2e-3});
  return real_time_cloth(std::move(model));
}

ContactSubject folded_cloth(int cells, bool contact) {
  constexpr double radius = 4e-3;  // of the fold
  constexpr double length = std::numbers::pi * radius;
  Mesh mesh = square(cells);
  for (Vec3& p : mesh.vertices) {
    const double s = p.x();
    if (s > length) {
      p = {length - s, 2 * radius, p.z()};
    } else if (s > 0) {
      p = {radius * std::sin(s / radius), radius * (1 - std::cos(s / radius)), p.z()};
    }
  }
  Model model = heavy_model();
  model.add(soft_cloth(std::move(mesh), cells));
  add_collider(model, {.shape = PlaneShape{.point = {0, -1e-3, 0}}, .friction = 0.3});
  if (contact) add_self_contact(model, {.thickness = 2e-3});
  return real_time_cloth(std::move(model));
}

ContactSubject rain(bool contact) {
  Model model = heavy_model();
  const Lame moduli = lame(4e4, 0.35);
  const SolidOptions cube{.mesh = make_cube({.size = 0.2, .cells = 2}),
                          .material = {.name = "stable-neo-hookean", .mu = moduli.mu, .lambda = moduli.lambda}};
  for (int k = 0; k < 27; ++k) {
    const Vec3 place(-0.24 + 0.26 * (k % 3), 0.4 + 0.32 * (k / 3 % 3), -0.28 + 0.26 * (k / 9));
    const double turn = 0.01 * k;  // so that they do not land flat
    SolidOptions one = cube;
    for (Vec3& p : one.mesh.vertices)
      p = Vec3(std::cos(turn) * p.x() - std::sin(turn) * p.y(), std::sin(turn) * p.x() + std::cos(turn) * p.y(), p.z());
    model.add(moved(std::move(one), place));
  }
  const auto wall = [&](const Vec3& point, const Vec3& normal, double friction) {
    add_collider(model, {.shape = PlaneShape{.point = point, .normal = normal},
                         .stiffness = 20000,
                         .friction = friction,
                         .thickness = 0.02});
  };
  wall({0, 0, 0}, {0, 1, 0}, 0.4);
  for (const double side : {-1.0, 1.0}) {
    wall({0.6 * side, 0, 0}, {-side, 0.3, 0}, 0);
    wall({0, 0, 0.6 * side}, {0, 0.3, -side}, 0);
  }
  if (contact) add_self_contact(model, {.thickness = 0.01, .self = false});
  return {.simulation =
              Simulation(std::move(model), {.integrator = "stabilized", .h = 1.0 / 180, .options = {.half_life = 0.4}}),
          .steps_per_frame = 3};
}

ContactSubject tablecloth(double tolerance) {
  Model model = heavy_model();
  ClothOptions linen{.mesh = make_sheet({.size = {1.2, 0.6}, .cells = {54, 27}}),
                     .stretch = 4000,  // what gives way carries along
                     .shear = 4000,
                     .mass = 0.2};
  linen = moved(std::move(linen), {0, 0.008, 0});
  std::vector<int> edge;
  for (std::size_t i = 0; i < linen.mesh.vertices.size(); ++i)
    if (linen.mesh.vertices[i].x() > 0.59) edge.push_back(static_cast<int>(i));
  const BodyId sheet = model.add(linen);
  model.add(moved(SolidOptions{.mesh = make_cube({.size = 0.2, .cells = 2}),
                               .material = {.name = "stable-neo-hookean", .mu = 1e5, .lambda = 2e5}},
                  {0, 0.115, 0}));
  model.pin(sheet, edge, {.keys = {{.time = 0.05}, {.time = 1.25, .translate = {1.5, 0, 0}}}});
  add_collider(model, {.name = "table",
                       .shape = BoxShape{.center = {0, -0.05, 0}, .size = {1.1, 0.1, 1}},
                       .friction = 0.2,
                       .law = ColliderLaw::barrier});
  add_self_contact(model, {.thickness = 5e-3, .friction = 0.2});
  return {.simulation =
              Simulation(std::move(model),
                         {.integrator = "bdf2", .h = 1.0 / 60, .options = {.solver = {.tolerance = tolerance}}})};
}

ContactSubject cloth_and_ball() {
  Model model = heavy_model();
  model.add(moved(soft_cloth(square(20), 20), {0, 0.35, 0}));
  add_collider(model, {.name = "ball",
                       .shape = SphereShape{.radius = 0.3},
                       .friction = 0.3,
                       .thickness = 5e-3,
                       .law = ColliderLaw::barrier});
  add_self_contact(model, {.thickness = 5e-3});
  return {.simulation = Simulation(std::move(model), {.integrator = "bdf2", .h = 1.0 / 60})};
}

ContactSubject hose(bool contact) {
  constexpr int segments = 64;
  Model model;
  const BodyId wire = model.add(WireOptions{.mesh = make_line({.length = 1, .segments = segments}),
                                            .radius = 0.012,
                                            .stiffness = 400,
                                            .volume = 0.06,
                                            .torsion = 1e-3,
                                            .mass = 0.2});
  const auto end = [](int k) { return std::vector{3 * k, 3 * k + 1, 3 * k + 2}; };  // three vertices per point
  const Vec3 twist(2 * std::numbers::pi * 6, 0, 0);
  model.pin(wire, end(0));
  model.pin(wire, end(segments),
            {.keys = {{0}, {1, Vec3::Zero(), twist}, {2.5, Vec3(-0.45, 0, 0), twist}}, .center = Vec3(0.5, 0, 0)});
  model.set_gravity({0, -0.2, 0});  // so little that it only decides to which side the hose gives way
  model.set_damping({.relative = 3});
  if (contact) add_self_contact(model, {.stiffness = 2000});
  return {.simulation = Simulation(std::move(model), {.integrator = "symplectic-midpoint", .h = 2e-4}),
          .steps_per_frame = 100};
}

ContactSubject bounce(bool barrier) {
  Model model = heavy_model();
  const Lame moduli = lame(2e5, 0.4);
  SolidOptions bar{.mesh = make_bar({.size = {0.6, 0.2, 0.2}, .cells = {12, 4, 4}}),
                   .material = {.name = "stable-neo-hookean", .mu = moduli.mu, .lambda = moduli.lambda}};
  constexpr double turn = std::numbers::pi / 9;
  for (Vec3& p : bar.mesh.vertices)
    p = Vec3(std::cos(turn) * p.x() - std::sin(turn) * p.y(), 0.7 + std::sin(turn) * p.x() + std::cos(turn) * p.y(),
             p.z());
  model.add(bar);
  add_collider(model, {.shape = PlaneShape{}, .law = barrier ? ColliderLaw::barrier : ColliderLaw::potential});
  return {.simulation = Simulation(std::move(model), {.integrator = "avf", .h = 1.0 / 120}), .steps_per_frame = 2};
}

}  // namespace brio::bench
