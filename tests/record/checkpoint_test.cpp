#include "record/checkpoint.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>

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
        .digest = 5, .frame = 12, .state = testing::moved(model, 4), .ledger = {.time = 0.7, .total = 1.0 / 3}};
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

/// The checksum is right: it tells damage, not who wrote the file.
TEST_F(CheckpointFile, NumbersThatNoRunHasAreRefused) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<std::string, std::function<void(Checkpoint&)>>> forgeries{
      {"frame", [](Checkpoint& c) { c.frame = std::numeric_limits<long>::min(); }},
      {"frame", [](Checkpoint& c) { c.frame = c.gathered.rows = std::numeric_limits<long>::max(); }},
      {"number of vertices", [](Checkpoint& c) { c.state.x = {}; }},
      {"number of vertices", [](Checkpoint& c) { c.state.v = NodalField(3); }},
      {"state", [](Checkpoint& c) { c.state.x[2].z() = nan; }},
      {"state", [](Checkpoint& c) { c.state.v[0].x() = -1 / 0.0; }},
      {"memory", [](Checkpoint& c) { c.state.memory.numbers[0] = nan; }},
      {"memory", [](Checkpoint& c) { c.state.histories[1].fields[0][0].x() = nan; }},
      {"time", [](Checkpoint& c) { c.state.time = c.ledger.time = nan; }},
      {"time", [](Checkpoint& c) { c.state.time = c.ledger.time = -1; }},
      {"time", [](Checkpoint& c) { c.state.step = -1; }},
      {"ledger", [](Checkpoint& c) { c.ledger.kinetic = nan; }},
      {"ledger", [](Checkpoint& c) { c.ledger.time = 8; }},
      {"ledger", [](Checkpoint& c) { c.ledger.iterations = -1; }},
      {"number of rows", [](Checkpoint& c) { c.gathered.rows = 4; }},
      {"number of rows", [](Checkpoint& c) { c.gathered.first.total = nan; }},
      {"energy or momentum", [](Checkpoint& c) { c.gathered.scale = nan; }},
      {"energy or momentum", [](Checkpoint& c) { c.gathered.max_angular_change = -1; }},
      {"warnings", [](Checkpoint& c) { c.gathered.warnings = {{.about = "x", .text = "y", .frames = -1}}; }},
      {"seconds", [](Checkpoint& c) { c.run_seconds = 1 / 0.0; }},
      {"time of the solver", [](Checkpoint& c) { c.solver_ms[0].second = nan; }},
  };
  for (const auto& [what, forge] : forgeries) {
    Checkpoint checkpoint = sample();
    forge(checkpoint);
    write_checkpoint(path(), checkpoint);
    EXPECT_EQ(testing::complaint([&] { read_checkpoint(path(), 5); }),
              path().string() + ": its " + what + " is one that no run has; start the run again with --force");
  }
}

/// Lengths and numbers replaced anywhere, behind the checksum.
TEST_F(CheckpointFile, ForgedBytesAreRefusedOrReadButNeverBelievedBeyondTheFile) {
  write_checkpoint(path(), sample());
  constexpr std::size_t head = 16;
  const std::string whole = read("checkpoint.brio").substr(head);
  int refused = 0;
  for (std::size_t place = 0; place + 8 <= whole.size(); place += 8)
    for (const std::uint64_t number : {~std::uint64_t{0}, std::uint64_t{1} << 63U, std::uint64_t{1} << 40U,
                                       std::uint64_t{whole.size()}, std::uint64_t{3}}) {
      std::string forged = whole;
      std::memcpy(forged.data() + place, &number, sizeof number);
      refused += testing::complaint([&] { parse_checkpoint(forged, path(), 5); }) != "no complaint" ? 1 : 0;
    }
  EXPECT_GT(refused, 100);
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
