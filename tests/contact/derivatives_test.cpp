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
bool straddles(const Energy& energy, const NodalField& x, const Moment& when, Eigen::Index k) {
  const auto slope = [&](double offset) {
    NodalField y = x;
    y.row(k / 3)[k % 3] += offset;
    return Vec3(gradient_of(energy, {y, when}).segment<3>(k / 3 * 3));
  };
  const double d = 4 * step;
  const Vec3 bow = (slope(d) - 2 * slope(0) + slope(-d)) / (d * d);  // third derivative of E
  return bow.norm() > 1e4;
}

void expect_right_derivatives(const std::string& name, Energy& energy, const NodalField& x, const Moment& when = {}) {
  const Eigen::VectorXd g = gradient_of(energy, {x, when});
  const Eigen::MatrixXd H = hessian_of(energy, {x, when}, Projection::none);
  EXPECT_LT((H - H.transpose()).norm(), 1e-13 * H.norm()) << name;
  int tested = 0;
  for (Eigen::Index k = 0; k < g.size(); ++k) {
    if (straddles(energy, x, when, k)) continue;
    ++tested;
    EXPECT_NEAR(difference(x, k, step,
                           [&](const NodalField& y) {
                             return energy.value({y, when});
                           }),
                g[k], 1e-7 * (1 + g.segment<3>(k / 3 * 3).norm()))
        << name << ", vertex " << k / 3;
    const Eigen::VectorXd column = difference(x, k, step, [&](const NodalField& y) {
      return gradient_of(energy, {y, when});
    });
    EXPECT_LT((column - H.col(k)).norm(), 1e-6 * (1 + H.col(k).norm())) << name << ", vertex " << k / 3;
  }
  EXPECT_GT(tested, 0.9 * static_cast<double>(g.size())) << name;
  const Eigen::MatrixXd positive = hessian_of(energy, {x, when}, Projection::psd);
  for (Eigen::Index i = 0; i < H.rows(); i += 3) {
    const Eigen::SelfAdjointEigenSolver<Mat3> kept(positive.block<3, 3>(i, i));
    EXPECT_GT(kept.eigenvalues().minCoeff(), -1e-12 * (1 + positive.norm())) << name;
  }
}

ColliderContact contact(const AnyShape& shape, const ContactLaw& law, std::size_t count, const Pose& pose,
                        const Motion& motion = {}) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return ColliderContact(shape, law, all, pose, motion);
}

constexpr std::pair<const char*, ColliderLaw> rules[]{
    {"potential", ColliderLaw::potential}, {"spring", ColliderLaw::spring}, {"held-spring", ColliderLaw::held_spring}};
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
      energy.freeze(testing::moved(x, Mat3::Identity(), {0, 0, 0}, 0.3), 0, approaching);
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
      energy.freeze(from, 0, approaching);
      ASSERT_TRUE(energy.averages_path());
      expect_right_derivatives(name + ", " + law + ", along a path", energy, x, {.x_n = &from, .mean = true});
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
  const Eigen::VectorXd half_mean = gradient_of(energy, {to, {.x_n = &from, .mean = true}});
  double work = 0;
  for (std::size_t i = 0; i < 4; ++i)
    work += 2 * half_mean.segment<3>(3 * static_cast<Eigen::Index>(i)).dot(Vec3(to[i] - from[i]));
  EXPECT_NEAR(work, change, 1e-14);
  EXPECT_NEAR(change, 3.5 * (0.49 - 0.04 + 0.16 - 0.16), 1e-14);
}

/// Also with the mean, and with friction: Huber's spring that is crossed, entered and left.
TEST(ColliderDerivatives, AreThoseOfCollidersThatMoveAndTurnWithinTheStep) {
  const NodalField x = vertices();
  std::mt19937 random(15);
  NodalField from(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) from[i] = x[i] + random_vector(random, 0.3);
  const Motion motion{.keys = {{.time = 0}, {.time = 1, .translate = {0.1, 0.2, -0.1}, .turn = {0.3, -0.2, 0.5}}}};
  const TimeStep step{.start = 0.2, .end = 0.9, .h = 0.7};
  for_each_shape([&](const std::string& name, const auto& shape) {
    auto energy = contact(shape, {.stiffness = 7, .friction = 0.5}, x.size(), turned_pose, motion);
    rub_everywhere(energy.friction_contacts(), x, turned_pose);
    for (const double theta : {0.3, 1.0}) expect_right_derivatives(name, energy, x, Moment::along(step, from, theta));
    Moment mean = Moment::along(step, from, 1);
    mean.mean = true;
    expect_right_derivatives(name + ", mean", energy, x, mean);
  });
}

/// ∇·Δξ of what the collider's frame sees is the change of the energy; five Gauss points alone miss up to 4 %.
TEST(ColliderDerivatives, TheMeanOfFrictionDoesTheWorkOfItsEnergyExactly) {
  std::mt19937 random(16);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 20000; ++trial) {
    const double k = std::pow(10, 1 + 6 * uniform(random)), cap = std::pow(10, -2 + 4 * uniform(random));
    const double size = cap / k * std::pow(10, -1 + 3 * uniform(random));
    Vec3 r_0 = size * random_vector(random, 1), r_1 = size * random_vector(random, 1);
    if (trial % 5 == 0) r_1 = (1 - 2 * uniform(random)) * r_0;               // straight through the anchor
    if (trial % 7 == 0) r_1 = r_0 + 1e-9 * size * random_vector(random, 1);  // hardly moved
    r_0.y() = r_1.y() = 0;
    const auto mean = friction::PathAverage(k, cap, r_0, r_1, Vec3::UnitY()).find<2>();
    const double before = friction::energy(k, cap, r_0.norm()), after = friction::energy(k, cap, r_1.norm());
    ASSERT_NEAR(2 * mean.gradient.dot(r_1 - r_0), after - before, 1e-12 * (before + after)) << trial;
    ASSERT_LE(2 * mean.gradient.norm(), cap * (1 + 1e-12));
    ASSERT_TRUE(mean.hessian.allFinite() && std::isfinite(mean.value)) << trial;
  }
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
