/// Materials and solvers that users write in Python, known by name wherever others are.
#include <pybind11/stl.h>

#include <array>
#include <cmath>
#include <deque>
#include <utility>

#include "brio/material.h"
#include "brio/solvers.h"
#include "held.h"

namespace brio::python {
namespace {

// Materials.

py::dict moduli_of(const Material& material) {
  py::dict moduli;
  moduli["mu"] = material.mu;
  moduli["lambda"] = material.lambda;
  moduli["kappa"] = material.kappa;
  moduli["a"] = material.a;
  moduli["b"] = material.b;
  return moduli;
}

/// `density(moduli, t, s, J)`: psi and its derivatives by t, s, J, tt, ts, tJ, ss, sJ, JJ.
void register_python_material(const std::string& name, const std::vector<std::string>& keys, py::object density,
                              const py::object& lame_of, const std::string& sentence) {
  MaterialLaw law;
  law.name = name;
  law.formula = "in Python";
  law.sentence = sentence;
  law.reference = "written in Python";
  law.keys = keys;
  law.density = [held = hold(std::move(density)), name](const Material& material, const StrainInvariants& strain) {
    const py::gil_scoped_acquire gil;
    const auto numbers =
        result((*held)(moduli_of(material), strain.t, strain.s, strain.J), 10, "the material " + name, "(10,)");
    const double* d = numbers.data();
    return EnergyDensity{.psi = d[0],
                         .t = d[1],
                         .s = d[2],
                         .J = d[3],
                         .tt = d[4],
                         .ts = d[5],
                         .tJ = d[6],
                         .ss = d[7],
                         .sJ = d[8],
                         .JJ = d[9]};
  };
  if (!lame_of.is_none())
    law.small_strain = [held = hold(lame_of), name](const Material& material) {
      const py::gil_scoped_acquire gil;
      const auto moduli = result((*held)(moduli_of(material)), 2, "lame of " + name, "(2,)");
      return Lame{.mu = moduli.data()[0], .lambda = moduli.data()[1]};
    };
  compute([&] { register_material(law); });
}

// Solvers.

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

}  // namespace

void bind_extensions(py::module_& module) {
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
  module.def("register_material", &register_python_material);
  module.def("register_solver", &register_python_solver);
}

}  // namespace brio::python
