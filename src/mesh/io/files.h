/// Whole files in memory.
#pragma once

#include <filesystem>
#include <string>

namespace brio {

/// Throws an InputError about the file as a whole.
[[noreturn]] void refuse_file(const std::filesystem::path& file, std::string problem, std::string advice = {});

/// Refuses what is missing, no plain file, or larger than 8 GiB (which keeps every index of a mesh within an int).
std::string read_bytes(const std::filesystem::path& file);

}  // namespace brio
