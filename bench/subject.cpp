#include "bench/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "model/cloth_springs.h"

namespace brio::bench {
namespace {

constexpr Term backward_euler[]{{1, 1}};

Mesh shuffled(const Mesh& mesh) {
  std::vector<int> place(mesh.vertices.size());
  std::iota(place.begin(), place.end(), 0);
  std::shuffle(place.begin(), place.end(), std::mt19937(1));
  Mesh result = mesh;
  for (std::size_t i = 0; i < place.size(); ++i) result.vertices[place[i]] = mesh.vertices[i];
  for (Tet& tet : result.tets)
    for (int& v : tet) v = place[v];
  return result;
}

void set_swaying(Subject& s) {
  s.model.set_gravity({0, -9.81, 0});
  s.x_n = s.model.rest();
  s.y = s.x_n;
  for (std::size_t i = 0; i < s.x_n.size(); ++i) {
    const Vec3 p = s.x_n[i];
    if (s.model.pinned()[i] == 0) s.y[i] += frame * Vec3(0.5 * p[1], -2 * p[0], p[0]);
  }
  s.objective = std::make_unique<StepObjective>(s.model);
  s.objective->declare(frame, s.x_n, s.y, backward_euler);
}

}  // namespace

State Subject::state() const {
  State state{.x = x_n, .v = y};
  for (std::size_t i = 0; i < x_n.size(); ++i) state.v[i] = (y[i] - x_n[i]) / frame;
  return state;
}

PlainStep Subject::plain() const {
  PlainStep step{.material = material,
                 .tets = reference_tets(mesh),
                 .springs = springs,
                 .mass = model.mass(),
                 .pinned = model.pinned(),
                 .h = frame};
  for (std::size_t i = 0; i < y.size(); ++i) step.y.emplace_back(y[i] + frame * frame * model.gravity());
  return step;
}

std::vector<Vec3> Subject::guess() const {
  std::vector<Vec3> x;
  for (std::size_t i = 0; i < y.size(); ++i) x.emplace_back(y[i]);
  return x;
}

std::shared_ptr<Subject> bar(const Shape& shape, const std::string& material, double poisson) {
  auto s = std::make_shared<Subject>();
  const Lame moduli = lame(5e5, poisson);
  s->mesh = make_bar({.size = shape.size, .cells = shape.cells});
  if (shape.shuffled) s->mesh = shuffled(s->mesh);
  s->material = {.name = material, .mu = moduli.mu, .lambda = moduli.lambda};
  const BodyId body = s->model.add(SolidOptions{.mesh = s->mesh, .material = s->material});
  double left = s->mesh.vertices[0][0];
  for (const Vec3& p : s->mesh.vertices) left = std::min(left, p[0]);
  std::vector<int> held;
  for (std::size_t i = 0; i < s->mesh.vertices.size(); ++i)
    if (s->mesh.vertices[i][0] < left + 1e-9) held.push_back(static_cast<int>(i));
  s->model.pin(body, held);
  s->elements = static_cast<double>(s->mesh.tets.size());
  s->size = fmt::format("{} {} v / {} t", shape.name, s->mesh.vertices.size(), s->mesh.tets.size());
  set_swaying(*s);
  return s;
}

std::shared_ptr<Subject> cloth(int cells) {
  auto s = std::make_shared<Subject>();
  const ClothOptions options{.mesh = make_sheet({.size = {1, 1}, .cells = {cells, cells}}), .grid = {cells, cells}};
  const std::vector<Vec3>& at = options.mesh.vertices;
  for (const Spring& spring : cloth_springs(options))
    s->springs.push_back(
        {spring.ends[0], spring.ends[1], spring.stiffness, (at[spring.ends[1]] - at[spring.ends[0]]).norm()});
  const BodyId body = s->model.add(ClothOptions(options));
  s->model.pin(body, std::vector<int>{0, cells});
  s->elements = static_cast<double>(s->springs.size());
  s->size = fmt::format("cloth {} v / {} s", at.size(), s->springs.size());
  set_swaying(*s);
  return s;
}

Solved solve(Solver& solver, Subject& subject) {
  Solved solved{.x = subject.y};
  solved.report = solver.solve(*subject.objective, solved.x);
  return solved;
}

double apart(const NodalField& x, const std::vector<Vec3>& plain) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, (Vec3(x[i]) - plain[i]).norm());
  return most;
}

std::string split(const SolveReport& report) {
  const SolveTimes& t = report.times;
  return fmt::format("{} iterations: assembly {:.2f}, factor {:.2f}, solve {:.2f}, search {:.2f} ms; {}",
                     report.iterations, t.assembly, t.factor, t.solve, t.search, report.linear);
}

}  // namespace brio::bench
