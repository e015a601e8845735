#include "report/picture.h"

#include "brio/core.h"
#include "core/process.h"
#include "record/safe_file.h"
#include "report/svg.h"
#include "report/text_file.h"

namespace brio {
namespace {

void convert_to_png(const std::filesystem::path& svg, const std::filesystem::path& png) {
  const std::filesystem::path log = svg.string() + ".log";
  const int code = run_process(
      {"rsvg-convert", "--zoom=2", "--background-color=white", "--output", png.string(), svg.string()}, log);
  const std::string said = code > 0 && code != 127 ? read_text(log) : "";
  std::error_code ignored;
  std::filesystem::remove(log, ignored);
  if (code == -1 || code == 127)
    throw InputError({.file = png.string(),
                      .problem = "rsvg-convert, which makes PNG of SVG, is not installed",
                      .advice = "install Debian's librsvg2-bin, or write an .svg"});
  if (code != 0) throw InputError({.file = png.string(), .problem = "rsvg-convert failed: " + said});
}

}  // namespace

void write_picture(const std::filesystem::path& file, const Chart& chart) {
  const std::string extension = file.extension().string();
  if (extension == ".svg") return write_safely(file, to_svg(chart));
  if (extension != ".png")
    throw InputError({.file = file.string(), .problem = "is neither .svg nor .png", .advice = "name one of them"});
  const std::filesystem::path svg = file.string() + ".part.svg";
  const std::filesystem::path png = file.string() + ".part";
  write_safely(svg, to_svg(chart));
  std::error_code ignored;
  try {
    convert_to_png(svg, png);
  } catch (...) {
    std::filesystem::remove(svg, ignored);
    throw;
  }
  std::filesystem::remove(svg, ignored);
  std::filesystem::rename(png, file);
}

}  // namespace brio
