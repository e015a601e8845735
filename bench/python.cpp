/// What a step costs from Python, over the same step from C++: measured by the module itself, in a process of its own.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/suite.h"
#include "core/printable.h"

namespace brio::bench {
namespace {

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> part{};
  while (pipe != nullptr && std::fgets(part.data(), part.size(), pipe.get()) != nullptr) text += part.data();
  return text;
}

}  // namespace

void run_python(bool quick, const Done& done) {
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none).parent_path() / "brio-python";
  const std::string command = shell_word(program.string()) + " python -m brio.bench" + (quick ? " --quick" : "");
  const auto rows =
      nlohmann::json::parse(std::filesystem::exists(program, none) ? output_of(command) : "", nullptr, false);
  if (!rows.is_array() || rows.empty())
    return done({.name = "python", .detail = "the module is not built: `./brio bench python` builds it"});
  for (const auto& row : rows)
    done({.name = row.at("name"),
          .size = row.at("size"),
          .baseline = row.at("baseline"),
          .detail = row.at("detail"),
          .ms = row.at("ms"),
          .baseline_ms = row.at("baseline_ms")});
}

}  // namespace brio::bench
