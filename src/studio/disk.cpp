#include "studio/disk.h"

#include <algorithm>
#include <fstream>

#include "core/printable.h"
#include "record/exports/formats.h"
#include "studio/take.h"

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

}  // namespace

Json Disk::gallery() const {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(places_.gallery, error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  Json list = Json::array();
  for (const fs::path& file : files) list.push_back({{"name", file.stem().string()}, {"title", scene_title(file)}});
  return list;
}

Json Disk::formats() const {
  Json list = Json::array();
  for (const ExportFormat& format : export_formats())
    list.push_back({{"name", format.name}, {"sentence", format.sentence}});
  return list;
}

SceneText Disk::scene(const std::string& name) const {
  // The name is one of a list, so that it cannot lead anywhere else.
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(places_.gallery, error))
    if (entry.path().filename().string() == name + ".toml")
      return {.text = read_text(entry.path()), .name = entry.path().filename().string(), .folder = places_.gallery};
  throw InputError({.key = "name", .value = printable(name), .problem = "is no scene of the gallery"});
}

SceneText Disk::filled(const std::string& obj) {
  if (dropped_ == nullptr) dropped_ = std::make_unique<Dropped>();
  return dropped_->scene_of(obj);
}

void Disk::check(const Node& scene, const fs::path& folder) const {
  if (scene.key == "file")
    if (const auto* text = std::get_if<std::string>(&scene.value)) {
      std::error_code error;
      const fs::path home = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
      const fs::path place = fs::weakly_canonical(home / *text, error);
      const auto [end, ignored] = std::mismatch(home.begin(), home.end(), place.begin(), place.end());
      if (error || end != home.end())
        refuse(scene, "is not in the folder of the scene",
               "put the file beside the scene, and name it without a folder");
    }
  for (const Node& child : scene.children) check(child, folder);
}

void Disk::check_format(const std::string& name) const { find_export_format(name); }

std::unique_ptr<Take> Disk::take(const SceneText& scene, const Pane& pane, double frames_per_second) {
  return std::make_unique<TakeOnDisk>(scene, pane, frames_per_second, places_.out);
}

}  // namespace brio::studio
