#include "record/append_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace brio {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  const bool room = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw WriteError({.file = path.string(),
                    .problem = std::string("cannot be written: ") + std::strerror(error),
                    .advice = room ? "make room on the disk" : "see that the folder exists and may be written to"});
}

}  // namespace

AppendFile::AppendFile(std::filesystem::path path, std::uint64_t keep) : path_(std::move(path)), size_(keep) {
  constexpr mode_t readable = 0666;  // less what the umask takes away
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, readable);
  if (descriptor_ < 0) fail(path_, errno);
  const auto length = static_cast<off_t>(keep);
  if (ftruncate(descriptor_, length) != 0 || lseek(descriptor_, length, SEEK_SET) != length) {
    const int error = errno;
    ::close(descriptor_);
    fail(path_, error);
  }
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
      fail(path_, error);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += bytes.size();
}

void AppendFile::sync() {
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail(path_, errno);  // pipes cannot be synced
}

void AppendFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_, errno);
}

}  // namespace brio
