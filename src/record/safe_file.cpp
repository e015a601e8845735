#include "record/safe_file.h"

#include <utility>

#include "brio/core.h"

namespace brio {
namespace {

void require(bool good, const std::filesystem::path& path) {
  if (good) return;
  throw InputError({.file = path.string(),
                    .problem = "cannot be written",
                    .advice = "see that the folder exists, may be written to and has room"});
}

}  // namespace

SafeFile::SafeFile(std::filesystem::path path)
    : path_(std::move(path)), part_(path_.string() + ".part"), stream_(part_, std::ios::binary) {
  require(stream_.good(), path_);
}

void SafeFile::write(std::string_view text) {
  stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
  require(stream_.good(), path_);
}

void SafeFile::finish() {
  stream_.close();
  require(stream_.good(), path_);
  std::error_code error;
  std::filesystem::rename(part_, path_, error);
  require(!error, path_);
}

void write_safely(const std::filesystem::path& path, std::string_view text) {
  SafeFile file(path);
  file.write(text);
  file.finish();
}

}  // namespace brio
