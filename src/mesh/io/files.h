/// Whole files in and out of memory.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace brio {

/// Throws an InputError about the file as a whole.
[[noreturn]] void refuse_file(const std::filesystem::path& file, std::string problem, std::string advice = {});

/// Refuses what is missing, no plain file, or larger than 8 GiB (which keeps every index of a mesh within an int).
std::string read_bytes(const std::filesystem::path& file);

/// Writes under a temporary name in the same directory, then renames: the file is never half written.
void write_bytes(const std::filesystem::path& file, std::string_view bytes);

}  // namespace brio
