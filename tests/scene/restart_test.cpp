/// A run that is stopped anywhere and goes on in a new process has the bits of one that was not: here in one process,
/// with all that a process builds made anew. tests/apps kills real ones.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/timer.h"
#include "random_scenes.h"
#include "record/checkpoint.h"
#include "scene/testing.h"

namespace brio {
namespace {

class Restart : public testing::InFolder {
 protected:
  /// All columns but the time that it took, to the bit.
  static std::string bits_of(const LedgerRow& row) {
    std::string bits;
    const auto add = [&](const auto& value) { bits.append(reinterpret_cast<const char*>(&value), sizeof value); };
    for (const double number : {row.time, row.kinetic, row.elastic, row.gravity, row.contact, row.total, row.user_work,
                                row.damping_loss, row.friction_loss, row.residual, row.alpha})
      add(number);
    for (int c = 0; c < 3; ++c) {
      add(row.linear[c]);
      add(row.angular[c]);
    }
    add(row.iterations);
    return bits;
  }

  struct Run {
    std::vector<Snapshot> moments{};  ///< after each frame that went well; the first is the start
    std::vector<std::string> told{};  ///< by each frame: its ledger, or why it failed
    std::uint64_t hash = 0;
  };

  /// From where the scene is, at most to frame `last`.
  static Run run(Scene& scene, long first, long last) {
    Run result;
    result.moments.push_back(scene.simulation.snapshot());
    for (long frame = first; frame < last; ++frame) {
      const StepReport report = scene.simulation.step(scene.steps_per_frame);
      if (!report.ok()) {
        result.told.push_back(report.message);
        break;
      }
      result.moments.push_back(scene.simulation.snapshot());
      result.told.push_back(bits_of(scene.simulation.ledger()));
    }
    result.hash = scene.simulation.hash();
    return result;
  }

  /// Runs the scene, then once more from each of some frames on. Returns what differed.
  std::vector<std::string> differences(const std::filesystem::path& file, long frames, int stops,
                                       testing::Dice& dice) const {
    std::vector<std::string> found;
    Scene straight = load_scene(file);
    const Run whole = run(straight, 0, frames);
    for (int k = 0; k < stops; ++k) {
      const auto stop = static_cast<std::size_t>(dice.whole(0, static_cast<int>(whole.moments.size()) - 1));
      write_checkpoint(folder / "c", {.state = whole.moments[stop].state,
                                      .ledger = whole.moments[stop].ledger,
                                      .gathered = {.rows = 1}});  // of frame 0, as far as the file knows
      const Checkpoint read = read_checkpoint(folder / "c", 0);
      Scene anew = load_scene(file);
      Snapshot moment = anew.simulation.snapshot();
      moment.state = read.state;
      moment.ledger = read.ledger;
      anew.simulation.restore(moment);
      const Run rest = run(anew, static_cast<long>(stop), frames);
      for (std::size_t frame = stop; frame < whole.told.size(); ++frame)
        if (frame - stop >= rest.told.size() || rest.told[frame - stop] != whole.told[frame]) {
          found.push_back(fmt::format("stopped after frame {}: the ledger differs in frame {}", stop, frame + 1));
          break;
        }
      if (rest.hash != whole.hash) found.push_back(fmt::format("stopped after frame {}: another hash", stop));
    }
    return found;
  }
};

}  // namespace

/// BRIO_RESTARTS=300 takes as many scenes.
TEST_F(Restart, RandomScenesGoOnBitForBitFromRandomFrames) {
  const Stopwatch watch;
  const int seeds = testing::campaign_runs("BRIO_RESTARTS", 20);
  int refused = 0, failures = 0, resumed = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const testing::RandomScene scene(static_cast<std::uint64_t>(seed));
    write("s.toml", scene.text());
    testing::Dice dice(static_cast<std::uint64_t>(1000000 + seed));
    set_threads(dice.whole(1, 3));
    try {
      const std::vector<std::string> found = differences(folder / "s.toml", scene.frames(), 2, dice);
      resumed += 2;
      failures += found.empty() ? 0 : 1;
      for (const std::string& text : found) ADD_FAILURE() << "seed " << seed << ", " << text << "\n" << scene.text();
    } catch (const InputError& error) {
      ++refused;
      std::printf("seed %d: %s\n", seed, error.what());
    }
  }
  set_threads(0);
  EXPECT_LE(refused, seeds / 5) << "what is refused proves nothing";
  testing::tell_of_campaign("BRIO_RESTARTS", "random scenes, stopped at random frames and resumed", resumed, failures,
                            watch.seconds());
}

/// BRIO_GALLERY_FRAMES=1000 runs every scene to its end.
TEST_F(Restart, EveryShippedSceneGoesOnBitForBitFromRandomFrames) {
  const Stopwatch watch;
  const long most = testing::campaign_runs("BRIO_GALLERY_FRAMES", 5);
  int refused = 0, failures = 0, resumed = 0;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(BRIO_SOURCE_DIR "/scenes"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  ASSERT_GT(files.size(), 20u);
  testing::Dice dice(1);
  for (const auto& file : files) {
    try {
      const long frames = std::min<long>(most, load_scene(file).frames);
      const std::vector<std::string> found = differences(file, frames, 1, dice);
      ++resumed;
      failures += found.empty() ? 0 : 1;
      for (const std::string& text : found) ADD_FAILURE() << file << ": " << text;
    } catch (const InputError& error) {  // its model cannot be had, or filled
      ++refused;
      std::printf("%s: %s\n", file.c_str(), error.what());
    }
  }
  EXPECT_GT(resumed, 15);
  testing::tell_of_campaign("BRIO_GALLERY_FRAMES", "shipped scenes, stopped at a random frame and resumed", resumed,
                            failures, watch.seconds());
}

}  // namespace brio
