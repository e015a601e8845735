#include "studio/studio.h"

#include "core/cancellation.h"
#include "core/printable.h"
#include "scene/value.h"

namespace brio::studio {
namespace {

Json complaint_event(const InputError& error, const std::string& scene) {
  const Complaint& complaint = error.complaint();
  Json event{{"event", "complaint"}, {"text", printable(error.what())}};
  if (complaint.file == scene && complaint.line > 0) event["line"] = complaint.line;
  return event;
}

}  // namespace

Studio::Studio(SceneText scene, const std::vector<std::string>& integrators, std::unique_ptr<Files> files)
    : files_(std::move(files)), session_(std::make_unique<Session>(std::move(scene), integrators)) {}

void Studio::receive(std::string_view text) {
  try {
    obey(Message(text));
  } catch (const InputError& error) {
    events_.push_back(complaint_event(error, session_->scene().name));
  } catch (const Canceled&) {
    events_.push_back({{"event", "complaint"}, {"text", "was given up"}});
  } catch (const std::exception& error) {  // a full disk, no memory
    events_.push_back({{"event", "complaint"}, {"text", printable(error.what())}});
  }
}

bool Studio::is_urgent(std::string_view message) {
  for (const char* const command : {"\"open\"", "\"load\"", "\"reset\""})
    if (message.substr(0, 40).find(command) != std::string_view::npos) return true;
  return false;
}

void Studio::obey(const Message& message) {
  const std::string& command = message.command();
  if (command == "open") return open(edited(message), integrators());
  if (command == "load") return open(files_->scene(message.text("name")), integrators());
  if (command == "record") return record(message);
  if (command == "drop") return open(files_->filled(message.text("obj")), {"stabilized"});
  if (command == "check") {
    const Pane tried(edited(message), "");
    events_.push_back({{"event", "checked"}, {"warnings", tried.scene().warnings}});
  } else if (command == "save") {
    events_.push_back({{"event", "saved"}, {"text", session_->present_scene()}});
  } else {
    session_->handle(message);
  }
}

SceneText Studio::edited(const Message& message) const {
  SceneText scene = session_->scene();
  scene.text = message.text("text");
  files_->check(parse_toml(scene.text, scene.name), scene.folder);
  return scene;
}

std::vector<std::string> Studio::integrators() const {
  std::vector<std::string> names;
  for (const auto& pane : session_->panes()) names.push_back(pane->integrator());
  return names;
}

void Studio::open(SceneText scene, const std::vector<std::string>& names) {
  const bool one = names.size() == 1;  // then the scene may choose
  auto session = std::make_unique<Session>(std::move(scene), one ? std::vector<std::string>{} : names);
  take_.reset();
  session_ = std::move(session);
  events_.push_back(session_->scene_event());
  events_.push_back(session_->state_event());
}

void Studio::record(const Message& message) {
  if (message.flag("on")) {
    const auto last = static_cast<long>(session_->panes().size()) - 1;
    taken_pane_ = static_cast<std::size_t>(message.whole("pane", 0, last));
    take_ = files_->take(session_->scene(), *session_->panes()[taken_pane_], 1 / session_->frame_seconds());
    events_.push_back({{"event", "recording"}, {"on", true}});
    return;
  }
  if (!take_) return;
  const std::vector<std::string> formats = message.texts("formats", 0, 16);
  for (const std::string& name : formats) files_->check_format(name);
  const std::unique_ptr<Take> take = std::move(take_);
  events_.push_back({{"event", "recording"}, {"on", false}});
  const std::filesystem::path folder =
      take->finish(formats, *session_->panes()[std::min(taken_pane_, session_->panes().size() - 1)]);
  events_.push_back({{"event", "exported"}, {"frames", take->frames()}, {"folder", folder.string()}});
}

void Studio::advance(const std::atomic<bool>* stop) {
  session_->advance(stop);
  if (take_ && taken_pane_ < session_->panes().size()) {
    const Pane& pane = *session_->panes()[taken_pane_];
    if (pane.ended().empty()) take_->add(pane.simulation().state());
  }
}

std::vector<Json> Studio::take_events() {
  std::vector<Json> events = std::exchange(events_, {});
  for (Json& event : session_->take_events()) events.push_back(std::move(event));
  return events;
}

std::vector<Json> Studio::greeting() const {
  return {{{"event", "catalog"},
           {"catalog", catalog()},
           {"gallery", files_->gallery()},
           {"formats", files_->formats()},
           {"recording", take_ != nullptr}},
          session_->scene_event(),
          session_->state_event()};
}

}  // namespace brio::studio
