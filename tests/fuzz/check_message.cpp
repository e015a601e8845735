#include <cmath>

#include "check.h"
#include "studio/message.h"

namespace brio {

namespace {

/// Every reader of a value, whatever stands there: a sound value or InputError.
template <class Read>
void try_to(Read read) {
  try {
    read();
  } catch (const InputError&) {
  }
}

}  // namespace

void check_message(std::string_view bytes) {
  try_to([&] {
    const studio::Message message(bytes);
    require(!message.command().empty() || message.has("do"));
    for (const char* key : {"value", "by", "hand", "pane", "text", "integrators", "vertices", "weights"}) {
      try_to([&] { require(std::isfinite(message.number(key))); });
      try_to([&] {
        const long number = message.whole(key, -5, 7);
        require(number >= -5 && number <= 7);
      });
      try_to([&] { message.flag(key); });
      try_to([&] { message.text(key); });
      try_to([&] { require(message.texts(key, 1, 4).size() <= 4); });
      try_to([&] { require(message.vector(key).allFinite()); });
      try_to([&] { to_text(message.value(key)); });
    }
    try_to([&] {
      const BodyPoint point = message.point();
      require(point.weights.allFinite() && std::abs(point.weights.sum() - 1) < 1e-9);
    });
  });
}

}  // namespace brio
