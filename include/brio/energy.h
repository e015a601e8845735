/// Energies of one's own, for Model::add: a potential of the vertex positions, evaluated for all of its elements at
/// once: one virtual call per batch. It keeps its scratch, so that evaluation allocates nothing: one energy serves one
/// evaluation at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "brio/block_matrix.h"
#include "brio/model.h"

namespace brio {

/// What is added to gradient and Hessian is multiplied by these; the returned energy is not.
struct Weights {
  double gradient = 1;
  double hessian = 1;
};

/// Of each element's Hessian: none, or PSD projection, which takes its negative curvature out.
enum class Projection { none, psd };

/// Which column of the ledger it belongs to.
enum class Role { elastic, contact };

/// Which energies integrators take as means along the path of a step: none, those that know them in closed form, or
/// those as well that find the points for it by themselves; or, of another kind, those that have a discrete gradient.
enum class Averaging { none, closed, adaptive, discrete };

/// What Energy::refine_path changed.
struct PathChange {
  bool points = false;     ///< where forces are taken along the path: what was evaluated before is out of date
  double value = 0;        ///< else by how much the value changed [J]
  std::size_t beyond = 0;  ///< points that are evaluated now beyond the three of every element
  std::size_t tried = 0;   ///< points that were evaluated to find them
};

class Energy {
 public:
  virtual ~Energy() = default;

  virtual std::string name() const = 0;
  virtual Role role() const { return Role::elastic; }
  virtual std::size_t elements() const = 0;

  /// Degree of the polynomial in x that forces are; 0: they are none.
  virtual int force_degree() const { return 0; }

  /// E(x) [J]; +inf outside the domain of a barrier-like material.
  virtual double value(const Configuration& at) const = 0;
  /// Adds weights.gradient ∇E to g [N] and returns E.
  virtual double gradient(const Configuration& at, const Weights& weights, NodalField& g) const = 0;
  /// Adds to g as well and weights.hessian ∇²E to H [N/m]. Call `bind` with the pattern of H first.
  virtual double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                         BlockMatrix& H) const = 0;
  /// Adds weight times the scalar Laplacian L [N/m], one number per block of the bound pattern: L ⊗ I₃ stands in for
  /// the Hessian at any x. For a projective energy w/2 min_p |G x - p|² it is w GᵀG, which bounds the Hessian; for
  /// others w is a curvature at rest. [Bouaziz et al. 2014; Liu, Bouaziz & Kavan 2017, section 4]
  virtual void laplacian(double weight, std::span<double> L) const = 0;
  /// Stiffness of each vertex that is in no Laplacian, as that of contact, by which rounding of positions shows in
  /// forces [N/m].
  virtual double hidden_stiffness() const { return 0; }
  /// Changes whenever the Laplacian does, for energies that may change between steps.
  virtual std::uint64_t version() const { return 0; }
  /// False while it has neither force nor energy anywhere, as springs that were let go. With `laplacian` constant
  /// otherwise, this tells when matrices made of it are out of date.
  virtual bool acts(const Moment& /*when*/) const { return true; }
  /// False where E is finite wherever vertices are: then no step has to be asked whether it ends within the domain.
  virtual bool has_domain() const { return true; }
  /// Largest s <= 1, less a margin, for which x + s' d is within the domain for all s' <= s; 0 where x is outside.
  /// What is driven stands still meanwhile.
  virtual double domain_step(const Configuration& /*at*/, const NodalField& /*d*/) const { return 1; }
  /// Whether domain_step limits paths and not only places (continuous collision detection): what is beyond a thin
  /// obstacle is reached only around it.
  virtual bool limits_path() const { return false; }
  /// Of energies that limit paths: the fraction of the straight path between two configurations that is free, with what
  /// is driven moving along.
  virtual double free_path(const Configuration& /*from*/, const Configuration& /*to*/) const { return 1; }

  /// Integrators that average forces along the straight path of a step ask for it where a rule of quadrature would not
  /// see contact begin or end. An energy that answers true stands, where Moment::mean is set, for
  /// P(x) = ∫₀¹ (E(x_n + s(x − x_n)) − E(x_n))/(2s) ds, whose gradient is half of the mean of ∇E.
  virtual bool averages_path() const { return false; }
  /// The same for energies that average forces which are no polynomials by points of their own, as many as the mean
  /// force needs to do exactly the work by which E changes. `begin_path` says where paths begin, before anything is
  /// asked of a mean. `refine_path` compares work and E for the path to x, at which a gradient was evaluated last: it
  /// adds points where they differ by more than `tolerance` times what linear springs of that stiffness would hold,
  /// and puts the rest into a correction that is held until it is called again; what that changes is added to g. All of
  /// it is scratch, which the next `begin_path` clears.
  virtual bool refines_path() const { return false; }
  virtual void begin_path(const Configuration& /*start*/) const {}
  virtual PathChange refine_path(const Configuration& /*at*/, double /*tolerance*/, NodalField& /*g*/) const {
    return {};
  }
  /// Whether it knows a force for the path from x_n to x that does exactly the work by which E changes, and turns and
  /// moves nothing as a whole: of the shape x̄ = (x_n + x)/2, with as little stress as a rotation from x_n to x
  /// deserves. Where Moment::discrete is set, `gradient` is half of that force, and `hessian` the symmetric part, or
  /// nearly, of its derivative by x; both return E(x). [Gonzalez 2000]
  virtual bool has_discrete_gradient() const { return false; }
  bool takes_mean(Averaging which) const {
    if (which == Averaging::discrete) return has_discrete_gradient();
    return which != Averaging::none && (averages_path() || (which == Averaging::adaptive && refines_path()));
  }

  /// Adds the blocks of this energy's Hessian to the pattern.
  virtual void couple(PatternBuilder& pattern) const = 0;
  /// Finds the places of those blocks in a finished pattern.
  virtual void bind(const BlockPattern& pattern) = 0;

  /// Bodies were removed, none of whose vertices it has: the new index of every vertex, -1 of those that are gone.
  /// Where it is not overridden, bodies of models with this energy cannot be removed.
  virtual void renumber(std::span<const int> vertices);

  /// Whether it holds vertices to places of the world, not only to each other.
  virtual bool is_anchored() const { return false; }
  /// Whether it measures strain, from a rest shape.
  virtual bool has_rest_shape() const { return true; }
  /// Makes x the rest shape, where the energy has one.
  virtual void set_rest(const NodalField& x) = 0;
  virtual std::unique_ptr<Energy> clone() const = 0;
};

}  // namespace brio
