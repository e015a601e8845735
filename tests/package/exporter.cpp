/// An animation format of one's own: how high the bodies are, frame by frame, as a table.
#include <brio/brio.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace {

void write_heights(const brio::Animation& animation, const std::filesystem::path& folder) {
  std::ofstream out(folder / "heights.csv");
  out << "time";
  for (const brio::Surface& surface : animation.surfaces) out << ',' << surface.id;
  std::vector<float> scratch, xyz;
  for (long k = 0; k < animation.frames.frames(); ++k) {
    out << '\n' << animation.frames.time(k);
    for (const brio::Surface& surface : animation.surfaces) {
      brio::read_positions(animation.frames, k, surface, scratch, xyz);
      float highest = xyz[1];
      for (std::size_t i = 1; i < xyz.size(); i += 3) highest = std::max(highest, xyz[i]);
      out << ',' << highest;
    }
  }
  out << '\n';
}

}  // namespace

int main() {
  brio::register_format({.name = "heights",
                         .file = "heights.csv",
                         .sentence = "a table",
                         .outputs = [](const auto&, long) { return brio::Outputs{.files = {"heights.csv"}}; },
                         .write = write_heights});
  brio::Scene scene = brio::parse_scene(R"(
gravity = [0, -9.81, 0]
[time]
h = 0.01
frames = 20
[output]
formats = ["heights"]
[[body]]
mesh = { generate = "cube", cells = 2 }
)");
  brio::run(scene, {.folder = "heights", .force = true, .report = false});
  std::ifstream in("heights/heights.csv");
  std::string line;
  long lines = 0;
  while (std::getline(in, line)) ++lines;
  std::printf("%ld lines, the last: %s\n", lines, line.c_str());
  return lines == 22 ? 0 : 1;
}
