/// Snapshots on the disk: eight letters, a checksum, the numbers as they lie in memory.
#include "sim/snapshot_file.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <span>

#include "core/hash.h"
#include "core/safe_file.h"
#include "model/archive.h"

namespace brio {
namespace {

constexpr std::string_view magic = "BRIOSNP2";
constexpr std::size_t head = magic.size() + sizeof(std::uint64_t);

class SnapshotArchive : public Archive<SnapshotArchive> {
 public:
  using Archive::Archive;
  using Archive::operator();
  void operator()(Clock& c) { all(c.start, c.first, c.h); }
  void operator()(Snapshot& s) {
    all(s.state, s.ledger, s.clock, s.start_total, s.integrator, s.composition, s.changes);
  }
};

std::uint64_t checksum(std::string_view content) { return hash_bytes(std::as_bytes(std::span(content))); }

[[noreturn]] void refuse(const std::filesystem::path& path, const char* problem) {
  throw InputError({.file = path.string(), .problem = problem, .advice = "save the snapshot again"});
}

}  // namespace

std::string to_bytes(const Snapshot& snapshot) {
  SnapshotArchive archive;
  Snapshot copy = snapshot;  // one description serves reading and writing
  archive(copy);
  const std::uint64_t sum = checksum(archive.bytes());
  std::string bytes(magic);
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes + archive.bytes();
}

Snapshot snapshot_from(std::string_view all, const std::filesystem::path& path) {
  if (all.size() < head || !all.starts_with(magic)) refuse(path, "is not a snapshot of this version");
  std::uint64_t sum = 0;
  std::memcpy(&sum, all.data() + magic.size(), sizeof sum);
  if (sum != checksum(all.substr(head))) refuse(path, "is damaged");
  SnapshotArchive archive(all.substr(head));
  Snapshot snapshot;
  try {
    archive(snapshot);
  } catch (const std::length_error&) {
    refuse(path, "is shorter than it says");
  }
  if (!archive.at_end()) refuse(path, "is longer than it says");
  return snapshot;
}

void save(const Snapshot& snapshot, const std::filesystem::path& path) { write_safely(path, to_bytes(snapshot), true); }

Snapshot load_snapshot(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path))
    throw InputError({.file = path.string(), .problem = "cannot be read"});
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return snapshot_from(bytes, path);
}

}  // namespace brio
