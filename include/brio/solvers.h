/// Solvers of implicit steps: what can be chosen, and what it takes to add one.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "brio/choices.h"
#include "brio/model.h"
#include "brio/objective.h"

namespace brio {

/// How a step's equations are solved. make_integrator refuses those that the solver does not know
/// (SolverMethod::options).
struct SolverOptions {
  std::string name = "newton";                     ///< any of `brio list solvers`
  double tolerance = 1e-10;                        ///< stop when |unbalanced force| <= tolerance * |forces in play|
  int iterations = 0;                              ///< most of them; 0: 100, in contact 200, of local-global 10
  Definite definite = Definite::project;           ///< newton
  LinearChoice linear = LinearChoice::automatic;   ///< newton
  Acceleration acceleration = Acceleration::none;  ///< local-global
  double rho = 0.99;                               ///< chebyshev: estimated spectral radius, in [0, 1)
  int window = 5;                                  ///< anderson, lbfgs: earlier iterates kept
  FirstGuess guess = FirstGuess::inertia;
  Unconverged unconverged = Unconverged::automatic;
};

/// Where the time of solves went [ms].
struct SolveTimes {
  double assembly = 0;  ///< gradients, Hessians and projections
  double factor = 0;    ///< factorizations and preconditioners
  double solve = 0;     ///< linear solves
  double search = 0;    ///< line searches
  double blend = 0;     ///< energy evaluations of the stabilized integrator

  SolveTimes& operator+=(const SolveTimes& other) {
    assembly += other.assembly;
    factor += other.factor;
    solve += other.solve;
    search += other.search;
    blend += other.blend;
    return *this;
  }
};

/// Where a solve ended and what it cost. Starts as a failure.
struct SolveReport {
  enum class Status { failed, unconverged, converged };
  Status status = Status::failed;
  int iterations = 0;
  int factorizations = 0;
  int evaluations = 0;       ///< of the objective by line searches
  double residual = 0;       ///< |∇Φ| / |forces in play|, in the norm of the objective
  bool out_of_time = false;  ///< unconverged since its time was up, after an iteration or more
  SolveTimes times{};
  const char* linear = "";  ///< which linear solver was used, and why; lives as long as the program
  std::string message{};    ///< what went wrong; empty when converged

  bool converged() const { return status == Status::converged; }
};

/// One solver with its workspace, which is kept between solves.
class Solver {
 public:
  virtual ~Solver() = default;
  /// Moves x from its guess to the minimum; vertices that the objective does not move stay. Unless it failed, x is the
  /// best point found and finite.
  virtual SolveReport solve(Objective& objective, NodalField& x) = 0;
};

/// What is known of a solver.
struct SolverMethod {
  std::string name;
  std::string sentence{};              ///< what it is and when to choose it
  std::string reference{};             ///< where to read about it
  std::vector<std::string> options{};  ///< members of SolverOptions that it knows, besides those that all do
  /// Members that all know: name, tolerance, iterations, guess, unconverged.
  static const std::vector<std::string>& common_options();
  bool ends_early = false;  ///< its usual end is the limit of iterations: Unconverged::automatic accepts that
  std::unique_ptr<Solver> (*make)(const SolverOptions&) = nullptr;

  bool knows(const std::string& option) const;
};

const std::deque<SolverMethod>& solvers();

/// From now on simulations, scene files and lists know it by name. Throws InputError when the name is taken. To be
/// called before other threads use brio.
void register_solver(SolverMethod method);

/// Throws InputError with the nearest name when there is none.
const SolverMethod& find_solver(const std::string& name);

/// The one that the options name. Throws InputError for options that do not fit together.
std::unique_ptr<Solver> make_solver(const SolverOptions& options);

}  // namespace brio
