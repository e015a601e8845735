/// A file that grows piece by piece and never ends in half of one, as long as the process lives to see an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "brio/core.h"

namespace brio {

/// The disk refused: it is full, the folder is gone, a quota is reached. The complaint names the file and the reason.
struct WriteError : InputError {
  using InputError::InputError;
};

/// Throws WriteError with the reason that the system gives in `error`, and advice that suits it.
[[noreturn]] void refuse_writing(const std::filesystem::path& path, int error);

/// Opens a file to write, and to read when `flags` says O_RDWR. Never follows a link, and refuses what is no plain file
/// or is known under a second name: what stands elsewhere would be changed with it.
int open_plain(const std::filesystem::path& path, int flags);

class AppendFile {
 public:
  /// Keeps the first `keep` bytes of the file that is there and cuts off the rest; 0 starts an empty file. Links are
  /// refused (open_plain).
  explicit AppendFile(std::filesystem::path path, std::uint64_t keep = 0);
  /// A file that is open, and holds `size` bytes; complaints name it `path`.
  AppendFile(int descriptor, std::filesystem::path path, std::uint64_t size)
      : path_(std::move(path)), descriptor_(descriptor), size_(size) {}
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// All of the bytes, or none of them and a WriteError.
  void append(std::string_view bytes);
  /// Keeps the first `size` bytes.
  void cut(std::uint64_t size);
  /// Returns when the disk has what was appended, so that it outlives a loss of power.
  void sync();
  /// Tells errors that only show at the end.
  void close();

  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace brio
