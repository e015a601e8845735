/// What users write in Python: energies, forces, integrators; and the objective of a step to write them with.
#include <pybind11/stl.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <span>
#include <utility>

#include "bridge.h"
#include "brio/force.h"
#include "objective/step_objective.h"

namespace brio::python {
namespace {

/// An object of Python's that C++ holds, copies and drops with or without the GIL.
using Held = std::shared_ptr<py::object>;
Held hold(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            if (!Py_IsInitialized()) return;  // the process ends, and all memory with it
            const py::gil_scoped_acquire gil;
            delete held;
          }};
}

/// What a method of the user's returned, which must have that many numbers.
py::array_t<double> result(const py::object& value, std::size_t count, const std::string& who, const std::string& shape) {
  auto numbers = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(value);
  if (!numbers) PyErr_Clear();
  if (!numbers || static_cast<std::size_t>(numbers.size()) != count)
    throw py::value_error(who + " must return an array of shape " + shape +
                          (numbers ? ", not of " + std::to_string(numbers.size()) + " numbers" : ""));
  return numbers;
}

/// Sums of a function of the corners of elements.
class PythonEnergy final : public Energy {
 public:
  PythonEnergy(Held object, std::string name, std::vector<int> vertices, std::size_t corners, const NodalField& rest,
               int degree, bool anchored)
      : object_(std::move(object)),
        name_(std::move(name)),
        vertices_(std::move(vertices)),
        corners_(corners),
        degree_(degree),
        anchored_(anchored) {
    for (const int vertex : vertices_)
      for (int c = 0; c < 3; ++c) rest_.push_back(rest.row(static_cast<std::size_t>(vertex))[c]);
  }

  std::string name() const override { return name_; }
  std::size_t elements() const override { return vertices_.size() / corners_; }
  int force_degree() const override { return degree_; }
  bool is_anchored() const override { return anchored_; }
  bool has_rest_shape() const override { return false; }
  void set_rest(const NodalField& /*x*/) override {}
  std::unique_ptr<Energy> clone() const override { return std::make_unique<PythonEnergy>(*this); }

  double value(const Configuration& at) const override {
    const py::gil_scoped_acquire gil;
    return sum_of_values(corners_of(at.x));
  }
  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override {
    const py::gil_scoped_acquire gil;
    const py::array_t<double> x = corners_of(at.x);
    add_gradient(x, weights.gradient, g);
    return sum_of_values(x);
  }
  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override {
    const py::gil_scoped_acquire gil;
    const py::array_t<double> x = corners_of(at.x);
    add_gradient(x, weights.gradient, g);
    for_hessians(x, [&](std::size_t element, Eigen::MatrixXd matrix) {
      if (projection == Projection::psd) {
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(matrix);
        matrix = modes.eigenvectors() * modes.eigenvalues().cwiseMax(0).asDiagonal() * modes.eigenvectors().transpose();
      }
      for_pairs(element, [&](std::size_t a, std::size_t b, std::size_t place) {
        double* block = H.block(blocks_[place]);
        for (std::size_t r = 0; r < 3; ++r)
          for (std::size_t c = 0; c < 3; ++c) block[3 * r + c] += weights.hessian * matrix(3 * a + r, 3 * b + c);
      });
    });
    return sum_of_values(x);
  }
  /// Of the Hessian at rest: between vertices the mean of the diagonal where it attracts, and what is left of it.
  void laplacian(double weight, std::span<double> L) const override {
    const py::gil_scoped_acquire gil;
    py::array_t<double> x(shape());
    std::ranges::copy(rest_, x.mutable_data());
    for_hessians(x, [&](std::size_t element, const Eigen::MatrixXd& matrix) {
      std::vector<double> own(corners_);
      const auto mean = [&](std::size_t a, std::size_t b) { return matrix.block<3, 3>(3 * a, 3 * b).trace() / 3; };
      for (std::size_t a = 0; a < corners_; ++a) own[a] = std::max(0.0, mean(a, a));
      std::vector<double> pulls(corners_, 0.0);
      for_pairs(element, [&](std::size_t a, std::size_t b, std::size_t place) {
        if (a == b) return;
        const double pull = std::max(0.0, -mean(a, b));
        L[static_cast<std::size_t>(blocks_[place])] -= weight * pull;
        pulls[a] += pull;
        pulls[b] += pull;
      });
      for_pairs(element, [&](std::size_t a, std::size_t b, std::size_t place) {
        if (a == b) L[static_cast<std::size_t>(blocks_[place])] += weight * std::max(own[a], pulls[a]);
      });
    });
  }
  void couple(PatternBuilder& pattern) const override {
    for (std::size_t e = 0; e < elements(); ++e) pattern.couple(std::span(vertices_).subspan(e * corners_, corners_));
  }
  void bind(const BlockPattern& pattern) override {
    blocks_.clear();
    for (std::size_t e = 0; e < elements(); ++e)
      for_pairs(e, [&](std::size_t a, std::size_t b, std::size_t) {
        blocks_.push_back(pattern.find(vertices_[e * corners_ + a], vertices_[e * corners_ + b]));
      });
  }
  void renumber(std::span<const int> vertices) override {
    for (int& vertex : vertices_) vertex = vertices[static_cast<std::size_t>(vertex)];
  }

