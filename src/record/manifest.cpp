#include "record/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "brio/core.h"
#include "core/printable.h"
#include "record/recorder.h"

namespace brio {
namespace {

constexpr std::array top_files{RunFiles::scene,   RunFiles::frames, RunFiles::ledger, RunFiles::checkpoint,
                               RunFiles::summary, RunFiles::log,    RunFiles::report, "animation.usda",
                               "animation.glb",   "animation.pvd",  "compare.html",   "compare.json"};
constexpr std::array sequence_folders{"obj", "ply", "vtu"};
constexpr const char* cache_folder = "pc2";

constexpr long max_frames = 1'000'000'001;  // of a scene

bool is_identifier(std::string_view text) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

/// A point cache or the shape that it moves, without its folder.
bool is_cache_file(std::string_view name) {
  return (name.ends_with(".pc2") || name.ends_with(".obj")) && is_identifier(name.substr(0, name.size() - 4));
}

/// A word without a path, which is not hidden.
bool is_plain_name(std::string_view name) {
  std::string word(name);
  std::erase_if(word, [](char c) { return c == '.' || c == '-'; });
  return is_identifier(word) && !name.starts_with('.');
}

/// Files and folders of registered formats.
std::set<std::string, std::less<>>& registered() {
  static std::set<std::string, std::less<>> names;
  return names;
}

/// Whether brio writes files of this name; no other gets into a list.
bool is_written_by_brio(const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return std::ranges::count(top_files, path) > 0 || registered().contains(path);
  const std::string folder = path.substr(0, slash);
  const std::string name = path.substr(slash + 1);
  return (folder == cache_folder && is_cache_file(name)) || (registered().contains(folder) && is_plain_name(name));
}

bool is_sequence_folder(std::string_view name) {
  return std::ranges::count(sequence_folders, name) > 0 || registered().contains(name);
}

/// The number in "frame_000012.obj", or -1.
long frame_of(const std::string& name, const std::string& extension) {
  constexpr std::string_view start = "frame_";
  long frame = -1;
  if (!name.starts_with(start)) return -1;
  std::from_chars(name.data() + start.size(), name.data() + name.size(), frame);
  return frame >= 0 && sequence_file(frame, extension) == name ? frame : -1;
}

}  // namespace

std::vector<std::string> Outputs::folders() const {
  std::set<std::string> names;
  for (const std::string& file : files)
    if (const std::size_t slash = file.find('/'); slash != std::string::npos) names.insert(file.substr(0, slash));
  for (const auto& [folder, frames] : sequences) names.insert(folder);
  return {names.begin(), names.end()};
}

void Outputs::add(const Outputs& more) {
  files.insert(files.end(), more.files.begin(), more.files.end());
  sequences.insert(sequences.end(), more.sequences.begin(), more.sequences.end());
}

void allow_outputs(const Outputs& outputs) {
  std::vector<std::string> names = outputs.folders();
  std::ranges::copy_if(outputs.files, std::back_inserter(names),
                       [](const std::string& f) { return f.find('/') == std::string::npos; });
  for (const std::string& name : names)
    if (!is_plain_name(name) || name == Manifest::file_name || is_written_by_brio(name) || is_sequence_folder(name) ||
        name == cache_folder)
      throw InputError({.key = "format", .value = name, .problem = "is taken, or no plain name of a file or folder"});
  for (const std::string& file : outputs.files)
    if (const std::size_t slash = file.find('/'); slash != std::string::npos && !is_plain_name(file.substr(slash + 1)))
      throw InputError({.key = "format", .value = file, .problem = "is no plain name in a folder of its own"});
  registered().insert(names.begin(), names.end());
}

std::string sequence_file(long frame, const std::string& extension) {
  return fmt::format("frame_{:06}.{}", frame, extension);
}

Manifest::Manifest(std::string_view text, const std::filesystem::path& file) {
  const auto refuse = [&](long line, std::string_view value) {
    throw InputError({.file = file.string(),
                      .line = line,
                      .value = shortened(value, 80),
                      .problem = "is not a line that brio writes",
                      .advice = "choose another folder; or remove this file, after which brio takes nothing here for "
                                "its own"});
  };
  if (!text.empty() && !text.starts_with(header)) refuse(1, text.substr(0, text.find('\n')));
  long number = 1;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1), ++number)
    if (!read_line(text.substr(0, end))) refuse(number, text.substr(0, end));
}

bool Manifest::read_line(std::string_view line) {
  const auto after = [&](std::string_view word) {
    return line.starts_with(word) ? std::string(line.substr(word.size())) : std::string();
  };
  if (line.starts_with("# ")) {
    last_user_ = after("# ");
    return true;
  }
  if (const std::string file = after("file "); !file.empty()) {
    if (!is_written_by_brio(file)) return false;
    files_.insert(file);
    return true;
  }
  if (const std::string folder = after("folder "); !folder.empty()) {
    if (!is_sequence_folder(folder) && folder != cache_folder) return false;
    folders_.insert(folder);
    return true;
  }
  const std::string sequence = after("frames ");
  const std::size_t space = sequence.find(' ');
  if (space == std::string::npos || !is_sequence_folder(sequence.substr(0, space))) return false;
  long frames = 0;
  const auto [end, error] = std::from_chars(sequence.data() + space + 1, sequence.data() + sequence.size(), frames);
  if (error != std::errc{} || end != sequence.data() + sequence.size()) return false;
  if (frames < 1 || frames > max_frames) return false;
  long& known = sequences_[sequence.substr(0, space)];
  known = std::max(known, frames);
  return true;
}

bool Manifest::lists(const std::string& folder, const std::string& name) const {
  if (files_.contains(folder.empty() ? name : folder + "/" + name)) return true;
  const auto sequence = sequences_.find(folder);
  if (sequence == sequences_.end()) return false;
  const long frame = frame_of(name, folder);
  return frame >= 0 && frame < sequence->second;
}

bool Manifest::lists(const std::string& path) const {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? lists("", path) : lists(path.substr(0, slash), path.substr(slash + 1));
}

std::string Manifest::add(const Outputs& outputs) {
  std::string lines;
  const auto note = [&](const std::string& line) {
    if (!read_line(line)) throw std::logic_error("not a file of brio's: " + line);
    lines += line + "\n";
  };
  for (const std::string& folder : outputs.folders())
    if (!made(folder)) note("folder " + folder);
  for (const std::string& file : outputs.files)
    if (!files_.contains(file)) note("file " + file);
  for (const auto& [folder, frames] : outputs.sequences)
    if (const auto known = sequences_.find(folder); known == sequences_.end() || known->second < frames)
      note(fmt::format("frames {} {}", folder, frames));
  return lines;
}

std::string Manifest::keep_folders(const std::set<std::string>& folders) {
  files_.clear();
  sequences_.clear();
  folders_ = folders;
  std::string lines(header);
  for (const std::string& folder : folders_) lines += fmt::format("folder {}\n", folder);
  if (!last_user_.empty()) lines += fmt::format("# {}\n", last_user_);
  return lines;
}

}  // namespace brio
