/// What can be changed while simulations run, and all that a page needs to make controls of it: from the field tables
/// and the registries, so that a key, its unit, its bound and its sentence stay in one place.
#pragma once

#include "brio/integrators.h"
#include "studio/message.h"

namespace brio::studio {

/// Of all panes alike.
struct Settings {
  Vec3 gravity = Vec3::Zero();  ///< [m/s²]
  Vec3 wind = Vec3::Zero();     ///< [m/s]
  double strain_damping = 0;    ///< [s]
  double relative_damping = 0;  ///< [1/s]
  double drag = 0;              ///< [kg/s]
  double stiffness = 1;         ///< of all solids, times that of the scene
  double hand = 1;              ///< stiffness of hands [N/m]
  int substeps = 1;             ///< integration steps per frame
  double budget = 0;            ///< for all panes together [ms per frame]; 0: none
};
const FieldTable<Settings>& settings_fields();

Json to_json(const Value& value);
Json to_json(const FieldInfo& info);

/// Keys of settings, integrators with their options and solvers with theirs; the same for all scenes.
Json catalog();

/// What somebody asked of methods, kept while another is in use that does not know the key: "epsilon",
/// "solver.tolerance".
class Wishes {
 public:
  Wishes() = default;
  /// All that differs from what holds when nothing is said.
  explicit Wishes(const IntegratorOptions& options);

  /// Throws InputError, and changes nothing, for an unknown key or a value out of bounds.
  void set(const std::string& key, const Value& value);
  /// Those that the method and its solver know.
  IntegratorOptions options_for(const Method& method) const;
  const SolverMethod& solver() const;

 private:
  std::vector<Entry> integrator_, solver_;
};

/// Every option that the method and its solver know, as it is: {"epsilon": 0.01, "solver.name": "newton"}.
Json values_of(const Method& method, const IntegratorOptions& options);

}  // namespace brio::studio
