#include "report/playback.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "record/testing.h"
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

TEST(Quantization, ErrsByAtMostHalfAStepOfTheBox) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-3, 5);
  std::vector<float> positions(3000);
  for (float& value : positions) value = uniform(random);
  const QuantizedBody body = quantize(positions, Vec3::Zero(), 100);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double extent = body.high[i % 3] - body.low[i % 3];
    const double back = body.low[i % 3] + extent * body.values[i] / 65535;
    EXPECT_LE(std::abs(back - positions[i]), extent / 131070 * (1 + 1e-9));
  }
}

TEST(Quantization, ClampsWhatFliesApartSoThatTheRestStaysSharp) {
  const QuantizedBody body = quantize({0, 0, 0, 1, 1, 1, 1e30f, -INFINITY, 1}, Vec3(0.5, 0.5, 0.5), 10);
  EXPECT_EQ(body.high[0], 10.5);
  EXPECT_EQ(body.low[1], -9.5);
  EXPECT_EQ(body.values[2], 0);
  EXPECT_EQ(body.values[5], 65535);
}

TEST(Quantization, FlatBodiesHaveNoExtent) {
  const QuantizedBody body = quantize({1, 2, 3, 4, 2, 3}, Vec3::Zero(), 10);
  EXPECT_EQ(body.values, (std::vector<std::uint16_t>{0, 0, 0, 65535, 0, 0}));
}

TEST(Quantization, DifferencesAddUpToTheValues) {
  const std::vector<std::uint16_t> values{0, 65535, 7, 65535, 0, 300, 1, 2, 3};
  EXPECT_EQ(undone(delta_bytes(values, 3), 3), values);
}

class Playback : public testing::InFolder {
 protected:
  /// A cube that stays where it is.
  FrameCache recorded(long frames) const {
    FrameCacheWriter writer(folder / "frames.bin", {.vertices = model.vertices(), .frames_per_second = 50});
    const State state = model.rest_state();
    for (long k = 0; k < frames; ++k) writer.add(state.x, state.v);
    return FrameCache(folder / "frames.bin");
  }

  Model model = [] {
    Model cube;
    cube.add(SolidOptions{.mesh = make_cube({.cells = 3})});
    return cube;
  }();
};

TEST_F(Playback, DrawsTheOutsideOfSolidsAndThinsFramesToTheLimit) {
  const FrameCache cache = recorded(1001);
  const Recording recording = read_recording(cache, {.surfaces = surfaces(model)}, {.frames = 11, .bytes = 1 << 20});
  ASSERT_EQ(recording.scenery.surfaces.size(), 1u);
  EXPECT_EQ(recording.scenery.surfaces[0].size(), 56u) << "of 64 vertices 8 are inside";
  EXPECT_EQ(recording.scenery.surfaces[0].triangles.size(), 6u * 9 * 2);
  EXPECT_EQ(recording.frames, (std::vector<long>{0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000}));
  EXPECT_EQ(recording.times[3], 6);
  EXPECT_EQ(recording.positions[0].size(), 11u * 3 * 56);
  EXPECT_EQ(recording.note(), "11 of 1001 frames are shown, to keep this page small.");
  const auto json = playback_json(recording, "avf", "");
  EXPECT_EQ(json["bodies"][0]["vertices"], 56);
  EXPECT_EQ(json["view"][0][0], -0.5);
  EXPECT_EQ(read_recording(cache, {.surfaces = surfaces(model)}, {.frames = 300, .bytes = std::size_t{6} * 57 * 4})
                .frames.size(),
            4u);
}

TEST_F(Playback, HoldsColorsThatTheSceneChoseAndWhereObstaclesAreInEveryFrame) {
  Scenery scenery{.surfaces = surfaces(model)};
  scenery.surfaces[0].color = {1, 0.5f, 0};
  scenery.surfaces[0].painted = true;
  scenery.obstacles.resize(2);
  scenery.obstacles[0] = {.name = "floor", .endless = true};
  scenery.obstacles[1] = {.name = "pusher",
                          .vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)},
                          .triangles = {{0, 1, 2}},
                          .motion = {.keys = {{.time = 0}, {.time = 0.04, .translate = Vec3(0, 0, 4)}}}};
  const auto json = playback_json(read_recording(recorded(3), scenery), "", "");
  EXPECT_EQ(json["bodies"][0]["color"], nlohmann::ordered_json({1, 0.5, 0}));
  EXPECT_EQ(json["obstacles"][0]["poses"].size(), 1u) << "it does not move";
  EXPECT_TRUE(json["obstacles"][0]["endless"]);
  ASSERT_EQ(json["obstacles"][1]["poses"].size(), 3u);
  EXPECT_EQ(json["obstacles"][1]["poses"][1],
            nlohmann::ordered_json({1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0}));
  scenery.surfaces[0].painted = false;
  EXPECT_TRUE(playback_json(read_recording(recorded(1), scenery), "", "")["bodies"][0]["color"].is_null());
}