 private:
  /// Calls visit(a, b, place) for all pairs of corners whose block is stored.
  template <class Visit>
  void for_pairs(std::size_t element, Visit visit) const {
    std::size_t place = element * corners_ * (corners_ + 1) / 2;
    for (std::size_t a = 0; a < corners_; ++a)
      for (std::size_t b = 0; b < corners_; ++b)
        if (vertices_[element * corners_ + a] >= vertices_[element * corners_ + b]) visit(a, b, place++);
  }
  std::vector<py::ssize_t> shape() const {
    return {static_cast<py::ssize_t>(elements()), static_cast<py::ssize_t>(corners_), 3};
  }
  py::array_t<double> corners_of(const NodalField& x) const {
    py::array_t<double> array(shape());
    double* place = array.mutable_data();
    for (const int vertex : vertices_)
      for (int c = 0; c < 3; ++c) *place++ = x.row(static_cast<std::size_t>(vertex))[c];
    return array;
  }
  double sum_of_values(const py::array_t<double>& x) const {
    const auto values = result(object_->attr("value")(x), elements(), name_ + ".value", "(elements,)");
    double sum = 0;
    for (std::size_t e = 0; e < elements(); ++e) sum += values.data()[e];
    return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
  }
  void add_gradient(const py::array_t<double>& x, double weight, NodalField& g) const {
    const auto gradients =
        result(object_->attr("gradient")(x), 3 * vertices_.size(), name_ + ".gradient", "(elements, corners, 3)");
    const double* from = gradients.data();
    for (const int vertex : vertices_)
      for (int c = 0; c < 3; ++c) g.row(static_cast<std::size_t>(vertex))[c] += weight * *from++;
  }
  template <class Visit>
  void for_hessians(const py::array_t<double>& x, Visit visit) const {
    const std::size_t size = 3 * corners_;
    const auto all = result(object_->attr("hessian")(x), elements() * size * size, name_ + ".hessian",
                            "(elements, 3 corners, 3 corners)");
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    for (std::size_t e = 0; e < elements(); ++e) {
      const Eigen::MatrixXd matrix = Eigen::Map<const Rows>(all.data() + e * size * size, size, size);
      visit(e, Eigen::MatrixXd((matrix + matrix.transpose()) / 2));
    }
  }

  Held object_;
  std::string name_;
  std::vector<int> vertices_;  ///< of the model, element after element
  std::size_t corners_;
  int degree_;
  bool anchored_;
  std::vector<double> rest_;
  std::vector<int> blocks_;
};

class PythonForce final : public Force {
 public:
  PythonForce(Held object, std::string name, std::size_t first, std::size_t count, bool external)
      : object_(std::move(object)), name_(std::move(name)), first_(first), count_(count), external_(external) {}
  std::string name() const override { return name_; }
  bool external() const override { return external_; }
  void add(const NodalField& x, const NodalField& v, double time, NodalField& f) const override {
    const py::gil_scoped_acquire gil;
    const auto force = result(object_->attr("force")(part(x), part(v), time), 3 * count_, name_ + ".force",
                              "(vertices of the body, 3)");
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t c = 0; c < 3; ++c) f.row(first_ + i)[c] += force.data()[3 * i + c];
  }

 private:
  py::array_t<double> part(const NodalField& field) const {
    py::array_t<double> array({static_cast<py::ssize_t>(count_), py::ssize_t{3}});
    double* place = array.mutable_data();
    for (std::size_t i = first_; i < first_ + count_; ++i)
      for (int c = 0; c < 3; ++c) *place++ = field.row(i)[c];
    return array;
  }
  Held object_;
  std::string name_;
  std::size_t first_, count_;
  bool external_;
};

