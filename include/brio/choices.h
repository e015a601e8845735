/// Closed choices among options, with the names that they have in scene files, on the command line and in messages.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

namespace brio {

/// To be specialized beside an enumeration: `names`, one per enumerator in their order.
template <class Choice>
struct ChoiceNames;

template <class Choice>
concept NamedChoice = requires {
  ChoiceNames<Choice>::names;
};

/// As it is written in scene files.
template <NamedChoice Choice>
constexpr const char* to_string(Choice choice) {
  const auto index = static_cast<std::size_t>(choice);
  return index < ChoiceNames<Choice>::names.size() ? ChoiceNames<Choice>::names[index] : "unknown";
}

/// Where `text` is among `names`; throws InputError for `key` with the nearest one when it is not.
std::size_t find_choice(std::string_view text, std::span<const char* const> names, const std::string& key);

/// The other way round: parse<SpringLaw>("stvk"). Throws InputError, which calls it `key`, for any other text.
template <NamedChoice Choice>
Choice parse(std::string_view text, const std::string& key = "choice") {
  return static_cast<Choice>(find_choice(text, ChoiceNames<Choice>::names, key));
}

template <NamedChoice Choice>
std::ostream& operator<<(std::ostream& out, Choice choice) {
  return out << to_string(choice);
}

enum class BodyKind { solid, cloth, wire, particles };
template <>
struct ChoiceNames<BodyKind> {
  static constexpr std::array names{"solid", "cloth", "wire", "particles"};
};

enum class SpringLaw {
  hookean,  ///< stiffness in N/m
  stvk,     ///< stiffness in N/m³
};
template <>
struct ChoiceNames<SpringLaw> {
  static constexpr std::array names{"hookean", "stvk"};
};

/// A field of force that particles may be in.
enum class PointPotential {
  none,
  pendulum,     ///< 1 - cos x: x is an angle
  quartic,      ///< x⁴
  double_well,  ///< (x² - 1)²
  kepler,       ///< -1/r, around the origin
};
template <>
struct ChoiceNames<PointPotential> {
  static constexpr std::array names{"none", "pendulum", "quartic", "double-well", "kepler"};
};

enum class TorsionLaw {
  potential,
  s2,  ///< a force without potential [S2 eq. 15]
};
template <>
struct ChoiceNames<TorsionLaw> {
  static constexpr std::array names{"potential", "s2"};
};

/// Which distance from a collider holds energy.
enum class ColliderLaw {
  potential,    ///< that from the surface, at every moment
  spring,       ///< the height above the tangent plane at the surface point that was nearest when the step began
  held_spring,  ///< the same, once a step found the vertex inside and until it leaves
  barrier,      ///< between all vertices, edges and faces of both surfaces: nothing passes through
};
template <>
struct ChoiceNames<ColliderLaw> {
  static constexpr std::array names{"potential", "spring", "held-spring", "barrier"};
};

/// How Newton's method makes its matrix definite.
enum class Definite {
  project,   ///< the curvature of each element is clamped
  tikhonov,  ///< the diagonal grows until the factorization works
};
template <>
struct ChoiceNames<Definite> {
  static constexpr std::array names{"project", "tikhonov"};
};

enum class LinearChoice { automatic, direct, pcg };
template <>
struct ChoiceNames<LinearChoice> {
  static constexpr std::array names{"auto", "direct", "pcg"};
};

/// Of local/global iterations.
enum class Acceleration { none, chebyshev, anderson };
template <>
struct ChoiceNames<Acceleration> {
  static constexpr std::array names{"none", "chebyshev", "anderson"};
};

/// From where a step is solved.
enum class FirstGuess {
  inertia,  ///< where vertices go by their velocity and gravity
  start,    ///< where the step begins
};
template <>
struct ChoiceNames<FirstGuess> {
  static constexpr std::array names{"inertia", "start"};
};

/// What becomes of a step that does not converge.
enum class Unconverged {
  automatic,  ///< accepted where the solver ends early by design, as local/global does, else halved
  stop,
  accept,
  substep,
};
template <>
struct ChoiceNames<Unconverged> {
  static constexpr std::array names{"auto", "stop", "accept", "substep"};
};

/// How forces are averaged along a step. Automatic and adaptive: by the cheapest exact rule where forces are
/// polynomials, elsewhere by as many points per element as its energy needs.
enum class QuadratureRule { automatic, adaptive, simpson, gauss1, gauss2, gauss3, gauss4, gauss5, rule };
template <>
struct ChoiceNames<QuadratureRule> {
  static constexpr std::array names{"auto",   "adaptive", "simpson", "gauss1", "gauss2",
                                    "gauss3", "gauss4",   "gauss5",  "rule"};
};

/// What `discrete-gradient` takes the discrete gradient of.
enum class DiscreteForm {
  elastodynamic,  ///< each element, in its strain: energy and both momenta are kept
  potential,      ///< E(x): energy is kept, and linear momentum
  phase_space,    ///< H(x, v): energy is kept
};
template <>
struct ChoiceNames<DiscreteForm> {
  static constexpr std::array names{"elastodynamic", "potential", "phase-space"};
};

/// The method that is stabilized.
enum class StabilizedStart { implicit_midpoint, symplectic_euler };
template <>
struct ChoiceNames<StabilizedStart> {
  static constexpr std::array names{"implicit-midpoint", "symplectic-euler"};
};

}  // namespace brio
