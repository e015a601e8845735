#include "record/held_folder.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>

#include "core/printable.h"
#include "core/safe_file.h"
#include "record/recorder.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

/// "2026-01-31 12:00:00, process 4711: brio run cube.toml", in one line whatever the arguments hold.
std::string this_process() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string command{std::istreambuf_iterator<char>(in), {}};
  while (!command.empty() && command.back() == '\0') command.pop_back();
  std::ranges::replace(command, '\0', ' ');
  constexpr std::size_t max_bytes = 500;
  return fmt::format("{:%Y-%m-%d %H:%M:%S}, process {}: {}", fmt::localtime(std::time(nullptr)), getpid(),
                     printable(shortened(command, max_bytes)));
}

std::string text_of(int descriptor, const fs::path& file) {
  constexpr off_t max_bytes = off_t{16} << 20;
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || status.st_size > max_bytes)
    throw InputError({.file = file.string(), .problem = "is too large to be a list of brio's"});
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  const ssize_t got = pread(descriptor, text.data(), text.size(), 0);
  if (got < 0) throw InputError({.file = file.string(), .problem = std::strerror(errno)});
  text.resize(static_cast<std::size_t>(got));
  return text;
}

/// Tells files apart whatever they are called.
using Identity = std::pair<dev_t, ino_t>;

void add_identities(const fs::path& path, std::set<Identity>& list) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) list.emplace(status.st_dev, status.st_ino);
  if (lstat(path.c_str(), &status) == 0) list.emplace(status.st_dev, status.st_ino);
}

/// Every file but those named, which are at the top of the folder.
auto all_but(const std::vector<std::string>& names) {
  return [names](const std::string& folder, const std::string& name) {
    return !folder.empty() || std::ranges::count(names, name) == 0;
  };
}

}  // namespace

HeldFolder::HeldFolder(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  made_ = fs::create_directories(folder_, error);
  if (!error && !fs::is_directory(folder_)) error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    throw InputError({.file = folder_.string(),
                      .problem = "cannot be made: " + error.message(),
                      .advice = "choose another folder with -o"});
  lock();
}

HeldFolder::~HeldFolder() {
  if (!list_) return;
  std::error_code ignored;
  if (manifest_.empty()) {
    fs::remove(folder_ / Manifest::file_name, ignored);
    if (made_) fs::remove(folder_, ignored);  // which fails where something is in it
  } else if (!changed_) {
    fs::resize_file(folder_ / Manifest::file_name, size_before_, ignored);
  }
}

void HeldFolder::lock() {
  const fs::path file = folder_ / Manifest::file_name;
  for (;;) {
    const int descriptor = open_plain(file, O_RDWR | O_CREAT);
    list_.emplace(descriptor, file, 0);
    const int error = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    std::string text;
    try {
      text = text_of(descriptor, file);
      manifest_ = Manifest(text, file);
    } catch (const InputError&) {
      list_.reset();
      if (error == 0) throw;
    }
    if (error != 0) {
      list_.reset();
      if (error != EWOULDBLOCK)
        throw InputError({.file = file.string(),
                          .problem = std::string("cannot be locked: ") + std::strerror(error),
                          .advice = "choose a folder on another disk"});
      throw InputError(
          {.file = folder_.string(),
           .problem = "is in use: " + (manifest_.last_user().empty() ? "by another brio" : manifest_.last_user()),
           .advice = "wait until it has ended, or choose another folder"});
    }
    struct stat ours {
    }, there{};
    const bool current = fstat(descriptor, &ours) == 0 && lstat(file.c_str(), &there) == 0 &&
                         Identity(ours.st_dev, ours.st_ino) == Identity(there.st_dev, there.st_ino);
    if (!current) continue;            // the one before us has removed it
    list_->cut(text.rfind('\n') + 1);  // half a line says nothing; npos + 1 is 0
    size_before_ = list_->size();
    if (text.empty()) list_->append(Manifest::header);
    manifest_.set_user(this_process());
    list_->append(fmt::format("# {}\n", manifest_.last_user()));
    return;
  }
}

bool HeldFolder::holds(const std::string& name) const {
  return manifest_.lists(name) && fs::exists(fs::symlink_status(folder_ / name));
}

bool HeldFolder::holds_any(const std::vector<std::string>& but) const { return !own_files(all_but(but)).empty(); }

void HeldFolder::refuse_foreign(const fs::path& path) const {
  const bool older =
      manifest_.empty() && fs::exists(folder_ / RunFiles::frames) && fs::exists(folder_ / RunFiles::ledger);
  throw InputError(
      {.file = path.string(),
       .problem = fmt::format("is there already, and brio did not write it ({} does not list it)", Manifest::file_name),
       .advice = std::string("move it away, or choose another folder") +
                 (older ? "; runs of earlier versions, which kept no such list, are left to you" : "")});
}

