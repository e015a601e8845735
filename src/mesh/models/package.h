/// Files out of npm packages, fetched once and kept in the user's cache.
#pragma once

#include <filesystem>
#include <string>

namespace brio {

struct Package {
  std::string name;
  std::string version;
  std::string integrity;  ///< "sha512-" and the archive's hash in base64, as npm writes it
};

/// $BRIO_CACHE, else $XDG_CACHE_HOME/brio, else ~/.cache/brio; made if it is missing.
std::filesystem::path cache_directory();

/// "sha512-..." of some bytes.
std::string integrity_of(const std::string& bytes);

/// The bytes of one file of the package, decompressed if its name ends in .gz. Fetches the package if the cache does
/// not have it or has it damaged. Processes may do so at the same time: each fetches into a directory of its own and
/// the last rename wins.
std::string package_file(const Package& package, const std::string& path);

}  // namespace brio
