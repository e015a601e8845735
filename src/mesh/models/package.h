/// Files out of npm packages, fetched once and kept in the user's cache.
#pragma once

#include <filesystem>
#include <functional>
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
/// the last rename wins. Nothing else is left behind, also when we are interrupted. Once a fetch has failed, this
/// process does not try another: each would wait as long for the same network.
std::string package_file(const Package& package, const std::string& path);

/// Told, in a sentence, before something is fetched, which may take a while.
void on_fetch(std::function<void(const std::string&)> listener);

/// As if no fetch had failed before.
void forget_failed_fetches();

}  // namespace brio
