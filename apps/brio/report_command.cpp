/// brio report: the page of a run, made again from what the run left behind.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "core/printable.h"
#include "record/held_folder.h"
#include "record/recorder.h"
#include "recorded_scene.h"
#include "report/run_report.h"

namespace brio::app {

void add_report(CLI::App& program) {
  const auto folder = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand(
      "report", "Write report.html of a run that has ended again, in place of the one that brio wrote");
  command->add_option("run", *folder, "Folder of the run")->required();
  command->callback([folder] {
    const Scene scene = load_recorded_scene(*folder);
    HeldFolder held(*folder);
    held.claim({.files = {RunFiles::report}}, scene.inputs);
    write_run_report(*folder, scene.scenery);
    fmt::print("wrote {}\n", printable((held.path() / RunFiles::report).string()));
  });
}

}  // namespace brio::app
