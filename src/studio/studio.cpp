#include "studio/studio.h"

#include <algorithm>
#include <fstream>

#include "core/cancellation.h"
#include "core/printable.h"
#include "core/safe_file.h"
#include "record/exports/formats.h"
#include "scene/value.h"

namespace brio::studio {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  constexpr std::size_t longest = Message::max_bytes / 2;  // what a page could send back
  std::ifstream in(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in || text.size() > longest) throw InputError({.file = file.string(), .problem = "cannot be read"});
  return text;
}

/// Scenes that come from a page may name no files but those in the folder of the scene that was opened, or below.
void check_files(const Node& node, const fs::path& folder) {
  if (node.key == "file")
    if (const auto* text = std::get_if<std::string>(&node.value)) {
      std::error_code error;
      const fs::path home = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
      const fs::path place = fs::weakly_canonical(home / *text, error);
      const auto [end, ignored] = std::mismatch(home.begin(), home.end(), place.begin(), place.end());
      if (error || end != home.end())
        refuse(node, "is not in the folder of the scene",
               "put the file beside the scene, and name it without a folder");
    }
  for (const Node& child : node.children) check_files(child, folder);
}

Json complaint_event(const InputError& error, const std::string& scene) {
  const Complaint& complaint = error.complaint();
  Json event{{"event", "complaint"}, {"text", printable(error.what())}};
  if (complaint.file == scene && complaint.line > 0) event["line"] = complaint.line;
  return event;
}

}  // namespace

Studio::Studio(SceneText scene, const std::vector<std::string>& integrators, Places places)
    : places_(std::move(places)), session_(std::make_unique<Session>(std::move(scene), integrators)) {}

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
  if (command == "load") return load(message.text("name"));
  if (command == "record") return record(message);
  if (command == "drop") {
    if (dropped_ == nullptr) dropped_ = std::make_unique<Dropped>();
    return open(dropped_->scene_of(message.text("obj")), {"stabilized"});
  }
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
  check_files(parse_toml(scene.text, scene.name), scene.folder);
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

void Studio::load(const std::string& name) {
  // The name is one of a list, so that it cannot lead anywhere else.
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(places_.gallery, error))
    if (entry.path().filename().string() == name + ".toml")
      return open(
          {.text = read_text(entry.path()), .name = entry.path().filename().string(), .folder = places_.gallery},
          integrators());
  throw InputError({.key = "name", .value = printable(name), .problem = "is no scene of the gallery"});
}

void Studio::record(const Message& message) {
  if (message.flag("on")) {
    const auto last = static_cast<long>(session_->panes().size()) - 1;
    taken_pane_ = static_cast<std::size_t>(message.whole("pane", 0, last));
    take_ = std::make_unique<Take>(session_->scene(), *session_->panes()[taken_pane_], 1 / session_->frame_seconds(),
                                   places_.out);
    events_.push_back({{"event", "recording"}, {"on", true}});
    return;
  }
  if (!take_) return;
  const std::vector<std::string> formats = message.texts("formats", 0, 16);
  for (const std::string& name : formats) find_export_format(name);
  const std::unique_ptr<Take> take = std::move(take_);
  events_.push_back({{"event", "recording"}, {"on", false}});
  const fs::path folder =
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
  Json gallery = Json::array();
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(places_.gallery, error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) gallery.push_back({{"name", file.stem().string()}, {"title", scene_title(file)}});
  Json formats = Json::array();
  for (const ExportFormat& format : export_formats())
    formats.push_back({{"name", format.name}, {"sentence", format.sentence}});
  return {{{"event", "catalog"},
           {"catalog", catalog()},
           {"gallery", std::move(gallery)},
           {"formats", std::move(formats)},
           {"recording", take_ != nullptr}},
          session_->scene_event(),
          session_->state_event()};
}

}  // namespace brio::studio
