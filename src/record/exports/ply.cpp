/// Binary PLY, one file per frame: all bodies, with velocity, color and the number of the body at every vertex.
#include <cmath>

#include "core/safe_file.h"
#include "mesh/io/output.h"
#include "record/exports/formats.h"

namespace brio {
namespace {

/// sRGB's curve, since PLY's bytes are shown as they are. [IEC 61966-2-1]
std::uint8_t display_byte(float linear) {
  const double s = linear <= 0.0031308f ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * s));
}

std::string header(const std::vector<Surface>& surfaces) {
  std::size_t vertices = 0;
  std::size_t triangles = 0;
  std::size_t segments = 0;
  for (const Surface& s : surfaces) {
    vertices += s.size();
    triangles += s.triangles.size();
    segments += s.segments.size();
  }
  std::string text = "ply\nformat binary_little_endian 1.0\ncomment made by brio\n";
  print(text, "element vertex {}\n", vertices);
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz"}) print(text, "property float {}\n", name);
  for (const char* name : {"red", "green", "blue"}) print(text, "property uchar {}\n", name);
  text += "property int body\n";
  print(text, "element face {}\nproperty list uchar int vertex_indices\n", triangles);
  if (segments > 0) print(text, "element edge {}\nproperty int vertex1\nproperty int vertex2\n", segments);
  return text + "end_header\n";
}

}  // namespace

void write_ply(const Animation& animation, const std::filesystem::path& folder) {
  const std::filesystem::path place = output_folder(folder, "ply");
  const std::string head = header(animation.surfaces);
  std::string faces;
  std::string edges;
  std::int32_t first = 0;
  for (const Surface& s : animation.surfaces) {
    for (const Triangle& t : s.triangles) {
      append(faces, std::uint8_t{3});
      for (const int v : t) append(faces, first + v);
    }
    for (const Segment& e : s.segments)
      for (const int v : e) append(edges, first + v);
    first += static_cast<std::int32_t>(s.size());
  }
  Frame frame;
  std::string bytes;
  for (long k = 0; k < animation.frames.frames(); ++k) {
    animation.frames.read(k, frame);
    bytes = head;
    std::int32_t body = 0;
    for (const Surface& s : animation.surfaces) {
      for (const int vertex : s.vertices) {
        const std::size_t at = 3 * (s.first_vertex + static_cast<std::size_t>(vertex));
        for (const std::vector<float>* field : {&frame.x, &frame.v})
          for (std::size_t c = 0; c < 3; ++c) append(bytes, (*field)[at + c]);
        for (const float channel : s.color) append(bytes, display_byte(channel));
        append(bytes, body);
      }
      ++body;
    }
    bytes.append(faces).append(edges);
    write_safely(place / sequence_file(k, "ply"), bytes);
  }
}

}  // namespace brio
