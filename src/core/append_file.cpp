#include "core/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace brio {
namespace {

[[noreturn]] void refuse_link(const std::filesystem::path& path, const char* problem) {
  throw WriteError({.file = path.string(),
                    .problem = problem,
                    .advice = "remove it, put a copy of the file in its place, or choose another folder"});
}

}  // namespace

void refuse_writing(const std::filesystem::path& path, int error) {
  const char* advice = "see that the folder exists and may be written to";
  if (error == ENOSPC || error == EDQUOT) advice = "make room on the disk";
  if (error == EFBIG) advice = "allow larger files (ulimit -f), or write to a disk that can hold them";
  throw WriteError(
      {.file = path.string(), .problem = std::string("cannot be written: ") + std::strerror(error), .advice = advice});
}

int open_plain(const std::filesystem::path& path, int flags) {
  constexpr mode_t readable = 0666;  // less what the umask takes away
  // Without waiting: a pipe that nobody reads is refused, not waited for.
  const int descriptor = open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, readable);
  if (descriptor < 0 && errno == ELOOP) refuse_link(path, "is a link, through which nothing is written");
  if (descriptor < 0) refuse_writing(path, errno);
  struct stat status {};
  const bool known = fstat(descriptor, &status) == 0;
  if (known && S_ISREG(status.st_mode) && status.st_nlink <= 1) return descriptor;
  ::close(descriptor);
  if (!known || !S_ISREG(status.st_mode)) throw WriteError({.file = path.string(), .problem = "is not a plain file"});
  refuse_link(path, "is the same file as another one (a hard link), which would change with it");
}

AppendFile::AppendFile(std::filesystem::path path, std::uint64_t keep)
    : AppendFile(open_plain(path, O_WRONLY | O_CREAT), path, keep) {
  cut(keep);
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void AppendFile::append(std::string_view bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t written = write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      const int error = written < 0 ? errno : ENOSPC;
      const auto length = static_cast<off_t>(size_);
      if (ftruncate(descriptor_, length) == 0) lseek(descriptor_, length, SEEK_SET);
      refuse_writing(path_, error);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += bytes.size();
}

void AppendFile::cut(std::uint64_t size) {
  const auto length = static_cast<off_t>(size);
  if (ftruncate(descriptor_, length) != 0 || lseek(descriptor_, length, SEEK_SET) != length)
    refuse_writing(path_, errno);
  size_ = size;
}

void AppendFile::sync() {
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) refuse_writing(path_, errno);
}

void AppendFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) refuse_writing(path_, errno);
}

}  // namespace brio
