/// Solvers and objectives that users write in Python.
#include "brio/solvers.h"

#include <pybind11/stl.h>

#include <array>
#include <cmath>
#include <deque>
#include <utility>

#include "held.h"
#include "user_objective.h"

namespace brio::python {
namespace {

/// What a solver of the user's sees; only while the solve lasts.
struct ObjectiveView {
  Objective* objective = nullptr;
  std::size_t rows = 0;
  int iterations = 0;

  Objective& valid() const {
    if (objective == nullptr) throw std::runtime_error("this solve is over; copy what you need of it");
    return *objective;
  }
};

constexpr std::size_t max_solvers = 32;
/// Never destroyed: Python may be gone by then.
std::deque<std::pair<std::string, Held>>& python_solvers() {
  static auto* const solvers = new std::deque<std::pair<std::string, Held>>;
  return *solvers;
}

class PythonSolver final : public Solver {
 public:
  PythonSolver(std::size_t slot, const SolverOptions& options) : slot_(slot), options_(options) {}

  SolveReport solve(Objective& objective, NodalField& x) override {
    SolveReport report;
    NodalField found;
    {
      const py::gil_scoped_acquire gil;
      const auto view = std::make_shared<ObjectiveView>(ObjectiveView{.objective = &objective, .rows = x.size()});
      try {
        const int most = options_.iterations > 0 ? options_.iterations : 100;
        const py::object answer = (*python_solvers()[slot_].second)(view, array_of(x), options_.tolerance, most);
        view->objective = nullptr;
        found = field_of(answer, x.size(), "what the solver returned");
        report.iterations = view->iterations;
      } catch (const InputError& error) {
        view->objective = nullptr;
        report.message = error.what();
        return report;
      } catch (...) {
        view->objective = nullptr;
        throw;
      }
    }
    NodalField g(x.size());
    const double phi = objective.gradient(found, g), norm = objective.norm(g);
    if (!std::isfinite(phi) || !std::isfinite(norm)) {
      report.message = "the solver returned places where the objective is not finite";
      return report;
    }
    std::swap(x, found);
    report.residual = objective.relative(norm);
    const bool done = norm <= objective.goal(options_.tolerance) || objective.at_rounding(norm);
    report.status = done ? SolveReport::Status::converged : SolveReport::Status::unconverged;
    if (!done) report.message = "the solver stopped short of its tolerance";
    return report;
  }

 private:
  std::size_t slot_;
  SolverOptions options_;
};

using Make = std::unique_ptr<Solver> (*)(const SolverOptions&);
template <std::size_t... Slots>
constexpr std::array<Make, sizeof...(Slots)> makers(std::index_sequence<Slots...>) {
  return {[](const SolverOptions& options) -> std::unique_ptr<Solver> {
    return std::make_unique<PythonSolver>(Slots, options);
  }...};
}
constexpr auto make_python = makers(std::make_index_sequence<max_solvers>());

void register_python_solver(const std::string& name, py::object function, const std::string& sentence) {
  auto& known = python_solvers();
  for (auto& [taken, held] : known)
    if (taken == name) {
      held = hold(std::move(function));
      return;
    }
  if (known.size() == max_solvers)
    throw InputError({.key = "solver", .value = name, .problem = "is one more than the 32 that there is room for"});
  register_solver(
      {.name = name, .sentence = sentence, .reference = "written in Python", .make = make_python[known.size()]});
  known.emplace_back(name, hold(std::move(function)));
}

// Objectives.

/// Anything with value, gradient and Hessian. Blocks that its Hessian has at the guess are its pattern; where others
/// come later they are loose.
class PythonObjective final : public UserObjective {
 public:
  PythonObjective(Held object, const NodalField& guess, const std::vector<int>& fixed, bool has_potential)
      : UserObjective(guess.size(), fixed), object_(std::move(object)), has_potential_(has_potential) {
    const Blocks blocks = blocks_at(guess, false);
    PatternBuilder builder(guess.size());
    for (std::size_t k = 0; k < blocks.row.size(); ++k) builder.couple(std::array{blocks.row[k], blocks.column[k]});
    pattern_ = builder.build();
    first_ = std::make_unique<BlockMatrix>(pattern_);
    fill(blocks, *first_);
  }

  double value(const NodalField& x) override {
    const py::gil_scoped_acquire gil;
    return value_at(array_of(x));
  }
  double gradient(const NodalField& x, NodalField& g) override {
    const py::gil_scoped_acquire gil;
    const py::array_t<double> at = array_of(x);
    take(object_->attr("gradient")(at), "gradient", g);
    settle(g);
    return has_potential_ ? value_at(at) : 0;
  }
  double hessian(const NodalField& x, Projection projection, NodalField& g, BlockMatrix& H) override {
    const double value = gradient(x, g);
    fill(blocks_at(x, projection == Projection::psd), H);
    settle(H);
    return value;
  }
  void laplacian(std::span<double> A) const override {
    std::ranges::fill(A, 0.0);
    std::vector<double> pulls(vertices(), 0.0);
    const auto mean = [&](int k) {
      const double* block = first_->block(k);
      return (block[0] + block[4] + block[8]) / 3;
    };
    for_blocks([&](int i, int j, int k) {
      if (i == j) return;
      const double pull = std::max(0.0, -mean(k));
      A[static_cast<std::size_t>(k)] = -pull;
      pulls[static_cast<std::size_t>(i)] += pull;
      pulls[static_cast<std::size_t>(j)] += pull;
    });
    for_blocks([&](int i, int j, int k) {
      if (i == j) A[static_cast<std::size_t>(k)] = std::max(mean(k), pulls[static_cast<std::size_t>(i)]);
    });
    settle(A);
  }
  bool has_potential() const override { return has_potential_; }
  void linearize(const NodalField& x) override { here_ = x; }
  void multiply(const NodalField& v, NodalField& Jv) override {
    const py::gil_scoped_acquire gil;
    take(object_->attr("multiply")(array_of(here_), array_of(v)), "multiply", Jv);
    for (std::size_t i = 0; i < Jv.size(); ++i)
      if (is_fixed(static_cast<int>(i))) Jv[i].setZero();
  }

