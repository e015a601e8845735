/// A rope around a post, drawn slowly: T₂/T₁ = e^{μφ}, φ the angle between the ends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "contact_scenes.h"
#include "testing.h"

/// Its constants have names that others use too.
namespace brio::capstan {
using namespace testing;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double radius = 0.1;    // of the post [m]
constexpr double tension = 10;    // T₁ [N]
constexpr double speed = 0.05;    // at which the other end, or the post, is drawn [m/s]
constexpr double link = 0.01;     // of the rope, a tenth of the radius [m]
constexpr double straight = 0.1;  // rope beyond either end of the arc [m]
constexpr double thickness = 2e-3;
constexpr double h = 1e-3;

/// Straight, then around the z axis, then straight; at the distance r from the axis.
struct Line {
  Mesh mesh{};
  Vec3 first, last;  ///< directions of the ends

  Line(double r, double wrap) {
    const auto along = [](double angle) { return Vec3(-std::sin(angle), std::cos(angle), 0); };
    const double length = r * wrap + 2 * straight;
    const int links = static_cast<int>(std::ceil(length / link));
    for (int k = 0; k <= links; ++k) {
      const double s = length * k / links - straight;
      const double angle = std::clamp(s / r, 0.0, wrap);
      mesh.vertices.push_back(r * Vec3(std::cos(angle), std::sin(angle), 0) + (s - r * angle) * along(angle));
      if (k > 0) mesh.segments.push_back({k - 1, k});
    }
    first = -along(0);
    last = along(wrap);
  }
};

struct Capstan {
  double mu = 0.2, wrap = pi;
  bool is_wire = false;     ///< else a chain of particles
  bool post_turns = false;  ///< else the rope is drawn
};

/// What is between the two ends while all of it slides.
struct Slide {
  double ratio = 0;     ///< T₂/T₁
  double loss = 0;      ///< what friction takes, of (T₂ − T₁) times the distance slid
  double unbooked = 0;  ///< change of the ledger's residual, of that
};

/// `add_post` is told how the post turns.
Slide draw(const Capstan& capstan, double distance, const std::function<void(Model&, const Motion&)>& add_post) {
  const Line line(distance, capstan.wrap);
  Model model;
  const int points = static_cast<int>(line.mesh.vertices.size());
  const int per_point = capstan.is_wire ? 3 : 1;
  // Links so stiff that the rope lengthens by less than 1 %: what slides here slides there.
  const BodyId rope = capstan.is_wire
                          ? model.add(WireOptions{.mesh = line.mesh,  // thin, so that bending it takes next to nothing
                                                  .radius = 5e-4,
                                                  .stiffness = 3e5,
                                                  .torsion = 1e-6,
                                                  .mass = 0.1})
                          : model.add(ParticlesOptions{.mesh = line.mesh, .stiffness = 1e6, .mass = 1e-3});
  std::vector<int> held(per_point), weighted(per_point);
  for (int k = 0; k < per_point; ++k) {
    weighted[k] = k;
    held[k] = per_point * (points - 1) + k;
  }
  const Vec3 weight = tension / per_point * line.first;
  model.push(rope, {.vertices = weighted,
                    .keys = {{.time = 0}, {.time = 0.1, .force = weight}, {.time = 9, .force = weight}}});
  const std::vector<Motion::Key> drawn{{.time = 0.1}, {.time = 1.1, .translate = speed * line.last}};
  const std::vector<Motion::Key> turned{{.time = 0.1}, {.time = 1.1, .turn = {0, 0, -speed / distance}}};
  Motion pull{.keys = drawn}, turn{.keys = turned};
  model.pin(rope, held, capstan.post_turns ? Motion{} : pull);
  add_post(model, capstan.post_turns ? turn : Motion{});
  Simulation simulation(std::move(model), {.integrator = "backward-euler", .h = h});
  const auto pulled = [&] {
    NodalField f(simulation.model().vertices());
    simulation.model().force(simulation.state(), f);
    double sum = 0;
    for (const int v : held) sum -= f[v].dot(line.last);
    return sum;
  };
  const auto run = [&](double until) {
    const StepReport report = simulation.step(static_cast<int>(std::lround((until - simulation.state().time) / h)));
    EXPECT_TRUE(report.ok()) << report.message;
  };
  Slide slide;
  run(0.8);
  const LedgerRow start = simulation.ledger();
  constexpr int looks = 20;
  double mean = 0;
  for (int k = 1; k <= looks; ++k) {
    run(0.8 + 0.3 * k / looks);
    mean += pulled() / looks;
  }
  slide.ratio = mean / tension;
  const double heat = (mean - tension) * speed * 0.3;
  slide.loss = (simulation.ledger().friction_loss - start.friction_loss) / heat;
  slide.unbooked = (simulation.ledger().residual - start.residual) / heat;
  return slide;
}

void expect_capstan(const std::string& name, const Capstan& capstan, const Slide& slide) {
  const double expected = std::exp(capstan.mu * capstan.wrap);
  std::printf("%s, mu = %.1f, phi = %.2f: T2/T1 = %.4f, e^(mu phi) = %.4f; %.4f of the heat, residual %.1e of it\n",
              name.c_str(), capstan.mu, capstan.wrap, slide.ratio, expected, slide.loss, slide.unbooked);
  EXPECT_NEAR(slide.ratio, expected, 0.02 * expected) << name;
  EXPECT_NEAR(slide.loss, 1, 0.02) << name;
  EXPECT_LT(std::abs(slide.unbooked), 0.01) << name;
}

std::vector<Capstan> capstans() {
  return {{.mu = 0.2, .wrap = pi / 2}, {.mu = 0.2, .wrap = pi}, {.mu = 0.5, .wrap = pi / 2}, {.mu = 0.5, .wrap = pi}};
}

auto post(ColliderLaw law, double mu) {
  return [law, mu](Model& model, const Motion& motion) {
    add_collider(model, {.shape = CapsuleShape{.a = {0, 0, -0.2}, .b = {0, 0, 0.2}, .radius = radius},
                         .stiffness = 1e5,
                         .friction = mu,
                         .thickness = thickness,
                         .law = law,
                         .motion = motion});
  };
}

}  // namespace

