/// Keeps the libraries under the sparse Cholesky factorization from starting threads of their own.
///
/// Debian's CHOLMOD asks OpenMP for four threads whatever the machine has, two to three times slower on two cores, and
/// OpenBLAS splits sums by its number of threads, so that bits would depend on it. Neither is ours to configure through
/// the environment. The settings that the program had before are restored.
#pragma once

namespace brio {

class OneThread {
 public:
  OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
  ~OneThread();

 private:
  int levels_;  ///< nested parallel regions that OpenMP allowed this thread
};

}  // namespace brio
