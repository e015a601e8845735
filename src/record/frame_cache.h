/// frames.bin: positions and velocities of every frame, from which all animation files are made.
///
/// Little-endian. Header of 40 bytes: "BRIOFRM1", vertices (uint64), frames per second (float64), digest of the scene
/// (uint64), XXH3 of these 32 bytes (uint64). Then one record per frame, all of the same size: x, y, z of every vertex
/// [m], x, y, z of every velocity [m/s] (float32), and XXH3 of both seeded with the frame's number (uint64). Frames are
/// only ever appended; an incomplete record at the end, as a killed run leaves it, is no frame.
#pragma once

#include <vector>

#include "brio/model.h"
#include "core/append_file.h"

namespace brio {

struct FrameCacheInfo {
  std::size_t vertices = 0;
  double frames_per_second = 0;
  std::uint64_t digest = 0;  ///< of the scene

  std::uint64_t bytes(long frames) const;  ///< size of the file
};

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

/// x, y, z of one vertex after the other.
struct Frame {
  std::vector<float> x;  ///< [m]
  std::vector<float> v;  ///< [m/s]
};

/// Reads a cache, also one that is being written. Damage throws InputError naming the byte.
class FrameCache {
 public:
  explicit FrameCache(std::filesystem::path path);
  ~FrameCache();
  FrameCache(const FrameCache&) = delete;
  FrameCache& operator=(const FrameCache&) = delete;

  const FrameCacheInfo& info() const { return info_; }
  long frames() const { return frames_; }  ///< complete ones, the initial one included
  double time(long frame) const { return static_cast<double>(frame) / info_.frames_per_second; }  ///< [s]
  const std::filesystem::path& path() const { return path_; }

  void read(long frame, Frame& into) const;
  /// Positions of `count` vertices from `first` on, not checked for damage: read every frame once before.
  void read_positions(long frame, std::size_t first, std::size_t count, std::vector<float>& xyz) const;

 private:
  void fetch(std::uint64_t byte, void* into, std::size_t size) const;
  bool fetch_frame(long frame, Frame& into) const;  ///< whether its checksum agrees

  std::filesystem::path path_;
  int descriptor_ = -1;
  FrameCacheInfo info_;
  long frames_ = 0;
};

}  // namespace brio
