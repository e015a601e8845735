/// GMRES: linear equations whose matrix is not symmetric, and known by its products alone. [Saad & Schultz 1986]
///
/// Preconditioned from the right, so that what it makes small is the residual itself, in the norm of the caller. Not
/// restarted: with a factor of nearly the same matrix as preconditioner a few products do.
#pragma once

#include <cmath>
#include <vector>

#include "math/nodal_ops.h"

namespace brio {

class Gmres {
 public:
  static constexpr int max_products = 24;

  void prepare(std::size_t rows) {
    basis_.assign(max_products + 1, NodalField(rows));
    z_ = NodalField(rows);
  }

  /// Sets d to P⁻¹u with |b − A P⁻¹u| <= tolerance |b|, or the least found; returns that residual over |b|.
  /// product(v, Av); precondition(v, P⁻¹v), false where it fails; weight(i): of row i in the norm.
  template <class Product, class Precondition, class Weight>
  double solve(const NodalField& b, double tolerance, Product product, Precondition precondition, Weight weight,
               NodalField& d) {
    const std::size_t rows = b.size();
    const auto dot = [&](const NodalField& u, const NodalField& v) {
      return sum_(rows, [&](std::size_t i) { return weight(i) * u[i].dot(v[i]); });
    };
    const double size = std::sqrt(dot(b, b));
    d.set_zero();
    if (!(size > 0)) return 0;
    for_vertices(rows, [&](std::size_t i) { basis_[0][i] = b[i] / size; });
    left_[0] = 1;
    int k = 0;
    double residual = 1;
    while (k < max_products && residual > tolerance) {
      if (!precondition(basis_[k], z_)) break;
      NodalField& w = basis_[k + 1];
      product(z_, w);
      double* const column = H_[k];
      for (int j = 0; j <= k; ++j) {
        column[j] = dot(basis_[j], w);
        for_vertices(rows, [&](std::size_t i) { w[i] -= column[j] * basis_[j][i]; });
      }
      double next = std::sqrt(dot(w, w));
      if (!std::isfinite(next)) break;
      for (int j = 0; j < k; ++j) rotate(turn_[j], column[j], column[j + 1]);
      const double length = std::hypot(column[k], next);
      if (!(length > 0)) break;
      turn_[k] = {column[k] / length, next / length};
      column[k] = length;
      left_[k + 1] = -turn_[k].sine * left_[k];
      left_[k] *= turn_[k].cosine;
      residual = std::abs(left_[k + 1]);
      ++k;
      if (!(next > 1e-14 * length)) break;
      for_vertices(rows, [&](std::size_t i) { w[i] /= next; });
    }
    combine(k, size, z_);
    if (k > 0 && !precondition(z_, d)) return 1;
    return residual;
  }

 private:
  struct Turn {
    double cosine = 1, sine = 0;
  };
  static void rotate(const Turn& turn, double& a, double& b) {
    const double above = turn.cosine * a + turn.sine * b;
    b = turn.cosine * b - turn.sine * a;
    a = above;
  }
  /// u = the basis times what solves the triangle.
  void combine(int count, double size, NodalField& u) {
    for (int j = count - 1; j >= 0; --j) {
      double sum = left_[j];
      for (int k = j + 1; k < count; ++k) sum -= H_[k][j] * y_[k];
      y_[j] = sum / H_[j][j];
    }
    u.set_zero();
    for_vertices(u.size(), [&](std::size_t i) {
      for (int j = 0; j < count; ++j) u[i] += size * y_[j] * basis_[j][i];
    });
  }

  std::vector<NodalField> basis_;
  NodalField z_;
  double H_[max_products][max_products + 1] = {};  ///< columns of the Hessenberg matrix, made triangular
  double left_[max_products + 1] = {};             ///< of the residual, turned likewise
  double y_[max_products] = {};
  Turn turn_[max_products];
  NodalSum sum_;
};

}  // namespace brio
