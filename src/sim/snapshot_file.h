/// Snapshots as bytes: what `save` writes to the disk.
#pragma once

#include <string>
#include <string_view>

#include "brio/sim.h"

namespace brio {

std::string to_bytes(const Snapshot& snapshot);
/// Complaints about the bytes name `path`.
Snapshot snapshot_from(std::string_view bytes, const std::filesystem::path& path);

}  // namespace brio
