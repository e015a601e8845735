/// Materials and penalty laws that users write in Python, known by name wherever others are.
#include <pybind11/stl.h>

#include <deque>

#include "brio/contact.h"
#include "brio/material.h"
#include "contact/penalty_law.h"
#include "held.h"
#include "model/materials/density_check.h"

namespace brio::python {
namespace {

/// Never destroyed: Python may be gone by then.
template <class Law>
std::deque<Law>& known() {
  static auto* const laws = new std::deque<Law>;
  return *laws;
}
template <class Law>
const Law* find(const std::string& name) {
  for (const Law& law : known<Law>())
    if (law.name == name) return &law;
  return nullptr;
}

// Materials.

struct PythonMaterial {
  std::string name;
  std::vector<std::string> keys;
  Renewable density, lame;
};

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
EnergyDensity density_at(const PythonMaterial& law, const Material& material, const StrainInvariants& strain) {
  const py::gil_scoped_acquire gil;
  const auto numbers = result(law.density(moduli_of(material), strain.t, strain.s, strain.J), 10, 1,
                              "the material " + law.name, "(10,)");
  const double* d = numbers.data();
  return {.psi = d[0],
          .t = d[1],
          .s = d[2],
          .J = d[3],
          .tt = d[4],
          .ts = d[5],
          .tJ = d[6],
          .ss = d[7],
          .sJ = d[8],
          .JJ = d[9]};
}

Lame lame_of(const PythonMaterial& law, const Material& material) {
  const py::gil_scoped_acquire gil;
  if (law.lame.is_none()) return {.mu = material.mu, .lambda = material.lambda};
  const auto moduli = result(law.lame(moduli_of(material)), 2, 1, "lame of " + law.name, "(2,)");
  return {.mu = moduli.data()[0], .lambda = moduli.data()[1]};
}

void register_python_material(const std::string& name, const std::vector<std::string>& keys, py::object density,
                              py::object lame, const std::string& formula, const std::string& sentence,
                              const std::string& reference) {
  const PythonMaterial mine{.name = name, .keys = keys, .density = Renewable(density), .lame = Renewable(lame)};
  MaterialLaw law{
      .name = name,
      .formula = formula,
      .sentence = sentence,
      .reference = reference,
      .keys = keys,
      .density = [mine](const Material& m, const StrainInvariants& strain) { return density_at(mine, m, strain); },
      .small_strain = [mine](const Material& m) { return lame_of(mine, m); }};
  if (const PythonMaterial* earlier = find<PythonMaterial>(name)) {
    if (earlier->keys != keys)
      throw InputError(
          {.key = "keys", .problem = name + " was registered with others", .advice = "choose another name"});
    compute([&] { check_density(law); });
    earlier->density.renew(std::move(density));
    earlier->lame.renew(std::move(lame));
    return;
  }
  compute([&] { register_material(law); });
  known<PythonMaterial>().push_back(mine);
}

// Penalty laws.

struct PythonPenalty {
  std::string name;
  Renewable energy;
};

/// `energy(stiffness, gap)`: value, slope and curvature.
GapEnergy gap_energy(const PythonPenalty& law, double stiffness, double gap) {
  const py::gil_scoped_acquire gil;
  const auto numbers = result(law.energy(stiffness, gap), 3, 1, "the penalty " + law.name, "(3,)");
  return {.value = numbers.data()[0], .slope = numbers.data()[1], .curvature = numbers.data()[2]};
}

void register_python_penalty(const std::string& name, py::object energy, const std::string& formula,
                             const std::string& sentence, const std::string& reference) {
  const PythonPenalty mine{.name = name, .energy = Renewable(energy)};
  const PenaltyLaw law{.name = name,
                       .formula = formula,
                       .sentence = sentence,
                       .reference = reference,
                       .energy = [mine](double k, double q) { return gap_energy(mine, k, q); }};
  if (const PythonPenalty* earlier = find<PythonPenalty>(name)) {
    compute([&] { check_penalty_law(law); });
    earlier->energy.renew(std::move(energy));
    return;
  }
  compute([&] { register_penalty_law(law); });
  known<PythonPenalty>().push_back(mine);
}

}  // namespace

void bind_laws(py::module_& module) {
  module.def("register_material", &register_python_material);
  module.def("register_penalty_law", &register_python_penalty);
}

}  // namespace brio::python
