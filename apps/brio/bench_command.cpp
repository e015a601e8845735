#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "bench/suite.h"
#include "commands.h"
#include "core/fields.h"

namespace brio::app {
namespace {

struct Options {
  std::vector<std::string> cases;
  bool quick = false;
  bool json = false;
};

const bench::Case& find_case(const std::string& name) {
  std::vector<std::string> names;
  for (const bench::Case& c : bench::cases()) {
    if (c.name == name) return c;
    names.push_back(c.name);
  }
  refuse_name("case", name, "unknown benchmark", names);
}

void print(const bench::Row& row) {
  fmt::print("{:<28} {:>20} {:>3} thr {:>9.3f} ms {:>8.1f} ns/element {:>9.2f} ms {:>8.1f} ns/element {:>7.1f}x  {}\n",
             row.name, row.size, row.threads, row.ms, row.ms * 1e6 / row.elements, row.baseline_ms,
             row.baseline_ms * 1e6 / row.elements, row.ratio(), row.baseline);
  if (!row.detail.empty()) fmt::print("    {}\n", row.detail);
  std::fflush(stdout);
}

void run(const Options& options) {
  std::vector<const bench::Case*> chosen;
  for (const std::string& name : options.cases) chosen.push_back(&find_case(name));
  if (chosen.empty())
    for (const bench::Case& c : bench::cases()) chosen.push_back(&c);
  nlohmann::json rows = nlohmann::json::array();
  for (const bench::Case* c : chosen)
    c->run(options.quick, [&](const bench::Row& row) {
      if (options.json) {
        rows.push_back({{"case", c->name + ": " + row.name},
                        {"size", row.size},
                        {"threads", row.threads},
                        {"ms", row.ms},
                        {"baseline", row.baseline},
                        {"baseline_ms", row.baseline_ms},
                        {"ratio", row.ratio()},
                        {"detail", row.detail}});
      } else {
        print(row);
      }
    });
  if (options.json) fmt::print("{}\n", rows.dump(2));
}

}  // namespace

void add_bench(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("bench", "Measure speed as ratios to straightforward versions, in one run");
  std::string list = "Cases to run; all when none is named:";
  for (const bench::Case& c : bench::cases()) list += fmt::format("\n{}: {}", c.name, c.sentence);
  command->add_option("case", options->cases, list);
  command->add_flag("--quick", options->quick, "Small meshes, for a first look");
  command->add_flag("--json", options->json, "Print rows as JSON");
  command->callback([options] { run(*options); });
}

}  // namespace brio::app
