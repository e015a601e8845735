#include "share_command.h"

#include <fmt/format.h>

#include "core/safe_file.h"
#include "pages.h"
#include "studio/session.h"
#include "studio/share.h"

namespace brio::app {
namespace {

struct ShareCommand {
  std::string scene, out, page;
  std::vector<std::string> integrators;
};

void run(const ShareCommand& options) {
  const studio::SceneText scene = read_scene(options.scene);
  const std::filesystem::path page = page_folder(options.page);
  const studio::PageParts parts{.html = read_page_file(page / "index.html"),
                                .style = read_page_file(page / "studio.css"),
                                .script = read_page_file(page / "studio.js"),
                                .worker = read_page_file(page / "worker.js"),
                                .engine = read_page_file(page / "engine.wasm")};
  const std::filesystem::path out = options.out.empty() ? std::filesystem::path(scene.name).replace_extension(".html")
                                                        : std::filesystem::path(options.out);
  const std::string html = studio::share_page(parts, studio::gather(scene, options.integrators));
  write_safely(out, html);
  fmt::print("{}: {:.1f} MB, all in one file; it opens in a browser from anywhere.\n", out.string(),
             static_cast<double>(html.size()) * 1e-6);
}

}  // namespace

void add_share(CLI::App& program) {
  const auto options = std::make_shared<ShareCommand>();
  CLI::App* command = program.add_subcommand("share", "A scene as one page that simulates by itself, for others");
  command->add_option("scene", options->scene, "Scene file (TOML)")->required();
  command->add_option("-o,--output", options->out, "Page to write; else SCENE.html here");
  command->add_option("--integrators", options->integrators, "One to four, side by side; else that of the scene")
      ->delimiter(',')
      ->expected(1, static_cast<int>(studio::Session::max_panes));
  command->add_option("--page", options->page, "Folder of the page; else that of the build");
  command->callback([options] { run(*options); });
}

}  // namespace brio::app
