/// Energies and forces that users write in Python.
#include <pybind11/stl.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "brio/energy.h"
#include "brio/force.h"
#include "brio/solvers.h"
#include "held.h"
#include "user_objective.h"

namespace brio::python {

Held hold(py::object object) {
  return {new py::object(std::move(object)), [](py::object* held) {
            if (!Py_IsInitialized()) return;  // the process ends, and all memory with it
            const py::gil_scoped_acquire gil;
            delete held;
          }};
}

py::array_t<double> result(const py::object& value, std::size_t rows, std::size_t each, const std::string& who,
                           const std::string& shape) {
  const py::array_t<double> numbers = real_array(value);
  const bool fits = numbers && static_cast<std::size_t>(numbers.size()) == rows * each &&
                    (numbers.ndim() < 2 || static_cast<std::size_t>(numbers.shape(0)) == rows);
  if (fits) return numbers;
  std::string got;
  if (numbers) got = ", not of shape " + py::str(numbers.attr("shape")).cast<std::string>();
  throw py::value_error(who + " must return an array of real numbers of shape " + shape + got);
}

namespace {

/// Sums of a function of the corners of elements.
class PythonEnergy final : public Energy {
 public:
  struct Traits {
    int degree = 0;
    bool anchored = true;
    Role role = Role::elastic;
  };
  PythonEnergy(Held object, std::string name, std::vector<int> vertices, std::size_t corners, const NodalField& rest,
               const Traits& traits)
      : object_(std::move(object)),
        name_(std::move(name)),
        vertices_(std::move(vertices)),
        corners_(corners),
        traits_(traits) {
    for (const int vertex : vertices_)
      for (int c = 0; c < 3; ++c) rest_.push_back(rest.row(static_cast<std::size_t>(vertex))[c]);
  }

