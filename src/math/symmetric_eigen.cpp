#include "math/symmetric_eigen.h"

#include <cmath>

#include "math/lanes.h"

namespace brio {
namespace {

/// Rows p and q become c p − s q and s p + c q.
void rotate(int stride, double* p, double* q, Doubles c, Doubles s) {
  for (int k = 0; k < stride; k += Doubles::width) {
    const Doubles a = load(p + k), b = load(q + k);
    store(p + k, c * a - s * b);
    store(q + k, s * a + c * b);
  }
}

double off_diagonal(int n, int stride, const double* A) {
  double squared = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) squared += A[i * stride + j] * A[i * stride + j];
  return squared;
}

}  // namespace

void diagonalize(int n, int stride, double* A, double* V) {
  constexpr int max_sweeps = 30;  // six do for nine rows: convergence is quadratic
  constexpr double rounding = 1e-34;
  double norm = 0;
  for (int i = 0; i < n; ++i) norm += A[i * stride + i] * A[i * stride + i];
  norm += 2 * off_diagonal(n, stride, A);
  for (int sweep = 0; sweep < max_sweeps && off_diagonal(n, stride, A) > rounding * norm; ++sweep)
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        const double a = A[p * stride + q], pp = A[p * stride + p], qq = A[q * stride + q];
        if (a == 0) continue;
        const double theta = (qq - pp) / (2 * a);
        const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(1 + theta * theta));
        const double c = 1 / std::sqrt(1 + t * t), s = t * c;
        rotate(stride, A + p * stride, A + q * stride, Doubles(c), Doubles(s));
        rotate(stride, V + p * stride, V + q * stride, Doubles(c), Doubles(s));
        for (int k = 0; k < n; ++k) {
          A[k * stride + p] = A[p * stride + k];
          A[k * stride + q] = A[q * stride + k];
        }
        A[p * stride + p] = pp - t * a;
        A[q * stride + q] = qq + t * a;
        A[p * stride + q] = A[q * stride + p] = 0;
      }
}

}  // namespace brio
