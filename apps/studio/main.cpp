/// brio-studio: a scene in the browser, to take hold of, and as a page for others. A program of its own, beside brio,
/// which hands both commands over.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "brio/core.h"
#include "core/printable.h"
#include "pages.h"
#include "program/interrupt.h"
#include "program/program.h"
#include "program/say.h"
#include "server.h"
#include "share_command.h"
#include "studio/disk.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

struct StudioCommand {
  std::string scene;
  std::vector<std::string> integrators;
  std::string page;
  int port = 0;
  int threads = 0;
  bool no_open = false;
};

/// In a process of its own that nobody waits for; where there is no such program, the address is on the terminal.
void open_browser(const std::string& address) {
  std::signal(SIGCHLD, SIG_IGN);
  if (fork() != 0) return;
  setsid();
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  execlp("xdg-open", "xdg-open", address.c_str(), nullptr);
  _exit(1);
}

void run(const StudioCommand& options) {
  set_threads(options.threads);
  const fs::path scenes = BRIO_SCENES_DIR;
  const fs::path scene = options.scene.empty() ? scenes / "bunny-ears.toml" : fs::path(options.scene);
  Server server(page_folder(options.page), options.port);
  studio::Studio studio(read_scene(scene), options.integrators,
                        std::make_unique<studio::Disk>(studio::Places{.gallery = scenes}));
  server.serve(std::move(studio));
  if (!options.no_open) open_browser(server.address());
  fmt::print("brio studio: {}\nOpen this address in a browser. Ctrl-C ends it.\n", server.address());
  std::fflush(stdout);
  while (!Interrupt::requested()) usleep(50000);
}

void add_studio(CLI::App& program) {
  const auto options = std::make_shared<StudioCommand>();
  CLI::App* command = program.add_subcommand("studio", "Take hold of a scene, in a browser");
  command->add_option("scene", options->scene, "Scene file (TOML); else a bunny that is pulled by its ears");
  command->add_option("--integrators", options->integrators, "One to four, side by side; else that of the scene")
      ->delimiter(',')
      ->expected(1, static_cast<int>(studio::Session::max_panes));
  command->add_option("--port", options->port, "To listen on, on 127.0.0.1; 0: any that is free")
      ->check(CLI::Range(0, 65535));
  command->add_option("--page", options->page, "Folder of the page; else that of the build");
  command->add_option("--threads", options->threads, "Number of threads; 0: all cores. Results do not depend on it");
  command->add_flag("--no-open", options->no_open, "Only print the address, open no browser");
  command->callback([options] { run(*options); });
}

}  // namespace
}  // namespace brio::app

int main(int argc, char** argv) {
  CLI::App program{"Take hold of it.", "brio"};
  brio::app::set_up(program);
  brio::app::add_studio(program);
  brio::app::add_share(program);
  return brio::app::run_program(program, argc, argv);
}
