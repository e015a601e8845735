/// Integrators that users write in Python, and the objective of a step to write them with.
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <utility>

#include "held.h"
#include "objective/step_objective.h"

namespace brio::python {
namespace {

/// Numbers have left what can be reckoned with: a step answers by failing.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
};
py::handle diverged;  ///< as Python sees it

NodalField finite_field(const py::handle& array, std::size_t rows, const char* name) {
  const py::array_t<double> numbers = real_array(array);
  for (py::ssize_t i = 0; numbers && i < numbers.size(); ++i)
    if (!std::isfinite(numbers.data()[i])) throw Diverged(std::string(name) + " is not finite; choose a smaller h");
  return field_of(array, rows, name);
}

/// What one step of a method of the user's is made with; only while it lasts.
struct StepBox {
  const Model* model = nullptr;
  State* state = nullptr;
  TimeStep time{};
  StageForces* stages = nullptr;
  StepObjective* objective = nullptr;
  SolverOptions solver{};
  int iterations = 0;
  std::shared_ptr<ModelBox> lent{};

  const Model& valid() const {
    if (model == nullptr) throw std::runtime_error("this step is over; copy what you need of it");
    return *model;
  }
};

std::vector<Term> terms_of(const std::vector<std::pair<double, double>>& pairs) {
  std::vector<Term> terms;
  terms.reserve(pairs.size());
  for (const auto& [c, theta] : pairs) terms.push_back({.c = c, .theta = theta});
  return terms;
}

NodalField minimum(Objective& objective, NodalField x, const SolverOptions& options, int& iterations) {
  const std::unique_ptr<Solver> solver = make_solver(options);
  const SolveReport report = compute([&] { return solver->solve(objective, x); });
  iterations += report.iterations;
  if (report.status == SolveReport::Status::failed) throw Diverged(report.message);
  return x;
}

struct PythonMethod {
  Held function;
  bool accounts = true;
  bool rates = false;         ///< StageForces::Stages
  std::size_t remembers = 0;  ///< fields, from step to step
};
constexpr std::size_t max_methods = 64;
/// Never destroyed: Python may be gone by then.
std::deque<PythonMethod>& python_methods() {
  static auto* const methods = new std::deque<PythonMethod>;
  return *methods;
}

class PythonIntegrator final : public Integrator {
 public:
  PythonIntegrator(std::size_t slot, const IntegratorOptions& options)
      : slot_(slot),
        solver_(options.solver),
        stages_(method().rates ? StageForces::Stages::rates : StageForces::Stages::kicks) {}

  StepReport step(const Model& model, State& state, const TimeStep& time) override {
    if (!objective_ || model_ != &model || pattern_ != model.pattern()) {
      objective_ = std::make_unique<StepObjective>(model);
      model_ = &model;
      pattern_ = model.pattern();
    }
    stages_.begin(model, state, time);
    const py::gil_scoped_acquire gil;
    const auto box = std::make_shared<StepBox>(StepBox{.model = &model,
                                                       .state = &state,
                                                       .time = time,
                                                       .stages = &stages_,
                                                       .objective = objective_.get(),
                                                       .solver = solver_,
                                                       .lent = std::make_shared<ModelBox>(&model)});
    const auto expire = [&] {
      box->model = nullptr;
      box->lent->expire();
    };
    try {
      const std::size_t remembers = method().remembers;
      const py::object next = (*method().function)(box);
      expire();
      const auto parts = py::isinstance<py::tuple>(next) ? next.cast<py::tuple>() : py::tuple();
      if (parts.size() != (remembers > 0 ? 3 : 2))
        throw py::type_error(remembers > 0 ? "an integrator that remembers must return (x, v, memory)"
                                           : "an integrator must return (x, v)");
      NodalField x = to_field(parts[0], "x", model.vertices()), v = to_field(parts[1], "v", model.vertices());
      std::vector<NodalField> memory;
      if (remembers > 0)
        for (const py::handle& field : parts[2])
          memory.push_back(to_field(py::reinterpret_borrow<py::object>(field), "memory", model.vertices()));
      if (memory.size() != remembers)
        throw py::value_error("an integrator must return as many fields to remember as it said: " +
                              std::to_string(remembers));
      const py::gil_scoped_release others_run;
      StepReport report = stages_.finish(x, v, state);
      report.iterations = box->iterations;
      if (report.ok() && remembers > 0) state.memory.fields = std::move(memory);
      return report;
    } catch (const py::error_already_set& error) {
      expire();
      if (!error.matches(diverged)) throw;
      return {.status = StepReport::Status::failed, .message = py::str(error.value()).cast<std::string>()};
    } catch (...) {
      expire();
      throw;
    }
  }
  bool accounts_for_all() const override { return method().accounts; }
  bool fits(const Memory& memory, const Model& model) const override {
    if (memory.empty()) return true;
    return memory.numbers.empty() && memory.fields.size() == method().remembers &&
           std::ranges::all_of(memory.fields, [&](const NodalField& f) { return f.size() == model.vertices(); });
  }

