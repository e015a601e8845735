/// What people do to what moves.
#include <algorithm>

#include "studio/session.h"

namespace brio::studio {
namespace {

constexpr long max_hands = 64;
constexpr double pin_over_hand = 30;  ///< how much stiffer than a hand a pin is
constexpr double farthest = 1e6;      ///< that anything is moved [m]

Vec3 displacement(const Message& message, const char* key) {
  Vec3 by = message.vector(key);
  if (!(by.norm() < farthest))
    throw InputError({.key = key, .problem = "must be shorter than 1e6", .advice = "choose a smaller one"});
  return by;
}

}  // namespace

void Session::take_hold(int number, const Hand& hand) {
  if (hands_.contains(number))
    throw InputError({.key = "hand", .value = std::to_string(number), .problem = "holds something already"});
  if (hands_.size() >= max_hands)
    throw InputError({.key = "hand", .problem = "no more than 64 can hold at a time", .advice = "unpin something"});
  in_all([&](Pane& pane) { pane.grab(number, hand); });
  hands_[number] = hand;
}

void Session::drop(int number) {
  for (const auto& pane : panes_) pane->let_go(number);
  hands_.erase(number);
}

void Session::grab(const Message& message) {
  take_hold(static_cast<int>(message.whole("hand", 0, 1L << 30)),
            {.body = static_cast<std::size_t>(message.whole("body", 0, 1L << 30)),
             .point = message.point(),
             .stiffness = settings_.hand});
}

/// Where nothing is held, as after going back in time, nothing moves.
void Session::move(const Message& message) {
  const int number = static_cast<int>(message.whole("hand", 0, 1L << 30));
  const Vec3 by = displacement(message, "by");
  for (const auto& pane : panes_) pane->move(number, by);
}

void Session::let_go(const Message& message) { drop(static_cast<int>(message.whole("hand", 0, 1L << 30))); }

void Session::pin(const Message& message) {
  take_hold(static_cast<int>(message.whole("hand", 0, 1L << 30)),
            {.body = static_cast<std::size_t>(message.whole("body", 0, 1L << 30)),
             .point = message.point(),
             .stiffness = pin_over_hand * settings_.hand,
             .pin = true});
}

void Session::unpin(const Message& message) { let_go(message); }

void Session::push(const Message& message) {
  const auto body = static_cast<std::size_t>(
      message.whole("body", 0, static_cast<long>(panes_.front()->simulation().model().bodies().size()) - 1));
  const int vertex = static_cast<int>(message.whole("vertex", 0, 1L << 30));
  const Vec3 impulse = displacement(message, "impulse");
  in_all([&](Pane& pane) {
    pane.simulation().apply_impulse(pane.simulation().model().bodies()[body].id, vertex, impulse);
  });
}

/// All of a body at one velocity; what pins hold stays.
void Session::throw_body(const Message& message) {
  const auto index = static_cast<std::size_t>(
      message.whole("body", 0, static_cast<long>(panes_.front()->simulation().model().bodies().size()) - 1));
  const Vec3 velocity = displacement(message, "velocity");
  in_all([&](Pane& pane) {
    const Body& body = pane.simulation().model().bodies()[index];
    std::vector<int> all(body.mesh.vertices.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    pane.simulation().set_velocity(body.id, all, velocity);
  });
}

void Session::collider(const Message& message) {
  if (colliders_.empty()) throw InputError({.key = "index", .problem = "the scene has no colliders"});
  const auto index = static_cast<std::size_t>(message.whole("index", 0, static_cast<long>(colliders_.size()) - 1));
  const Vec3 to = displacement(message, "to");
  in_all([&](Pane& pane) {
    pane.simulation().move_collider(ColliderId(static_cast<std::uint32_t>(index)), {.translate = to});
  });
  colliders_[index] = to;
}

void Session::let_go_of_all() {
  std::vector<int> dragging;
  for (const auto& [number, hand] : hands_)
    if (!hand.pin) dragging.push_back(number);
  for (const int number : dragging) drop(number);
}

}  // namespace brio::studio
