/// Benchmarks of the linear solves inside solvers of steps.
#pragma once

#include "bench/subject.h"
#include "bench/suite.h"

namespace brio::bench {

/// One solve with the factor of M/h² + L, three right-hand sides, beside Eigen's and beside reading the factor twice.
void triangular_solves(Subject& subject, const PlainSolver* plain, const Done& done);

/// One linear system of Newton's method by conjugate gradients, beside Eigen's.
void conjugate_gradients(Subject& subject, const Done& done);

}  // namespace brio::bench
