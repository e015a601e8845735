/// What the studio can show in real time: frames of the engine, hands included, with all that goes to the page.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "bench/suite.h"
#include "brio/core.h"
#include "studio/session.h"

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

void measure(const Dragged& one, int frames, const Done& done) {
  const auto now = [] { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  studio::Session session(scene_of(one));
  const Model& model = session.panes()[0]->simulation().model();
  session.advance();  // makes factors and workspaces
  const int vertex = static_cast<int>(model.vertices()) - 1;
  session.handle(studio::Message(
      fmt::format(R"({{"do":"grab","hand":1,"body":0,"vertices":[{0},{0},{0}],"weights":[1,0,0]}})", vertex)));
  std::vector<double> times;
  double bytes = 0;
  for (int i = 0; i < frames; ++i) {
    session.handle(
        studio::Message(fmt::format(R"({{"do":"move","hand":1,"by":[{},{},0]}})", 0.002 * (i % 60), 0.001 * (i % 60))));
    const double start = now();
    session.advance();
    bytes = static_cast<double>(session.frame_message().size());
    times.push_back(now() - start);
  }
  std::ranges::sort(times);
  const double median = times[times.size() / 2];
  done({.name = one.name,
        .size = fmt::format("{} v", model.vertices()),
        .threads = 1,
        .detail = fmt::format("{:.0f} Hz ({:.0f} wanted), the slowest of {} frames {:.1f} ms; {:.0f} kB per frame",
                              1000 / median, one.wanted, frames, times.back(), bytes / 1e3),
        .ms = median});
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
}

}  // namespace brio::bench
