#include "record/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <stdexcept>

#include "core/hash.h"
#include "core/safe_file.h"
#include "mesh/io/files.h"
#include "model/memory.h"

namespace brio {
namespace {

constexpr std::string_view magic = "BRIOCHK3";

/// Appends what it is given, or takes it from bytes: one description of the content serves both directions. Numbers are
/// as they lie in memory. A checksum tells damage from what was written, but not who wrote it: nothing is allocated
/// that the bytes cannot back.
class Archive {
 public:
  Archive() = default;
  explicit Archive(std::string_view bytes) : reading_(true), in_(bytes) {}

  const std::string& bytes() const { return out_; }
  bool at_end() const { return in_.empty(); }

  void raw(void* data, std::size_t size) {
    if (!reading_) {
      out_.append(static_cast<const char*>(data), size);
      return;
    }
    if (size > in_.size()) throw std::length_error("shorter than it says");
    std::memcpy(data, in_.data(), size);
    in_.remove_prefix(size);
  }

  /// Of a list whose items have at least so many bytes each.
  std::size_t length(std::size_t now, std::size_t bytes_each) {
    std::uint64_t n = now;
    raw(&n, sizeof n);
    if (reading_ && n > in_.size() / bytes_each) throw std::length_error("shorter than it says");
    return n;
  }

  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) { raw(&value, sizeof value); }
  void operator()(bool& value) {
    unsigned char byte = value ? 1 : 0;
    raw(&byte, sizeof byte);
    value = byte != 0;
  }
  void operator()(Vec3& v) { raw(v.data(), 3 * sizeof(double)); }
  void operator()(std::string& text) {
    text.resize(length(text.size(), 1));
    raw(text.data(), text.size());
  }
  void operator()(NodalField& field) {
    const std::size_t size = length(field.size(), 3 * sizeof(double));
    if (reading_) field = NodalField(size);
    for (std::size_t i = 0; i < size; ++i) raw(field.row(i), 3 * sizeof(double));
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    list.resize(length(list.size(), sizeof(double)));  // the shortest items are numbers and lengths
    for (T& item : list) (*this)(item);
  }
  template <class A, class B>
  void operator()(std::pair<A, B>& pair) {
    (*this)(pair.first);
    (*this)(pair.second);
  }
  void operator()(Memory& memory) { all(memory.fields, memory.numbers); }
  void operator()(State& s) { all(s.x, s.v, s.time, s.step, s.memory, s.histories); }
  void operator()(LedgerRow& r) {
    all(r.time, r.kinetic, r.elastic, r.gravity, r.contact, r.total, r.user_work, r.damping_loss, r.friction_loss,
        r.residual, r.linear, r.angular, r.alpha, r.iterations, r.failed, r.ms);
  }
  void operator()(RunSummary::Warning& w) { all(w.about, w.text, w.frames, w.severity, w.worst); }
  void operator()(RunSummary::Gathered& g) {
    all(g.first, g.last, g.rows, g.max_residual, g.scale, g.max_linear_change, g.max_angular_change, g.warnings);
  }
  void operator()(Checkpoint& c) {
    all(c.digest, c.platform, c.frame, c.state, c.ledger, c.gathered, c.run_seconds, c.solver_ms);
  }

 private:
  template <class... Parts>
  void all(Parts&... parts) {
    ((*this)(parts), ...);
  }

  bool reading_ = false;
  std::string out_;
  std::string_view in_;
};

/// "frame" or whatever else a checkpoint says that no run does; empty when nothing.
std::string nonsense(const Checkpoint& c) {
  constexpr long max_frames = 1'000'000'000;
  const auto is_amount = [](double number) { return std::isfinite(number) && number >= 0; };
  const RunSummary::Gathered& g = c.gathered;
  if (c.frame < 0 || c.frame > max_frames) return "frame";
  if (c.state.x.size() == 0 || c.state.v.size() != c.state.x.size()) return "number of vertices";
  if (!is_finite(c.state.x) || !is_finite(c.state.v)) return "state";
  if (!is_finite(c.state.memory) ||
      !std::ranges::all_of(c.state.histories, [](const Memory& history) { return is_finite(history); }))
    return "memory";
  if (!is_amount(c.state.time) || c.state.step < c.frame) return "time";
  if (!c.ledger.finite() || c.ledger.iterations < 0 || c.ledger.time != c.state.time) return "ledger";
  if (g.rows != c.frame + 1 || !g.first.finite() || !g.last.finite()) return "number of rows";
  if (!is_amount(g.max_residual) || !is_amount(g.scale) || !is_amount(g.max_linear_change) ||
      !is_amount(g.max_angular_change))
    return "energy or momentum";
  for (const RunSummary::Warning& warning : g.warnings)
    if (warning.frames < 0 || warning.frames > g.rows || !std::isfinite(warning.severity)) return "warnings";
  if (!is_amount(c.run_seconds)) return "seconds";
  for (const auto& [phase, ms] : c.solver_ms)
    if (!is_amount(ms)) return "time of the solver";
  return {};
}

std::uint64_t checksum(std::string_view content) { return hash_bytes(std::as_bytes(std::span(content))); }

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& problem, const std::string& advice) {
  throw InputError({.file = path.string(), .problem = problem, .advice = advice});
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, Checkpoint checkpoint) {
  Archive archive;
  archive(checkpoint);
  std::uint64_t sum = checksum(archive.bytes());
  SafeFile file(path);
  file.write(magic);
  file.write({reinterpret_cast<const char*>(&sum), sizeof sum});
  file.write(archive.bytes());
  file.finish(true);
}

namespace {

Checkpoint unpack(std::string_view content, const std::filesystem::path& path) {
  Archive archive(content);
  Checkpoint checkpoint;
  try {
    archive(checkpoint);
  } catch (const std::length_error& error) {
    refuse(path, error.what(), "start the run again with --force");
  }
  if (!archive.at_end()) refuse(path, "longer than it says", "start the run again with --force");
  return checkpoint;
}

}  // namespace

Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t digest) {
  if (std::error_code none; std::filesystem::file_size(path, none) == 0)
    refuse(path, "is empty", "start the run again with --force");
  const std::string bytes = read_bytes(path);
  const std::string_view all = bytes;
  constexpr std::size_t head = magic.size() + sizeof(std::uint64_t);
  if (!all.starts_with(magic) || all.size() < head)
    refuse(path, "is not a checkpoint of this version", "start the run again with --force");
  std::uint64_t sum = 0;
  std::memcpy(&sum, all.data() + magic.size(), sizeof sum);
  if (sum != checksum(all.substr(head))) refuse(path, "is damaged", "start the run again with --force");
  return parse_checkpoint(all.substr(head), path, digest);
}

Checkpoint parse_checkpoint(std::string_view content, const std::filesystem::path& path, std::uint64_t digest) {
  Checkpoint checkpoint = unpack(content, path);
  if (checkpoint.digest != digest)
    refuse(path, "belongs to another scene",
           "resume with the scene and options that the run was started with (only frames and formats may differ), or "
           "start it again with --force");
  if (const std::string what = nonsense(checkpoint); !what.empty())
    refuse(path, fmt::format("its {} is one that no run has", what), "start the run again with --force");
  return checkpoint;
}

}  // namespace brio
