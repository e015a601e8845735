#include "core/platform.h"

#include <fmt/format.h>
#if __has_include(<gnu/libc-version.h>)
#include <gnu/libc-version.h>
#endif

#include <algorithm>

#ifdef BRIO_WITH_GPL
// Of OpenBLAS's interface; its headers are not found by every compiler that is used on this source.
extern "C" {
char* openblas_get_config();
char* openblas_get_corename();
}
#endif

namespace brio {
namespace {

/// Name and version, then the kernels that were chosen.
std::string blas() {
#ifdef BRIO_WITH_GPL
  const std::string config = openblas_get_config();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH …"
  const std::size_t version = config.find(' ');
  return config.substr(0, config.find(' ', version + 1)) + " " + openblas_get_corename();
#else
  return "none";
#endif
}

std::string libc() {
#ifdef __GLIBC__
  return std::string("glibc ") + gnu_get_libc_version();
#else
  return "unknown";
#endif
}

std::string march() { return *BRIO_MARCH != 0 ? BRIO_MARCH : "the compiler's default"; }

std::string compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace

const Platform& platform() {
  static const Platform here{
      {"brio", BRIO_VERSION}, {"compiler", compiler()}, {"march", march()}, {"libc", libc()}, {"blas", blas()}};
  return here;
}

std::string differences(const Platform& earlier, const Platform& now) {
  std::string text;
  for (const auto& [name, value] : now) {
    const auto before = std::ranges::find(earlier, name, &Platform::value_type::first);
    const std::string was = before == earlier.end() ? "unknown" : before->second;
    if (was != value) text += fmt::format("{}{} was {} and is {}", text.empty() ? "" : ", ", name, was, value);
  }
  return text;
}

}  // namespace brio
