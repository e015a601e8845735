/// Scenes run by programs that know brio/run.h and nothing else of it.
#include "brio/run.h"

#include <gtest/gtest.h>

#include "in_folder.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

const std::string falling = R"(
title = "falling"
[time]
h = 0.01
frames = 12
[integrator]
name = "avf"
[[body]]
name = "cube"
mesh = { generate = "cube", cells = 2 }
)";

/// Notes what it is told; sets `stop` after some frame.
struct Notes : RunObserver {
  void started(const Scene&, const fs::path&, long from) override { first = from; }
  void frame(long frame, const LedgerRow&, double) override {
    frames.push_back(frame);
    if (frame == stop_after) stop = true;
  }
  void finished(const RunSummary& summary, const fs::path&) override { status = summary.status(); }

  long first = -1;
  long stop_after = -1;
  std::vector<long> frames;
  std::string status;
  std::atomic<bool> stop = false;
};

class Runs : public testing::InFolder {};

}  // namespace

TEST_F(Runs, AreToldFrameByFrameAndLeaveTheirFolder) {
  Scene scene = parse_scene(falling);
  EXPECT_EQ(scene.title, "falling");
  EXPECT_DOUBLE_EQ(scene.frames_per_second(), 100);
  Notes notes;
  const RunSummary summary = run(scene, {.folder = folder / "x", .report = false}, &notes);
  EXPECT_EQ(summary.status(), std::string("ok"));
  EXPECT_EQ(notes.status, "ok");
  EXPECT_EQ(notes.first, 0);
  EXPECT_EQ(notes.frames.size(), 12u);
  EXPECT_EQ(FrameCache(folder / "x" / RunFiles::frames).frames(), 13);
  EXPECT_EQ(read_ledger(folder / "x" / RunFiles::ledger).rows(), 13u);
  EXPECT_TRUE(fs::exists(folder / "x/pc2"));
  EXPECT_FALSE(fs::exists(folder / "x/report.html"));
}

TEST_F(Runs, ThatAreStoppedGoOnBitForBit) {
  Scene whole = parse_scene(falling);
  const std::uint64_t hash = run(whole, {.folder = folder / "whole", .report = false}).hash;
  Notes notes;
  notes.stop_after = 5;
  Scene scene = parse_scene(falling);
  const RunSummary half = run(scene, {.folder = folder / "x", .report = false, .stop = &notes.stop}, &notes);
  EXPECT_EQ(half.status(), std::string("interrupted"));
  EXPECT_EQ(half.frames(), 5);
  Scene again = parse_scene(falling);
  Notes later;
  const RunSummary rest = run(again, {.folder = folder / "x", .resume = true, .report = false}, &later);
  EXPECT_EQ(later.first, 5);
  EXPECT_EQ(rest.status(), std::string("ok"));
  EXPECT_EQ(rest.hash, hash);
}

TEST_F(Runs, AreReplacedOnlyWhenThatIsAskedFor) {
  Scene scene = parse_scene(falling, "scene.toml", {}, {{"time.frames", "2", "test"}});
  run(scene, {.folder = folder / "x", .report = false});
  Scene other = parse_scene(falling, "scene.toml", {}, {{"time.frames", "3", "test"}});
  EXPECT_THROW(run(other, {.folder = folder / "x", .report = false}), InputError);
  EXPECT_EQ(run(other, {.folder = folder / "x", .force = true, .report = false}).frames(), 3);
}

TEST_F(Runs, BecomeAnimationFilesLater) {
  Scene scene = parse_scene(falling, "scene.toml", {}, {{"output.formats", "[]", "test"}});
  run(scene, {.folder = folder / "x", .report = false});
  EXPECT_EQ(load_recorded_scene(folder / "x").digest, scene.digest);
  EXPECT_EQ(export_run(folder / "x", {"obj"}), std::vector<std::string>{"obj"});
  EXPECT_TRUE(fs::exists(folder / "x/obj/frame_000012.obj"));
  EXPECT_THROW(export_run(folder / "x", {"objj"}), InputError);
}

TEST(Scenes, OfTextComplainUnderTheNameTheyAreGiven) {
  try {
    parse_scene("[time]\nh = 0\n", "made.toml");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.complaint().file, "made.toml");
    EXPECT_EQ(error.complaint().line, 2);
  }
}

TEST_F(Runs, OfTextFindMeshesInTheFolderTheyAreGiven) {
  write("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 3 2\n");
  const Scene scene =
      parse_scene("[time]\nh = 0.01\nframes = 1\n[[body]]\nkind = \"cloth\"\nmesh = { file = \"triangle.obj\" }\n",
                  "x.toml", folder);
  EXPECT_EQ(scene.simulation.model().vertices(), 3u);
}

}  // namespace brio
