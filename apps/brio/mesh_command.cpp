#include "commands.h"

namespace brio::app {

void add_mesh(CLI::App& program) { program.add_subcommand("mesh", "Convert, generate or inspect a mesh"); }

}  // namespace brio::app
