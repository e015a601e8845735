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

class AppendFile {
 public:
  /// Keeps the first `keep` bytes of the file that is there and cuts off the rest; 0 starts an empty file.
  explicit AppendFile(std::filesystem::path path, std::uint64_t keep = 0);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// All of the bytes, or none of them and a WriteError.
  void append(std::string_view bytes);
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
