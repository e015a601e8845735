/// Wavefront OBJ, one file per frame with one object per body.
#include "core/safe_file.h"
#include "mesh/io/output.h"
#include "record/exports/formats.h"

namespace brio {

void write_obj(const Animation& animation, const std::filesystem::path& folder) {
  const std::filesystem::path place = output_folder(folder, "obj");
  std::vector<float> scratch;
  std::vector<float> xyz;
  std::string text;
  for (long k = 0; k < animation.frames.frames(); ++k) {
    text.clear();
    int first = 1;
    for (const Surface& s : animation.surfaces) {
      read_positions(animation.frames, k, s, scratch, xyz);
      print(text, "o {}\n", s.id);
      for (std::size_t i = 0; i < s.size(); ++i)
        print(text, "v {} {} {}\n", xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);
      for (const auto& [a, b, c] : s.triangles) print(text, "f {} {} {}\n", first + a, first + b, first + c);
      for (const auto& [a, b] : s.segments) print(text, "l {} {}\n", first + a, first + b);
      first += static_cast<int>(s.size());
    }
    write_safely(place / sequence_file(k, "obj"), text);
  }
}

}  // namespace brio
