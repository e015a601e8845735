#include "core/safe_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <random>
#include <set>
#include <utility>

#include "core/cancellation.h"

namespace brio {
namespace {

constexpr std::size_t temporary_digits = 12;
constexpr std::string_view temporary_ending = ".part";

/// "frames.bin" beside which "frames.bin.0123456789ab.part" is written.
std::filesystem::path temporary_name(const std::filesystem::path& path) {
  constexpr std::size_t max_bytes = 200;  // bytes of a name, which may have 255 in all
  std::random_device random;
  const std::uint64_t number = (std::uint64_t{random()} << 32 | random()) & 0xffffffffffff;
  return path.parent_path() / fmt::format("{}.{:0{}x}{}", path.filename().string().substr(0, max_bytes), number,
                                          temporary_digits, temporary_ending);
}

/// Files that are being written, for a program that must not wait for its threads.
struct Unfinished {
  std::mutex mutex;
  std::set<std::filesystem::path> files;
};
Unfinished& unfinished() {
  static auto* const all = new Unfinished;  // outlives every thread
  return *all;
}

/// Our own: what is there already, be it a link, is left alone and another name tried.
int open_new(const std::filesystem::path& path, std::filesystem::path& temporary) {
  const std::lock_guard lock(unfinished().mutex);
  for (int attempt = 0;; ++attempt) {
    temporary = temporary_name(path);
    const int descriptor = create_new(temporary);
    if (descriptor >= 0) {
      unfinished().files.insert(temporary);
      return descriptor;
    }
    if (errno != EEXIST || attempt > 100) refuse_writing(path, errno);
  }
}

}  // namespace

int create_new(const std::filesystem::path& path) {
  return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

SafeFile::SafeFile(std::filesystem::path path) : path_(std::move(path)), part_(open_new(path_, temporary_), path_, 0) {}

SafeFile::~SafeFile() {
  if (temporary_.empty()) return;
  const std::lock_guard lock(unfinished().mutex);
  unfinished().files.erase(temporary_);
  unlink(temporary_.c_str());
}

void SafeFile::write(std::string_view bytes) {
  interruption_point();
  constexpr std::size_t enough = std::size_t{1} << 20;  // bytes per call of the system
  buffer_ += bytes;
  if (buffer_.size() < enough) return;
  part_.append(buffer_);
  buffer_.clear();
}

void SafeFile::finish(bool durable) {
  part_.append(buffer_);
  buffer_.clear();
  if (durable) part_.sync();
  part_.close();
  const std::lock_guard lock(unfinished().mutex);
  if (rename(temporary_.c_str(), path_.c_str()) != 0) refuse_writing(path_, errno);
  unfinished().files.erase(temporary_);
  temporary_.clear();
}

void remove_unfinished_files() {
  unfinished().mutex.lock();  // for good: nothing may appear afterwards
  for (const std::filesystem::path& file : unfinished().files) unlink(file.c_str());
}

void write_safely(const std::filesystem::path& path, std::string_view bytes, bool durable) {
  SafeFile file(path);
  file.write(bytes);
  file.finish(durable);
}

std::string unfinished_file(std::string_view name) {
  if (!name.ends_with(temporary_ending)) return {};
  name.remove_suffix(temporary_ending.size());
  if (name.size() < temporary_digits + 2) return {};
  const std::string_view number = name.substr(name.size() - temporary_digits);
  name.remove_suffix(temporary_digits);
  const bool ours = number.find_first_not_of("0123456789abcdef") == std::string_view::npos && name.ends_with('.');
  return ours ? std::string(name.substr(0, name.size() - 1)) : std::string();
}

}  // namespace brio
