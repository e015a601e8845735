/// A file that appears under its name only when it is complete.
#pragma once

#include <string>

#include "record/append_file.h"

namespace brio {

/// Written as `<name>.part` next to its place and renamed by `finish`; an unfinished file stays under that name. Errors
/// of the disk throw WriteError.
class SafeFile {
 public:
  explicit SafeFile(std::filesystem::path path);

  void write(std::string_view bytes);
  /// `durable`: only when the disk has it, so that the name never stands for less, whatever happens to the machine.
  void finish(bool durable = false);
  std::uint64_t size() const { return part_.size() + buffer_.size(); }  ///< written so far [bytes]

 private:
  std::filesystem::path path_;
  AppendFile part_;
  std::string buffer_;
};

void write_safely(const std::filesystem::path& path, std::string_view bytes, bool durable = false);

}  // namespace brio
