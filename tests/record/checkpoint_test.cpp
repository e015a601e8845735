#include "record/checkpoint.h"

#include <gtest/gtest.h>

#include <cstring>

#include "record/recorder.h"
#include "record/testing.h"

namespace brio {
namespace {

bool same_bits(const NodalField& a, const NodalField& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(double) * NodalField::stride * a.size()) == 0;
}

class CheckpointFile : public testing::InFolder {
 protected:
  std::filesystem::path path() const { return folder / "checkpoint.brio"; }

  Checkpoint sample() const {
    Checkpoint c{
        .digest = 5, .frame = 12, .state = testing::moved(model, 4), .ledger = {.time = 0.1, .total = 1.0 / 3}};
    c.state.time = 0.7;
    c.state.step = 345;
    c.state.memory = {.fields = {c.state.x, c.state.v}, .numbers = {1e-3, -0.0}};
    c.state.histories = {{}, {.fields = {c.state.v}, .numbers = {}}};
    c.ledger.linear = Vec3(1, 2, 3);
    c.ledger.iterations = 7;
    c.gathered = {.first = {.total = 2}, .last = c.ledger, .rows = 13, .max_residual = 0.5, .scale = 3};
    c.run_seconds = 1.5;
    c.solver_ms = {{"assembly", 3.25}};
    return c;
  }

  Model model = testing::one_of_each();
};

}  // namespace

TEST_F(CheckpointFile, GivesBackEveryBit) {
  const Checkpoint written = sample();
  write_checkpoint(path(), written);
  const Checkpoint c = read_checkpoint(path(), 5);
  EXPECT_EQ(c.frame, 12);
  EXPECT_TRUE(same_bits(c.state.x, written.state.x));
  EXPECT_TRUE(same_bits(c.state.v, written.state.v));
  EXPECT_EQ(c.state.time, 0.7);
  EXPECT_EQ(c.state.step, 345);
  ASSERT_EQ(c.state.memory.fields.size(), 2u);
  EXPECT_TRUE(same_bits(c.state.memory.fields[1], written.state.v));
  EXPECT_TRUE(std::signbit(c.state.memory.numbers.at(1)));
  ASSERT_EQ(c.state.histories.size(), 2u);
  EXPECT_TRUE(same_bits(c.state.histories[1].fields.at(0), written.state.v));
  EXPECT_EQ(c.ledger.total, 1.0 / 3);
  EXPECT_EQ(c.ledger.linear, Vec3(1, 2, 3));
  EXPECT_EQ(c.ledger.iterations, 7);
  EXPECT_EQ(c.gathered.rows, 13);
  EXPECT_EQ(c.gathered.first.total, 2);
  EXPECT_EQ(c.gathered.max_residual, 0.5);
  EXPECT_EQ(c.run_seconds, 1.5);
  EXPECT_EQ(c.solver_ms, written.solver_ms);
  EXPECT_FALSE(std::filesystem::exists(folder / "checkpoint.brio.part"));
}

TEST_F(CheckpointFile, DamageAndOtherScenesAreToldApart) {
  write_checkpoint(path(), sample());
  const std::string whole = read("checkpoint.brio");
  const auto told = [&] { return testing::complaint([&] { read_checkpoint(path(), 5); }); };
  for (const std::size_t place : {0ul, 9ul, whole.size() / 2, whole.size() - 1}) {
    std::string bytes = whole;
    bytes[place] = static_cast<char>(bytes[place] ^ 4);
    write("checkpoint.brio", bytes);
    EXPECT_NE(told().find(place == 0 ? "is not a checkpoint" : "is damaged"), std::string::npos) << told();
  }
  for (const std::size_t length : {10ul, 100ul, whole.size() - 1}) {
    write("checkpoint.brio", whole.substr(0, length));
    EXPECT_NE(told(), "no complaint") << length;
  }
  write("checkpoint.brio", whole);
  EXPECT_NE(testing::complaint([&] { read_checkpoint(path(), 6); }).find("belongs to another scene"),
            std::string::npos);
}

TEST_F(CheckpointFile, ARecorderGoesOnWhereTheCheckpointWasAndCutsOffWhatCameAfter) {
  const FrameCacheInfo info = testing::info_of(model);
  RunSummary straight;
  const auto add = [&](Recorder& recorder, long k) {
    recorder.add(testing::moved(model, k), {.time = static_cast<double>(k), .total = 1.0 / static_cast<double>(k + 1)});
  };
  {
    Recorder recorder(folder, info, straight);
    for (long k = 0; k < 3; ++k) add(recorder, k);
    recorder.checkpoint(testing::moved(model, 2), {});
    for (long k = 3; k < 6; ++k) add(recorder, k);
  }
  const std::string frames = read("frames.bin");
  const std::string ledger = read("ledger.csv");
  Checkpoint at_two{.digest = 77, .frame = 2, .state = testing::moved(model, 2)};
  RunSummary resumed;
  {
    Recorder recorder(folder, info, resumed, at_two);
    EXPECT_EQ(recorder.frames(), 3);
    EXPECT_EQ(FrameCache(folder / "frames.bin").frames(), 3);
    for (long k = 3; k < 6; ++k) add(recorder, k);
  }
  EXPECT_EQ(read("frames.bin"), frames);
  EXPECT_EQ(read("ledger.csv"), ledger);
}

}  // namespace brio
