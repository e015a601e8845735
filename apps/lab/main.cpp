/// brio-lab: commands that put brio itself to the test. A program of its own, so that nobody who only simulates has to
/// build it; `brio` hands them over.
#include "lab_commands.h"

int main(int argc, char** argv) {
  CLI::App program{"Measure what brio claims.", "brio"};
  brio::app::set_up(program);
  brio::app::add_orders(program);
  brio::app::add_reproduce(program);
  brio::app::add_torture(program);
  return brio::app::run_program(program, argc, argv);
}
