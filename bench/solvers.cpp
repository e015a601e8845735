#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/linear_solves.h"
#include "bench/machine.h"
#include "bench/subject.h"
#include "bench/suite.h"

namespace brio::bench {
namespace {

constexpr double tolerance = 1e-6;            // of newton and lbfgs
constexpr int window = 5;                     // of lbfgs
constexpr std::size_t max_for_plain = 50000;  // vertices; beyond, Eigen's factors take minutes and gigabytes
constexpr std::size_t max_for_direct = 6000;  // vertices; beyond, `auto` would not choose it
/// Along every edge; beyond, each of Eigen's factors takes minutes, and Newton needs one per iteration.
constexpr int max_cells_for_plain_newton = 20;

/// Moves x and returns its iterations.
using Plain = std::function<int(PlainSolver&, std::vector<Vec3>& x, double goal)>;

struct Comparison {
  SolverOptions options;
  double agreement;                                        ///< of both results [m]
  std::function<double(std::size_t n, int count)> wanted;  ///< ratio, by vertices and threads
  Plain plain;
};

double wanted_of_local_global(std::size_t n, int count) {
  if (n > 20000) return count > 1 ? 20 : 12;
  return n > 1800 && n < 6000 ? 6 : 0;
}

double wanted_of_newton(std::size_t n, int) {
  if (n > 20000) return 40;
  return n > 1800 ? 4 : 0;
}

double nothing_wanted(std::size_t, int) { return 0; }

const Comparison& local_global() {
  static const Comparison it{
      .options = {.name = "local-global", .tolerance = 1e-14, .iterations = 10},
      .agreement = 1e-8,  // factors of single precision: later iterations correct what earlier ones miss
      .wanted = wanted_of_local_global,
      .plain = [](PlainSolver& plain, std::vector<Vec3>& x, double) {
        plain.local_global(x, 10);
        return 10;
      }};
  return it;
}

std::vector<Comparison> of_solids(std::size_t vertices) {
  const Plain newton = [](PlainSolver& plain, std::vector<Vec3>& x, double goal) { return plain.newton(x, goal); };
  std::vector<Comparison> all{
      {.options = {.name = "lbfgs", .tolerance = tolerance, .iterations = 1000, .window = window},
       .agreement = 1e-4,
       .wanted = nothing_wanted,
       .plain = [](PlainSolver& plain, std::vector<Vec3>& x, double goal) { return plain.lbfgs(x, goal, window); }},
      {.options = {.name = "newton", .tolerance = tolerance},
       .agreement = 1e-4,
       .wanted = wanted_of_newton,
       .plain = newton}};
  if (vertices < max_for_direct)
    all.push_back({.options = {.name = "newton", .tolerance = tolerance, .linear = LinearChoice::direct},
                   .agreement = 1e-4,
                   .wanted = nothing_wanted,
                   .plain = newton});
  return all;
}

/// One step from the same guess by both versions, ours with one thread and with all.
void compare(const Comparison& c, Subject& s, PlainSolver* plain, const Done& done) {
  std::vector<Vec3> theirs;
  int their_iterations = 0;
  double their_ms = 0;
  for (const int count : thread_counts()) {
    set_threads(count);
    const Memory memory;
    const std::unique_ptr<Solver> solver = make_solver(c.options);
    solve(*solver, s);  // factors and workspaces are there from now on
    Row row{
        .name = c.options.name + (c.options.name == "newton" ? std::string(", ") + to_string(c.options.linear) : ""),
        .size = s.size,
        .threads = count,
        .elements = s.elements,
        .bytes = memory.peak()};
    const Solved ours = solve(*solver, s);
    row.detail = split(ours.report);
    row.ms = min_ms(count, [&] { solve(*solver, s); });
    if (plain != nullptr) {
      if (theirs.empty())
        their_ms = min_ms(1, [&, goal = s.objective->goal(tolerance)] {
          theirs = s.guess();
          their_iterations = c.plain(*plain, theirs, goal);
        });
      if (apart(ours.x, theirs) > c.agreement)
        throw std::logic_error(fmt::format("{} and its yardstick are {} m apart", row.name, apart(ours.x, theirs)));
      row.baseline = fmt::format("Eigen: triplets, SimplicialLLT, JacobiSVD; {} iterations", their_iterations);
      row.baseline_ms = their_ms;
      row.wanted = c.wanted(s.model.vertices(), count);
    } else {
      row.baseline = "left out: Eigen's factors take minutes and gigabytes";
    }
    done(row);
  }
}

void run_shape(const Shape& shape, const Done& done) {
  const auto plain_of = [](const Subject& s) {
    return s.model.vertices() < max_for_plain ? std::make_unique<PlainSolver>(s.plain()) : nullptr;
  };
  {
    const auto projective = bar(shape, "corotated", 0);
    const auto plain = plain_of(*projective);
    compare(local_global(), *projective, plain.get(), done);
    triangular_solves(*projective, plain.get(), done);
  }
  const auto solid = bar(shape, "stable-neo-hookean", 0.3);
  const auto plain = plain_of(*solid);
  const bool fills = *std::min_element(shape.cells.begin(), shape.cells.end()) > max_cells_for_plain_newton;
  for (const Comparison& c : of_solids(solid->model.vertices()))
    compare(c, *solid, fills && c.options.name == "newton" ? nullptr : plain.get(), done);
  if (plain) conjugate_gradients(*solid, done);
}

Shape of_cubes(const std::string& name, std::array<int, 3> cells, double edge, bool shuffled = false) {
  return {name, cells, {cells[0] * edge, cells[1] * edge, cells[2] * edge}, shuffled};
}

}  // namespace

void run_solvers(bool quick, const Done& done) {
  std::vector<Shape> shapes{{"bar", {17, 3, 3}}, {"bar", {22, 8, 8}}};
  if (!quick)
    shapes = {{"bar", {17, 3, 3}},
              of_cubes("block", {10, 6, 4}, 0.05),
              {"bar", {22, 8, 8}},
              {"bar", {23, 9, 9}},
              {"bar", {35, 11, 11}},
              of_cubes("bar", {196, 11, 11}, 0.02),
              of_cubes("shuffled bar", {196, 11, 11}, 0.02, true),
              of_cubes("block", {35, 27, 27}, 0.02),
              of_cubes("sheet", {92, 3, 93}, 0.02),
              of_cubes("block", {62, 39, 39}, 0.015)};
  for (const Shape& shape : shapes) run_shape(shape, done);
  const auto hanging = cloth(quick ? 40 : 100);
  PlainSolver plain(hanging->plain());
  compare(local_global(), *hanging, &plain, done);
  triangular_solves(*hanging, &plain, done);
}

}  // namespace brio::bench
