#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "check.h"
#include "core/hash.h"
#include "record/checkpoint.h"
#include "record/frame_cache.h"
#include "records.h"
#include "report/account.h"

namespace brio {
namespace {

std::uint64_t hash_of(std::string_view bytes, std::uint64_t seed = 0) {
  return hash_bytes(std::as_bytes(std::span(bytes)), seed);
}

void put(std::string& bytes, std::size_t place, std::uint64_t number) {
  std::memcpy(bytes.data() + place, &number, sizeof number);
}

/// Near enough for a step to be about memory, not about numbers.
bool is_moderate(const State& state) {
  for (std::size_t i = 0; i < state.x.size(); ++i)
    if (!(state.x[i].norm() < 10 && state.v[i].norm() < 10)) return false;
  return true;
}

class SharedFile {
 public:
  explicit SharedFile(std::string_view bytes) : descriptor_(memfd_create("frames", 0)) {
    require(write(descriptor_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  ~SharedFile() { close(descriptor_); }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace

/// The digest is believed, the frame says which method goes on.
void check_checkpoint(std::string_view bytes) {
  static std::vector<Simulation> simulations;
  if (simulations.empty()) {
    set_threads(1);
    for (const char* method : methods_that_remember) simulations.push_back(remembering(method));
  }
  std::uint64_t digest = 0;
  std::memcpy(&digest, bytes.data(), std::min(bytes.size(), sizeof digest));
  try {
    const Checkpoint checkpoint = parse_checkpoint(bytes, "checkpoint.brio", digest);
    require(checkpoint.frame >= 0 && checkpoint.ledger.finite());
    Simulation& simulation = simulations[static_cast<std::size_t>(checkpoint.frame) % simulations.size()];
    const Snapshot before = simulation.snapshot();
    Snapshot forged = before;
    forged.state = checkpoint.state;
    forged.ledger = checkpoint.ledger;
    simulation.restore(forged);
    constexpr double long_enough = 5;  // ms: what was forged is read at once
    if (is_moderate(checkpoint.state)) simulation.step(1, {.milliseconds = long_enough});
    simulation.restore(before);
  } catch (const InputError& error) {
    require(!error.complaint().problem.empty());
  }
}

void check_frames(std::string_view bytes) {
  std::string file(bytes);
  constexpr std::size_t header = 40;
  std::uint64_t vertices = 0;
  if (file.size() >= header) {
    put(file, 32, hash_of(std::string_view(file).substr(0, 32)));
    std::memcpy(&vertices, file.data() + 8, sizeof vertices);
    const std::size_t half = 12 * vertices, record = 2 * half + 8;
    if (vertices < file.size())
      for (std::size_t k = 0; header + (k + 1) * record <= file.size(); ++k) {
        const std::string_view frame = std::string_view(file).substr(header + k * record, record);
        put(file, header + k * record + 2 * half, hash_of(frame.substr(half, half), hash_of(frame.substr(0, half), k)));
      }
  }
  const SharedFile shared(file);
  try {
    const FrameCache cache(shared.path());
    require(cache.frames() >= 0 && cache.info().bytes(cache.frames()) <= file.size());
    Frame frame;
    std::vector<float> some;
    for (long k = 0; k < cache.frames(); ++k) {
      require(std::isfinite(cache.time(k)));
      cache.read(k, frame);
      require(frame.x.size() == 3 * vertices && frame.v.size() == 3 * vertices);
      for (const float number : frame.x) require(std::isfinite(number));
      cache.read_positions(k, vertices - 1, 1, some);
      require(some[2] == frame.x.back());
    }
  } catch (const InputError& error) {
    require(!error.complaint().file.empty() && !error.complaint().problem.empty());
  }
}

void check_ledger(std::string_view bytes) {
  try {
    const LedgerTable table = parse_ledger(bytes, "ledger.csv");
    for (const std::vector<double>& column : table.values) {
      require(column.size() == table.rows());
      for (const double number : column) require(std::isfinite(number));
    }
    require(!verdict(account(table), {"ok", ""}).empty());
  } catch (const InputError& error) {
    require(!error.complaint().file.empty() && !error.complaint().problem.empty());
  }
}

}  // namespace brio
