#include "bench/machine.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <vector>

#include "bench/suite.h"
#include "brio/core.h"
#include "core/threads.h"

namespace brio::bench {
namespace {

/// What follows the key in a file of lines "key : value"; empty when it is not there.
std::string value_of(const char* file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t value = line.find_first_not_of(": \t", key.size());
    return value == std::string::npos ? "" : line.substr(value);
  }
  return {};
}

double kilobytes(const std::string& key) {
  const std::string text = value_of("/proc/self/status", key);
  return text.empty() ? 0 : std::stod(text);
}

}  // namespace

Memory::Memory() {
  malloc_trim(0);                                 // what was freed before must not hide growth
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts from now
  start_ = kilobytes("VmRSS");
}

double Memory::peak() const { return 1024 * std::max(0.0, kilobytes("VmHWM") - start_); }

double Memory::held() const {
  malloc_trim(0);
  return 1024 * std::max(0.0, kilobytes("VmRSS") - start_);
}

double reading_ms(std::size_t bytes, int passes, int threads) {
  constexpr std::size_t chunk_size = 1 << 15;  // numbers; a quarter of a megabyte
  const std::vector<std::size_t> numbers(std::max<std::size_t>(1, bytes / sizeof(std::size_t)), 1);
  const std::size_t chunks = (numbers.size() + chunk_size - 1) / chunk_size;
  std::vector<std::size_t> sums(chunks);
  return min_ms(threads, [&] {
    for (int pass = 0; pass < passes; ++pass)
      parallel_chunks(chunks, [&](std::size_t chunk) {
        const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(chunk * chunk_size);
        const auto last = std::min(first + chunk_size, numbers.end());
        sums[chunk] = std::accumulate(first, last, std::size_t{0});
        asm volatile("" : : "r"(sums.data()) : "memory");  // every pass is made
      });
  });
}

std::string machine() {
  set_threads(0);
  return fmt::format("{}, {} threads, GCC {}", value_of("/proc/cpuinfo", "model name"), threads(), __VERSION__);
}

}  // namespace brio::bench
