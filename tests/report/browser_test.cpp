/// Reports as a browser shows them. Skipped where there is no Chromium, no node, or no playwright-core to drive them.
#include <gtest/gtest.h>

#include <cstdlib>

#include "apps/run_program.h"
#include "core/safe_file.h"
#include "mesh/models/package.h"
#include "record/testing.h"
#include "report/ledger_charts.h"
#include "report/ledgers.h"
#include "report/libraries.h"
#include "report/page.h"
#include "report/playback.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

/// A cube that slides along x.
nlohmann::ordered_json sliding_cube(const fs::path& frames) {
  Model model;
  model.add(SolidOptions{.mesh = make_cube({.cells = 2})});
  State state = model.rest_state();
  FrameCacheWriter writer(frames, {.vertices = model.vertices(), .frames_per_second = 10});
  for (int frame = 0; frame < 10; ++frame) {
    writer.add(state.x, state.v);
    for (std::size_t v = 0; v < model.vertices(); ++v) state.x.row(v)[0] += 0.1;
  }
  return playback_json(read_recording(FrameCache(frames), {.surfaces = surfaces(model)}), "sliding", "");
}

bool runs(const std::string& command) { return run_program(command + " >/dev/null 2>&1").code == 0; }

class Browser : public testing::InFolder {};

}  // namespace

TEST_F(Browser, ShowsChartsAndAnimationFromDiskWithoutNetwork) {
  if (!runs("command -v chromium") || !runs("command -v node"))
    GTEST_SKIP() << "needs chromium and node: apt-get install chromium nodejs";
  const fs::path tools = cache_directory() / "browser";
  const fs::path playwright = tools / "node_modules" / "playwright-core";
  if (!fs::exists(playwright) && !runs("npm install --prefix " + tools.string() + " playwright-core@1.65.0"))
    GTEST_SKIP() << "needs npm and network to fetch playwright-core";
  if (!scene_library().problem.empty() || !chart_library().problem.empty())
    GTEST_SKIP() << "needs npm and network to fetch three.js and uPlot";

  Page page{.title = "A cube </script> that slides", .verdict = "Energy kept to 0; nothing exploded."};
  page.charts = run_charts(ledger({{.kinetic = 1, .px = 1},
                                   {.time = 0.5, .kinetic = 0.5, .elastic = 0.5, .residual = 1e-12, .px = 2},
                                   {.time = 0.9, .kinetic = 1, .residual = -1e-13, .px = 3}}));
  page.playbacks.push_back(sliding_cube(folder / "frames.bin"));
  page.playbacks.push_back(page.playbacks[0]);
  const fs::path file = folder / "page.html";
  write_safely(file, to_html(page));
  const Result result = run_program("node " BRIO_SOURCE_DIR "/tests/report/browser.mjs " + playwright.string() +
                                    " \"$(command -v chromium)\" " + file.string() + " 2>&1");
  EXPECT_EQ(result.code, 0) << result.output;
}

}  // namespace brio