TEST(Capstan, AChainAroundAPostIsHeldByTheExponentialOfTheAngle) {
  for (const ColliderLaw law : {ColliderLaw::barrier, ColliderLaw::potential})
    for (const Capstan& capstan : capstans()) {
      const Slide slide = draw(capstan, radius + 0.9 * thickness, post(law, capstan.mu));
      expect_capstan(law == ColliderLaw::barrier ? "barrier" : "potential", capstan, slide);
    }
}

TEST(Capstan, APostThatTurnsDrawsTheSame) {
  for (const ColliderLaw law : {ColliderLaw::barrier, ColliderLaw::potential})
    for (Capstan capstan : capstans()) {
      capstan.post_turns = true;
      const Slide slide = draw(capstan, radius + 0.9 * thickness, post(law, capstan.mu));
      expect_capstan(law == ColliderLaw::barrier ? "barrier, turning" : "potential, turning", capstan, slide);
    }
}

TEST(Capstan, AWireAroundAPost) {
  for (Capstan capstan : capstans()) {
    capstan.is_wire = true;
    const Slide slide = draw(capstan, radius + 0.9 * thickness, post(ColliderLaw::barrier, capstan.mu));
    expect_capstan("wire", capstan, slide);
  }
}

/// The post is a wire too: thick, straight and held.
TEST(Capstan, AWireAroundAWire) {
  for (Capstan capstan : capstans()) {
    capstan.is_wire = true;
    const Slide slide = draw(capstan, radius, [&](Model& model, const Motion&) {
      Mesh line;
      line.vertices = {{0, 0, -0.2}, {0, 0, 0.2}};
      line.segments = {{0, 1}};
      const BodyId thick = model.add(WireOptions{.mesh = line, .radius = radius});
      model.pin(thick, std::vector<int>{0, 1, 2, 3, 4, 5});
      add_self_contact(model, {.stiffness = 1e5, .friction = capstan.mu, .self = false});
    });
    expect_capstan("wire on wire", capstan, slide);
  }
}

}  // namespace brio::capstan
