#include <Eigen/Eigenvalues>
#include <numeric>

#include "model/energies_under_test.h"
#include "testing.h"

namespace brio {
namespace {

using testing::difference;
using testing::for_each_shape;
using testing::gradient_of;
using testing::hessian_of;
using testing::random_vector;

constexpr double step = 1e-6;  // [m]

/// Vertices all over the shape: penetrating, grazing, outside, around edges and corners.
NodalField vertices() {
  std::mt19937 random(12);
  NodalField x(100);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = random_vector(random, 1.3);
  return x;
}

/// Touches everywhere, some pulled less than the cap, some more.
void rub_everywhere(std::vector<FrictionContact>& contacts, const NodalField& x, const Pose& pose) {
  std::mt19937 random(13);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Vec3 p = pose.undo(x[k]);
    contacts[k].normal = random_vector(random, 1).normalized();
    contacts[k].anchor = p + random_vector(random, 0.3);
    contacts[k].cap = 3 * std::abs(random_vector(random, 1).x());
  }
}

/// Differences that straddle a crease of the surface or the brim of the cap say nothing.
bool straddles(const Energy& energy, const NodalField& x, Eigen::Index k) {
  const auto slope = [&](double offset) {
    NodalField y = x;
    y.row(k / 3)[k % 3] += offset;
    return Vec3(gradient_of(energy, y).segment<3>(k / 3 * 3));
  };
  const double d = 4 * step;
  const Vec3 bow = (slope(d) - 2 * slope(0) + slope(-d)) / (d * d);  // third derivative of E
  return bow.norm() > 1e4;
}

void expect_right_derivatives(const std::string& name, Energy& energy, const NodalField& x) {
  const Eigen::VectorXd g = gradient_of(energy, x);
  const Eigen::MatrixXd H = hessian_of(energy, x, Projection::none);
  EXPECT_LT((H - H.transpose()).norm(), 1e-13 * H.norm()) << name;
  int tested = 0;
  for (Eigen::Index k = 0; k < g.size(); ++k) {
    if (straddles(energy, x, k)) continue;
    ++tested;
    EXPECT_NEAR(difference(x, k, step, [&](const NodalField& y) { return energy.value(y); }), g[k],
                1e-7 * (1 + g.segment<3>(k / 3 * 3).norm()))
        << name << ", vertex " << k / 3;
    const Eigen::VectorXd column = difference(x, k, step, [&](const NodalField& y) { return gradient_of(energy, y); });
    EXPECT_LT((column - H.col(k)).norm(), 1e-6 * (1 + H.col(k).norm())) << name << ", vertex " << k / 3;
  }
  EXPECT_GT(tested, 0.9 * static_cast<double>(g.size())) << name;
  const Eigen::MatrixXd positive = hessian_of(energy, x, Projection::psd);
  for (Eigen::Index i = 0; i < H.rows(); i += 3) {
    const Eigen::SelfAdjointEigenSolver<Mat3> kept(positive.block<3, 3>(i, i));
    EXPECT_GT(kept.eigenvalues().minCoeff(), -1e-12 * (1 + positive.norm())) << name;
  }
}

template <class Shape>
ColliderContact<Shape> contact(const Shape& shape, const ContactLaw& law, std::size_t count, const Pose& pose) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  ColliderContact<Shape> energy(shape, law, all);
  energy.place(pose);
  return energy;
}

constexpr std::pair<const char*, ContactRule> rules[]{
    {"potential", ContactRule::potential}, {"spring", ContactRule::spring}, {"held-spring", ContactRule::held_spring}};
double approaching(std::size_t, const Vec3&, const Vec3&) { return -1; }

const Pose turned_pose{.rotation = testing::rotation(0.8, {1, 2, -1}), .translation = {0.1, -0.2, 0.05}};

}  // namespace

TEST(ColliderDerivatives, AreThoseOfTheEnergyForEveryShape) {
  const NodalField x = vertices();
  for_each_shape([&](const std::string& name, const auto& shape) {
    for (const double thickness : {0.0, 0.15}) {
      auto energy = contact(shape, {.stiffness = 7, .thickness = thickness}, x.size(), turned_pose);
      expect_right_derivatives(name, energy, x);
    }
  });
}

