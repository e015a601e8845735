#include "core/scratch_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "brio/core.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

/// A descriptor that holds the lock of the folder until it is closed; -1 when another process has it.
int lock_folder(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  if (descriptor >= 0) close(descriptor);
  return -1;
}

/// It may be new, and about to be locked.
bool is_young(const fs::path& folder) {
  std::error_code error;
  const auto made = fs::last_write_time(folder, error);
  return error || fs::file_time_type::clock::now() - made < std::chrono::seconds(10);
}

/// Those of processes that were killed.
void remove_abandoned(const fs::path& parent, const std::string& name) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const std::string found = entry.path().filename().string();
    if (found.size() != name.size() + 7 || !found.starts_with(name + "-") || entry.is_symlink(ignored)) continue;
    if (!entry.is_directory(ignored) || (fs::is_empty(entry.path(), ignored) && is_young(entry.path()))) continue;
    const int lock = lock_folder(entry.path());
    if (lock < 0) continue;
    fs::remove_all(entry.path(), ignored);
    close(lock);
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const fs::path& parent, const std::string& name, const std::string& advice) {
  remove_abandoned(parent, name);
  std::string pattern = (parent / (name + "-XXXXXX")).string();
  if (mkdtemp(pattern.data()) == nullptr)
    throw InputError({.file = parent.string(),
                      .problem = std::string("cannot be written: ") + std::strerror(errno),
                      .advice = advice});
  path_ = pattern;
  lock_ = lock_folder(path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

}  // namespace brio
