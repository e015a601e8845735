/// Someone who takes hold of a scene: one to four simulations of it side by side, under the same hands, in step. Knows
/// nothing of sockets, threads and clocks: messages in, events and frames out.
#pragma once

#include <memory>
#include <set>

#include "studio/history.h"
#include "studio/scenery.h"

namespace brio::studio {

class Session {
 public:
  static constexpr std::size_t max_panes = 4;

  /// One pane per integrator; the scene's own where none is named. Throws InputError for scenes and names that are not
  /// understood.
  explicit Session(SceneText scene, const std::vector<std::string>& integrators = {});

  /// Does what the message says. Throws InputError, and changes nothing that can be seen, when it cannot be done.
  void handle(const Message& message);
  static bool knows(const std::string& command);

  /// A frame in all panes that can go on. When one explodes or fails, all pause, and an event says so.
  void advance(const std::atomic<bool>* stop = nullptr);

  bool playing() const { return playing_; }
  double speed() const { return speed_; }  ///< at which time is to pass, 1: as on the clock
  double frame_seconds() const { return frame_seconds_; }
  long frame() const { return frame_; }
  const std::vector<std::unique_ptr<Pane>>& panes() const { return panes_; }
  const SceneText& scene() const { return text_; }
  const Settings& settings() const { return settings_; }

  /// What pages must be told, oldest first; then it is forgotten.
  std::vector<Json> take_events() { return std::exchange(events_, {}); }
  Json scene_event() const;  ///< all that a page needs to begin
  Json state_event() const;  ///< what is chosen at the moment
  /// A binary message of where everything is; `more` is put into its head.
  std::string frame_message(Json more = Json::object()) const;

  /// The scene's text with what is chosen now.
  std::string present_scene() const;

  /// After a page has gone: nobody drags any more.
  void let_go_of_all();

 private:
  using Command = void (Session::*)(const Message&);
  static const std::map<std::string, Command>& commands();

  // Time (session.cpp).
  void play(const Message&), pause(const Message&), step(const Message&message), reset(const Message&);
  void seek(const Message&message), rescue(const Message&message), set_speed(const Message&message);
  // Hands (hands.cpp).
  void grab(const Message&message), move(const Message&message), let_go(const Message&message);
  void pin(const Message&message), unpin(const Message&message);
  void push(const Message&message), throw_body(const Message&message), collider(const Message&message);
  // Choices (choices.cpp).
  void choose_panes(const Message&message), choose_integrator(const Message&message);
  void set_option(const Message&message), set_setting(const Message&message), set_coloring(const Message&message);

  void start();
  void remember();
  void go_to(long frame);
  void changed() { events_.push_back(state_event()); }
  Pane& pane_of(const Message& message);
  void take_hold(int number, const Hand& hand);
  void drop(int number);
  /// Does it in all panes; where one refuses, those before go back to where they were.
  template <class Work>
  void in_all(Work work);
  double h() const { return frame_seconds_ / settings_.substeps; }

  SceneText text_;
  std::vector<std::unique_ptr<Pane>> panes_;
  Settings settings_;
  double frame_seconds_ = 0;
  long frame_ = 0;
  bool playing_ = false;
  double speed_ = 1;
  Coloring coloring_ = Coloring::none;
  std::map<int, Hand> hands_;
  std::vector<Vec3> colliders_;  ///< how far each was moved by hand [m]
  History history_;
  std::vector<Json> events_;
};

template <class Work>
void Session::in_all(Work work) {
  std::vector<Pane::Moment> before;
  for (const auto& pane : panes_) before.push_back(pane->moment());
  for (std::size_t i = 0; i < panes_.size(); ++i) try {
      work(*panes_[i]);
    } catch (...) {
      for (std::size_t k = 0; k < i; ++k) panes_[k]->restore(before[k]);
      throw;
    }
}

}  // namespace brio::studio
