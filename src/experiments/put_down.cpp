#include "experiments/put_down.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <span>

#include "core/hash.h"
#include "core/safe_file.h"
#include "model/archive.h"
#include "sim/snapshot_file.h"

namespace brio {
namespace {

double interval = 60;  // s
constexpr const char* ending = ".part";
constexpr std::size_t digits = 16;  // of a hash, the rest of the name

class RunArchive : public Archive<RunArchive> {
 public:
  using Archive::Archive;
  using Archive::operator();
  void operator()(std::vector<float>& list) {
    list.resize(length(list.size(), sizeof(float)));
    raw(list.data(), list.size() * sizeof(float));
  }
  void operator()(Recording& r) { all(r.total, r.frames, r.times, r.positions); }
  void run(std::string& snapshot, Track& track, Recording& motion) {
    long ended = track.ended.value_or(-1);
    all(snapshot, track.rows, track.frame_ms, track.watched, track.positions, ended, track.message, track.seconds,
        motion);
    if (ended >= 0) track.ended = ended;
  }
};

std::uint64_t hash_of(const std::string& text) { return hash_bytes(std::as_bytes(std::span(text))); }

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Another program may take other steps.
std::uint64_t program() {
  static const std::uint64_t hash = hash_of(content_of("/proc/self/exe"));
  return hash;
}

}  // namespace

PutDown::PutDown(const std::filesystem::path& folder, const std::string& run) {
  if (!folder.empty()) file_ = folder / (hash_text(hash_of(fmt::format("{:016x} {}", program(), run))) + ending);
}

void PutDown::set_interval(double seconds) { interval = seconds; }

long PutDown::take_up(Simulation& simulation, Track& track, Recording* motion) {
  if (file_.empty()) return -1;
  const std::string bytes = content_of(file_);
  if (bytes.size() < sizeof(std::uint64_t)) return -1;
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data(), sizeof sum);
  const std::string content = bytes.substr(sizeof sum);
  if (sum != hash_of(content)) return -1;
  Track earlier = track;
  Recording shown = motion != nullptr ? *motion : Recording{};
  try {
    RunArchive archive(content);
    std::string snapshot;
    archive.run(snapshot, earlier, shown);
    // Before anything is changed: what was put down without its motion does not serve a run that shows it.
    if (earlier.rows.empty() || (motion != nullptr && shown.positions.size() != motion->positions.size())) return -1;
    simulation.restore(snapshot_from(snapshot, file_));
  } catch (const std::length_error&) {
    return -1;
  } catch (const InputError&) {
    return -1;
  }
  track = std::move(earlier);
  if (motion != nullptr) *motion = std::move(shown);
  written_ = true;
  return static_cast<long>(track.rows.size()) - 1;
}

void PutDown::frame(const Simulation& simulation, Track& track, Recording* motion) {
  if (file_.empty()) return;
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - last_).count() < interval) return;
  last_ = now;
  write(simulation, track, motion);
}

void PutDown::end(const Simulation& simulation, Track& track, Recording* motion) {
  if (written_) write(simulation, track, motion);
}

void PutDown::write(const Simulation& simulation, Track& track, Recording* motion) {
  RunArchive archive;
  std::string snapshot = to_bytes(simulation.snapshot());
  Recording none;
  archive.run(snapshot, track, motion != nullptr ? *motion : none);
  const std::uint64_t sum = hash_of(archive.bytes());
  std::string bytes(reinterpret_cast<const char*>(&sum), sizeof sum);
  write_safely(file_, bytes + archive.bytes());
  written_ = true;
}

void PutDown::clear(const std::filesystem::path& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789abcdef") == digits && name.substr(digits) == ending)
      std::filesystem::remove(entry.path(), error);
  }
}

}  // namespace brio
