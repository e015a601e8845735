/// Whole files as text.
#pragma once

#include <filesystem>
#include <string>

namespace brio {

/// Throws InputError when it cannot be read or is larger than `max_bytes`.
std::string read_text(const std::filesystem::path& file, std::size_t max_bytes = std::size_t{1} << 30);

}  // namespace brio
