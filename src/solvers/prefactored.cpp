#include "solvers/prefactored.h"

#include <algorithm>

#include "core/lasting.h"
#include "core/timer.h"
#include "solvers/linear/elimination.h"

namespace brio {

bool Prefactored::prepare(const Objective& objective, SolveReport& report) {
  if (pattern_ != objective.pattern()) {
    if (!pattern_ || !same_graph(*pattern_, *objective.pattern())) *this = {};
    pattern_ = objective.pattern();
    contacts_.reset();
    for (Entry& entry : entries_) entry.used = -1;
  }
  const Objective::Stamp stamp = objective.stamp();
  const auto known = [&](const Entry& entry) { return entry.used >= 0 && entry.stamp == stamp; };
  current_ = std::find_if(entries_.begin(), entries_.end(), known);
  if (current_ == entries_.end()) {
    const Stopwatch watch;
    current_ = std::min_element(entries_.begin(), entries_.end(),
                                [](const Entry& a, const Entry& b) { return a.used < b.used; });
    current_->used = -1;
    current_->stamp = stamp;
    if (!current_->factor) current_->factor = std::make_unique<ScalarFactor>(*pattern_, Precision::single);
    std::vector<double> values(pattern_->blocks());
    objective.laplacian(values);
    ++report.factorizations;
    const bool definite = current_->factor->factor(values);
    report.times.factor += watch.milliseconds();
    if (!definite) return false;
    description_ = lasting(current_->factor->description() + ", one factor of M/h^2 + L for all iterations");
  }
  current_->used = clock_++;
  report.linear = description_;
  return true;
}

bool Prefactored::find_contacts(Objective& objective, const NodalField& x) {
  C_.clear();
  if (!objective.has_contacts()) return false;
  if (!contacts_) contacts_ = std::make_unique<BlockMatrix>(pattern_);
  objective.contact_hessian(x, *contacts_);
  for (int j = 0; j < pattern_->vertices(); ++j)
    for (int k = pattern_->column_start[j]; k < pattern_->column_start[j + 1]; ++k) {
      const std::span<const double> block(contacts_->block(k), 9);
      if (std::all_of(block.begin(), block.end(), [](double entry) { return entry == 0; })) continue;
      C_.push_back({pattern_->row[k], j, {}});
      std::copy(block.begin(), block.end(), C_.back().value.begin());
    }
  C_.insert(C_.end(), contacts_->loose().begin(), contacts_->loose().end());
  return !C_.empty();
}

/// A p follows from A z = r by the recurrence of p, so that no product with A is needed.
void Prefactored::solve_corrected(const NodalField& g, NodalField& d) {
  using Block = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
  constexpr int max_iterations = 50;
  constexpr double tolerance = 1e-3;
  const std::size_t n = g.size();
  if (r_.size() != n) r_ = z_ = p_ = Ap_ = Cp_ = NodalField(n);
  d.set_zero();
  p_.set_zero();
  Ap_.set_zero();
  r_ = g;
  double rz = 0;
  double goal = 0;
  for (int k = 0; k < max_iterations; ++k) {
    current_->factor->solve(r_, z_);
    const double next = sum_.dot(r_, z_);
    if (k == 0) goal = tolerance * tolerance * next;
    if (!(next > goal)) return;
    const double beta = k == 0 ? 0 : next / rz;
    rz = next;
    for_vertices(n, [&](std::size_t i) {
      p_[i] = z_[i] + beta * p_[i];
      Ap_[i] = r_[i] + beta * Ap_[i];
    });
    Cp_.set_zero();
    for (const LooseBlock& loose : C_) {
      const Block block(loose.value.data());
      Cp_[loose.row] += block * p_[loose.column];
      if (loose.row != loose.column) Cp_[loose.column] += block.transpose() * p_[loose.row];
    }
    const double alpha = rz / sum_(n, [&](std::size_t i) { return p_[i].dot(Ap_[i] + Cp_[i]); });
    for_vertices(n, [&](std::size_t i) {
      d[i] += alpha * p_[i];
      r_[i] -= alpha * (Ap_[i] + Cp_[i]);
    });
  }
}

void Prefactored::descend(Objective& objective, const NodalField& x, const NodalField& g, NodalField& d,
                          SolveReport& report) {
  const Stopwatch watch;
  if (find_contacts(objective, x)) {
    solve_corrected(g, d);
  } else {
    current_->factor->solve(g, d);
  }
  for_vertices(d.size(), [&](std::size_t i) { d[i] = -d[i]; });
  report.times.solve += watch.milliseconds();
}

}  // namespace brio
