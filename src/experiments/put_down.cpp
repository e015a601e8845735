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
    all(snapshot, track.rows, track.positions, track.seconds, motion);
  }
};

std::uint64_t hash_of(const std::string& text) { return hash_bytes(std::as_bytes(std::span(text))); }

}  // namespace

PutDown::PutDown(const std::filesystem::path& folder, const Simulation& simulation, const Plan& plan) {
  // What callers watch they keep themselves: a run that went on in another process would lack its beginning.
  if (folder.empty() || plan.watch) return;
  std::string start = fmt::format("{} {} {} {} {} {:016x}", simulation.method().name, simulation.h(), plan.frames,
                                  plan.steps_per_frame, plan.label, simulation.hash());
  for (const auto& [key, value] : plan.changes) start += fmt::format(" {}={}", key, value);
  file_ = folder / fmt::format("{:016x}.part", hash_of(start));
}

void PutDown::set_interval(double seconds) { interval = seconds; }

long PutDown::take_up(Simulation& simulation, Track& track, Recording* motion) const {
  if (file_.empty()) return -1;
  std::ifstream in(file_, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
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
  return static_cast<long>(track.rows.size()) - 1;
}

void PutDown::frame(const Simulation& simulation, Track& track, Recording* motion) {
  if (file_.empty()) return;
  const auto now = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(now - last_).count() < interval) return;
  last_ = now;
  RunArchive archive;
  std::string snapshot = to_bytes(simulation.snapshot());
  Recording none;
  archive.run(snapshot, track, motion != nullptr ? *motion : none);
  const std::uint64_t sum = hash_of(archive.bytes());
  std::string bytes(reinterpret_cast<const char*>(&sum), sizeof sum);
  write_safely(file_, bytes + archive.bytes());
}

void PutDown::done() const {
  std::error_code error;
  if (!file_.empty()) std::filesystem::remove(file_, error);
}

}  // namespace brio
