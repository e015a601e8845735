/// Lists of pairs are a cache: whatever was asked before, results have the bits of a list that was just made.
#include <gtest/gtest.h>

#include <random>

#include "brio/contact.h"
#include "brio/mesh.h"
#include "contact/self_contact.h"

namespace brio {
namespace {

/// A crumpled cloth and a cube beside it.
Model crowd() {
  Model model;
  model.add(ClothOptions{.mesh = make_sheet({.size = {1, 1}, .cells = {8, 8}})});
  Mesh cube = make_cube({.size = 0.3, .cells = 2});
  for (Vec3& p : cube.vertices) p += Vec3(0, 0.2, 0);
  model.add(SolidOptions{.mesh = cube});
  add_self_contact(model, {.thickness = 0.02});
  return model;
}

class Wanderer {
 public:
  explicit Wanderer(const Model& model) : random_(3), x_(model.rest()), d_(model.vertices()) {}

  /// By which vertices move: smoothly, a few of them wildly, now and then all of them far.
  const NodalField& way(double size) {
    const Vec3 flight(number(), number(), number()), wave(number(), number(), number());
    for (std::size_t i = 0; i < d_.size(); ++i) {
      d_[i] = size * (flight + wave * std::sin(4 * x_[i].x() + 3 * x_[i].z()));
      if (random_() % 16 == 0) d_[i] += 4 * size * Vec3(number(), number(), number());
    }
    return d_;
  }
  double number() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
  NodalField& x() { return x_; }

 private:
  std::mt19937 random_;
  NodalField x_, d_;
};

}  // namespace

TEST(PairList, ResultsDoNotDependOnWhatWasAskedBefore) {
  const Model model = crowd();
  auto contact = dynamic_cast<const SelfContact&>(*model.energies().back());
  Wanderer wanderer(model);
  std::size_t touching = 0;
  for (int step = 0; step < 20; ++step) {
    const NodalField start = wanderer.x();
    contact.expect(State{.x = start, .v = wanderer.way(0.02)}, 1);
    for (int trial = 0; trial < 6; ++trial) {
      const NodalField d = wanderer.way(trial == 5 ? 0.5 : 0.01);
      const SelfContact fresh = dynamic_cast<const SelfContact&>(*model.energies().back());
      const double allowed = contact.domain_step(wanderer.x(), d);
      EXPECT_EQ(allowed, fresh.domain_step(wanderer.x(), d)) << step << " " << trial;
      for (std::size_t i = 0; i < d.size(); ++i) wanderer.x()[i] += 0.5 * allowed * d[i];
      EXPECT_EQ(contact.value(wanderer.x()), fresh.value(wanderer.x())) << step << " " << trial;
      EXPECT_EQ(contact.value(start), fresh.value(start));
      touching += contact.active_count(wanderer.x());
    }
  }
  EXPECT_GT(touching, 100U) << "nothing was seen";
}

}  // namespace brio
