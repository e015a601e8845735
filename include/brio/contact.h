/// Contact: rigid things that bodies cannot enter, and bodies that cannot enter each other or themselves.
///
///   add_collider(model, {.shape = PlaneShape{}, .friction = 0.5});
///   add_self_contact(model, {.thickness = 2e-3});
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "brio/choices.h"
#include "brio/model.h"

namespace brio {

/// Everything on the side that the normal points away from.
struct PlaneShape {
  Vec3 point = Vec3::Zero();    ///< [m]
  Vec3 normal = Vec3(0, 1, 0);  ///< of any length but zero
};
struct SphereShape {
  Vec3 center = Vec3::Zero();  ///< [m]
  double radius = 0.5;         ///< [m]
};
struct BoxShape {
  Vec3 center = Vec3::Zero();  ///< [m]
  Vec3 size = Vec3(1, 1, 1);   ///< edge lengths [m]
  Vec3 turn = Vec3::Zero();    ///< about the center: axis times angle [rad]
};
/// All points within `radius` of the segment from a to b.
struct CapsuleShape {
  Vec3 a = Vec3(-0.5, 0, 0);  ///< [m]
  Vec3 b = Vec3(0.5, 0, 0);   ///< [m]
  double radius = 0.25;       ///< [m]
};
/// The inside of a surface: the mesh's triangles, or else the surface of its tets. Closed, its triangles
/// counter-clockwise seen from outside; with ColliderLaw::barrier it may be open, and is solid from both sides.
struct MeshShape {
  Mesh mesh{};
  /// Of a surface that deforms, with ColliderLaw::barrier: where all vertices of the mesh are at that time, evenly in
  /// between, held before the first and after the last. Its path comes on top.
  struct Sample {
    double time = 0;               ///< [s]
    std::vector<Vec3> vertices{};  ///< [m]
  };
  std::vector<Sample> samples{};
};
using ColliderShape = std::variant<PlaneShape, SphereShape, BoxShape, CapsuleShape, MeshShape>;

/// The energy of a vertex in a collider, and its derivatives by the gap.
struct GapEnergy {
  double value = 0;      ///< V [J], >= 0
  double slope = 0;      ///< dV/dq [N], <= 0: the force that pushes out is -slope
  double curvature = 0;  ///< d²V/dq² [N/m], >= 0
};

/// How hard a collider pushes: an energy of the gap q [m], which is asked for where q < 0 alone and vanishes with its
/// slope at q = 0. `stiffness` is the collider's, by whose size rounding errors and friction's springs are judged too.
struct PenaltyLaw {
  std::string name;
  std::string formula{};
  std::string sentence{};                                           ///< what it is and when to choose it
  std::string reference{};                                          ///< where to read about it
  std::function<GapEnergy(double stiffness, double gap)> energy{};  ///< called from many threads at once
};
const std::deque<PenaltyLaw>& penalty_laws();

/// From now on colliders, scene files and lists know it by name. Throws InputError when the name is taken, and for a
/// slope or curvature that is not that of the value. To be called before other threads use brio.
void register_penalty_law(PenaltyLaw law);

/// Throws InputError with the nearest name when there is none.
const PenaltyLaw& find_penalty_law(const std::string& name);

/// ColliderLaw::barrier: surfaces push each other away as bodies do (SelfContactOptions), from `thickness` on, harder
/// the nearer and without bound: vertices against faces, edges against edges, corners of the collider against faces.
/// Implicit integrators never let anything pass through; a step of an explicit one in which something did fails. Bodies
/// that start in touch, within a quarter of the thickness or as deep as it, are set off by what is missing, as a whole,
/// which the ledger books as work of the user; those that start deeper are refused (but SelfContactOptions::resolve).
/// avf and discrete-gradient keep the energy of that contact exactly, whatever the shape.
/// Other laws: a vertex at distance φ from the surface (negative inside) holds the energy V(φ - thickness), k/2 min(0,
/// φ - thickness)² unless another penalty is chosen, and friction holds it where it touches, with at most μ times the
/// force that presses on it. avf keeps the energy of planes with the quadratic penalty exactly, that of other shapes
/// and penalties to the accuracy of its steps.
struct ColliderOptions {
  std::string name = "collider";
  ColliderShape shape = PlaneShape{};
  std::vector<BodyId> bodies{};  ///< that feel it; empty: all, those too that come later
  double stiffness = 0;          ///< k [N/m]; 0: recommended_stiffness; with a barrier as SelfContactOptions has it
  double friction = 0;           ///< Coulomb's μ
  double thickness = 0;          ///< of the layer around the shape that already repels [m]; around meshes with dents
                                 ///< only with ColliderLaw::spring, as φ has creases there. Of a barrier never 0:
                                 ///< 1/200 of the smallest body's largest extent where it is not given
  ColliderLaw law = ColliderLaw::potential;
  std::string penalty = "quadratic";  ///< V: any of penalty_laws()
  Motion motion{};                    ///< keyframes; the energy that they put in is the user's work
  double drop_height = 0;             ///< for the recommendation [m]; 0: from where bodies rest down to the collider
  double explicit_step = 0;  ///< for the recommendation [s]: the step of an explicit integrator; 0: an implicit one
};

/// Bad options throw InputError and change nothing. Where the stiffness is recommended and all bodies feel it, the
/// recommendation is made anew for each body that comes.
ColliderId add_collider(Model& model, const ColliderOptions& options);
/// Ids of others stay good.
Renumbering remove_collider(Model& model, ColliderId collider);

struct StiffnessQuestion {
  std::vector<BodyId> bodies{};  ///< empty: all
  double drop_height = 0;        ///< H [m]
  double explicit_step = 0;      ///< h of an explicit integrator [s]; 0: an implicit one
};
/// The stiffness [N/m] per vertex with which a fall from H ends within d = 1 % of the body's size L:
///   k = 2 M g max(H + d, L/10) / (n d²),
/// M being the body's mass, n the vertices that land at once (N^(2/3) of a solid's N, all of cloth, wires and
/// particles), g the model's gravity, or 9.81 m/s² where it has none. The stiffest of what the bodies need. Explicit
/// integrators get no more than m/(4h²), m being the lightest vertex: stable, as long as the bodies by themselves leave
/// that room (hω ≤ 1.9 for symplectic Euler); deepest_penetration tells whether it is enough.
double recommended_stiffness(const Model& model, const StiffnessQuestion& question);

/// How deep the state's deepest vertex is inside a collider.
struct Penetration {
  double depth = 0;     ///< beyond the surface, whatever the thickness [m]; 0: none is inside
  double fraction = 0;  ///< of its body's largest extent at rest
  BodyId body{};
  int vertex = -1;         ///< of the model
  std::string collider{};  ///< its name
};
/// Beyond a fraction of some 5 % stiffness should be raised, or the step shortened. Pinned vertices do not count.
Penetration deepest_penetration(const Model& model, const State& state);

// Bodies against bodies.

/// The damper of contact in scenes that give none [s/m]: what parts with 0.1 m/s is not pushed any more. It brings to
/// rest what lies somewhere, and takes what would come back of a bounce; 0 gives back all.
inline constexpr double calm_damper = 10;

/// Surfaces of solids and cloth and the center lines of wires push each other away when they come near, the harder the
/// nearer and without bound: E = ½k (d̂ − d)² d̂/d for each pair of a vertex and a triangle, or of two edges, at a
/// distance d < d̂. Implicit integrators never let them pass through each other, whatever their speed; a step of an
/// explicit one in which they did fails. avf and discrete-gradient keep the energy of contact exactly, friction's too.
struct SelfContactOptions {
  double thickness = 2e-3;  ///< d̂ between surfaces [m]; wires have their radius as half of theirs
  double stiffness = 0;     ///< k [N/m], where contact begins; 0: from the masses m that meet, m (speed / d̂)²
  double speed = 5;         ///< [m/s]: what meets with it is then stopped within d̂
  double friction = 0;      ///< Coulomb's coefficient
  /// β [s/m]: forces grow by the factor 1 − β times the speed at which surfaces part, and are never less than 0. What
  /// that takes is damping_loss. With integrators that keep the energy of contact, avf and discrete-gradient.
  double damper = 0;  ///< as scenes have it where they say nothing: calm_damper
  /// e: surfaces part with at most e times the speed at which they met; 1: as they will. Of integrators with
  /// Method::bounds_restitution.
  double restitution = 1;
  bool self = true;              ///< bodies touch themselves
  bool between = true;           ///< and each other
  bool resolve = false;          ///< bodies that start in colliders or each other are moved apart, as a whole
  std::vector<BodyId> bodies{};  ///< which; empty: all, those too that come later. Particles have no surface.
};

/// Returns the energy. Throws InputError for numbers out of bounds, and the simulation for bodies that pass through
/// each other at the start.
EnergyId add_self_contact(Model& model, const SelfContactOptions& options = {});

}  // namespace brio
