#include "core/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <mutex>

#include "core/out_of_memory.h"

namespace brio {
namespace {

constexpr double usable = 0.8;  ///< of what there is: others live here too
std::atomic<double> chosen = 0;

std::mutex claim_guard;
std::string claim;

/// Of the machine, or less where the process is confined to a control group or by its shell. [bytes]
double installed() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  for (const char* limit : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    double allowed = 0;
    if (std::ifstream(limit) >> allowed && allowed > 0) bytes = std::min(bytes, allowed);
  }
  for (const int resource : {RLIMIT_AS, RLIMIT_DATA})
    if (rlimit limit{}; getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  return bytes;
}

}  // namespace

OutOfMemory::OutOfMemory(std::size_t bytes) : bytes_(bytes) {
  constexpr double unit = 1e6;
  fmt::format_to_n(text_.data(), text_.size() - 1, "out of memory: {:.3g} MB more were asked for",
                   static_cast<double>(bytes) / unit);
}

void set_memory_limit(double bytes) {
  if (!(bytes >= 0 && std::isfinite(bytes)))
    throw InputError({.key = "memory", .value = fmt::format("{}", bytes), .problem = "must be >= 0"});
  chosen = bytes;
}

double memory_limit() {
  static const double standard = usable * installed();
  const double bytes = chosen;
  return bytes > 0 ? bytes : standard;
}

void claim_memory(double bytes, Complaint what) {
  constexpr double worth_telling = 1e8;
  if (!(bytes <= memory_limit())) {
    what.problem = fmt::format("{} would take about {} of memory, and {} may be used", what.problem, size_text(bytes),
                               size_text(memory_limit()));
    throw InputError(std::move(what));
  }
  if (bytes < worth_telling) return;
  const std::lock_guard lock(claim_guard);
  claim = fmt::format("{}, about {}", what.problem, size_text(bytes));
}

std::string last_memory_claim() {
  const std::lock_guard lock(claim_guard);
  return claim;
}

std::string size_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.3g} kB", bytes / 1e3);
  if (bytes < 1e9) return fmt::format("{:.3g} MB", bytes / 1e6);
  return bytes < 1e12 ? fmt::format("{:.3g} GB", bytes / 1e9) : fmt::format("{:.3g} TB", bytes / 1e12);
}

}  // namespace brio
