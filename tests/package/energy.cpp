/// An energy of one's own: a well that draws every vertex to the origin, k/2 |x|².
#include <brio/brio.h>

#include <cmath>
#include <cstdio>

class Well final : public brio::Energy {
 public:
  Well(std::size_t vertices, double stiffness) : vertices_(vertices), k_(stiffness) {}

  std::string name() const override { return "well"; }
  std::size_t elements() const override { return vertices_; }
  int force_degree() const override { return 1; }
  bool is_anchored() const override { return true; }
  bool has_rest_shape() const override { return false; }
  void set_rest(const brio::NodalField&) override {}
  std::unique_ptr<brio::Energy> clone() const override { return std::make_unique<Well>(*this); }

  double value(const brio::Configuration& at) const override {
    double sum = 0;
    for (std::size_t i = 0; i < vertices_; ++i) sum += k_ / 2 * at.x[i].squaredNorm();
    return sum;
  }
  double gradient(const brio::Configuration& at, const brio::Weights& w, brio::NodalField& g) const override {
    for (std::size_t i = 0; i < vertices_; ++i) g[i] += w.gradient * k_ * at.x[i];
    return value(at);
  }
  double hessian(const brio::Configuration& at, const brio::Weights& w, brio::Projection, brio::NodalField& g,
                 brio::BlockMatrix& H) const override {
    for (const int block : diagonal_)
      for (int c = 0; c < 3; ++c) H.block(block)[4 * c] += w.hessian * k_;
    return gradient(at, w, g);
  }
  void laplacian(double weight, std::span<double> L) const override {
    for (const int block : diagonal_) L[static_cast<std::size_t>(block)] += weight * k_;
  }
  void couple(brio::PatternBuilder&) const override {}  // the diagonal is always there
  void bind(const brio::BlockPattern& pattern) override {
    diagonal_.assign(pattern.column_start.begin(), pattern.column_start.begin() + static_cast<long>(vertices_));
  }

 private:
  std::size_t vertices_;
  double k_;  ///< [N/m]
  std::vector<int> diagonal_;
};

int main() {
  brio::Model model;
  const brio::BodyId cube = model.add(brio::SolidOptions{.mesh = brio::make_cube({.cells = 2})});
  model.add(cube, std::make_unique<Well>(model.vertices(), 100));
  brio::Simulation simulation(std::move(model), {.integrator = "avf", .h = 0.01});
  const double start = simulation.ledger().total;
  if (const auto report = simulation.step(50); !report.ok()) return std::puts(report.message.c_str());
  return simulation.ledger().kinetic > 0 && std::abs(simulation.ledger().total - start) < 1e-6 * start ? 0 : 1;
}