// Integrators.

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
  for (const auto& [c, theta] : pairs) terms.push_back({.c = c, .theta = theta});
  return terms;
}

/// Where solvers fail, an error that a step answers by failing.
NodalField minimum(Objective& objective, NodalField x, const SolverOptions& options, int& iterations) {
  const std::unique_ptr<Solver> solver = make_solver(options);
  const SolveReport report = compute([&] { return solver->solve(objective, x); });
  iterations += report.iterations;
  if (report.status == SolveReport::Status::failed)
    throw InputError({.key = "solver", .value = options.name, .problem = report.message});
  return x;
}

struct PythonMethod {
  Held function;
  bool accounts = true;
};
constexpr std::size_t max_methods = 64;
/// Never destroyed: Python may be gone by then.
std::deque<PythonMethod>& python_methods() {
  static auto* const methods = new std::deque<PythonMethod>;
  return *methods;
}

class PythonIntegrator final : public Integrator {
 public:
  PythonIntegrator(std::size_t slot, const IntegratorOptions& options) : slot_(slot), solver_(options.solver) {}

  StepReport step(const Model& model, State& state, const TimeStep& time) override {
    const py::gil_scoped_acquire gil;
    if (!objective_ || objective_model_ != &model) {
      objective_ = std::make_unique<StepObjective>(model);
      objective_model_ = &model;
    }
    stages_.begin(model, state, time);
    const auto box = std::make_shared<StepBox>(
        StepBox{.model = &model,
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
      const py::object next = (*python_methods()[slot_].function)(box);
      expire();
      const auto pair = py::isinstance<py::tuple>(next) ? next.cast<py::tuple>() : py::tuple();
      if (pair.size() != 2) throw py::type_error("an integrator must return (x, v)");
      NodalField x = to_field(pair[0], "x", model.vertices()), v = to_field(pair[1], "v", model.vertices());
      StepReport report = stages_.finish(x, v, state);
      report.iterations = box->iterations;
      return report;
    } catch (const InputError& error) {
      expire();
      return {.status = StepReport::Status::failed, .message = error.what()};
    } catch (...) {
      expire();
      throw;
    }
  }
  bool accounts_for_all() const override { return python_methods()[slot_].accounts; }

 private:
  /// Numbers that are not finite make the step fail, which is no mistake of the user's.
  static NodalField to_field(const py::object& value, const char* name, std::size_t rows) {
    const auto numbers = result(value, 3 * rows, std::string("an integrator, as its ") + name + ",", "(vertices, 3)");
    NodalField field(rows);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t c = 0; c < 3; ++c) field.row(i)[c] = numbers.data()[3 * i + c];
    return field;
  }

