/// brio report: the page of a run, made again from what the run left behind.
#include <fmt/format.h>

#include <memory>

#include "brio/run.h"
#include "commands.h"
#include "core/printable.h"

namespace brio::app {

void add_report(CLI::App& program) {
  const auto folder = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand(
      "report", "Write report.html of a run that has ended again, in place of the one that brio wrote");
  command->add_option("run", *folder, "Folder of the run")->required();
  command->callback([folder] {
    report_run(*folder);
    fmt::print("wrote {}\n", printable((std::filesystem::path(*folder) / RunFiles::report).string()));
  });
}

}  // namespace brio::app