  std::string name() const override { return name_; }
  std::size_t elements() const override { return vertices_.size() / corners_; }
  Role role() const override { return traits_.role; }
  int force_degree() const override { return traits_.degree; }
  bool is_anchored() const override { return traits_.anchored; }
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
    for (int& vertex : vertices_) {
      const int now = vertices[static_cast<std::size_t>(vertex)];
      if (now < 0)
        throw InputError(
            {.key = "body", .problem = "cannot be removed: " + name_ + " joins it to others, or to places"});
      vertex = now;
    }
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
    const auto values = result(object_->attr("value")(x), elements(), 1, name_ + ".value", "(elements,)");
    double sum = 0;
    for (std::size_t e = 0; e < elements(); ++e) sum += values.data()[e];
    return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum;
  }
  void add_gradient(const py::array_t<double>& x, double weight, NodalField& g) const {
    const auto gradients =
        result(object_->attr("gradient")(x), elements(), 3 * corners_, name_ + ".gradient", "(elements, corners, 3)");
    const double* from = gradients.data();
    for (const int vertex : vertices_)
      for (int c = 0; c < 3; ++c) g.row(static_cast<std::size_t>(vertex))[c] += weight * *from++;
  }
  template <class Visit>
  void for_hessians(const py::array_t<double>& x, Visit visit) const {
    const std::size_t size = 3 * corners_;
    const auto all = result(object_->attr("hessian")(x), elements(), size * size, name_ + ".hessian",
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
  Traits traits_;
  std::vector<double> rest_;
  std::vector<int> blocks_;
};

/// An energy of the user's as a function to be minimized, by any solver, over vertices that are not fixed.
class EnergyObjective final : public UserObjective {
 public:
  EnergyObjective(PythonEnergy energy, std::size_t vertices, const std::vector<int>& fixed)
      : UserObjective(vertices, fixed), energy_(std::move(energy)) {
    PatternBuilder builder(vertices);
    energy_.couple(builder);
    pattern_ = builder.build();
    energy_.bind(*pattern_);
  }

  double value(const NodalField& x) override { return energy_.value({x}); }
  double gradient(const NodalField& x, NodalField& g) override {
    g.set_zero();
    const double value = energy_.gradient({x}, {}, g);
    return settle(g), value;
  }
  double hessian(const NodalField& x, Projection projection, NodalField& g, BlockMatrix& H) override {
    g.set_zero();
    H.set_zero();
    const double value = energy_.hessian({x}, {}, projection, g, H);
    settle(H);
    return settle(g), value;
  }
  void laplacian(std::span<double> A) const override {
    std::ranges::fill(A, 0.0);
    energy_.laplacian(1, A);
    settle(A);
  }

 private:
  PythonEnergy energy_;
};

/// On the vertices of one body, or on all of the model's, however many there are.
class PythonForce final : public Force {
 public:
  struct Place {
    std::size_t first = 0, count = 0;
    bool everywhere = false;
  };
  PythonForce(Held object, std::string name, Place place, bool external)
      : object_(std::move(object)), name_(std::move(name)), place_(place), external_(external) {}
  std::string name() const override { return name_; }
  bool external() const override { return external_; }
  void add(const NodalField& x, const NodalField& v, double time, NodalField& f) const override {
    const py::gil_scoped_acquire gil;
    const std::size_t first = place_.first, count = place_.everywhere ? x.size() : place_.count;
    const auto force = result(object_->attr("force")(part(x, first, count), part(v, first, count), time), count, 3,
                              name_ + ".force", place_.everywhere ? "(vertices, 3)" : "(vertices of the body, 3)");
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t c = 0; c < 3; ++c) f.row(first + i)[c] += force.data()[3 * i + c];
  }
  std::shared_ptr<const Force> renumbered(std::span<const int> vertices) const override {
    PythonForce moved = *this;
    if (!place_.everywhere) {
      const int first = vertices[place_.first];
      if (first < 0) return nullptr;
      moved.place_.first = static_cast<std::size_t>(first);
    }
    return std::make_shared<PythonForce>(std::move(moved));
  }

 private:
  static py::array_t<double> part(const NodalField& field, std::size_t first, std::size_t count) {
    py::array_t<double> array({static_cast<py::ssize_t>(count), py::ssize_t{3}});
    double* place = array.mutable_data();
    for (std::size_t i = first; i < first + count; ++i)
      for (int c = 0; c < 3; ++c) *place++ = field.row(i)[c];
    return array;
  }
  Held object_;
  std::string name_;
  Place place_;
  bool external_;
};

/// Row after row, each without repetition.
std::vector<int> checked_vertices(const py::array_t<int>& elements, std::size_t count, int first) {
  const auto refuse = [](const std::string& problem) {
    throw InputError({.key = "elements", .problem = problem, .advice = "one row of vertices per element"});
  };
  if (elements.ndim() != 2 || elements.shape(1) < 1 || elements.shape(1) > 32 || elements.shape(0) < 1)
    refuse("must be an array of shape (elements, corners), with 1 to 32 corners");
  std::vector<int> vertices;
  const auto read = elements.unchecked<2>();
  for (py::ssize_t e = 0; e < elements.shape(0); ++e) {
    for (py::ssize_t a = 0; a < elements.shape(1); ++a) {
      const int vertex = read(e, a);
      if (vertex < 0 || static_cast<std::size_t>(vertex) >= count)
        refuse("names vertex " + std::to_string(vertex) + " of " + std::to_string(count));
      for (py::ssize_t b = 0; b < a; ++b)
        if (read(e, b) == vertex) refuse("names vertex " + std::to_string(vertex) + " twice in one element");
      vertices.push_back(first + vertex);
    }
  }
  return vertices;
}

/// `body` none: over the vertices of the model, and no body's.
void add_energy(ModelBox& box, std::optional<std::uint32_t> body, py::object object, const std::string& name,
                const py::array_t<int>& elements, int degree, bool anchored, bool contact) {
  Model& model = box.mine();
  const Body* of = body ? &model.body(BodyId(*body)) : nullptr;
  std::vector<int> vertices = checked_vertices(elements, of != nullptr ? of->mesh.vertices.size() : model.vertices(),
                                               of != nullptr ? of->first_vertex : 0);
  const Busy busy(box.busy, "the model");
  auto energy = std::make_unique<PythonEnergy>(
      hold(std::move(object)), name, std::move(vertices), static_cast<std::size_t>(elements.shape(1)), model.rest(),
      PythonEnergy::Traits{.degree = degree, .anchored = anchored, .role = contact ? Role::contact : Role::elastic});
  if (body)
    model.add(BodyId(*body), std::move(energy));
  else
    model.add_free(std::move(energy));
}

void add_force(ModelBox& box, std::optional<std::uint32_t> body, py::object object, const std::string& name,
               bool external) {
  Model& model = box.mine();
  PythonForce::Place place{.everywhere = !body};
  if (body) {
    const Body& of = model.body(BodyId(*body));
    place = {.first = static_cast<std::size_t>(of.first_vertex), .count = of.mesh.vertices.size()};
  }
  const Busy busy(box.busy, "the model");
  model.add(std::make_unique<PythonForce>(hold(std::move(object)), name, place, external));
}

py::tuple minimize_energy(py::object object, const std::string& name, const py::array_t<int>& elements,
                          const py::handle& guess, const py::handle& fixed, const py::dict& solver) {
  const py::ssize_t rows = py::len(guess);
  NodalField x = field_of(guess, static_cast<std::size_t>(rows), "x");
  const std::vector<int> still = indices_of(fixed, "fixed");
  for (const int vertex : still)
    if (vertex >= rows) throw InputError({.key = "fixed", .value = std::to_string(vertex), .problem = "is no vertex"});
  PythonEnergy energy(hold(std::move(object)), name, checked_vertices(elements, x.size(), 0),
                      static_cast<std::size_t>(elements.shape(1)), x, PythonEnergy::Traits{});
  const SolverOptions options = options_of("backward-euler", 1, {}, solver).options.solver;
  const SolveReport report = compute([&] {
    EnergyObjective objective(std::move(energy), x.size(), still);
    return make_solver(options)->solve(objective, x);
  });
  return py::make_tuple(array_of(x), report.converged(), report.iterations, report.message);
}

}  // namespace

void bind_energies(py::module_& module) {
  module.def("add_energy", &add_energy);
  module.def("add_force", &add_force);
  module.def("minimize_energy", &minimize_energy);
}

}  // namespace brio::python
