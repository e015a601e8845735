/// frames.bin: positions and velocities of every frame, from which all animation files are made.
///
/// Little-endian. Header of 40 bytes: "BRIOFRM1", vertices (uint64), frames per second (float64), digest of the scene
/// (uint64), XXH3 of these 32 bytes (uint64). Then one record per frame, all of the same size: x, y, z of every vertex
/// [m], x, y, z of every velocity [m/s] (float32), and XXH3 of both seeded with the frame's number (uint64). Frames are
/// only ever appended; an incomplete record at the end, as a killed run leaves it, is no frame.
#pragma once

#include <string>

#include "brio/record.h"
#include "core/append_file.h"

namespace brio {

/// Throws std::range_error for numbers that are too large for a frame, which holds them in single precision.
void check_range(const NodalField& x, const NodalField& v);

class FrameCacheWriter {
 public:
  /// Goes on after the first `keep` frames of the file that is there; 0 starts anew. Throws InputError when it has
  /// fewer or is of another scene.
  FrameCacheWriter(const std::filesystem::path& path, const FrameCacheInfo& info, long keep = 0);

  /// Numbers beyond the range of float32 throw std::range_error; nothing is written then.
  void add(const NodalField& x, const NodalField& v);
  void sync() { file_.sync(); }
  long frames() const { return frames_; }

 private:
  AppendFile file_;
  std::string record_;
  long frames_;
};

}  // namespace brio
