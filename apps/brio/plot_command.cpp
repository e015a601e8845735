/// brio plot: ledgers as pictures for papers.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "report/ledger_charts.h"
#include "report/picture.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

struct PlotOptions {
  std::vector<std::string> ledgers;
  std::string picture = "plot.svg";
  std::vector<std::string> columns{"kinetic", "elastic", "gravity", "total"};
  std::string title;
  bool log = false;
};

/// A ledger, or that of a run's folder; named by its folder, which tells runs apart.
NamedLedger named_ledger(const fs::path& given) {
  const fs::path file = fs::is_directory(given) ? given / "ledger.csv" : given;
  const bool usual = file.filename() == "ledger.csv";
  const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
  return {usual ? folder.filename().string() : file.stem().string(), read_ledger(file)};
}

void plot(const PlotOptions& options) {
  std::vector<NamedLedger> runs;
  for (const std::string& ledger : options.ledgers) runs.push_back(named_ledger(ledger));
  Chart chart = column_chart(runs, options.columns, options.log);
  chart.title = options.title;
  write_picture(options.picture, chart);
  fmt::print("wrote {}\n", options.picture);
}

}  // namespace

void add_plot(CLI::App& program) {
  const auto options = std::make_shared<PlotOptions>();
  CLI::App* command = program.add_subcommand("plot", "Draw ledgers as SVG or PNG");
  command->add_option("ledgers", options->ledgers, "ledger.csv files, or folders of runs; several are overlaid")
      ->required();
  command->add_option("-o,--output", options->picture, "Picture: .svg, or .png where rsvg-convert is installed")
      ->capture_default_str();
  command->add_option("--columns", options->columns, "Columns of the ledger, of one unit")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--title", options->title, "Stands above the chart");
  command->add_flag("--log", options->log, "Sizes on a logarithmic axis");
  command->callback([options] { plot(*options); });
}

}  // namespace brio::app
