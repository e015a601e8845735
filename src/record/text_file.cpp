#include "record/text_file.h"

#include <fmt/format.h>

#include <fstream>

#include "brio/core.h"

namespace brio {

std::string read_text(const std::filesystem::path& file, std::size_t max_bytes) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) throw InputError({.file = file.string(), .problem = "cannot be read: " + error.message()});
  if (size > max_bytes)
    throw InputError({.file = file.string(), .problem = fmt::format("is larger than {} MB", max_bytes >> 20)});
  std::string text(size, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(size));
  if (!in) throw InputError({.file = file.string(), .problem = "cannot be read"});
  return text;
}

}  // namespace brio
