/// The engine of pages, run by Node.js without a page: for tests and benchmarks.
#pragma once

#include <optional>

#include "studio/shared_scene.h"

namespace brio::studio {

struct HeadlessAnswer {
  double ms = 0;     ///< of processor time: the message, and the frame after it
  double bytes = 0;  ///< of the frame
  std::vector<std::string> complaints{};
  std::vector<Vec3> positions{};  ///< of the first pane, where they were asked for
};

/// What it answers to each message; nothing where there is no Node.js, or no engine in the folder, which is that of the
/// built page (`./brio share` makes it). Throws InputError with all it said where it failed.
std::optional<std::vector<HeadlessAnswer>> run_headless(const std::filesystem::path& page, const SharedScene& scene,
                                                        const std::vector<std::string>& messages, bool positions);

}  // namespace brio::studio