void HeldFolder::check_folder(const std::string& name) const {
  const fs::path path = folder_ / name;
  const fs::file_status status = fs::symlink_status(path);
  if (!fs::exists(status)) return;
  if (fs::is_symlink(status))
    throw InputError({.file = path.string(),
                      .problem = "is a link, which brio does not follow",
                      .advice = "remove it, or choose another folder"});
  if (!fs::is_directory(status) || !manifest_.made(name)) refuse_foreign(path);
}

std::vector<fs::path> HeldFolder::own_files(const Choice& chosen) const {
  std::vector<fs::path> found;
  const auto look_into = [&](const std::string& folder) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_ / folder, error)) {
      const std::string name = entry.path().filename().string();
      const std::string unfinished = unfinished_file(name);
      if (manifest_.lists(folder, unfinished.empty() ? name : unfinished) && chosen(folder, name))
        found.push_back(folder_ / folder / name);
    }
  };
  look_into("");
  for (const std::string& folder : manifest_.folders()) {
    check_folder(folder);
    look_into(folder);
  }
  return found;
}

void HeldFolder::check(const Outputs& outputs, const std::vector<fs::path>& inputs) const {
  for (const std::string& folder : outputs.folders()) check_folder(folder);
  for (const std::string& file : outputs.files) {
    const fs::file_status status = fs::symlink_status(folder_ / file);
    if (fs::exists(status) && (!manifest_.lists(file) || fs::is_directory(status))) refuse_foreign(folder_ / file);
  }
  for (const auto& [folder, frames] : outputs.sequences) {
    Manifest wanted;
    wanted.add({.sequences = {{folder, frames}}});
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_ / folder, error)) {
      const std::string name = entry.path().filename().string();
      if (wanted.lists(folder, name) && !manifest_.lists(folder, name)) refuse_foreign(folder_ / folder / name);
    }
  }
  Manifest wanted;
  wanted.add(outputs);
  check_inputs(inputs, [&](const std::string& folder, const std::string& name) { return wanted.lists(folder, name); });
}

void HeldFolder::check_inputs(const std::vector<fs::path>& inputs, const Choice& lost) const {
  std::set<Identity> read;
  for (const fs::path& input : inputs) add_identities(input, read);
  for (const fs::path& path : own_files(lost)) {
    struct stat status {};
    if (lstat(path.c_str(), &status) == 0 && read.contains({status.st_dev, status.st_ino}))
      throw InputError({.file = path.string(),
                        .problem = "is read by this command, which would replace it",
                        .advice = "copy it to another folder first, or write to another one"});
  }
}

void HeldFolder::claim(const Outputs& outputs, const std::vector<fs::path>& inputs) {
  check(outputs, inputs);
  if (const std::string lines = manifest_.add(outputs); !lines.empty()) {
    changed_ = true;
    list_->append(lines);
    list_->sync();
  }
  for (const std::string& folder : outputs.folders()) {
    std::error_code error;
    fs::create_directory(folder_ / folder, error);
    if (error) throw WriteError({.file = (folder_ / folder).string(), .problem = "cannot be made: " + error.message()});
  }
  // Of processes that were killed; nobody else writes here now.
  remove_all([](const std::string&, const std::string& name) { return !unfinished_file(name).empty(); });
}

void HeldFolder::remove_all(const Choice& chosen) {
  for (const fs::path& path : own_files(chosen))
    if (unlink(path.c_str()) != 0 && errno != ENOENT)
      throw WriteError({.file = path.string(),
                        .problem = std::string("cannot be removed: ") + std::strerror(errno),
                        .advice = "see that the folder may be written to, or choose another with -o"});
}

void HeldFolder::remove(const std::string& name) {
  remove_all([&](const std::string& folder, const std::string& found) { return folder.empty() && found == name; });
}

void HeldFolder::trim(const Outputs& outputs) {
  for (const auto& sequence : outputs.sequences) {
    Manifest wanted;
    wanted.add({.sequences = {sequence}});
    remove_all([&](const std::string& folder, const std::string& name) {
      return folder == sequence.first && !wanted.lists(folder, name);
    });
  }
}

void HeldFolder::clear(const std::vector<fs::path>& inputs, const std::vector<std::string>& but) {
  const Choice all = all_but(but);
  check_inputs(inputs, all);
  remove(RunFiles::checkpoint);
  remove(RunFiles::summary);
  remove_all(all);
  std::set<std::string> left;
  for (const std::string& folder : manifest_.folders()) {
    std::error_code error;
    fs::remove(folder_ / folder, error);
    if (error) left.insert(folder);  // something of others is in it
  }
  Outputs kept;
  std::ranges::copy_if(but, std::back_inserter(kept.files), [this](const std::string& name) { return holds(name); });
  changed_ = true;
  list_->cut(0);
  list_->append(manifest_.keep_folders(left));
  list_->append(manifest_.add(kept));
  list_->sync();
}

}  // namespace brio
