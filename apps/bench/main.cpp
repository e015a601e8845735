/// brio-bench: what `brio bench` runs. A program of its own, so that nobody who only simulates has to build it.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bench_report.h"
#include "core/fields.h"
#include "core/safe_file.h"
#include "program/program.h"
#include "score_report.h"

namespace brio::app {
namespace {

struct Options {
  std::vector<std::string> cases;
  bool quick = false;
  bool json = false;
  bool markdown = false;
  std::string chart;

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

/// Its rows are sorted, so that they come all at once.
void report_score(const Options& options, nlohmann::json& rows) {
  const ScoreSheet sheet = score_sheet(options.quick);
  if (options.json) {
    for (auto& row : score_json(sheet)) rows.push_back(std::move(row));
  } else {
    print(options.markdown ? score_markdown(sheet) : score_text(sheet));
  }
  if (!options.chart.empty()) write_safely(options.chart, score_chart(sheet));
}

void run(const Options& options) {
  std::vector<const bench::Case*> chosen;
  for (const std::string& name : options.cases) chosen.push_back(&find_case(name));
  if (chosen.empty())
    for (const bench::Case& c : bench::cases()) chosen.push_back(&c);
  const auto is_score = [](const bench::Case* c) { return c->run == nullptr; };
  if (!options.chart.empty() && std::ranges::none_of(chosen, is_score))
    throw InputError(
        {.key = "--chart", .problem = "shows the case `score`", .advice = "brio bench score --chart FILE.svg"});
  nlohmann::json rows = nlohmann::json::array();
  if (options.markdown) print(bench_page_head(options.command()));
  for (const bench::Case* c : chosen) {
    if (is_score(c)) {
      report_score(options, rows);
      continue;
    }
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

void add_bench(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("bench", "Measure speed as ratios to straightforward versions, in one run");
  std::string list = "Cases to run; all when none is named:";
  for (const bench::Case& c : bench::cases()) list += fmt::format("\n{}: {}", c.name, c.sentence);
  command->add_option("case", options->cases, list);
  command->add_flag("--quick", options->quick, "Small meshes, for a first look");
  CLI::Option* json = command->add_flag("--json", options->json, "Print rows as JSON");
  command->add_flag("--markdown", options->markdown, "Print tables as in docs/performance.md")->excludes(json);
  command->add_option("--chart", options->chart, "Draw the scores of explicit integrators as bars into this SVG file");
  command->callback([options] { run(*options); });
}

}  // namespace
}  // namespace brio::app

int main(int argc, char** argv) {
  CLI::App program{"Measure how fast brio is.", "brio"};
  brio::app::set_up(program);
  brio::app::add_bench(program);
  return brio::app::run_program(program, argc, argv);
}
