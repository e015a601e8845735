#include "record/frame_cache.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "core/hash.h"
#include "record/testing.h"

namespace brio {
namespace {

class FrameCacheFile : public testing::InFolder {
 protected:
  void record(long frames) const {
    FrameCacheWriter writer(path(), info);
    for (long k = 0; k < frames; ++k) writer.add(testing::moved(model, k).x, testing::moved(model, k).v);
  }
  std::filesystem::path path() const { return folder / "frames.bin"; }
  void expect_frame(const FrameCache& cache, long frame) const {
    Frame content;
    cache.read(frame, content);
    const State state = testing::moved(model, frame);
    for (std::size_t i = 0; i < model.vertices(); ++i) {
      for (std::size_t c = 0; c < 3; ++c) {
        ASSERT_EQ(content.x[3 * i + c], static_cast<float>(state.x.row(i)[c]));
        ASSERT_EQ(content.v[3 * i + c], static_cast<float>(state.v.row(i)[c]));
      }
    }
  }

  Model model = testing::one_of_each();
  FrameCacheInfo info = testing::info_of(model);
};

}  // namespace

TEST_F(FrameCacheFile, GivesBackEveryFrameRoundedToFloat) {
  record(3);
  const FrameCache cache(path());
  EXPECT_EQ(cache.frames(), 3);
  EXPECT_EQ(cache.info().digest, 77u);
  EXPECT_EQ(cache.time(12), 0.5);
  for (long k = 0; k < 3; ++k) expect_frame(cache, k);
  std::vector<float> some;
  cache.read_positions(2, 5, 2, some);
  EXPECT_EQ(some.size(), 6u);
  EXPECT_EQ(some[0], static_cast<float>(testing::moved(model, 2).x.row(5)[0]));
  EXPECT_EQ(std::filesystem::file_size(path()), info.bytes(3));
}

TEST_F(FrameCacheFile, DropsAnIncompleteLastFrameAndGoesOnAfterTheWholeOnes) {
  record(3);
  const std::string whole = read("frames.bin");
  for (const std::size_t cut : {1ul, 8ul, info.bytes(1) - info.bytes(0) - 1}) {
    write("frames.bin", whole.substr(0, whole.size() - cut));
    EXPECT_EQ(FrameCache(path()).frames(), 2) << cut;
  }
  {
    FrameCacheWriter writer(path(), info, 2);
    writer.add(testing::moved(model, 2).x, testing::moved(model, 2).v);
  }
  EXPECT_EQ(read("frames.bin"), whole);
  { FrameCacheWriter cut_back(path(), info, 1); }
  EXPECT_EQ(read("frames.bin"), whole.substr(0, info.bytes(1)));
}

TEST_F(FrameCacheFile, NamesTheByteOfDamage) {
  record(3);
  std::string bytes = read("frames.bin");
  bytes[info.bytes(1) + 5] = static_cast<char>(bytes[info.bytes(1) + 5] ^ 1);
  write("frames.bin", bytes);
  const FrameCache cache(path());
  expect_frame(cache, 0);
  Frame frame;
  EXPECT_NE(testing::complaint([&] { cache.read(1, frame); }).find("frame 1 is damaged"), std::string::npos);
  expect_frame(cache, 2);
}

TEST_F(FrameCacheFile, RefusesWhatIsNoCacheOrOfAnotherScene) {
  EXPECT_NE(testing::complaint([&] { FrameCache{path()}; }).find("cannot be read"), std::string::npos);
  write("frames.bin", "BRIO");
  EXPECT_NE(testing::complaint([&] { FrameCache{path()}; }).find("the file ends here"), std::string::npos);
  write("frames.bin", std::string(400, 'x'));
  EXPECT_NE(testing::complaint([&] { FrameCache{path()}; }).find("is not a frame cache"), std::string::npos);
  record(2);
  FrameCacheInfo other = info;
  other.digest = 78;
  EXPECT_NE(testing::complaint([&] { FrameCacheWriter(path(), other, 1); }).find("is of another scene"),
            std::string::npos);
  EXPECT_NE(testing::complaint([&] { FrameCacheWriter(path(), info, 3); }).find("has 2 frames where the checkpoint"),
            std::string::npos);
  EXPECT_EQ(FrameCache(path()).frames(), 2);
}

TEST_F(FrameCacheFile, NumbersBeyondItsRangeNeverReachTheFile) {
  FrameCacheWriter writer(path(), info);
  for (const double bad : {1e39, -1e300, std::numeric_limits<double>::quiet_NaN()}) {
    State state = testing::moved(model, 0);
    state.x[3].y() = bad;
    EXPECT_THROW(writer.add(state.x, state.v), std::range_error);
  }
  EXPECT_EQ(std::filesystem::file_size(path()), info.bytes(0));
}

/// With checksums that are right.
TEST_F(FrameCacheFile, ForgedNumbersAreRefused) {
  record(2);
  const std::string whole = read("frames.bin");
  const auto with_rate = [&](double rate) {
    std::string forged = whole;
    std::memcpy(forged.data() + 16, &rate, sizeof rate);
    const std::uint64_t sum = hash_bytes(std::as_bytes(std::span(forged)).first(32));
    std::memcpy(forged.data() + 32, &sum, sizeof sum);
    write("frames.bin", forged);
    return testing::complaint([&] { const FrameCache cache(path()); });
  };
  for (const double rate : {0.0, -1.0, std::nan(""), 1 / 0.0, 5e-324})
    EXPECT_NE(with_rate(rate).find("is not a frame cache, or its header is damaged"), std::string::npos) << rate;
  EXPECT_EQ(with_rate(24), "no complaint");

  std::string forged = whole;
  const float infinite = 1 / 0.0F;
  const std::size_t half = 12 * model.vertices(), begin = info.bytes(1);
  std::memcpy(forged.data() + begin, &infinite, sizeof infinite);
  const auto frame = std::as_bytes(std::span(forged)).subspan(begin);
  const std::uint64_t sum = hash_bytes(frame.subspan(half, half), hash_bytes(frame.first(half), 1));
  std::memcpy(forged.data() + begin + 2 * half, &sum, sizeof sum);
  write("frames.bin", forged);
  const FrameCache cache(path());
  ASSERT_EQ(cache.frames(), 2);
  Frame read_back;
  EXPECT_NE(testing::complaint([&] { cache.read(1, read_back); }).find("frame 1 holds numbers that are not finite"),
            std::string::npos);
}

TEST_F(FrameCacheFile, FewerVerticesThanTheSceneAreRefused) {
  record(2);
  Model larger = testing::one_of_each();
  larger.add(SolidOptions{.mesh = make_cube({})});
  const std::vector<Surface> shapes = surfaces(larger);
  const FrameCache cache(path());
  const Animation animation{.model = larger, .surfaces = shapes, .frames = cache, .title = ""};
  EXPECT_NE(testing::complaint([&] { check_frames(animation); }).find("vertices, the scene "), std::string::npos);
}

}  // namespace brio
