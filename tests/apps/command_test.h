/// The built program, run in a folder of the test's own.
#pragma once

#include <nlohmann/json.hpp>

#include "in_folder.h"
#include "run_program.h"

class CommandTest : public brio::testing::InFolder {
 protected:
  /// What it says on standard error goes to the file "stderr".
  Result brio(const std::string& arguments) const {
    return run_program("cd " + folder.string() + " && " BRIO_PROGRAM " " + arguments + " 2>stderr");
  }
  bool says(const std::filesystem::path& name, const std::string& part) const {
    return read(name).find(part) != std::string::npos;
  }
  nlohmann::json json(const std::filesystem::path& name) const { return nlohmann::json::parse(read(name)); }
};
