/// Folders for files in between.
#pragma once

#include <filesystem>
#include <string>

namespace brio {

/// A folder of our own, which goes with its contents at the end. While it lives it is locked: those of processes that
/// were killed are not, and the next one in the same place removes them.
class ScratchFolder {
 public:
  /// `parent`/`name`-XXXXXX. Throws InputError with this advice when it cannot be made.
  ScratchFolder(const std::filesystem::path& parent, const std::string& name, const std::string& advice);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace brio
