#include "solvers/anderson.h"

#include <Eigen/Cholesky>

namespace brio {
namespace {

constexpr int widest = 50;  ///< as SolverOptions::window allows; sizes known to the compiler need no heap
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, widest, widest>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, widest, 1>;

}  // namespace

Anderson::Anderson(int window, std::size_t vertices)
    : window_(window),
      dd_(window, NodalField(vertices)),
      dG_(window, NodalField(vertices)),
      gram_(static_cast<std::size_t>(window) * window),
      last_d_(vertices),
      last_G_(vertices) {}

void Anderson::remember(const NodalField& x, const NodalField& d) {
  if (count_ > 0) {
    const int slot = (count_ - 1) % window_;
    for_vertices(x.size(), [&](std::size_t i) {
      dd_[slot][i] = d[i] - last_d_[i];
      dG_[slot][i] = x[i] + d[i] - last_G_[i];
    });
    for (int k = 0; k < std::min(count_, window_); ++k) gram(slot, k) = gram(k, slot) = sum_.dot(dd_[slot], dd_[k]);
  }
  for_vertices(x.size(), [&](std::size_t i) {
    last_d_[i] = d[i];
    last_G_[i] = x[i] + d[i];
  });
  ++count_;
}

void Anderson::accelerate(const NodalField& x, const NodalField& d, NodalField& next) {
  remember(x, d);
  next = last_G_;
  const int pairs = std::min(count_ - 1, window_);
  if (pairs == 0) return;
  Small A(pairs, pairs);
  SmallVector b(pairs);
  for (int a = 0; a < pairs; ++a) {
    b[a] = sum_.dot(dd_[a], d);
    for (int c = 0; c < pairs; ++c) A(a, c) = gram(a, c);
  }
  // Differences become parallel near the fixed point; a trace of the diagonal keeps the system solvable.
  A.diagonal() *= 1 + 1e-12;
  const SmallVector weights = A.ldlt().solve(b);
  if (!weights.allFinite()) return;
  for_vertices(x.size(), [&](std::size_t i) {
    for (int k = 0; k < pairs; ++k) next[i] -= weights[k] * dG_[k][i];
  });
}

}  // namespace brio