TEST(ColliderDerivatives, AreThoseOfTheEnergyWithFriction) {
  const NodalField x = vertices();
  for_each_shape([&](const std::string& name, const auto& shape) {
    for (const auto& [law, rule] : rules) {
      auto energy = contact(shape, {.stiffness = 7, .friction = 0.5, .rule = rule}, x.size(), turned_pose);
      rub_everywhere(energy.friction_contacts(), x, turned_pose);
      energy.freeze(testing::moved(x, Mat3::Identity(), {0, 0, 0}, 0.3), approaching);
      expect_right_derivatives(name + ", " + law, energy, x);
    }
  });
}

TEST(ColliderDerivatives, AreThoseOfTheMeanAlongAPath) {
  const NodalField x = vertices();
  std::mt19937 random(14);
  NodalField from(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) from[i] = x[i] + random_vector(random, 0.5);
  for_each_shape([&](const std::string& name, const auto& shape) {
    for (const auto& [law, rule] : rules) {
      auto energy =
          contact(shape, {.stiffness = 7, .thickness = 0.1, .friction = 0.5, .rule = rule}, x.size(), turned_pose);
      rub_everywhere(energy.friction_contacts(), x, turned_pose);
      energy.freeze(from, approaching);
      ASSERT_TRUE(energy.follow_path(&from));
      expect_right_derivatives(name + ", " + law + ", along a path", energy, x);
    }
  });
}

TEST(ColliderDerivatives, TheMeanForceOfAPlaneDoesTheWorkOfItsEnergyExactly) {
  NodalField from(4), to(4);  // both inside, entering, leaving, both outside
  const double heights[4][2]{{-0.2, -0.7}, {0.3, -0.4}, {-0.4, 0.1}, {0.2, 0.5}};
  for (std::size_t i = 0; i < 4; ++i) {
    from[i] = Vec3(0.1, heights[i][0], 0);
    to[i] = Vec3(0.4, heights[i][1], -0.3);
  }
  auto energy = contact(shapes::Plane{}, {.stiffness = 7}, 4, Pose{});
  const double change = energy.value(to) - energy.value(from);
  energy.follow_path(&from);
  const Eigen::VectorXd half_mean = gradient_of(energy, to);
  double work = 0;
  for (std::size_t i = 0; i < 4; ++i)
    work += 2 * half_mean.segment<3>(3 * static_cast<Eigen::Index>(i)).dot(Vec3(to[i] - from[i]));
  EXPECT_NEAR(work, change, 1e-14);
  EXPECT_NEAR(change, 3.5 * (0.49 - 0.04 + 0.16 - 0.16), 1e-14);
}

TEST(ColliderDerivatives, EnergyIsHalfStiffnessTimesDepthSquared) {
  NodalField x(3);
  x[0] = Vec3(0, -0.2, 0);
  x[1] = Vec3(1, 0.05, 0);
  x[2] = Vec3(2, 0.3, 0);
  EXPECT_DOUBLE_EQ(contact(shapes::Plane{}, {.stiffness = 10}, 3, {}).value(x), 0.5 * 10 * 0.04);
  EXPECT_DOUBLE_EQ(contact(shapes::Plane{}, {.stiffness = 10, .thickness = 0.1}, 3, {}).value(x),
                   0.5 * 10 * (0.3 * 0.3 + 0.05 * 0.05));
}

TEST(Friction, SlidingNeverSetsFreeLessThanNothing) {
  std::mt19937 random(21);
  for (int i = 0; i < 1000; ++i) {
    const double k = 50;
    FrictionContact contact{.normal = random_vector(random, 1).normalized(), .anchor = random_vector(random, 0.1)};
    contact.cap = std::abs(random_vector(random, 5).x());
    const Vec3 p = random_vector(random, 0.1);
    const Vec3 normal = (contact.normal + random_vector(random, i % 3 == 0 ? 0 : 1)).normalized();
    const double cap = std::abs(random_vector(random, 5).x());
    const double before = friction::energy(k, contact.cap, contact.offset(p).norm());
    const double lost = friction::slide(contact, k, p, normal, cap);
    const double after = friction::energy(k, contact.cap, contact.offset(p).norm());
    EXPECT_GE(lost, 0);
    EXPECT_NEAR(before - after, lost, 1e-14);
    EXPECT_LE(k * contact.offset(p).norm(), cap * (1 + 1e-12));
  }
}

}  // namespace brio
