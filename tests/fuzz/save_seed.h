/// Where fuzzing starts from: DIR/<reader>/<name>.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace brio {

struct SaveSeed {
  std::filesystem::path root;

  void operator()(const char* reader, const char* name, const std::string& bytes) const {
    std::filesystem::create_directories(root / reader);
    std::ofstream(root / reader / name, std::ios::binary) << bytes;
  }
};

}  // namespace brio
