/// The module brio._native: errors, signals, threads, and what the tables of the engine know. Names and habits of
/// Python are added by the package around it (python/brio).
#include <csignal>

#include "bridge.h"
#include "brio/contact.h"
#include "brio/record.h"
#include "core/platform.h"
#include "mesh/generators.h"
#include "model/materials/registry.h"
#include "scene/reference.h"

namespace brio::python {
namespace {

std::atomic<bool> interrupted = false;
std::atomic<std::atomic<bool>*> also_interrupted = nullptr;  ///< by the innermost guard that says so
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");
struct sigaction of_python {};  ///< what Ctrl-C does otherwise
int guards = 0;                 ///< on the main thread, one within another
unsigned long main_thread = 0;

void note(int signal) {
  interrupted = true;
  if (std::atomic<bool>* const also = also_interrupted) *also = true;
  of_python.sa_handler(signal);
}

void raise_input_error(const Complaint& complaint) {
  const py::object type = py::module_::import("brio.errors").attr("InputError");
  const py::object error = type(complaint.text());
  error.attr("key") = complaint.key;
  error.attr("value") = complaint.value;
  error.attr("bound") = complaint.problem;
  error.attr("remedy") = complaint.advice;
  error.attr("file") = complaint.file;
  error.attr("line") = complaint.line;
  PyErr_SetObject(type.ptr(), error.ptr());
}

py::dict field_facts(const FieldInfo& info, const Value& standard) {
  py::dict facts;
  facts["key"] = info.key;
  facts["type"] = info.type;
  facts["unit"] = info.unit;
  const bool numeric = info.type.find("number") != std::string::npos || info.type == "vector";
  facts["bound"] = numeric && info.bound.text() != Bound::any().text() ? info.bound.text() : "";
  facts["choices"] = py::cast(std::vector<std::string>(info.choices));
  facts["default"] = object_of(standard);
  facts["help"] = info.help;
  return facts;
}

py::list generator_facts() {
  py::list list;
  for (const Generator& generator : generators()) {
    py::dict facts;
    facts["name"] = generator.name;
    facts["sentence"] = generator.sentence;
    py::list fields;
    for (const GeneratorField& field : generator.fields) fields.append(field_facts(field.info, field.standard));
    facts["fields"] = fields;
    list.append(facts);
  }
  return list;
}

py::list scene_key_facts() {
  py::list list;
  for (const SceneKey& key : scene_reference()) {
    py::dict facts;
    facts["path"] = key.path;
    facts["type"] = key.type;
    facts["unit"] = key.unit;
    facts["bound"] = key.bound;
    facts["default"] = key.standard;
    facts["help"] = key.help;
    list.append(facts);
  }
  return list;
}

py::list integrator_facts() {
  py::list list;
  for (const Method& method : integrators()) {
    py::dict facts;
    facts["name"] = method.name;
    facts["aliases"] = method.aliases;
    facts["family"] = method.family;
    facts["order"] = method.order;
    facts["symplectic"] = method.symplectic;
    facts["reversible"] = method.reversible;
    facts["linear_momentum"] = method.linear_momentum;
    facts["angular_momentum"] = method.angular_momentum;
    facts["constraints"] = method.constraints;
    facts["bounds_restitution"] = method.bounds_restitution;
    facts["energy"] = to_string(method.energy);
    facts["options"] = method.options;
    facts["reference"] = method.reference;
    facts["sentence"] = method.sentence;
    facts["damped_order"] = py::make_tuple(method.order_with_damping.drag, method.order_with_damping.strain);
    facts["rayleigh_s0"] = method.rayleigh_s0;
    facts["dynamic"] = method.dynamic;
    facts["resolves"] = method.resolves;
    facts["energy_unless"] = method.energy_unless;
    facts["force_evaluations"] = method.force_evaluations;
    facts["cost"] = method.cost;
    list.append(facts);
  }
  return list;
}

py::list solver_facts() {
  py::list list;
  for (const SolverMethod& method : solvers()) {
    py::dict facts;
    facts["name"] = method.name;
    facts["sentence"] = method.sentence;
    facts["options"] = method.options;
    list.append(facts);
  }
  return list;
}

py::list material_facts() {
  py::list list;
  for (const MaterialEntry& material : materials()) {
    py::dict facts;
    facts["name"] = material.name;
    facts["keys"] = material.keys;
    facts["sentence"] = material.sentence;
    list.append(facts);
  }
  return list;
}

py::list penalty_facts() {
  py::list list;
  for (const PenaltyLaw& law : penalty_laws()) {
    py::dict facts;
    facts["name"] = law.name;
    facts["sentence"] = law.sentence;
    list.append(facts);
  }
  return list;
}

py::list format_facts() {
  py::list list;
  for (const ExportFormat& format : export_formats()) {
    py::dict facts;
    facts["name"] = format.name;
    facts["file"] = format.file;
    facts["sentence"] = format.sentence;
    list.append(facts);
  }
  return list;
}

}  // namespace

InterruptGuard::InterruptGuard(std::atomic<bool>* also) {
  if (PyThread_get_thread_ident() != main_thread) return;
  before_ = also_interrupted;
  if (also != nullptr) also_interrupted = also;
  if (++guards > 1) return;
  interrupted = false;
  struct sigaction before {};
  sigaction(SIGINT, nullptr, &before);
  // Where Python does not answer Ctrl-C, it ends the program, or nothing does.
  if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) return;
  of_python = before;
  struct sigaction ours = before;
  ours.sa_handler = note;
  sigaction(SIGINT, &ours, nullptr);
  installed_ = true;
}

InterruptGuard::~InterruptGuard() {
  if (PyThread_get_thread_ident() != main_thread) return;
  --guards;
  also_interrupted = before_;
  if (installed_) sigaction(SIGINT, &of_python, nullptr);
}

const std::atomic<bool>& InterruptGuard::flag() {
  static const std::atomic<bool> never = false;
  return PyThread_get_thread_ident() == main_thread ? interrupted : never;
}

void answer_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

Busy::Busy(bool& flag, const char* what) : flag_(flag) {
  if (flag)
    throw std::runtime_error(std::string(what) +
                             " is computing, in another thread or in the call that this one is part of; wait for it, "
                             "or give each thread its own");
  flag = true;
}

}  // namespace brio::python

PYBIND11_MODULE(_native, module) {
  using namespace brio;
  using namespace brio::python;
  main_thread = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
  module.doc() = "The engine of brio, as the package around it uses it.";
  py::register_exception_translator([](std::exception_ptr thrown) {  // NOLINT(performance-unnecessary-value-param)
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      raise_input_error(error.complaint());
    } catch (const Canceled&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  module.attr("__version__") = platform().front().second;
  module.def("set_threads", [](int count) {
    if (count < 0) throw InputError({.key = "threads", .value = std::to_string(count), .problem = "must be >= 0"});
    set_threads(count);
  });
  module.def("threads", &threads);
  module.def("generator_facts", &generator_facts);
  module.def("scene_key_facts", &scene_key_facts);
  module.def("integrator_facts", &integrator_facts);
  module.def("solver_facts", &solver_facts);
  module.def("material_facts", &material_facts);
  module.def("penalty_facts", &penalty_facts);
  module.def("format_facts", &format_facts);
  bind_values(module);
  bind_meshes(module);
  bind_models(module);
  bind_motions(module);
  bind_records(module);
  bind_simulations(module);
  bind_scenes(module);
  bind_energies(module);
  bind_methods(module);
  bind_laws(module);
  bind_solvers(module);
  bind_interactions(module);
  bind_formats(module);
}
