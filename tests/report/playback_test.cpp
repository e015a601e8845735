#include "report/playback.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "report/comparison.h"
#include "report/ledgers.h"

namespace brio {
namespace {

std::vector<std::uint16_t> undone(const std::string& bytes, std::size_t per_frame) {
  const std::size_t count = bytes.size() / 2;
  std::vector<std::uint16_t> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int difference = static_cast<unsigned char>(bytes[i]) + 256 * static_cast<unsigned char>(bytes[count + i]);
    values[i] = static_cast<std::uint16_t>(difference + (i >= per_frame ? values[i - per_frame] : 0));
  }
  return values;
}

}  // namespace

TEST(Quantisation, ErrsByAtMostHalfAStepOfTheBox) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-3, 5);
  std::vector<float> positions(3 * 1000);
  for (float& value : positions) value = uniform(random);
  const QuantisedBody body = quantise(positions, Vec3::Zero(), 100);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double extent = body.high[i % 3] - body.low[i % 3];
    const double back = body.low[i % 3] + extent * body.values[i] / 65535;
    EXPECT_LE(std::abs(back - positions[i]), extent / 131070 * (1 + 1e-9));
  }
}

TEST(Quantisation, ClampsWhatFliesApartSoThatTheRestStaysSharp) {
  const QuantisedBody body = quantise({0, 0, 0, 1, 1, 1, 1e30f, -INFINITY, 1}, Vec3(0.5, 0.5, 0.5), 10);
  EXPECT_EQ(body.high[0], 10.5);
  EXPECT_EQ(body.low[1], -9.5);
  EXPECT_EQ(body.values[2], 0);
  EXPECT_EQ(body.values[5], 65535);
}

TEST(Quantisation, FlatBodiesHaveNoExtent) {
  const QuantisedBody body = quantise({1, 2, 3, 4, 2, 3}, Vec3::Zero(), 10);
  EXPECT_EQ(body.values, (std::vector<std::uint16_t>{0, 0, 0, 65535, 0, 0}));
}

TEST(Quantisation, DifferencesAddUpToTheValues) {
  const std::vector<std::uint16_t> values{0, 65535, 7, 65535, 0, 300, 1, 2, 3};
  EXPECT_EQ(undone(delta_bytes(values, 3), 3), values);
}

TEST(Playback, DrawsTheOutsideOfSolidsAndThinsFramesToTheLimit) {
  Model model;
  model.add(SolidOptions{.mesh = make_cube({.cells = 3})});
  const auto bodies = drawn_bodies(model);
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_EQ(bodies[0].vertices.size(), 56u) << "of 64 vertices 8 are inside";
  EXPECT_EQ(bodies[0].triangles.size(), 6u * 9 * 2);
  Recording recording(bodies, 1001, {.frames = 11, .bytes = 1 << 20});
  State state = model.rest_state();
  for (int frame = 0; frame <= 1000; ++frame) recording.add(state);
  EXPECT_EQ(recording.frames(), (std::vector<std::size_t>{0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000}));
  EXPECT_EQ(recording.positions(0).size(), 11u * 3 * 56);
  EXPECT_EQ(recording.note(), "11 of 1001 frames are shown, to keep this page small.");
  const auto json = playback_json(recording, "avf", "");
  EXPECT_EQ(json["bodies"][0]["vertices"], 56);
  EXPECT_EQ(json["view"][0][0], -0.5);
  Recording small(bodies, 1001, {.frames = 300, .bytes = 6 * 57 * 4});
  for (int frame = 0; frame <= 1000; ++frame) small.add(state);
  EXPECT_EQ(small.frames().size(), 4u);
}

TEST(Comparison, TellsWhatBecameOfEveryIntegrator) {
  std::vector<ComparedRun> runs(3);
  runs[0] = {.integrator = "avf", .order = 2, .ledger = ledger({{.kinetic = 1}, {.kinetic = 1, .residual = 1e-9}})};
  runs[1] = {.integrator = "rk4", .order = 4, .ledger = ledger({{.kinetic = 1}, {.kinetic = 9, .residual = 8}})};
  runs[2] = {.integrator = "<b>", .order = 1, .ledger = {}, .ending = {"refused", "constraints"}};
  for (ComparedRun& run : runs) run.playback = nlohmann::ordered_json::object();
  EXPECT_EQ(outcome(runs[0]), "came to the end");
  EXPECT_EQ(outcome(runs[1]), "exploded at frame 1");
  EXPECT_EQ(outcome(runs[2]), "refused: constraints");
  const auto json = comparison_json(runs);
  EXPECT_EQ(json[0]["status"], "ok");
  EXPECT_EQ(json[1]["status"], "exploded");
  EXPECT_EQ(json[1]["exploded_frame"], 1);
  EXPECT_EQ(json[2]["status"], "refused");
  const std::string html = comparison_html("t", "", "", runs);
  EXPECT_NE(html.find("1 of 3 integrators came to the end; avf kept the energy best, to 1e-09"), std::string::npos);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
}

}  // namespace brio
