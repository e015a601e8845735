/// What the sources of the Python module share: how values, arrays and errors cross, and how work leaves Python alone.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <atomic>
#include <limits>
#include <memory>
#include <string>

#include "brio/motion.h"
#include "brio/sim.h"
#include "core/cancellation.h"
#include "scene/body.h"
#include "scene/mesh.h"
#include "scene/value.h"

namespace brio::python {
namespace py = pybind11;

// Values and arrays.

/// A value of Python's as a scene file would hold it: numbers, texts, lists, dicts, NumPy's scalars and arrays, meshes.
/// `path` is what complaints call it.
Node node_of(const py::handle& value, const std::string& key, const std::string& path);
/// The members of a dict, for field tables.
std::vector<Entry> entries_of(const py::dict& values, const std::string& path);
/// The other way round.
py::object object_of(const Node& node);
py::object object_of(const Value& value);

/// An array of real numbers as doubles, row by row; null for anything else: texts, dates, complex or masked values.
py::array_t<double> real_array(const py::handle& value);
/// Of shape (rows, 3), finite. InputError calls it `key`.
NodalField field_of(const py::handle& array, std::size_t rows, const std::string& key);
Vec3 vector_of(const py::handle& value, const std::string& key);
/// A copy, of shape (n, 3).
py::array_t<double> array_of(const NodalField& field);
py::array_t<double> array_of(const Vec3& vector);
py::array_t<double> vertices_array(const std::vector<Vec3>& vertices);
template <class Cells>
py::array_t<int> cells_array(const Cells& cells, py::ssize_t columns) {
  py::array_t<int> array({static_cast<py::ssize_t>(cells.size()), columns});
  int* place = array.mutable_data();
  for (const auto& cell : cells)
    for (const int vertex : cell) *place++ = vertex;
  return array;
}
/// Rotation and translation.
py::tuple pose_tuple(const Pose& pose);
std::vector<int> indices_of(const py::handle& array, const std::string& key);
/// Symmetric, as the parts of a scipy.sparse.bsr_array and of a coo_array to be added: (blocks, columns, row starts),
/// (values, rows, columns).
py::tuple sparse_parts(const BlockMatrix& matrix);

// Work.

/// While it lives on the main thread of Python, Ctrl-C sets the flag, and `also`, besides what Python makes of it.
class InterruptGuard {
 public:
  explicit InterruptGuard(std::atomic<bool>* also = nullptr);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  static const std::atomic<bool>& flag();

 private:
  bool installed_ = false;
  std::atomic<bool>* before_ = nullptr;
};

/// What Python's handlers of signals have to say: throws what they raise.
void answer_signals();

/// Runs work while other threads of Python run too; Ctrl-C ends it as KeyboardInterrupt. Where a handler of the user's
/// own raises nothing it is done again: what is canceled has changed nothing.
template <class Work>
auto compute(Work&& work) {
  for (;;) {
    const InterruptGuard guard;
    answer_signals();  // those that came before
    try {
      const py::gil_scoped_release others_run;
      const Cancellation stop(&InterruptGuard::flag(), std::numeric_limits<double>::infinity());
      const CancelScope scope(&stop);
      return work();
    } catch (const Canceled&) {
    }
    answer_signals();
  }
}

/// One thread at a time, and no calls back from within.
class Busy {
 public:
  Busy(bool& flag, const char* what);
  ~Busy() { flag_ = false; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  bool& flag_;
};

// What Python holds.

/// A mesh, and the grid that a sheet is.
struct MeshBox {
  SceneMesh shape;
};

/// A model on its way to simulations, or one that a simulation lends for the time of a call.
class ModelBox {
 public:
  ModelBox() : own_(std::make_unique<Model>()), model_(own_.get()) {}
  explicit ModelBox(Model model) : own_(std::make_unique<Model>(std::move(model))), model_(own_.get()) {}
  explicit ModelBox(const Model* lent) : model_(lent) {}

  const Model& model() const;
  Model& mine();  ///< throws for one that is lent
  bool is_lent() const { return own_ == nullptr; }
  void expire() { model_ = nullptr; }
  /// Where its bodies start.
  State start() const;

  std::vector<BodyStart> starts{};
  BodyNames names{};
  bool busy = false;

 private:
  std::unique_ptr<Model> own_;
  const Model* model_;
};

// What is asked of bodies, by their numbers.
py::list body_numbers(const Model& model);
py::dict body_facts(const Model& model, std::uint32_t number);
py::array_t<int> body_surface(const Model& model, std::uint32_t number);
MeshBox body_mesh(const Model& model, std::uint32_t number);

/// By name, with the options of the method and of its solver, refused as scenes refuse them.
SimulationOptions options_of(const std::string& integrator, double h, const py::dict& options, const py::dict& solver);

// Each source adds its part.
void bind_values(py::module_& module);
void bind_meshes(py::module_& module);
void bind_models(py::module_& module);
void bind_motions(py::module_& module);
void bind_records(py::module_& module);
void bind_simulations(py::module_& module);
void bind_scenes(py::module_& module);
void bind_energies(py::module_& module);
void bind_methods(py::module_& module);
void bind_laws(py::module_& module);
void bind_solvers(py::module_& module);
void bind_interactions(py::module_& module);
void bind_formats(py::module_& module);

}  // namespace brio::python
