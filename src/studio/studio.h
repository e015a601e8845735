/// All that a page can ask for: a session, and around it the gallery, the editor of scenes, and takes.
#pragma once

#include <optional>

#include "studio/files.h"
#include "studio/session.h"

namespace brio::studio {

class Studio {
 public:
  Studio(SceneText scene, const std::vector<std::string>& integrators,
         std::unique_ptr<Files> files = std::make_unique<Files>());

  /// Does what the message says; what is wrong with it becomes an event. Never throws for what a page says.
  void receive(std::string_view message);
  /// A frame, also of a take that is under way.
  void advance(const std::atomic<bool>* stop = nullptr);

  Session& session() { return *session_; }
  const Session& session() const { return *session_; }
  std::vector<Json> take_events();
  /// What a page is told that has just come: what there is, the scene, what is chosen.
  std::vector<Json> greeting() const;

  /// Whether what is under way may be dropped for it.
  static bool is_urgent(std::string_view message);

 private:
  void obey(const Message& message);
  void open(SceneText scene, const std::vector<std::string>& integrators);
  SceneText edited(const Message& message) const;
  void record(const Message& message);
  std::vector<std::string> integrators() const;

  std::unique_ptr<Files> files_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Take> take_;
  std::size_t taken_pane_ = 0;
  std::vector<Json> events_;
};

}  // namespace brio::studio
