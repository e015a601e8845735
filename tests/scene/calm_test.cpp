/// Scenes calm what lies on barriers unless they say that they do not want it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scene/testing.h"

namespace brio {

using testing::SceneFile;

TEST_F(SceneFile, CalmsContactUnlessTheDamperIsGiven) {
  const auto lost = [&](const std::string& floor, const std::string& contact) {
    Scene scene = load(
        "[integrator]\nname = 'avf'\n[time]\nh = 0.01\n[[body]]\nname = 'cube'\nmass = 1\n"
        "mesh = { generate = 'cube', cells = 1, size = 0.2 }\n"
        "material = { name = 'stable-neo-hookean', young = 1e5, poisson = 0.3 }\nposition = [0, 0.12, 0]\n"
        "[[collider]]\nshape = 'plane'\n" +
        floor + contact);
    double sum = 0;
    for (int step = 0; step < 15; ++step) {
      const StepReport report = scene.simulation.step();
      EXPECT_TRUE(report.ok()) << report.message;
      sum += report.contact_loss;
    }
    return sum;
  };
  const std::string barrier = "law = 'barrier'\n", none = "[contact]\ndamper = 0\n";
  EXPECT_GT(lost(barrier, ""), 0.01);
  EXPECT_GT(lost(barrier, "[contact]\nfriction = 0.1\n"), 0.01);
  EXPECT_EQ(lost(barrier, none), 0);
  EXPECT_EQ(lost("law = 'potential'\n", ""), 0);
}

}  // namespace brio
