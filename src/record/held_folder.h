/// A folder that one process at a time writes results to, and in which brio removes and replaces only what it wrote.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "core/append_file.h"
#include "record/manifest.h"

namespace brio {

/// Holds the folder for as long as it lives: others are refused, and told who has it. What brio wrote there is known
/// from the list in it (manifest.h), which is locked, kept up to date, and goes when it would be empty.
class HeldFolder {
 public:
  /// Makes the folder where it is missing. Throws InputError when another process holds it, naming that, and when the
  /// list in it is not brio's.
  explicit HeldFolder(std::filesystem::path folder);
  ~HeldFolder();
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }

  /// Whether a file that brio wrote, this one or any but these, is there.
  bool holds(const std::string& name) const;
  bool holds_any(const std::vector<std::string>& but = {}) const;

  /// Throws InputError when something stands where these would be written that brio did not write, or when one of the
  /// `inputs` would be replaced. Changes nothing.
  void check(const Outputs& outputs, const std::vector<std::filesystem::path>& inputs = {}) const;

  /// Checks, then notes that brio writes these, and makes the subfolders that they need.
  void claim(const Outputs& outputs, const std::vector<std::filesystem::path>& inputs = {});

  /// Removes all files that brio wrote but those named, the checkpoint and the summary before all others, so that the
  /// folder never has those of another run than its frames; then subfolders that it made, where nothing else is in
  /// them. Throws InputError, and changes nothing, when one of the `inputs` is among them.
  void clear(const std::vector<std::filesystem::path>& inputs = {}, const std::vector<std::string>& but = {});
  void remove(const std::string& name);  ///< if brio wrote it
  /// Removes files of the sequences beyond their frames: of an earlier, longer animation.
  void trim(const Outputs& outputs);

 private:
  using Choice = std::function<bool(const std::string& folder, const std::string& name)>;

  void lock();
  void check_folder(const std::string& name) const;
  void check_inputs(const std::vector<std::filesystem::path>& inputs, const Choice& lost) const;
  std::vector<std::filesystem::path> own_files(const Choice& chosen) const;
  void remove_all(const Choice& chosen);
  [[noreturn]] void refuse_foreign(const std::filesystem::path& path) const;

  std::filesystem::path folder_;
  bool made_ = false;               ///< the folder, by us
  std::optional<AppendFile> list_;  ///< locked
  Manifest manifest_;               ///< what is in the list
  bool changed_ = false;            ///< the list, by more than our name
  std::uintmax_t size_before_ = 0;  ///< of the list, without our name
};

}  // namespace brio
