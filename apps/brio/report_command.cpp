/// brio report: the page of a run, made again from what the run left behind.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "recorded_scene.h"
#include "report/run_report.h"

namespace brio::app {

void add_report(CLI::App& program) {
  const auto folder = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand("report", "Write report.html of a finished run again");
  command->add_option("run", *folder, "Folder of the run")->required();
  command->callback([folder] {
    write_run_report(*folder, load_recorded_scene(*folder).scenery);
    fmt::print("wrote {}\n", (std::filesystem::path(*folder) / "report.html").string());
  });
}

}  // namespace brio::app
