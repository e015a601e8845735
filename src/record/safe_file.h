/// A text file that appears under its name only when it is complete.
#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace brio {

/// Written as `<name>.part` next to its place and renamed by `finish`; an unfinished file stays under that name. Errors
/// of the disk throw InputError.
class SafeFile {
 public:
  explicit SafeFile(std::filesystem::path path);

  void write(std::string_view text);
  void finish();

 private:
  std::filesystem::path path_;
  std::filesystem::path part_;
  std::ofstream stream_;
};

void write_safely(const std::filesystem::path& path, std::string_view text);

}  // namespace brio
