/// What the studio can show in real time: frames of the engine, hands included, with all that goes to the page.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "bench/suite.h"
#include "brio/core.h"
#include "studio/headless.h"
#include "studio/session.h"
#include "studio/share.h"

namespace brio::bench {
namespace {

struct Dragged {
  std::string name;
  std::string body;  ///< of the scene
  double wanted;     ///< frames per second
};

/// As S1 runs it: local-global with ten iterations and one more.
studio::SceneText scene_of(const Dragged& one) {
  return {.text = fmt::format(R"(title = "{}"
[time]
fps = 60
[integrator]
name = "stabilized"
[solver]
name = "local-global"
iterations = 11
[[body]]
name = "body"
{}
)",
                              one.name, one.body)};
}

std::string grab(std::size_t vertices) {
  return fmt::format(R"({{"do":"grab","hand":1,"body":0,"vertices":[{0},{0},{0}],"weights":[1,0,0]}})", vertices - 1);
}

std::string move(int i) {
  return fmt::format(R"({{"do":"move","hand":1,"by":[{},{},0]}})", 0.002 * (i % 60), 0.001 * (i % 60));
}

Row row_of(const Dragged& one, std::size_t vertices, std::vector<double> times, double bytes) {
  std::ranges::sort(times);
  const double median = times[times.size() / 2];
  return {.name = one.name,
          .size = fmt::format("{} v", vertices),
          .threads = 1,
          .detail = fmt::format("{:.0f} Hz ({:.0f} wanted), the slowest of {} frames {:.1f} ms; {:.0f} kB per frame",
                                1000 / median, one.wanted, times.size(), times.back(), bytes / 1e3),
          .ms = median};
}

void measure(const Dragged& one, int frames, const Done& done) {
  const auto now = [] { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  studio::Session session(scene_of(one));
  const Model& model = session.panes()[0]->simulation().model();
  session.advance();  // makes factors and workspaces
  session.handle(studio::Message(grab(model.vertices())));
  std::vector<double> times;
  double bytes = 0;
  for (int i = 0; i < frames; ++i) {
    session.handle(studio::Message(move(i)));
    const double start = now();
    session.advance();
    bytes = static_cast<double>(session.frame_message().size());
    times.push_back(now() - start);
  }
  done(row_of(one, model.vertices(), std::move(times), bytes));
}

/// The same in WebAssembly, where the engine for pages was built.
void measure_page(const Dragged& one, int frames, const Done& done) {
  const studio::SceneText scene = scene_of(one);
  const studio::Session session(scene);
  const std::size_t vertices = session.panes()[0]->simulation().model().vertices();
  std::vector<std::string> messages{R"({"do":"step"})", grab(vertices)};
  constexpr int warm_up = 30;  // Node.js compiles quickly first, and well while it runs
  for (int i = 0; i < warm_up + frames; ++i) {
    messages.push_back(move(i));
    messages.emplace_back(R"({"do":"step"})");
  }
  std::error_code error;
  const auto page = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "../../../studio";
  const auto answers = studio::run_headless(page, studio::gather(scene, {}), messages, false);
  if (!answers)
    return done({.name = one.name + ", in a page", .detail = "not built: `./brio share` does, and it needs Node.js"});
  std::vector<double> times;
  for (std::size_t i = 2 + 2 * warm_up; i + 1 < answers->size(); i += 2) times.push_back((*answers)[i + 1].ms);
  Row row = row_of(one, vertices, std::move(times), answers->back().bytes);
  row.name += ", in a page";
  done(row);
}

}  // namespace

void run_studio(bool quick, const Done& done) {
  set_threads(1);
  const std::string jelly = "material = { name = \"corotated\", young = 5e4, poisson = 0 }\ndensity = 1000\n";
  const std::array subjects{
      Dragged{"bunny that is dragged",
              "mesh = { model = \"bunny\" }\npin = [{ select = { plane = [[0, -0.46, 0], [0, -1, 0]] } "
              "}]\n" +
                  jelly,
              60},
      Dragged{"cloth that is dragged",
              "kind = \"cloth\"\nmesh = { generate = \"sheet\", size = [1, 1], cells = [99, 99] }\nmass = 0.3\n"
              "pin = [{ select = { vertex = 0 } }, { select = { vertex = 99 } }]\n",
              60},
      Dragged{"bar that is dragged",
              "mesh = { generate = \"bar\", size = [2, 0.5, 0.5], cells = [76, 18, 18] }\n"
              "pin = [{ select = { plane = [[-0.999, 0, 0], [-1, 0, 0]] } }]\n" +
                  jelly,
              30}};
  for (const Dragged& one : subjects) measure(one, quick ? 20 : 120, done);
  const Dragged smaller_bar{"smaller bar that is dragged",
                            "mesh = { generate = \"bar\", size = [2, 0.5, 0.5], cells = [40, 10, 10] }\n"
                            "pin = [{ select = { plane = [[-0.999, 0, 0], [-1, 0, 0]] } }]\n" +
                                jelly,
                            30};
  for (const Dragged& one : {subjects[0], smaller_bar}) measure_page(one, quick ? 20 : 120, done);
}

}  // namespace brio::bench
