#include <fmt/format.h>

#include <memory>

#include "bench_report.h"
#include "commands.h"
#include "core/fields.h"

namespace brio::app {
namespace {

struct Options {
  std::vector<std::string> cases;
  bool quick = false;
  bool json = false;
  bool markdown = false;

  std::string command() const {
    std::string text = "brio bench";
    for (const std::string& name : cases) text += " " + name;
    return text + (quick ? " --quick" : "") + " --markdown";
  }
};

const bench::Case& find_case(const std::string& name) {
  std::vector<std::string> names;
  for (const bench::Case& c : bench::cases()) {
    if (c.name == name) return c;
    names.push_back(c.name);
  }
  refuse_name("case", name, "unknown benchmark", names);
}

void print(const std::string& text) {
  fmt::print("{}", text);
  std::fflush(stdout);  // rows take their time
}

void run(const Options& options) {
  std::vector<const bench::Case*> chosen;
  for (const std::string& name : options.cases) chosen.push_back(&find_case(name));
  if (chosen.empty())
    for (const bench::Case& c : bench::cases()) chosen.push_back(&c);
  nlohmann::json rows = nlohmann::json::array();
  if (options.markdown) print(bench_page_head(options.command()));
  for (const bench::Case* c : chosen) {
    if (options.markdown) print(bench_section_head(*c));
    c->run(options.quick, [&](const bench::Row& row) {
      if (options.json) {
        rows.push_back(bench_json(c->name, row));
      } else {
        print(options.markdown ? bench_section_row(row) : bench_line(row) + "\n");
      }
    });
    if (options.markdown) print("\n" + c->remarks + "\n");
  }
  if (options.json) print(rows.dump(2) + "\n");
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
  CLI::Option* json = command->add_flag("--json", options->json, "Print rows as JSON");
  command->add_flag("--markdown", options->markdown, "Print tables as in docs/performance.md")->excludes(json);
  command->callback([options] { run(*options); });
}

}  // namespace brio::app
