/// Random scenes that are killed at random moments, or run out of room, and go on. A few of them in every test; as many
/// as an environment variable says in a campaign, which prints one line of JSON.
#include "core/timer.h"
#include "random_scenes.h"
#include "resume_testing.h"

namespace {

namespace fs = std::filesystem;
using brio::Stopwatch;

class RandomResume : public brio::testing::ResumeTest {
 protected:
  /// The scene of that seed, from beginning to end; false where that cannot be done.
  bool run_random_scene(int seed) const {
    write("s.toml", brio::testing::RandomScene(static_cast<std::uint64_t>(seed)).text());
    fs::remove_all(folder / "x");
    return brio("run s.toml -o straight --force").code == 0;
  }
  /// The command that begins with a run, or goes on with what there is of it.
  std::vector<std::string> going_on(const std::string& run) const {
    const bool begun = fs::exists(folder / run / "checkpoint.brio");
    return {"run", "s.toml", "-o", run, begun ? "--resume" : "--force"};
  }
  bool went_on_alike(int seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const int status = signaled(going_on("x"), 0, [] { return false; });
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << read("stderr");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return false;
    expect_same("x", "straight");
    return read("x/frames.bin") == read("straight/frames.bin") && ledger("x") == ledger("straight");
  }
};

}  // namespace

/// Killed at random moments, also while it starts or ends, until it is done. BRIO_KILLS=100 takes as many scenes.
TEST_F(RandomResume, ScenesKilledAtRandomMomentsGoOnBitForBit) {
  const Stopwatch watch;
  const int seeds = brio::testing::campaign_runs("BRIO_KILLS", 3);
  int scenes = 0, kills = 0, failures = 0;
  for (int seed = 1; scenes < seeds; ++seed) {
    const Stopwatch lasts;
    if (!run_random_scene(seed)) continue;
    const double seconds = lasts.seconds();
    ++scenes;
    brio::testing::Dice dice(static_cast<std::uint64_t>(seed) + 500);
    for (int k = 0; k < 4; ++k) {
      const Stopwatch since;
      const double wait = dice.between(0, seconds);
      const int status = signaled(going_on("x"), SIGKILL, [&] { return since.seconds() > wait; });
      kills += WIFSIGNALED(status) ? 1 : 0;
    }
    failures += went_on_alike(seed) ? 0 : 1;
  }
  EXPECT_GE(kills, seeds) << "the program was to be killed in the middle";
  brio::testing::tell_of_campaign("BRIO_KILLS", "random scenes, killed at random moments and resumed", kills, failures,
                                  watch.seconds());
}

/// The disk has room for a random part of the frames, then for all. BRIO_FULL_DISKS=100 takes as many scenes.
TEST_F(RandomResume, ScenesOnAFullDiskGoOnBitForBit) {
  const Stopwatch watch;
  const int seeds = brio::testing::campaign_runs("BRIO_FULL_DISKS", 3);
  int scenes = 0, full = 0, failures = 0;
  for (int seed = 1001; scenes < seeds; ++seed) {
    if (!run_random_scene(seed)) continue;
    ++scenes;
    brio::testing::Dice dice(static_cast<std::uint64_t>(seed) + 500);
    const auto room = static_cast<rlim_t>(dice.between(0.02, 1) * static_cast<double>(size("straight/frames.bin")));
    const int status = signaled(
        going_on("x"), 0, [] { return false; }, std::max<rlim_t>(room, 1));
    const bool told = WIFEXITED(status) && WEXITSTATUS(status) == 1 &&
                      read("stderr").find("cannot be written: File too large") != std::string::npos;
    EXPECT_TRUE(told) << "seed " << seed << "\n" << read("stderr");
    full += told ? 1 : 0;
    failures += went_on_alike(seed) ? 0 : 1;
  }
  EXPECT_EQ(full, seeds);
  brio::testing::tell_of_campaign("BRIO_FULL_DISKS", "random scenes on a full disk, resumed", full, failures,
                                  watch.seconds());
}
