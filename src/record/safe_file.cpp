#include "record/safe_file.h"

#include <utility>

namespace brio {

SafeFile::SafeFile(std::filesystem::path path) : path_(std::move(path)), part_(path_.string() + ".part") {}

void SafeFile::write(std::string_view bytes) {
  constexpr std::size_t enough = std::size_t{1} << 20;  // bytes per call of the system
  buffer_ += bytes;
  if (buffer_.size() < enough) return;
  part_.append(buffer_);
  buffer_.clear();
}

void SafeFile::finish(bool durable) {
  part_.append(buffer_);
  buffer_.clear();
  if (durable) part_.sync();
  part_.close();
  std::error_code error;
  std::filesystem::rename(part_.path(), path_, error);
  if (error) throw WriteError({.file = path_.string(), .problem = "cannot be written: " + error.message()});
}

void write_safely(const std::filesystem::path& path, std::string_view bytes, bool durable) {
  SafeFile file(path);
  file.write(bytes);
  file.finish(durable);
}

}  // namespace brio
