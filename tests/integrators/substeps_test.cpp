/// Steps that are halved because their whole does not converge.
#include <gtest/gtest.h>

#include <limits>

#include "brio/contact.h"
#include "brio/energy.h"
#include "brio/integrators.h"
#include "model/driven.h"

namespace brio {
namespace {

/// Nothing, but infinite in steps that are too long.
class ShortStepsOnly final : public Energy {
 public:
  explicit ShortStepsOnly(double longest) : longest_(longest) {}
  std::string name() const override { return "short steps only"; }
  std::size_t elements() const override { return 0; }
  double value(const Configuration& at) const override {
    return at.when.to - at.when.from > longest_ ? std::numeric_limits<double>::infinity() : 0;
  }
  double gradient(const Configuration& at, const Weights&, NodalField&) const override { return value(at); }
  double hessian(const Configuration& at, const Weights&, Projection, NodalField&, BlockMatrix&) const override {
    return value(at);
  }
  void laplacian(double, std::span<double>) const override {}
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  bool has_rest_shape() const override { return false; }
  void set_rest(const NodalField&) override {}
  std::unique_ptr<Energy> clone() const override { return std::make_unique<ShortStepsOnly>(*this); }

 private:
  double longest_;
};

/// A point that slides on a rough plane and is stopped within a step: friction differs from part to part.
struct Slide {
  static constexpr double h = 1.0 / 60;
  Model model;
  State state;

  explicit Slide(double longest_step) {
    Mesh mesh;
    mesh.vertices = {Vec3(0, -9.81e-4, 0)};
    const BodyId point = model.add(ParticlesOptions{.mesh = mesh, .mass = 1});
    model.set_gravity({0, -9.81, 0});
    add_collider(model, {.stiffness = 1e4, .friction = 0.5});
    model.add(point, std::make_unique<ShortStepsOnly>(longest_step));
    state = model.rest_state();
    state.v[0] = Vec3(0.03, 0, 0);
    recall_interactions(model, state);
  }
  std::vector<double> felt() const {
    std::vector<double> all;
    for (const Driven* support : model.supports()) {
      std::vector<double> numbers(support->force_numbers());
      support->write_forces(numbers);
      all.insert(all.end(), numbers.begin(), numbers.end());
    }
    return all;
  }
};

}  // namespace

TEST(HalvedSteps, FrictionIsTheMeanOfAllParts) {
  for (const Method& method : integrators()) {
    if (method.force_evaluations > 0 || !method.dynamic) continue;
    const IntegratorOptions options{.solver = {.unconverged = Unconverged::substep}};
    Slide whole(0.3 * Slide::h);
    const auto integrator = make_integrator(method, options, whole.model);
    const StepReport report = integrator->step(whole.model, whole.state, Slide::h);
    ASSERT_TRUE(report.ok()) << method.name << ": " << report.message;
    ASSERT_GT(report.halvings, 0) << method.name;
    const int parts = report.halvings + 1;

    Slide apart(Slide::h);
    const auto stepwise = make_integrator(method, options, apart.model);
    std::vector<double> mean(apart.felt().size());
    std::vector<double> last;
    for (int part = 0; part < parts; ++part) {
      ASSERT_TRUE(stepwise->step(apart.model, apart.state, Slide::h / parts).ok()) << method.name;
      last = apart.felt();
      for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += last[k] / parts;
    }
    const std::vector<double> felt = whole.felt();
    ASSERT_EQ(felt.size(), mean.size()) << method.name;
    double largest = 0, differs = 0;
    for (std::size_t k = 0; k < mean.size(); ++k) {
      EXPECT_NEAR(felt[k], mean[k], 1e-6) << method.name << ", number " << k;
      largest = std::max(largest, std::abs(mean[k]));
      differs = std::max(differs, std::abs(last[k] - mean[k]));
    }
    EXPECT_GT(largest, 1) << method.name;
    EXPECT_GT(differs, 0.1) << method.name << ": the last part would have told the same";
  }
}

}  // namespace brio
