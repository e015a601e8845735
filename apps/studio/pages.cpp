#include "pages.h"

#include <fstream>
#include <iterator>

#include "brio/core.h"

namespace brio::app {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file, const char* problem, const char* advice) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (!in) throw InputError({.file = file.lexically_normal().string(), .problem = problem, .advice = advice});
  return bytes;
}

}  // namespace

studio::SceneText read_scene(const fs::path& file) {
  if (std::error_code ignored; fs::is_directory(file, ignored))
    throw InputError({.file = file.string(), .problem = "is a folder", .advice = "name a scene in it"});
  return {.text = read(file, "cannot be read", ""), .name = file.filename().string(), .folder = file.parent_path()};
}

fs::path page_folder(const std::string& named) {
  if (!named.empty()) return named;
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path() / "../../../studio";
}

std::string read_page_file(const fs::path& file) {
  return read(file, "cannot be read: the page of the studio is not there",
              "`./brio studio` and `./brio share` in the checkout build it, as does studio/build");
}

}  // namespace brio::app
