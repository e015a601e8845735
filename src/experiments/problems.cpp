#include "experiments/problems.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "brio/mesh.h"
#include "experiments/elliptic.h"

namespace brio {
namespace {

/// One free vertex of 1 kg.
Model one_particle(PointPotential potential = PointPotential::none) {
  Model model;
  model.add(ParticlesOptions{.mesh = make_points({}), .mass = 1, .potential = potential});
  return model;
}

State particle_state(const Vec3& x, const Vec3& v) {
  State state{.x = NodalField(1), .v = NodalField(1)};
  state.x[0] = x;
  state.v[0] = v;
  return state;
}

/// From the nearest point of an ellipse with half axis 1, by Kepler's equation M = E - e sin E.
State on_ellipse(double eccentricity, double time) {
  double E = time;
  for (int i = 0; i < 50; ++i) E -= (E - eccentricity * std::sin(E) - time) / (1 - eccentricity * std::cos(E));
  const double b = std::sqrt(1 - eccentricity * eccentricity);
  const double rate = 1 / (1 - eccentricity * std::cos(E));
  return particle_state(Vec3(std::cos(E) - eccentricity, b * std::sin(E), 0),
                        rate * Vec3(-std::sin(E), b * std::cos(E), 0));
}

}  // namespace

Problem oscillator() {
  constexpr double omega = 2;  // rad/s
  Model model = one_particle();
  model.attach(BodyId(0), {{.vertex = 0, .point = Vec3::Zero(), .stiffness = omega * omega}});
  const auto exact = [](double t) {
    return particle_state(Vec3(std::cos(omega * t), 0, 0), Vec3(-omega * std::sin(omega * t), 0, 0));
  };
  return {"oscillator", "a mass on a linear spring", std::move(model), exact(0), 1.3, 8, exact};
}

Problem pendulum() {
  Model model = one_particle(PointPotential::pendulum);
  // From rest at θ0: sin(θ/2) = k sn(K - t), k = sin(θ0/2).
  const auto exact = [](double t) {
    const double k = std::sin(0.6);
    const Jacobi j = jacobi(quarter_period(k) - t, k);
    return particle_state(Vec3(2 * std::asin(k * j.sn), 0, 0), Vec3(-2 * k * j.cn, 0, 0));
  };
  return {"pendulum", "a pendulum of large amplitude", std::move(model), exact(0), 4.1, 16, exact};
}

Problem kepler() {
  Model model = one_particle(PointPotential::kepler);
  const auto exact = [](double t) { return on_ellipse(0.4, t); };
  return {"kepler", "a planet on an ellipse of eccentricity 0.4", std::move(model), exact(0), 4.3, 64, exact};
}

Problem solid() {
  Model model;
  model.add(SolidOptions{.mesh = make_bar({.size = {1.5, 1, 1}, .cells = {1, 1, 1}}),
                         .material = {.name = "stvk", .mu = 8, .lambda = 4},
                         .mass = 8});
  State state = model.rest_state();
  for (std::size_t i = 0; i < model.vertices(); ++i) {
    const Vec3 p = state.x[i];
    state.x[i] = Vec3(1.15 * p[0], 0.95 * p[1] + 0.05 * p[0] * p[0], p[2] + 0.1 * p[0] * p[1]);
    state.v[i] = Vec3(0.3, 0.2, -0.1) + Vec3(0.5, -0.7, 1).cross(p);
  }
  return {"solid", "five tetrahedra of StVK, stretched and tumbling", std::move(model), std::move(state), 0.9, 16};
}

Problem planar_spring() {
  Mesh mesh;
  mesh.vertices = {Vec3::Zero(), Vec3(1, 0, 0)};
  mesh.segments = {{0, 1}};
  Model model;
  model.add(ParticlesOptions{.mesh = mesh, .law = SpringLaw::stvk, .stiffness = 3, .mass = 1});
  model.pin(BodyId(0), std::vector<int>{0});
  State state = model.rest_state();
  state.x[1] = Vec3(1.3, 0.1, 0);
  state.v[1] = Vec3(0.2, 0.4, 0);
  return {"planar-spring", "a mass on a nonlinear spring in the plane", std::move(model), std::move(state), 2, 20};
}

Problem suturing_thread(int segments) {
  Model model;
  const BodyId thread = model.add(WireOptions{.name = "thread",
                                              .mesh = make_line({.length = 0.3, .segments = segments}),
                                              .radius = 0.003,
                                              .stiffness = 50,
                                              .volume = 1.5e-4,
                                              .torsion = 1e-6,
                                              .mass = 0.05});
  model.pin(thread, std::vector<int>{0, 1, 2});
  model.set_gravity({0, -9.81, 0});
  State start = model.rest_state();
  return {
      "suturing-thread",
      fmt::format("a thread of {} links, 0.3 m and 50 g, held at one end and falling from the horizontal", segments),
      std::move(model),
      std::move(start),
      0.004,
      16};
}

const std::vector<Problem>& order_problems() {
  static const std::vector<Problem> problems = [] {
    std::vector<Problem> list;
    list.push_back(oscillator());
    list.push_back(pendulum());
    list.push_back(kepler());
    list.push_back(solid());
    return list;
  }();
  return problems;
}

}  // namespace brio
