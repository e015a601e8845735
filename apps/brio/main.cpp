#include "commands.h"
#include "core/printable.h"
#include "program/say.h"

int main(int argc, char** argv) {
  CLI::App program{"brio animates deformable things: jelly, cloth, wires."};
  brio::app::set_up(program);
  brio::app::add_run(program);
  brio::app::add_scene(program);
  brio::app::add_compare(program);
  brio::app::add_report(program);
  brio::app::add_plot(program);
  brio::app::add_export(program);
  brio::app::add_list(program);
  brio::app::add_mesh(program);
  brio::app::add_other_programs(program);
  try {
    brio::app::hand_over(argc, argv);
  } catch (const brio::InputError& error) {
    brio::app::say("brio: {}\n", brio::printable(error.what()));
    return 1;
  }
  return brio::app::run_program(program, argc, argv);
}
