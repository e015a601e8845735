/// What experiments came out with, as it is kept: one line of JSON per experiment, in docs/reproduction.jsonl and in
/// the folder that `brio reproduce` writes to.
#pragma once

#include <filesystem>
#include <map>

#include "experiments/experiment.h"

namespace brio {

struct Finished {
  std::string id;
  Form form = Form::quick;
  double seconds = 0;     ///< of processor time
  std::string stopped{};  ///< why it could not be run to its end; empty where it could
  Outcome outcome{};      ///< of what is kept without charts and motions

  bool expected() const { return stopped.empty() && outcome.expected(); }
  std::string verdict() const { return stopped.empty() ? to_string(outcome.verdict()) : "did not run"; }
};

std::string to_line(const Finished& finished);
/// By id. Throws InputError naming the line that is not understood. Empty where there is no such file.
std::map<std::string, Finished> read_kept(const std::filesystem::path& file);
/// Replaces the lines of these experiments, and leaves those of others.
void keep(const std::filesystem::path& file, const std::map<std::string, Finished>& finished);

}  // namespace brio
