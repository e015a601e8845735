/// Every material by name. Adding one = its header, its instantiation, and a line here; tests, docs and benchmarks
/// follow by loop.
#pragma once

#include <deque>
#include <functional>

#include "brio/energy.h"
#include "brio/model.h"
#include "core/fields.h"

namespace brio {

struct MaterialEntry {
  std::string name;
  std::string formula;   ///< psi(F) [J/m³]
  std::string sentence;  ///< when to choose it
  std::string reference;
  int force_degree;  ///< of the polynomial that forces are in x; 0: no polynomial. AVF is exact with a rule of this
                     ///< degree.
  bool barrier;      ///< psi is infinite for inverted elements
  std::vector<std::string> keys;  ///< its parameters among those of Material
  std::function<std::unique_ptr<Energy>(const Material&, std::vector<Tet>, const NodalField& rest)> make;
  std::function<Lame(const Material&)> small_strain;  ///< moduli at rest
};

const std::deque<MaterialEntry>& materials();

/// Throws InputError with the nearest name when there is none.
const MaterialEntry& find_material(const std::string& name);

/// Throws InputError, naming keys under `path`, for parameters out of bounds and for moduli that are not finite.
void check_material(const Material& material, const std::string& path);

/// Reads `name` and the parameters of that material; moduli as mu and lambda, or as young and poisson.
Material read_material(const std::vector<Entry>& entries, const std::string& path);

}  // namespace brio