TEST_F(Playback, ARunThatEndedEarlyShowsTheFramesOfItsPlanAndItsLast) {
  const FrameCache cache = recorded(25);
  const Recording recording =
      read_recording(cache, {.surfaces = surfaces(model)}, {.frames = 11, .bytes = 1 << 20}, 101);
  EXPECT_EQ(recording.frames, (std::vector<long>{0, 10, 20, 24}));
}

TEST(Comparison, DistancesAreThoseOfTheSurfacesAtTheFramesThatBothShow) {
  std::vector<ComparedRun> runs(3);
  for (std::size_t i = 0; i < 3; ++i) {
    ComparedRun& run = runs[i];
    run = {
        .integrator = std::vector{"avf", "bdf2", "rk4"}[i],
        .ledger = ledger({{}, {.alpha = 0.5, .ms = 20, .iterations = 4}, {.alpha = 0.25, .ms = 20, .iterations = 4}}),
        .playback = nlohmann::ordered_json::object()};
    run.recording = {.total = 3, .frames = {0, 1, 2}, .times = {0, 0.1, 0.2}, .positions = {std::vector<float>(18)}};
  }
  for (std::size_t vertex = 0; vertex < 2; ++vertex) {  // of two vertices: by 1 and by 7 m
    runs[1].recording.positions[0][6 + 3 * vertex] = vertex == 0 ? 1 : 7;
    runs[1].recording.positions[0][12 + 3 * vertex + 1] = -2;
  }
  runs[2].recording = {.total = 1, .frames = {0}, .times = {0}, .positions = {{3, 4, 0, 3, 4, 0}}};
  EXPECT_EQ(apart(runs[1].recording, runs[0].recording).y, (std::vector<double>{0, 5, 2}));
  EXPECT_EQ(apart(runs[2].recording, runs[0].recording).y, (std::vector<double>{5}));
  const auto json = comparison_json(runs);
  EXPECT_EQ(json[0]["distance"]["largest"], 0);
  EXPECT_EQ(json[1]["distance"]["from"], "avf");
  EXPECT_EQ(json[1]["distance"]["largest"], 5);
  EXPECT_NEAR(json[1]["distance"]["mean"], 7 / 3.0, 1e-12);
  EXPECT_EQ(json[1]["ms_per_iteration"], 5);
  EXPECT_EQ(json[1]["mean_alpha"], 0.375);
  EXPECT_NE(comparison_html("t", "", runs).find("Distance from avf"), std::string::npos);
}

TEST(Comparison, TellsWhatBecameOfEveryIntegrator) {
  std::vector<ComparedRun> runs(5);
  runs[0] = {.integrator = "avf", .order = 2, .ledger = ledger({{.kinetic = 1}, {.kinetic = 1, .residual = 1e-9}})};
  runs[1] = {.integrator = "rk4", .order = 4, .ledger = ledger({{.kinetic = 1}, {.kinetic = 9, .residual = 8}})};
  runs[2] = {.integrator = "<b>", .order = 1, .ledger = {}, .ending = {"refused", "constraints"}};
  runs[3] = {.integrator = "bdf2", .order = 2, .ledger = ledger({{}, {}}), .ending = {"interrupted", ""}};
  runs[4] = {.integrator = "verlet", .order = 2, .ledger = {}, .ending = {"skipped", "not run"}};
  for (ComparedRun& run : runs) run.playback = nlohmann::ordered_json::object();
  EXPECT_EQ(outcome(runs[0]), "came to the end");
  EXPECT_EQ(outcome(runs[1]), "exploded at frame 1");
  EXPECT_EQ(outcome(runs[2]), "refused: constraints");
  EXPECT_EQ(outcome(runs[3]), "interrupted after frame 1");
  EXPECT_EQ(outcome(runs[4]), "not run");
  const auto json = comparison_json(runs);
  EXPECT_EQ(json[0]["status"], "ok");
  EXPECT_EQ(json[1]["status"], "exploded");
  EXPECT_EQ(json[1]["exploded_frame"], 1);
  EXPECT_EQ(json[2]["status"], "refused");
  EXPECT_EQ(json[3]["status"], "interrupted");
  EXPECT_EQ(json[4]["status"], "skipped");
  const std::string html = comparison_html("t", "", runs);
  EXPECT_NE(html.find("1 of 5 integrators came to the end; avf kept the energy best, to 1e-09"), std::string::npos);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
}

}  // namespace brio
