/// What the Worker calls (studio/src/engine.ts). Bytes go in through `brio_room`, and come out as a place in memory of
/// `brio_size` bytes, until the next call. What is wrong comes out as text: nothing throws into JavaScript.
#include <emscripten/emscripten.h>

#include <optional>

#include "package.h"
#include "studio/studio.h"

namespace {

using namespace brio;
using studio::Json;

std::optional<studio::Studio> page;
std::string room, out;

const char* told(const std::vector<Json>& events) {
  out = Json(events).dump(-1, ' ', true, Json::error_handler_t::replace);
  return out.c_str();
}

template <class Work>
const char* problem_of(Work work) {
  out.clear();
  try {
    work();
  } catch (const std::exception& error) {
    out = error.what();
  }
  return out.c_str();
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE char* brio_room(std::size_t size) {
  room.assign(size, '\0');
  return room.data();
}

EMSCRIPTEN_KEEPALIVE std::size_t brio_size() { return out.size(); }

/// With the page's package in the room.
EMSCRIPTEN_KEEPALIVE const char* brio_open() {
  return problem_of([] {
    web::Package package = web::unpack(room);
    page.emplace(std::move(package.scene), package.integrators);
  });
}

/// With a message in the room.
EMSCRIPTEN_KEEPALIVE void brio_receive() { page->receive(room); }

EMSCRIPTEN_KEEPALIVE const char* brio_advance() {
  return problem_of([] { page->advance(); });
}

EMSCRIPTEN_KEEPALIVE const char* brio_greeting() { return told(page->greeting()); }

EMSCRIPTEN_KEEPALIVE const char* brio_events() { return told(page->take_events()); }

EMSCRIPTEN_KEEPALIVE bool brio_playing() { return page->session().playing(); }

/// That a frame should take on the clock [s].
EMSCRIPTEN_KEEPALIVE double brio_interval() { return page->session().frame_seconds() / page->session().speed(); }

/// Of the scene [s].
EMSCRIPTEN_KEEPALIVE double brio_time() {
  return static_cast<double>(page->session().frame()) * page->session().frame_seconds();
}

EMSCRIPTEN_KEEPALIVE const char* brio_frame(double real_time) {
  out = page->session().frame_message({{"real_time", real_time}});
  return out.data();
}

/// x, y, z of every vertex of a pane in full precision, for tests.
EMSCRIPTEN_KEEPALIVE const char* brio_positions(std::size_t pane) {
  const NodalField& x = page->session().panes().at(pane)->simulation().state().x;
  out.clear();
  for (std::size_t v = 0; v < x.size(); ++v) {
    const Vec3 place = x[v];
    out.append(reinterpret_cast<const char*>(place.data()), 3 * sizeof(double));
  }
  return out.data();
}

}  // extern "C"
