#include "engine.h"

#include <algorithm>
#include <cmath>

#include "core/cancellation.h"

namespace brio::app {

using studio::Json;

Engine::Engine(studio::Studio studio, Listener listener)
    : studio_(std::move(studio)), listener_(std::move(listener)), thread_([this] { run(); }) {}

Engine::~Engine() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool Engine::post(std::string message) {
  constexpr std::size_t most = 2000;
  {
    const std::lock_guard lock(mutex_);
    if (messages_.size() >= most) return false;
    if (studio::Studio::is_urgent(message)) stop_ = true;
    messages_.push_back(std::move(message));
  }
  wake_.notify_all();
  return true;
}

void Engine::greet() {
  {
    const std::lock_guard lock(mutex_);
    greet_ = true;
  }
  wake_.notify_all();
}

void Engine::rest() {
  {
    const std::lock_guard lock(mutex_);
    rest_ = true;
  }
  wake_.notify_all();
}

void Engine::tell(const Json& event) {
  listener_.event(std::make_shared<const std::string>(event.dump(-1, ' ', true, Json::error_handler_t::replace)));
}

void Engine::publish() {
  for (const Json& event : studio_.take_events()) tell(event);
  listener_.frame(std::make_shared<const std::string>(studio_.session().frame_message({{"real_time", real_time_}})));
}

/// The time of the scene that passed in the last second, over that second.
void Engine::measure_pace() {
  const auto now = Clock::now();
  const studio::Session& session = studio_.session();
  const double time = static_cast<double>(session.frame()) * session.frame_seconds();
  if (!pace_.empty() && time < pace_.back().second) pace_.clear();
  pace_.emplace_back(now, time);
  while (now - pace_.front().first > std::chrono::seconds(1)) pace_.pop_front();
  const double passed = std::chrono::duration<double>(now - pace_.front().first).count();
  if (passed > 0.1) real_time_ = (time - pace_.front().second) / passed;
}

void Engine::work_off(std::unique_lock<std::mutex>& lock) {
  const std::deque<std::string> messages = std::exchange(messages_, {});
  const bool greet = std::exchange(greet_, false), rest = std::exchange(rest_, false);
  if (!quit_) stop_ = false;
  lock.unlock();
  const bool was_playing = studio_.session().playing();
  if (greet)
    for (const Json& event : studio_.greeting()) tell(event);
  if (rest) {
    studio_.session().let_go_of_all();
    studio_.receive(R"({"do":"pause"})");
  }
  {
    const Cancellation quit(&stop_, std::numeric_limits<double>::infinity());
    const CancelScope scope(&quit);
    for (const std::string& message : messages) studio_.receive(message);
  }
  if (studio_.session().playing() != was_playing) pace_.clear();
  publish();
  lock.lock();
}

void Engine::run() {
  auto due = Clock::now();
  std::unique_lock lock(mutex_);
  const auto called = [&] { return quit_ || greet_ || rest_ || !messages_.empty(); };
  while (!quit_) {
    if (!studio_.session().playing()) {
      wake_.wait(lock, called);
      due = Clock::now();
    } else {
      wake_.wait_until(lock, due, called);
    }
    if (quit_) break;
    if (called()) {
      work_off(lock);
      continue;
    }
    lock.unlock();
    studio_.advance(&stop_);
    measure_pace();
    publish();
    const double seconds = studio_.session().frame_seconds() / studio_.session().speed();
    due += std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    // Who is late goes on from now: what was missed is not made up for.
    if (Clock::now() - due > std::chrono::milliseconds(50)) due = Clock::now();
    lock.lock();
  }
}

}  // namespace brio::app
