/// STL: triangles as triples of points, text or binary (80 bytes of anything, a count, 50 bytes per triangle in 32-bit
/// floats, little-endian). Vertices are those of exactly equal coordinates, numbered by first appearance. Normals are
/// dropped: the order of the corners says the same.
#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "mesh/io/formats.h"
#include "mesh/io/input.h"
#include "mesh/io/output.h"

namespace brio {
namespace {

constexpr std::size_t header_bytes = 80, triangle_bytes = 50;

/// Sorting instead of hashing: no choice of points can make it slow.
Mesh weld(const std::vector<Vec3>& corners) {
  std::vector<int> order(corners.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int i) {
    const Vec3& x = corners[i];
    return std::tuple(x[0], x[1], x[2]);
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const auto ka = key(a), kb = key(b);
    return ka < kb || (ka == kb && a < b);
  });
  std::vector<int> first(corners.size());  // the first corner at the same point
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && key(order[k - 1]) == key(order[k]);
    first[order[k]] = same ? first[order[k - 1]] : order[k];
  }
  Mesh mesh;
  mesh.triangles.resize(corners.size() / 3);
  std::vector<int> vertex(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (first[i] == static_cast<int>(i)) {
      vertex[i] = static_cast<int>(mesh.vertices.size());
      mesh.vertices.push_back(corners[i]);
    }
    mesh.triangles[i / 3][i % 3] = vertex[first[i]];
  }
  return mesh;
}

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

void expect(Input& in, const char* wanted) {
  const std::string_view found = in.word(wanted);
  if (lower(found) != wanted) in.fail(fmt::format("expected {}", wanted), found);
}

Mesh parse_text(Input& in) {
  std::vector<Vec3> corners;
  while (in.has_word()) {
    expect(in, "solid");
    in.rest_of_line();
    for (;;) {
      const std::string_view found = in.word("facet or endsolid");
      const std::string keyword = lower(found);
      if (keyword == "endsolid") break;
      if (keyword != "facet") in.fail("expected facet or endsolid", found);
      in.rest_of_line();  // the normal, often nonsense
      expect(in, "outer");
      expect(in, "loop");
      for (int i = 0; i < 3; ++i) {
        expect(in, "vertex");
        corners.push_back(in.point());
      }
      expect(in, "endloop");
      expect(in, "endfacet");
    }
    in.rest_of_line();
  }
  return weld(corners);
}

Mesh parse_binary(Input& in) {
  in.skip_bytes(header_bytes, "the header");
  const std::size_t count =
      in.checked_count(in.get<std::uint32_t>("the number of triangles"), triangle_bytes, "triangles");
  if (in.left() != count * triangle_bytes)
    in.fail(fmt::format("{} triangles declared, which take {} bytes, but {} follow", count, count * triangle_bytes,
                        in.left()));
  std::vector<Vec3> corners;
  corners.reserve(3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    in.skip_bytes(3 * sizeof(float), "a normal");
    for (int k = 0; k < 3; ++k) {
      const double x = in.coordinate_as<float>(), y = in.coordinate_as<float>(), z = in.coordinate_as<float>();
      corners.emplace_back(x, y, z);
    }
    in.skip_bytes(sizeof(std::uint16_t), "the attributes");
  }
  return weld(corners);
}

Vec3 normal(const Mesh& mesh, const Triangle& t) {
  const Vec3& a = mesh.vertices[t[0]];
  const Vec3 e = mesh.vertices[t[1]] - a, f = mesh.vertices[t[2]] - a;
  const Vec3 n(e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]);
  const double length = n.norm();
  return length > 0 && length <= std::numeric_limits<double>::max() ? Vec3(n / length) : Vec3::Zero();
}

}  // namespace

/// Many binary files start with "solid" too: the size decides first.
Mesh parse_stl(std::string_view bytes, const std::string& name) {
  Input in(bytes, name);
  Input binary(bytes, name);
  binary.set_coding(Coding::little_endian);
  if (bytes.size() >= header_bytes + sizeof(std::uint32_t)) {
    binary.seek(header_bytes);
    const std::size_t count = binary.get<std::uint32_t>("the number of triangles");
    const bool fits = binary.left() == count * triangle_bytes;
    binary.seek(0);
    if (fits) return parse_binary(binary);
  }
  return lower(in.peek()) == "solid" ? parse_text(in) : parse_binary(binary);
}

std::string print_stl(const Mesh& mesh, bool binary, const std::string&) {
  if (!binary) {
    std::string out = "solid brio\n";
    for (const Triangle& t : mesh.triangles) {
      const Vec3 n = normal(mesh, t);
      print(out, "facet normal {} {} {}\nouter loop\n", n[0], n[1], n[2]);
      for (const int i : t)
        print(out, "vertex {} {} {}\n", mesh.vertices[i][0], mesh.vertices[i][1], mesh.vertices[i][2]);
      out += "endloop\nendfacet\n";
    }
    return out + "endsolid brio\n";
  }
  std::string out = "binary STL written by brio";
  out.resize(header_bytes, ' ');
  append(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Triangle& t : mesh.triangles) {
    for (const double x : normal(mesh, t)) append(out, static_cast<float>(x));
    for (const int i : t)
      for (const double x : mesh.vertices[i]) append(out, static_cast<float>(x));
    append(out, std::uint16_t{0});
  }
  return out;
}

}  // namespace brio