  std::size_t slot_;
  SolverOptions solver_;
  StageForces stages_;
  const Model* objective_model_ = nullptr;
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

/// A name that is a method of Python's already gets the new function: cells of notebooks are run again.
void register_python(const std::string& name, int order, py::object function, bool accounts, bool symplectic,
                     bool reversible, bool angular, const std::string& energy, const std::string& sentence) {
  std::deque<PythonMethod>& methods = python_methods();
  for (std::size_t k = 0; k < methods.size(); ++k)
    for (const Method& method : integrators())
      if (method.name == name && method.make == make_python[k]) {
        if (method.order != order)
          throw InputError({.key = "order",
                            .value = std::to_string(order),
                            .problem = name + " was registered with order " + std::to_string(method.order),
                            .advice = "choose another name"});
        methods[k] = {.function = hold(std::move(function)), .accounts = accounts};
        return;
      }
  if (methods.size() == max_methods)
    throw InputError({.key = "integrator", .value = name, .problem = "is one more than the 64 that there is room for"});
  Method method{.name = name,
                .family = accounts ? "explicit" : "implicit",
                .order = order,
                .symplectic = symplectic,
                .reversible = reversible,
                .angular_momentum = angular,
                .energy = behavior_of(energy),
                .reference = "written in Python",
                .sentence = sentence,
                .cost = "Python",
                .make = make_python[methods.size()]};
  register_integrator(std::move(method));
  methods.push_back({.function = hold(std::move(function)), .accounts = accounts});
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
      .def("force",
           [](StepBox& s, const py::handle& x, const py::handle& v, double fraction, double weight) {
             const std::size_t n = s.valid().vertices();
             const NodalField places = field_of(x, n, "x"), speeds = field_of(v, n, "v");
             NodalField f(n);
             compute([&] { s.stages->force(places, speeds, fraction, weight, f); });
             return array_of(f);
           })
      .def("place",
           [](StepBox& s, const py::handle& x, const py::handle& v, double fraction) {
             const std::size_t n = s.valid().vertices();
             NodalField places = field_of(x, n, "x"), speeds = field_of(v, n, "v");
             s.stages->place(fraction, places, speeds);
             return py::make_tuple(array_of(places), array_of(speeds));
           })
      .def("minimize", [](StepBox& s, const py::handle& y, const std::vector<std::pair<double, double>>& terms,
                          const py::handle& guess) {
        const std::size_t n = s.valid().vertices();
        const NodalField target = field_of(y, n, "y");
        NodalField x = guess.is_none() ? target : field_of(guess, n, "guess");
        NodalField unused(n);
        s.stages->place(1, x, unused);
        const std::vector<Term> weights = terms_of(terms);
        s.objective->declare(s.time.h, s.state->x, target, weights, nullptr, s.time);
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
        return std::make_unique<ObjectiveBox>(box.model(), h, field_of(x_n, n, "x_n"), field_of(y, n, "y"),
                                              terms_of(terms));
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

void add_energy(ModelBox& box, std::uint32_t body, py::object object, const std::string& name,
                const py::array_t<int>& elements, int degree, bool anchored) {
  Model& model = box.mine();
  const Body& of = model.body(BodyId(body));
  const auto refuse = [](const std::string& problem) {
    throw InputError({.key = "elements", .problem = problem, .advice = "one row of vertices of the body per element"});
  };
  if (elements.ndim() != 2 || elements.shape(1) < 1 || elements.shape(1) > 32 || elements.shape(0) < 1)
    refuse("must be an array of shape (elements, corners), with 1 to 32 corners");
  const auto corners = static_cast<std::size_t>(elements.shape(1));
  std::vector<int> vertices;
  const auto read = elements.unchecked<2>();
  for (py::ssize_t e = 0; e < elements.shape(0); ++e) {
    for (py::ssize_t a = 0; a < elements.shape(1); ++a) {
      const int vertex = read(e, a);
      if (vertex < 0 || static_cast<std::size_t>(vertex) >= of.mesh.vertices.size())
        refuse("names vertex " + std::to_string(vertex) + " of " + std::to_string(of.mesh.vertices.size()));
      for (py::ssize_t b = 0; b < a; ++b)
        if (read(e, b) == vertex) refuse("names vertex " + std::to_string(vertex) + " twice in one element");
      vertices.push_back(of.first_vertex + vertex);
    }
  }
  const Busy busy(box.busy, "the model");
  model.add(BodyId(body), std::make_unique<PythonEnergy>(hold(std::move(object)), name, std::move(vertices), corners,
                                                         model.rest(), degree, anchored));
}

}  // namespace

void bind_custom(py::module_& module) {
  bind_steps(module);
  bind_objective(module);
  module.def("add_energy", &add_energy);
  module.def("add_force", [](ModelBox& box, std::uint32_t body, py::object object, const std::string& name,
                             bool external) {
    Model& model = box.mine();
    const Body& of = model.body(BodyId(body));
    const Busy busy(box.busy, "the model");
    model.add(std::make_unique<PythonForce>(hold(std::move(object)), name, static_cast<std::size_t>(of.first_vertex),
                                            of.mesh.vertices.size(), external));
  });
  module.def("register_integrator", &register_python);
}

}  // namespace brio::python
