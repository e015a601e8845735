/// brio-files.txt: which files of a folder brio wrote, and so may replace or remove. One line each:
///
///   file scene.toml         a file; in a subfolder: file pc2/cube.obj
///   frames obj 121          obj/frame_000000.obj to obj/frame_000120.obj
///   folder obj              a subfolder that brio made
///   # 2026-01-31 12:00:00, process 4711: brio run cube.toml
///
/// Lines are only appended, each before what it names is made; an incomplete one at the end, as a killed process leaves
/// it, says nothing. A folder may come from anywhere: a line that brio would never write makes the whole list refused.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "brio/record.h"

namespace brio {

/// Makes the files and folders of a registered format brio's own. Throws InputError for names that are taken.
void allow_outputs(const Outputs& outputs);

std::string sequence_file(long frame, const std::string& extension);  ///< "frame_000012.obj"

class Manifest {
 public:
  static constexpr const char* file_name = "brio-files.txt";
  static constexpr std::string_view header =
      "# Files here that brio wrote. It replaces and removes these, and no others.\n";

  Manifest() = default;
  /// Throws InputError, naming `file` and the line, for what brio would not have written.
  Manifest(std::string_view text, const std::filesystem::path& file);

  /// Whether `name` in the subfolder, "" for the folder itself, is a file of ours.
  bool lists(const std::string& folder, const std::string& name) const;
  bool lists(const std::string& path) const;  ///< "pc2/cube.obj"
  bool made(const std::string& folder) const { return folders_.contains(folder); }
  const std::set<std::string>& folders() const { return folders_; }
  bool empty() const { return files_.empty() && sequences_.empty() && folders_.empty(); }
  /// The last line that tells who worked here; empty: none.
  const std::string& last_user() const { return last_user_; }
  void set_user(std::string user) { last_user_ = std::move(user); }

  /// Adds what is not listed yet; the lines that say so.
  std::string add(const Outputs& outputs);
  /// All lines but those about files and about folders that are not among these.
  std::string keep_folders(const std::set<std::string>& folders);

 private:
  bool read_line(std::string_view line);  ///< false: brio would not have written it

  std::set<std::string> files_;
  std::map<std::string, long> sequences_;  ///< frames per subfolder
  std::set<std::string> folders_;
  std::string last_user_;
};

}  // namespace brio
