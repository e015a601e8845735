/// Where results go that are named on the command line.
#pragma once

#include <filesystem>

#include "brio/core.h"

namespace brio::app {

/// A name too many on the command line, such as *.obj stands for, must not cost a file.
inline void check_place(const std::filesystem::path& file, bool force) {
  if (!force && std::filesystem::exists(std::filesystem::symlink_status(file)))
    throw InputError({.file = file.string(),
                      .problem = "is there already",
                      .advice = "choose another name for the result, or --force to replace it"});
}

}  // namespace brio::app
