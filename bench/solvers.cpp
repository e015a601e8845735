#include <fmt/format.h>

#include <Eigen/IterativeLinearSolvers>
#include <memory>
#include <stdexcept>

#include "bench/straightforward_solvers.h"
#include "bench/suite.h"
#include "model/cloth_springs.h"
#include "solvers/linear/linear_solver.h"
#include "solvers/linear/scalar_factor.h"
#include "solvers/solver.h"

namespace brio::bench {
namespace {

constexpr double h = 1.0 / 30;      // [s]
constexpr double tolerance = 1e-6;  // of newton and lbfgs
constexpr int window = 5;           // of lbfgs
constexpr Term backward_euler[]{{1, 1}};

/// A model that sags and sways, and one step of backward Euler with it, in both versions.
struct Subject {
  Model model{};
  std::string size{};
  double elements = 0;
  NodalField x_n{}, y{};
  PlainStep plain{};
  std::vector<Vec3> plain_guess{};
  std::unique_ptr<StepObjective> objective{};

  void finish() {
    model.set_gravity({0, -9.81, 0});
    x_n = model.rest();
    y = x_n;
    plain.h = h;
    plain.mass = model.mass();
    plain.pinned = model.pinned();
    for (std::size_t i = 0; i < x_n.size(); ++i) {
      const Vec3 p = x_n[i];
      if (model.pinned()[i] == 0) y[i] += h * Vec3(0.5 * p[1], -2 * p[0], p[0]);
      plain_guess.emplace_back(y[i]);
      plain.y.emplace_back(y[i] + h * h * model.gravity());
    }
    objective = std::make_unique<StepObjective>(model);
    objective->declare(h, x_n, y, backward_euler);
  }
};

/// The bar of the table of peers: 1 x 0.25 x 0.25 m, E = 5e5 Pa, rho = 1000 kg/m³, one end held.
std::shared_ptr<Subject> bar(std::array<int, 3> cells, const std::string& material, double poisson) {
  auto s = std::make_shared<Subject>();
  const Lame moduli = lame(5e5, poisson);
  const Mesh mesh = make_bar({.size = {1, 0.25, 0.25}, .cells = cells});
  s->plain.material = {.name = material, .mu = moduli.mu, .lambda = moduli.lambda};
  s->plain.tets = reference_tets(mesh);
  const int body = s->model.add(SolidOptions{.mesh = mesh, .material = s->plain.material});
  std::vector<int> held;
  double left = mesh.vertices[0][0];
  for (const Vec3& p : mesh.vertices) left = std::min(left, p[0]);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    if (mesh.vertices[i][0] < left + 1e-9) held.push_back(static_cast<int>(i));
  s->model.pin(body, held);
  s->elements = static_cast<double>(mesh.tets.size());
  s->size = fmt::format("{} v / {} t", mesh.vertices.size(), mesh.tets.size());
  s->finish();
  return s;
}

std::shared_ptr<Subject> cloth(int cells) {
  auto s = std::make_shared<Subject>();
  const ClothOptions options{.mesh = make_sheet({.size = {1, 1}, .cells = {cells, cells}}), .grid = {cells, cells}};
  for (const Spring& spring : cloth_springs(options))
    s->plain.springs.push_back(
        {spring.ends[0], spring.ends[1], spring.stiffness,
         (options.mesh.vertices[spring.ends[1]] - options.mesh.vertices[spring.ends[0]]).norm()});
  const int body = s->model.add(ClothOptions(options));
  s->model.pin(body, std::vector<int>{0, cells});
  s->elements = static_cast<double>(s->plain.springs.size());
  s->size = fmt::format("{} v / {} s", options.mesh.vertices.size(), s->plain.springs.size());
  s->finish();
  return s;
}

struct Run {
  NodalField x{};
  SolveReport report{};
};

Run solve(Solver& solver, Subject& s) {
  Run run{.x = s.y};
  run.report = solver.solve(*s.objective, run.x);
  return run;
}

/// Largest distance between the two versions' results.
double apart(const NodalField& x, const std::vector<Vec3>& plain) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, (Vec3(x[i]) - plain[i]).norm());
  return most;
}

/// One frame from the same guess. `work` is the straightforward version, which returns its iterations.
template <class Work>
void add(Suite& suite, const std::shared_ptr<Subject>& s, const SolverOptions& options, int threads, double agreement,
         Work work) {
  set_threads(threads);
  const std::shared_ptr<Solver> solver = make_solver(options);
  solve(*solver, *s);  // factors and workspaces are there from now on
  const Run ours = solve(*solver, *s);
  const double goal = s->objective->goal(tolerance);
  const auto plain = std::make_shared<PlainSolver>(s->plain);
  std::vector<Vec3> theirs = s->plain_guess;
  const int iterations = work(*plain, theirs, goal);
  if (apart(ours.x, theirs) > agreement)
    throw std::logic_error(fmt::format("{} and its yardstick are {} m apart", options.name, apart(ours.x, theirs)));
  const SolveTimes& t = ours.report.times;
  suite.add(
      {.name = options.name + (options.name == "newton" ? ", " + options.linear : "") + " frame",
       .size = s->size,
       .threads = threads,
       .elements = s->elements,
       .baseline = "Eigen: triplets, SimplicialLLT, JacobiSVD",
       .detail = fmt::format("{} iterations (baseline {}): assembly {:.2f}, factor {:.2f}, solve {:.2f}, search "
                             "{:.2f} ms; {}",
                             ours.report.iterations, iterations, t.assembly, t.factor, t.solve, t.search,
                             ours.report.linear)},
      [s, solver] { solve(*solver, *s); },
      [s, plain, work, goal] {
        std::vector<Vec3> x = s->plain_guess;
        work(*plain, x, goal);
      });
}

