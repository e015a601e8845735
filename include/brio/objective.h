/// What solvers minimize: a function Φ of vertex positions [J]. A step of an implicit integrator is one; others may
/// write their own and hand them to any solver (brio/solvers.h).
///
/// Evaluations are virtual per call, never per element. They may keep scratch and what they measured on the way:
/// one objective serves one solve at a time. All fields have one row per vertex of the pattern.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "brio/block_matrix.h"
#include "brio/energy.h"

namespace brio {

/// Where a solver is, for Objective::refine.
struct Iterate {
  int iteration;
  double residual;  ///< Objective::relative
  bool cut;         ///< the line search shortened the last step
};

class Objective {
 public:
  virtual ~Objective() = default;

  /// Which blocks the Hessian has. Another pointer may mean other blocks: solvers then make room anew.
  virtual const std::shared_ptr<const BlockPattern>& pattern() const = 0;

  /// Φ(x); +inf outside of the domain.
  virtual double value(const NodalField& x) = 0;
  /// Sets g = ∇Φ(x), zero where vertices do not move, and returns Φ(x).
  virtual double gradient(const NodalField& x, NodalField& g) = 0;
  /// The same, and sets H = ∇²Φ(x), or with PSD projection a positive semidefinite matrix near it. Rows and columns of
  /// vertices that do not move hold a positive diagonal and nothing else.
  virtual double hessian(const NodalField& x, Projection projection, NodalField& g, BlockMatrix& H) = 0;

  /// Sets A, one number per block of the pattern: A ⊗ I₃ stands in for the Hessian at any x. It is positive definite.
  /// Local/global solvers and L-BFGS factor it once; it preconditions conjugate gradients.
  virtual void laplacian(std::span<double> A) const = 0;
  /// Equal stamps of one pattern mean equal Laplacians.
  struct Stamp {
    double inertia = 0;        ///< what multiplies the masses in it
    double stiffness = 0;      ///< what multiplies the stiffness in it
    std::uint64_t acting = 0;  ///< of what its stiffness is made of
    bool operator==(const Stamp&) const = default;
  };
  virtual Stamp stamp() const = 0;

  /// False where `gradient` is no gradient of Φ, since some forces have no potential: then what is looked for is its
  /// root, by solvers that know how to find roots.
  virtual bool has_potential() const { return true; }
  /// Where it has none, `hessian` is symmetric all the same, near the derivative of `gradient` by x. This prepares
  /// products with that derivative itself, at x.
  virtual void linearize(const NodalField& /*x*/) {}
  /// Jv = that derivative times v, zero where vertices do not move.
  virtual void multiply(const NodalField& /*v*/, NodalField& Jv) { Jv.set_zero(); }

  /// Curvature that comes and goes with x and is in no Laplacian, as that of contact.
  virtual bool has_contacts() const { return false; }
  /// Sets H to it at x; positive semidefinite.
  virtual void contact_hessian(const NodalField& /*x*/, BlockMatrix& H) { H.set_zero(); }

  /// |g|, in which gradients are compared: Euclid's unless said otherwise.
  virtual double norm(const NodalField& g);
  /// The forces in play where `gradient` was last asked for, in that norm: what a gradient is small beside.
  virtual double scale() const = 0;
  /// What rounding errors may leave of a gradient, in that norm.
  virtual double noise() const { return 0; }
  /// What rounding may make of a value Φ.
  virtual double value_noise(double phi) const;

  /// What |∇Φ| must come down to.
  double goal(double tolerance) const { return tolerance * scale() + noise(); }
  /// Whether rounding errors may be all that is left: where a solver that finds no way down has converged all the same.
  bool at_rounding(double norm) const { return norm <= 64 * noise(); }
  /// |∇Φ| / |forces in play|.
  double relative(double norm) const { return norm > noise() ? norm / (scale() + noise()) : 0; }

  /// Largest s ≤ 1, less a margin, for which all of x + s' d, s' ≤ s, is within the domain.
  virtual double domain_step(const NodalField& /*x*/, const NodalField& /*d*/) { return 1; }
  /// Whether that depends on the path and not on its end alone (continuous collision detection).
  virtual bool limits_path() const { return false; }
  /// The fraction of the straight path between two places that is free.
  virtual double free_path(const NodalField& /*from*/, const NodalField& /*to*/) { return 1; }
  /// To be called by solvers at each iterate x, before they ask whether it is the minimum. Objectives that become more
  /// exact near it may then be another function until the next call: g and phi, gradient and value at x, are brought up
  /// to date. Returns whether they changed.
  virtual bool refine(const NodalField& /*x*/, const Iterate& /*at*/, NodalField& /*g*/, double& /*phi*/) {
    return false;
  }
  /// Whether near the minimum the exact Hessian, with some inertia added, serves better than one that is projected.
  virtual bool prefers_inertia() const { return false; }
  /// Adds a fraction of what is convex in Φ whatever x is, as inertia is, to H.
  virtual void add_inertia(double /*fraction*/, BlockMatrix& /*H*/) const {}
  /// Whether all the work has been done that may be: solvers end where they are.
  virtual bool is_exhausted() const { return false; }
  /// For guesses outside of the domain: makes x a place within it, where there is one that is known.
  virtual void return_to_start(NodalField& /*x*/) const {}
};

}  // namespace brio
