/// PointCache2: "POINTCACHE2\0", version 1 (int32), points (int32), first frame (float32), frames per sample (float32),
/// samples (int32), then x, y, z of every point (float32), sample after sample. Little-endian.
#include <fmt/format.h>

#include "core/safe_file.h"
#include "mesh/io/output.h"
#include "record/exports/formats.h"

namespace brio {
namespace {

/// The same vertices and faces, for the points to move.
std::string first_shape(const Surface& s, const std::vector<float>& xyz) {
  std::string obj = fmt::format("o {}\n", s.id);
  for (std::size_t i = 0; i < s.size(); ++i) print(obj, "v {} {} {}\n", xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);
  for (const auto& [a, b, c] : s.triangles) print(obj, "f {} {} {}\n", a + 1, b + 1, c + 1);
  for (const auto& [a, b] : s.segments) print(obj, "l {} {}\n", a + 1, b + 1);
  return obj;
}

}  // namespace

void write_pc2(const Animation& animation, const std::filesystem::path& folder) {
  const std::filesystem::path place = output_folder(folder, "pc2");
  std::vector<float> scratch;
  std::vector<float> xyz;
  for (const Surface& s : animation.surfaces) {
    SafeFile file(place / (s.id + ".pc2"));
    std::string header("POINTCACHE2\0", 12);
    append(header, std::int32_t{1});
    append(header, static_cast<std::int32_t>(s.size()));
    append(header, 0.0f);
    append(header, 1.0f);
    append(header, static_cast<std::int32_t>(animation.frames.frames()));
    file.write(header);
    for (long k = 0; k < animation.frames.frames(); ++k) {
      read_positions(animation.frames, k, s, scratch, xyz);
      if (k == 0) write_safely(place / (s.id + ".obj"), first_shape(s, xyz));
      file.write({reinterpret_cast<const char*>(xyz.data()), sizeof(float) * xyz.size()});
    }
    file.finish();
  }
}

}  // namespace brio
