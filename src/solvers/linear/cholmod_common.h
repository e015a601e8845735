/// CHOLMOD's settings and its view of a matrix, for the two files that call it.
#pragma once

#include <cholmod.h>

#include "brio/core.h"

namespace brio {

constexpr int fewest_supernodal = 500;  ///< vertices; below, dense blocks are too small to pay

struct CholmodCommon : cholmod_common {
  CholmodCommon() : cholmod_common{} {
    cholmod_start(this);
    print = 0;
    nmethods = 1;
    final_ll = 1;  // LDLᵀ would accept indefinite matrices
  }
  CholmodCommon(const CholmodCommon&) = delete;
  CholmodCommon& operator=(const CholmodCommon&) = delete;
  ~CholmodCommon() { cholmod_finish(this); }

  /// Refusals to work are not about the numbers: memory, or more entries than an int counts.
  void check() const {
    if (status < CHOLMOD_OK)
      throw InputError({.key = "solver.linear",
                        .value = "direct",
                        .problem = "the factor of this model is too large for the memory there is",
                        .advice = "choose pcg"});
  }
};

/// Without values it is a pattern.
inline cholmod_sparse lower_triangle(std::size_t size, std::size_t entries, int* start, int* row, double* value) {
  cholmod_sparse A{};
  A.nrow = A.ncol = size;
  A.nzmax = entries;
  A.p = start;
  A.i = row;
  A.x = value;
  A.stype = -1;
  A.itype = CHOLMOD_INT;
  A.xtype = value == nullptr ? CHOLMOD_PATTERN : CHOLMOD_REAL;
  A.dtype = CHOLMOD_DOUBLE;
  A.sorted = A.packed = 1;
  return A;
}

}  // namespace brio
