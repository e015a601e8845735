/// Scenes of extreme numbers: whatever they ask for ends in words or in finite results.
#include "extreme_scenes.h"

#include <cmath>
#include <regex>

#include "brio/record.h"
#include "core/timer.h"
#include "record/frame_cache.h"
#include "resume_testing.h"

namespace {

namespace fs = std::filesystem;
using brio::Stopwatch;

class ExtremeScenes : public brio::testing::ResumeTest {
 protected:
  /// Nothing that only those who wrote the program understand.
  static bool is_internal(const std::string& text) {
    static const std::regex internal(
        "std::|terminate|what\\(\\)|[Aa]ssert|bad_alloc|vector::|basic_string|internal|(^|[^\\w.'\"-])-?nan\\b|"
        "exception");
    return std::regex_search(text, internal);
  }
  /// Why the run did not end as it should; empty when it did.
  std::string complaint(int status, bool stopped) const {
    const std::string said = read("stderr");
    if (!WIFEXITED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
    const int code = WEXITSTATUS(status);
    if (code == 130) return stopped ? "" : "was not asked to stop";
    if (code > 2) return fmt::format("exit code {}", code);
    if (code != 0 && said.find("brio: ") == std::string::npos) return "no words";
    if (code == 1) return is_internal(without_input(said)) ? "internal words" : "";
    if (is_internal(said)) return "internal words";
    return unsound_record();
  }
  /// A message about a number repeats it.
  static std::string without_input(const std::string& said) {
    return std::regex_replace(said, std::regex("= [^:]*:|-?nan|-?inf"), "");
  }
  std::string unsound_record() const {
    try {
      const brio::LedgerTable ledger = brio::read_ledger(folder / "x/ledger.csv");
      for (const auto& column : ledger.values)
        for (const double number : column)
          if (!std::isfinite(number)) return "the ledger is not finite";
      const brio::FrameCache frames(folder / "x/frames.bin");
      brio::Frame frame;
      for (long k = 0; k < frames.frames(); ++k) frames.read(k, frame);
      if (json("x/run.json")["status"] == "interrupted") return "says that it was interrupted";
      if (!fs::exists(folder / "x/report.html")) return "no report";
    } catch (const std::exception& error) {
      return error.what();
    }
    return is_internal(read("stdout")) ? "internal words in the output" : "";
  }
};

}  // namespace

/// A scene may ask for more work than anyone has time for: it is then stopped, and must answer. BRIO_EXTREMES=1000
/// takes as many scenes.
TEST_F(ExtremeScenes, EndInFiniteResultsOrInWords) {
  const Stopwatch watch;
  constexpr double enough = 5;  // s
  constexpr double answer = 2;  // s: a second, on a busy machine
  const int scenes = brio::testing::campaign_runs("BRIO_EXTREMES", 25);
  const int first = brio::testing::campaign_runs("BRIO_EXTREMES_FROM", 1);
  int failures = 0, stops = 0;
  std::array<int, 3> codes{};
  for (int seed = first; seed < first + scenes; ++seed) {
    fs::remove_all(folder / "x");
    write("s.toml", brio::testing::ExtremeScene(static_cast<std::uint64_t>(seed)).text());
    const Stopwatch since;
    double asked = 0;
    const int status = signaled({"run", "s.toml", "-o", "x"}, SIGTERM, [&] {
      if (since.seconds() < enough) return false;
      asked = since.seconds();
      return true;
    });
    std::string wrong = complaint(status, asked > 0);
    if (wrong.empty() && asked > 0 && since.seconds() - asked > answer) wrong = "did not answer SIGTERM";
    if (WIFEXITED(status) && WEXITSTATUS(status) < 3) ++codes[static_cast<std::size_t>(WEXITSTATUS(status))];
    stops += asked > 0 ? 1 : 0;
    failures += wrong.empty() ? 0 : 1;
    EXPECT_EQ(wrong, "") << "seed " << seed << "\n" << read("stderr") << read("s.toml");
  }
  RecordProperty("stopped", stops);
  if (scenes >= 20) {
    for (const int code : codes) EXPECT_GT(code, 0) << "scenes must end in all three ways to be worth anything";
  }
  brio::testing::tell_of_campaign("BRIO_EXTREMES", "scenes of extreme numbers, ended in finite results or in words",
                                  scenes, failures, watch.seconds());
}
