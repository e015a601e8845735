#ifdef BRIO_WITH_GPL
#include "solvers/linear/one_thread.h"

#include <mutex>

// Of OpenMP's and OpenBLAS's interfaces; their headers are not found by every compiler that is used on this source.
extern "C" {
int omp_get_max_active_levels();
void omp_set_max_active_levels(int levels);
int openblas_get_num_threads();
void openblas_set_num_threads(int count);
}

namespace brio {
namespace {

std::mutex guard;
int users = 0;         ///< OpenBLAS has one setting for all threads: the first user changes it, the last restores it
int blas_threads = 1;  ///< what to restore

}  // namespace

OneThread::OneThread() : levels_(omp_get_max_active_levels()) {
  // No level of parallelism at all. (omp_set_num_threads would not do: CHOLMOD's regions state their number.)
  omp_set_max_active_levels(0);
  const std::lock_guard lock(guard);
  if (users++ == 0) {
    blas_threads = openblas_get_num_threads();
    openblas_set_num_threads(1);
  }
}

OneThread::~OneThread() {
  omp_set_max_active_levels(levels_);
  const std::lock_guard lock(guard);
  if (--users == 0) openblas_set_num_threads(blas_threads);
}

}  // namespace brio
#endif
