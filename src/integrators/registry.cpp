/// Every integrator by name. Adding one = its file, its declaration and its line here; tests and docs follow by loop.

#include <algorithm>

#include "brio/integrators.h"
#include "core/fields.h"

namespace brio {

Method symplectic_euler();

const std::vector<Method>& integrators() {
  static const std::vector<Method> registry{symplectic_euler()};
  return registry;
}

const Method& find_integrator(const std::string& name) {
  std::vector<std::string> names;
  for (const Method& method : integrators()) {
    if (method.name == name || std::ranges::count(method.aliases, name) > 0) return method;
    names.push_back(method.name);
    names.insert(names.end(), method.aliases.begin(), method.aliases.end());
  }
  refuse_name("integrator.name", name, "not available in this version", names);
}

}  // namespace brio