 private:
  /// Of the lower triangle, block by block.
  struct Blocks {
    std::vector<int> row, column;
    std::vector<double> values;
  };
  Blocks blocks_at(const NodalField& x, bool psd) const {
    const py::gil_scoped_acquire gil;
    const auto parts = object_->attr("_blocks")(array_of(x), psd).cast<py::tuple>();
    Blocks blocks;
    blocks.row = indices_of(parts[0], "hessian");
    blocks.column = indices_of(parts[1], "hessian");
    const auto values = result(parts[2], blocks.row.size(), 9, "hessian", "(blocks, 3, 3)");
    blocks.values.assign(values.data(), values.data() + values.size());
    for (const int row : blocks.row)
      if (static_cast<std::size_t>(row) >= vertices())
        throw InputError({.key = "hessian", .problem = "has more rows than x has numbers"});
    return blocks;
  }
  void fill(const Blocks& blocks, BlockMatrix& H) const {
    H.set_zero();
    for (std::size_t k = 0; k < blocks.row.size(); ++k) {
      const int i = blocks.row[k], j = blocks.column[k], place = pattern_->search(i, j);
      if (place < 0 && (is_fixed(i) || is_fixed(j))) continue;
      double* to = place >= 0 ? H.block(place) : H.add_loose(i, j);
      std::copy_n(blocks.values.data() + 9 * k, 9, to);
    }
  }
  double value_at(const py::array_t<double>& x) const {
    const auto value = result(object_->attr("value")(x), 1, 1, "value", "()").data()[0];
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
  }
  void take(const py::object& answer, const char* who, NodalField& into) const {
    const auto numbers = result(answer, vertices(), 3, who, "(vertices, 3)");
    for (std::size_t i = 0; i < vertices(); ++i)
      for (std::size_t c = 0; c < 3; ++c) into.row(i)[c] = numbers.data()[3 * i + c];
  }

  Held object_;
  bool has_potential_;
  std::unique_ptr<BlockMatrix> first_;
  NodalField here_;
};

py::tuple minimize_objective(py::object object, const py::handle& guess, const py::handle& fixed, bool has_potential,
                             const py::dict& solver) {
  const py::ssize_t rows = py::len(guess);
  if (rows == 0) throw InputError({.key = "x", .problem = "must have a row at least"});
  NodalField x = field_of(guess, static_cast<std::size_t>(rows), "x");
  const std::vector<int> still = indices_of(fixed, "fixed");
  for (const int vertex : still)
    if (vertex >= rows) throw InputError({.key = "fixed", .value = std::to_string(vertex), .problem = "is no vertex"});
  const SolverOptions options = options_of("backward-euler", 1, {}, solver).options.solver;
  const Held held = hold(std::move(object));
  const SolveReport report = compute([&] {
    PythonObjective objective(held, x, still, has_potential);
    return make_solver(options)->solve(objective, x);
  });
  return py::make_tuple(array_of(x), report.converged(), report.iterations, report.message);
}

}  // namespace

void bind_solvers(py::module_& module) {
  const auto field = [](const ObjectiveView& view, const py::handle& x) {
    view.valid();
    return field_of(x, view.rows, "x");
  };
  py::class_<ObjectiveView, std::shared_ptr<ObjectiveView>>(module, "ObjectiveView")
      .def("value",
           [=](ObjectiveView& view, const py::handle& x) {
             const NodalField at = field(view, x);
             return compute([&] { return view.objective->value(at); });
           })
      .def("gradient",
           [=](ObjectiveView& view, const py::handle& x) {
             const NodalField at = field(view, x);
             NodalField g(at.size());
             compute([&] { view.objective->gradient(at, g); });
             return array_of(g);
           })
      .def("hessian",
           [=](ObjectiveView& view, const py::handle& x, bool psd) {
             const NodalField at = field(view, x);
             ++view.iterations;
             NodalField g(at.size());
             BlockMatrix H(view.objective->pattern());
             compute([&] { view.objective->hessian(at, psd ? Projection::psd : Projection::none, g, H); });
             return sparse_parts(H);
           })
      .def("is_solved", [=](ObjectiveView& view, const py::handle& x, double tolerance) {
        const NodalField at = field(view, x);
        NodalField g(at.size());
        return compute([&] {
          view.objective->gradient(at, g);
          return view.objective->norm(g) <= view.objective->goal(tolerance);
        });
      });
  module.def("register_solver", &register_python_solver);
  module.def("minimize_objective", &minimize_objective);
}

}  // namespace brio::python