void add_frames(Suite& suite, const std::shared_ptr<Subject>& projective, const std::shared_ptr<Subject>& solid,
                int threads) {
  // Factors of single precision leave 1e-8 m in a body of 1 m: later iterations correct what earlier ones miss.
  add(suite, projective, {.name = "local-global", .tolerance = 1e-14, .iterations = 10}, threads, 1e-8,
      [](PlainSolver& plain, std::vector<Vec3>& x, double) {
        plain.local_global(x, 10);
        return 10;
      });
  if (!solid) return;
  add(suite, solid, {.name = "lbfgs", .tolerance = tolerance, .iterations = 1000, .window = window}, threads, 1e-4,
      [](PlainSolver& plain, std::vector<Vec3>& x, double goal) { return plain.lbfgs(x, goal, window); });
  for (const char* linear : {"direct", "auto"})
    add(suite, solid, {.name = "newton", .tolerance = tolerance, .linear = linear}, threads, 1e-4,
        [](PlainSolver& plain, std::vector<Vec3>& x, double goal) { return plain.newton(x, goal); });
}

/// One linear system of Newton's method by conjugate gradients, to 1e-6. The preconditioner is there already, as it is
/// from the second iteration of Newton's method on.
void add_pcg(Suite& suite, const std::shared_ptr<Subject>& s, int threads) {
  set_threads(threads);
  const auto H = std::make_shared<BlockMatrix>(s->model.pattern());
  const auto b = std::make_shared<NodalField>(s->y.size());
  const auto x = std::make_shared<NodalField>(s->y.size());
  s->objective->hessian(s->y, Curving::exact, *b, *H);
  const std::shared_ptr<LinearSolver> solver = make_linear_solver("pcg", s->model.pattern());
  std::vector<double> laplacian(s->model.pattern()->blocks());
  s->objective->laplacian(laplacian);
  const auto preconditioner = std::make_shared<ScalarFactor>(*s->model.pattern(), Precision::single);
  preconditioner->factor(laplacian);
  solver->precondition(*preconditioner);
  solver->factor(*H);
  const LinearReport report = solver->solve(*b, *x, tolerance);

  const auto plain_H = std::make_shared<Eigen::SparseMatrix<double>>(to_eigen(*H));
  const auto plain_b = std::make_shared<Eigen::VectorXd>(plain_H->rows());
  for (std::size_t i = 0; i < b->size(); ++i) plain_b->segment<3>(static_cast<Eigen::Index>(3 * i)) = (*b)[i];
  const auto plain_x = std::make_shared<Eigen::VectorXd>();
  const auto plain = [plain_H, plain_b, plain_x] {
    Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper> cg;
    cg.setTolerance(tolerance);
    cg.compute(*plain_H);
    *plain_x = cg.solve(*plain_b);
    return cg.iterations();
  };
  suite.add(
      {.name = "pcg solve",
       .size = s->size,
       .threads = threads,
       .elements = s->elements,
       .baseline = "Eigen ConjugateGradient, diagonal",
       .detail = fmt::format("{} iterations (baseline {}) to {:g}; {}", report.iterations, plain(), tolerance,
                             solver->description())},
      [solver, preconditioner, H, b, x] {
        solver->factor(*H);
        solver->solve(*b, *x, tolerance);
      },
      [plain] { plain(); });
}

}  // namespace

void run_solvers(bool quick, const std::function<void(const Row&)>& done) {
  set_threads(0);
  const int all = threads();
  std::vector<std::array<int, 3>> sizes{{17, 3, 3}, {22, 8, 8}};  // 288 and 1,863 vertices
  if (!quick) sizes.push_back({35, 11, 11});                      // 5,184
  for (const int count : all > 1 ? std::vector<int>{1, all} : std::vector<int>{1}) {
    for (const auto& cells : sizes) {
      Suite suite;
      const auto solid = bar(cells, "stable-neo-hookean", 0.3);
      add_frames(suite, bar(cells, "corotated", 0), solid, count);
      add_pcg(suite, solid, count);
      suite.run(done);
    }
    Suite suite;
    add_frames(suite, cloth(quick ? 40 : 100), nullptr, count);
    suite.run(done);
  }
}

}  // namespace brio::bench
