#include "mesh/io/files.h"

#include <fmt/format.h>

#include <fstream>

#include "brio/core.h"

namespace brio {
namespace {

constexpr std::uintmax_t max_bytes = std::uintmax_t{8} << 30;

}  // namespace

void refuse_file(const std::filesystem::path& file, std::string problem, std::string advice) {
  throw InputError({.file = file.string(), .problem = std::move(problem), .advice = std::move(advice)});
}

std::string read_bytes(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) refuse_file(file, "no such file");
  if (std::filesystem::is_directory(status)) refuse_file(file, "is a directory, not a file");
  if (!std::filesystem::is_regular_file(status)) refuse_file(file, "is not a plain file");
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) refuse_file(file, fmt::format("cannot be read: {}", error.message()));
  if (size == 0) refuse_file(file, "is empty");
  if (size > max_bytes) refuse_file(file, fmt::format("has {} bytes: at most {} are read", size, max_bytes));
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::ifstream in(file, std::ios::binary);
  if (!in || !in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) refuse_file(file, "cannot be read");
  return bytes;
}

}  // namespace brio
