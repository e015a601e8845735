#include "solvers/linear/pcg.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "math/lanes.h"

namespace brio {
namespace {

constexpr std::size_t inverse_stride = 12;

/// Four doubles of row r of a block; the fourth belongs to the next row and is not used.
Doubles block_row(const double* block, std::size_t r) { return load(block + 3 * r); }

}  // namespace

PcgSolver::PcgSolver(std::shared_ptr<const BlockPattern> pattern) : pattern_(std::move(pattern)) {
  const int n = pattern_->vertices();
  std::vector<std::vector<Left>> rows(n);
  for (int j = 0; j < n; ++j)
    for (int k = pattern_->column_start[j] + 1; k < pattern_->column_start[j + 1]; ++k)
      rows[pattern_->row[k]].push_back({k, j});
  left_start_.push_back(0);
  left_.reserve(pattern_->blocks() - static_cast<std::size_t>(n));
  for (const auto& row : rows) {
    left_.insert(left_.end(), row.begin(), row.end());
    left_start_.push_back(static_cast<int>(left_.size()));
  }
}

double PcgSolver::iteration_bytes() const {
  const double fields = 10.0 * NodalField::stride * sizeof(double) * static_cast<double>(pattern_->vertices());
  const double matrix = 2.0 * 9 * sizeof(double) * static_cast<double>(pattern_->blocks());
  return fields + matrix + (scalar_ != nullptr ? 2.0 * sizeof(float) * scalar_->entries() : 0);
}

void PcgSolver::precondition(ScalarFactor* factor) {
  scalar_ = factor;
  description_ = factor != nullptr ? "conjugate gradients, preconditioned by the scalar factor"
                                   : "conjugate gradients, preconditioned by diagonal blocks";
}

bool PcgSolver::factor(const BlockMatrix& A) {
  A_ = &A;
  return scalar_ != nullptr ? has_positive_diagonal() : invert_diagonal();
}

bool PcgSolver::has_positive_diagonal() {
  return 0 == sum_(static_cast<std::size_t>(pattern_->vertices()), [&](std::size_t i) {
           const double* block = A_->block(pattern_->column_start[i]);
           return block[0] > 0 && block[4] > 0 && block[8] > 0 ? 0.0 : 1.0;
         });
}

bool PcgSolver::invert_diagonal() {
  using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  inverse_.resize(inverse_stride * static_cast<std::size_t>(pattern_->vertices()));
  const double indefinite = sum_(static_cast<std::size_t>(pattern_->vertices()), [&](std::size_t i) {
    const Block D = Eigen::Map<const Block>(A_->block(pattern_->column_start[i]));
    const Eigen::LLT<Block> llt(D);
    const Block inverse = D.inverse();
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 4; ++c)
        inverse_[inverse_stride * i + 4 * r + c] = c < 3 ? inverse(static_cast<int>(r), static_cast<int>(c)) : 0;
    return llt.info() == Eigen::Success && inverse.allFinite() ? 0.0 : 1.0;
  });
  return indefinite == 0;
}

void PcgSolver::multiply_row(const NodalField& x, std::size_t i, NodalField& y) const {
  Doubles left[4] = {0.0, 0.0, 0.0, 0.0};  // products of each row of the blocks, to be added up across
  for (int k = left_start_[i]; k < left_start_[i + 1]; ++k) {
    const double* block = A_->block(left_[k].block);
    const Doubles xj = load(x.row(left_[k].column));
    for (std::size_t r = 0; r < 3; ++r) left[r] = fma(block_row(block, r), xj, left[r]);
  }
  transpose(left);
  Doubles y_i = left[0] + left[1] + left[2];
  for (int k = pattern_->column_start[i]; k < pattern_->column_start[i + 1]; ++k) {
    const double* block = A_->block(k);
    const double* xk = x.row(pattern_->row[k]);
    for (std::size_t r = 0; r < 3; ++r) y_i = fma(block_row(block, r), Doubles(xk[r]), y_i);
  }
  y_i.raw[3] = 0;
  store(y.row(i), y_i);
}

double PcgSolver::apply_preconditioner(const NodalField& r, NodalField& z) {
  if (scalar_ != nullptr) {
    scalar_->solve(r, z);
    return sum_.dot(r, z);
  }
  return sum_(r.size(), [&](std::size_t i) {
    const double* inverse = inverse_.data() + inverse_stride * i;
    Doubles z_i = 0.0;
    for (std::size_t c = 0; c < 3; ++c) z_i = fma(load(inverse + 4 * c), Doubles(r.row(i)[c]), z_i);  // symmetric
    store(z.row(i), z_i);
    return r[i].dot(z[i]);
  });
}

void PcgSolver::multiply(const NodalField& x, NodalField& y) {
  for_vertices(x.size(), [&](std::size_t i) { multiply_row(x, i, y); });
  add_loose_product(*A_, x, y);
}

double PcgSolver::multiply_and_dot(const NodalField& x, NodalField& y) {
  if (!A_->loose().empty()) {
    multiply(x, y);
    return sum_.dot(x, y);
  }
  return sum_(x.size(), [&](std::size_t i) {
    multiply_row(x, i, y);
    return x[i].dot(y[i]);
  });
}

LinearReport PcgSolver::solve(const NodalField& b, NodalField& x, double tolerance) {
  return iterate_(
      b, x, tolerance, max_iterations_, [this](const NodalField& d, NodalField& q) { return multiply_and_dot(d, q); },
      [this](const NodalField& r, NodalField& z) { return apply_preconditioner(r, z); });
}

}  // namespace brio