 private:
  const PythonMethod& method() const { return python_methods()[slot_]; }
  /// Numbers that are not finite make the step fail, which is no mistake of the user's.
  static NodalField to_field(const py::object& value, const char* name, std::size_t rows) {
    const auto numbers = result(value, rows, 3, std::string("an integrator, as its ") + name + ",", "(vertices, 3)");
    NodalField field(rows);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t c = 0; c < 3; ++c) field.row(i)[c] = numbers.data()[3 * i + c];
    return field;
  }

  std::size_t slot_;
  SolverOptions solver_;
  StageForces stages_;
  const Model* model_ = nullptr;  ///< of the objective
  std::shared_ptr<const BlockPattern> pattern_;
  std::unique_ptr<StepObjective> objective_;
};

/// The registry takes plain functions: each place has one of its own.
using Make = std::unique_ptr<Integrator> (*)(const IntegratorOptions&);
template <std::size_t... Slots>
constexpr std::array<Make, sizeof...(Slots)> makers(std::index_sequence<Slots...>) {
  return {[](const IntegratorOptions& options) -> std::unique_ptr<Integrator> {
    return std::make_unique<PythonIntegrator>(Slots, options);
  }...};
}
constexpr auto make_python = makers(std::make_index_sequence<max_methods>());

EnergyBehavior behavior_of(const std::string& name) {
  std::vector<std::string> known;
  for (int k = 0; k <= static_cast<int>(EnergyBehavior::tracked); ++k) {
    known.emplace_back(to_string(static_cast<EnergyBehavior>(k)));
    if (known.back() == name) return static_cast<EnergyBehavior>(k);
  }
  refuse_name("energy", name, "no such behavior", known);
}

Method method_of(const std::string& name, const py::dict& facts) {
  const auto flag = [&](const char* key) { return facts[key].cast<bool>(); };
  const auto text = [&](const char* key) { return facts[key].cast<std::string>(); };
  const auto damped = facts["damped_order"].cast<std::pair<int, int>>();
  return {.name = name,
          .family = text("family"),
          .order = facts["order"].cast<int>(),
          .order_with_damping = {.drag = damped.first, .strain = damped.second},
          .symplectic = flag("symplectic"),
          .reversible = flag("reversible"),
          .linear_momentum = flag("linear_momentum"),
          .angular_momentum = flag("angular_momentum"),
          .bounds_restitution = flag("bounds_restitution"),
          .energy = behavior_of(text("energy")),
          .resolves = facts["resolves"].cast<double>(),
          .energy_unless = text("energy_unless"),
          .force_evaluations = facts["force_evaluations"].cast<int>(),
          .reference = text("reference"),
          .sentence = text("sentence"),
          .cost = text("cost")};
}

/// A name that is a method of Python's already gets the new function: cells of notebooks are run again.
void register_python(const std::string& name, py::object function, const py::dict& facts) {
  const int remembers = facts["remembers"].cast<int>();
  constexpr int most_fields = 100;
  if (remembers < 0 || remembers > most_fields)
    throw InputError({.key = "remembers", .value = std::to_string(remembers), .problem = "must be in [0, 100]"});
  const PythonMethod mine{.function = hold(std::move(function)),
                          .accounts = facts["accounts"].cast<bool>(),
                          .rates = facts["rates"].cast<bool>(),
                          .remembers = static_cast<std::size_t>(remembers)};
  Method method = method_of(name, facts);
  std::deque<PythonMethod>& methods = python_methods();
  for (std::size_t k = 0; k < methods.size(); ++k)
    for (const Method& known : integrators())
      if (known.name == name && known.make == make_python[k]) {
        if (known.order != method.order)
          throw InputError({.key = "order",
                            .value = std::to_string(method.order),
                            .problem = name + " was registered with order " + std::to_string(known.order),
                            .advice = "choose another name"});
        methods[k] = mine;
        return;
      }
  if (methods.size() == max_methods)
    throw InputError({.key = "integrator", .value = name, .problem = "is one more than the 64 that there is room for"});
  method.make = make_python[methods.size()];
  register_integrator(std::move(method));
  methods.push_back(mine);
}

// The objective of a step, alone.

struct ObjectiveBox {
  ObjectiveBox(const Model& m, double h, NodalField start, const NodalField& y, const std::vector<Term>& terms)
      : model(m), x_n(std::move(start)), objective(model) {
    objective.declare(h, x_n, y, terms);
  }
  Model model;
  NodalField x_n;
  StepObjective objective;
  bool busy = false;
};

