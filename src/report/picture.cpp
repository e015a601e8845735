#include "report/picture.h"

#include "brio/core.h"
#include "core/process.h"
#include "core/safe_file.h"
#include "core/scratch_folder.h"
#include "record/text_file.h"
#include "report/svg.h"

namespace brio {
namespace {

/// By another program, in a folder of our own.
std::string to_png(const Chart& chart, const std::filesystem::path& file) {
  const ScratchFolder scratch(std::filesystem::temp_directory_path(), "brio-picture",
                              "set TMPDIR to a folder of yours");
  const std::filesystem::path svg = scratch.path() / "picture.svg";
  const std::filesystem::path png = scratch.path() / "picture.png";
  const std::filesystem::path log = scratch.path() / "log";
  write_safely(svg, to_svg(chart));
  const int code = run_process(
      {"rsvg-convert", "--zoom=2", "--background-color=white", "--output", png.string(), svg.string()}, log);
  if (code == -1 || code == 127)
    throw InputError({.file = file.string(),
                      .problem = "rsvg-convert, which makes PNG of SVG, is not installed",
                      .advice = "install Debian's librsvg2-bin, or write an .svg"});
  if (code != 0) throw InputError({.file = file.string(), .problem = "rsvg-convert failed: " + read_text(log)});
  return read_text(png);
}

}  // namespace

void write_picture(const std::filesystem::path& file, const Chart& chart) {
  const std::string extension = file.extension().string();
  if (extension != ".svg" && extension != ".png")
    throw InputError({.file = file.string(), .problem = "is neither .svg nor .png", .advice = "name one of them"});
  write_safely(file, extension == ".svg" ? to_svg(chart) : to_png(chart, file));
}

}  // namespace brio
