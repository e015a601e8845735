/// All that a page can ask for: a session, and around it the gallery, the editor of scenes, and takes.
#pragma once

#include <optional>

#include "studio/dropped.h"
#include "studio/session.h"
#include "studio/take.h"

namespace brio::studio {

struct Places {
  std::filesystem::path gallery{};    ///< folder of scenes to choose from
  std::filesystem::path out = "out";  ///< where takes go
};

class Studio {
 public:
  Studio(SceneText scene, const std::vector<std::string>& integrators, Places places);

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
  void load(const std::string& name);
  SceneText edited(const Message& message) const;
  void record(const Message& message);
  std::vector<std::string> integrators() const;

  Places places_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Dropped> dropped_;
  std::unique_ptr<Take> take_;
  std::size_t taken_pane_ = 0;
  std::vector<Json> events_;
};

}  // namespace brio::studio
