/// brio plot: ledgers and phase space as pictures for papers.
#include <fmt/format.h>

#include <memory>

#include "brio/core.h"
#include "commands.h"
#include "core/printable.h"
#include "place.h"
#include "record/recorder.h"
#include "report/ledger_charts.h"
#include "report/phase_chart.h"
#include "report/picture.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

struct PlotOptions {
  std::vector<std::string> runs;
  std::string picture = "plot.svg";
  std::vector<std::string> columns{"kinetic", "elastic", "gravity", "total"};
  std::string title;
  bool log = false;
  bool force = false;
  bool phase_space = false;
  PhaseChoice phase;
};

/// A file of a run, named by itself or by the folder of the run.
struct RunFile {
  fs::path path;
  std::string run;  ///< the folder, which tells runs apart; of a file with a name of its own, that name

  RunFile(const fs::path& given, const char* usual) : path(fs::is_directory(given) ? given / usual : given) {
    if (!fs::exists(path))
      throw InputError({.file = given.string(),
                        .problem = fs::exists(given) ? fmt::format("holds no {}", usual) : "does not exist",
                        .advice = fmt::format("name the folder of a run, or its {}", usual)});
    const fs::path folder = fs::absolute(path).lexically_normal().parent_path();
    run = path.filename() == usual ? folder.filename().string() : path.stem().string();
  }
};

Chart ledger_chart(const PlotOptions& options) {
  std::vector<NamedLedger> ledgers;
  for (const std::string& given : options.runs) {
    const RunFile file(given, RunFiles::ledger);
    ledgers.push_back({file.run, read_ledger(file.path)});
  }
  return column_chart(ledgers, options.columns, options.log);
}

Chart phase_space(const PlotOptions& options) {
  std::vector<NamedFrames> frames;
  for (const std::string& given : options.runs) {
    const RunFile file(given, RunFiles::frames);
    frames.push_back({file.run, file.path});
  }
  return phase_chart(frames, options.phase);
}

void plot(const PlotOptions& options) {
  check_place(options.picture, options.force);
  Chart chart = options.phase_space ? phase_space(options) : ledger_chart(options);
  chart.title = options.title;
  write_picture(options.picture, chart);
  fmt::print("wrote {}\n", printable(options.picture));
}

}  // namespace

void add_plot(CLI::App& program) {
  const auto options = std::make_shared<PlotOptions>();
  CLI::App* command = program.add_subcommand("plot", "Draw ledgers or phase space as SVG or PNG");
  command->add_option("runs", options->runs, "Folders of runs, or their ledger.csv or frames.bin; several are overlaid")
      ->required();
  command->add_option("-o,--output", options->picture, "Picture: .svg, or .png where rsvg-convert is installed")
      ->capture_default_str();
  CLI::Option* columns = command->add_option("--columns", options->columns, "Columns of the ledger, of one unit")
                             ->delimiter(',')
                             ->capture_default_str();
  command->add_flag("--force", options->force, "Replace the picture if it is there already");
  command->add_option("--title", options->title, "Stands above the chart");
  CLI::Option* log = command->add_flag("--log", options->log, "Sizes on a logarithmic axis");
  CLI::Option* phase = command
                           ->add_option("--phase", options->phase.coordinate,
                                        "Instead of the ledger, phase space of one vertex: x, y or z against its "
                                        "velocity, or angle against its rate")
                           ->check(CLI::IsMember({"x", "y", "z", "angle"}))
                           ->excludes(columns)
                           ->excludes(log)
                           ->each([options](const std::string&) { options->phase_space = true; });
  command->add_option("--vertex", options->phase.vertex, "Counted from 0 over all bodies; else the last")->needs(phase);
  command
      ->add_option("--pivot", options->phase.pivot,
                   "What the angle turns about: a vertex, or x,y,z of a point [m]; angles count from straight down")
      ->delimiter(',')
      ->capture_default_str()
      ->needs(phase);
  command->add_option("--about", options->phase.about, "Axis of the angle, by the right hand")
      ->check(CLI::IsMember({"x", "y", "z"}))
      ->capture_default_str()
      ->needs(phase);
  command->callback([options] { plot(*options); });
}

}  // namespace brio::app