void bind_steps(py::module_& module) {
  py::class_<StepBox, std::shared_ptr<StepBox>>(module, "Step")
      .def_property_readonly("x", [](const StepBox& s) { return s.valid(), array_of(s.state->x); })
      .def_property_readonly("v", [](const StepBox& s) { return s.valid(), array_of(s.state->v); })
      .def_property_readonly("h", [](const StepBox& s) { return s.time.h; })
      .def_property_readonly("time", [](const StepBox& s) { return s.time.start; })
      .def_property_readonly("model", [](const StepBox& s) { return s.valid(), s.lent; })
      .def_property_readonly("memory",
                             [](const StepBox& s) {
                               s.valid();
                               py::list fields;
                               for (const NodalField& field : s.state->memory.fields) fields.append(array_of(field));
                               return py::tuple(fields);
                             })
      .def("force",
           [](StepBox& s, const py::handle& x, const py::handle& v, double fraction, double weight) {
             const std::size_t n = s.valid().vertices();
             const NodalField places = finite_field(x, n, "x"), speeds = finite_field(v, n, "v");
             NodalField f(n);
             compute([&] { s.stages->force(places, speeds, fraction, weight, f); });
             return array_of(f);
           })
      .def("place",
           [](StepBox& s, const py::handle& x, const py::handle& v, double fraction) {
             const std::size_t n = s.valid().vertices();
             NodalField places = finite_field(x, n, "x"), speeds = finite_field(v, n, "v");
             s.stages->place(fraction, places, speeds);
             return py::make_tuple(array_of(places), array_of(speeds));
           })
      .def("minimize", [](StepBox& s, const py::handle& y, const std::vector<std::pair<double, double>>& terms,
                          const py::handle& guess) {
        const std::size_t n = s.valid().vertices();
        const NodalField target = finite_field(y, n, "y");
        NodalField x = guess.is_none() ? target : finite_field(guess, n, "guess");
        NodalField unused(n);
        s.stages->place(1, x, unused);
        const std::vector<Term> weights = terms_of(terms);
        compute([&] { s.objective->declare(s.time.h, s.state->x, target, weights, nullptr, s.time); });
        return array_of(minimum(*s.objective, std::move(x), s.solver, s.iterations));
      });
}

void bind_objective(py::module_& module) {
  const auto field = [](const ObjectiveBox& o, const py::handle& x) { return field_of(x, o.x_n.size(), "x"); };
  py::class_<ObjectiveBox>(module, "StepObjective")
      .def(py::init([](ModelBox& box, double h, const py::handle& x_n, const py::handle& y,
                       const std::vector<std::pair<double, double>>& terms) {
        if (!(std::isfinite(h) && h > 0))
          throw InputError({.key = "h", .value = std::to_string(h), .problem = "must be > 0"});
        const std::size_t n = box.model().vertices();
        if (n == 0) throw InputError({.key = "model", .problem = "has no bodies"});
        const NodalField start = field_of(x_n, n, "x_n"), target = field_of(y, n, "y");
        return compute([&] { return std::make_unique<ObjectiveBox>(box.model(), h, start, target, terms_of(terms)); });
      }))
      .def("value",
           [=](ObjectiveBox& o, const py::handle& x) {
             const NodalField at = field(o, x);
             const Busy busy(o.busy, "the objective");
             return compute([&] { return o.objective.value(at); });
           })
      .def("gradient",
           [=](ObjectiveBox& o, const py::handle& x) {
             const NodalField at = field(o, x);
             const Busy busy(o.busy, "the objective");
             NodalField g(at.size());
             compute([&] { o.objective.gradient(at, g); });
             return array_of(g);
           })
      .def("hessian",
           [=](ObjectiveBox& o, const py::handle& x, bool psd) {
             const NodalField at = field(o, x);
             const Busy busy(o.busy, "the objective");
             NodalField g(at.size());
             BlockMatrix H(o.objective.pattern());
             compute([&] { o.objective.hessian(at, psd ? Projection::psd : Projection::none, g, H); });
             return sparse_parts(H);
           })
      .def("minimize", [=](ObjectiveBox& o, const py::handle& guess, const py::dict& solver) {
        const SimulationOptions options = options_of("backward-euler", 1, {}, solver);
        NodalField x = field(o, guess);
        const Busy busy(o.busy, "the objective");
        int iterations = 0;
        NodalField found = minimum(o.objective, std::move(x), options.options.solver, iterations);
        return py::make_tuple(array_of(found), iterations);
      });
}

}  // namespace

void bind_methods(py::module_& module) {
  diverged = py::register_exception<Diverged>(module, "Diverged", PyExc_ArithmeticError);
  bind_steps(module);
  bind_objective(module);
  module.def("register_integrator", &register_python);
}

}  // namespace brio::python
