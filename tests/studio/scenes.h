/// Small scenes and messages for tests of the studio.
#pragma once

#include <fmt/format.h>

#include "studio/studio.h"

namespace brio::studio::testing {

/// A bar of jelly, held at one end, that falls.
inline SceneText bar(const std::string& integrator = "avf", const std::string& more = "") {
  return {.text = fmt::format(R"(title = "A bar"
{}
[time]
fps = 50
frames = 50
[integrator]
name = "{}"
[[body]]
name = "bar"
mesh = {{ generate = "bar", size = [1, 0.25, 0.25], cells = [4, 1, 1] }}
material = {{ name = "stable-neo-hookean", young = 2e4, poisson = 0.4 }}
density = 1000
pin = [{{ select = {{ plane = [[-0.499, 0, 0], [-1, 0, 0]] }} }}]
)",
                              more, integrator)};
}

inline void say(Session& session, const std::string& json) { session.handle(Message(json)); }

inline void advance(Session& session, int frames) {
  for (int i = 0; i < frames; ++i) session.advance();
}

inline std::vector<std::uint64_t> hashes(const Session& session) {
  std::vector<std::uint64_t> list;
  for (const auto& pane : session.panes()) list.push_back(pane->simulation().hash());
  return list;
}

/// The vertex of the bar farthest from where it is held.
inline int tip(const Session& session) {
  const Body& body = session.panes()[0]->simulation().model().bodies()[0];
  int best = 0;
  for (std::size_t i = 0; i < body.mesh.vertices.size(); ++i)
    if (body.mesh.vertices[i].x() > body.mesh.vertices[static_cast<std::size_t>(best)].x()) best = static_cast<int>(i);
  return best;
}

inline std::string grab(const Session& session, int hand, const char* how = "grab") {
  const int v = tip(session);
  return fmt::format(R"({{"do":"{}","hand":{},"body":0,"vertices":[{},{},{}],"weights":[1,0,0]}})", how, hand, v, v, v);
}

/// The JSON and the floats of a frame.
inline std::pair<Json, std::vector<float>> read_frame(const std::string& bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 4, sizeof length);
  std::vector<float> floats((bytes.size() - 8 - length) / sizeof(float));
  if (!floats.empty()) std::memcpy(floats.data(), bytes.data() + 8 + length, floats.size() * sizeof(float));
  return {Json::parse(bytes.substr(8, length)), floats};
}

}  // namespace brio::studio::testing
