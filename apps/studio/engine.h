/// The thread that simulates. It waits for nobody: what pages say is queued, and what it makes is left for those who
/// send it to take when they can.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "studio/studio.h"

namespace brio::app {

class Engine {
 public:
  /// What is told is told on the engine's thread, and must not block it.
  struct Listener {
    std::function<void(std::shared_ptr<const std::string> json)> event;
    std::function<void(std::shared_ptr<const std::string> bytes)> frame;
  };

  Engine(studio::Studio studio, Listener listener);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// False where too many wait already.
  bool post(std::string message);
  /// Tells all that there is, and the present frame, for a page that has just come.
  void greet();
  /// Nobody looks: it pauses.
  void rest();

 private:
  using Clock = std::chrono::steady_clock;
  void run();
  void work_off(std::unique_lock<std::mutex>& lock);
  void publish();
  void tell(const studio::Json& event);
  void measure_pace();

  studio::Studio studio_;
  Listener listener_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::string> messages_;
  bool greet_ = false, rest_ = false, quit_ = false;
  std::atomic<bool> stop_ = false;                         ///< what is under way is to be dropped
  std::deque<std::pair<Clock::time_point, double>> pace_;  ///< of the last second: when, and the time of the scene [s]
  double real_time_ = 0;                                   ///< how fast it passes
  std::thread thread_;
};

}  // namespace brio::app
