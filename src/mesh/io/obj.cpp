/// Wavefront OBJ: "v x y z", "f 1/2/3 ...", "l 1 2 ...". Corners may be given before their vertices; negative indices
/// count back from the vertices so far. Colors, weights, texture and normal data are dropped.
#include <algorithm>
#include <array>
#include <limits>

#include "mesh/io/cells.h"
#include "mesh/io/formats.h"
#include "mesh/io/input.h"
#include "mesh/io/output.h"

namespace brio {
namespace {

constexpr auto ignored = std::to_array<std::string_view>(
    {"vt",     "vn",     "vp",     "p",         "g",          "o",        "s",        "mg",     "usemtl",
     "mtllib", "usemap", "maplib", "lod",       "bevel",      "c_interp", "d_interp", "cstype", "deg",
     "bmat",   "step",   "curv",   "curv2",     "surf",       "parm",     "trim",     "hole",   "scrv",
     "sp",     "end",    "con",    "trace_obj", "shadow_obj", "ctech",    "stech",    "call",   "csh"});

/// Vertices may follow the faces that use them, so the largest index is checked at the end, where it was seen.
class Corners {
 public:
  Corners(Input& in, const Mesh& mesh) : in_(in), mesh_(mesh) {}

  /// The corners on the rest of the line.
  const std::vector<int>& read(std::size_t least) {
    list_.clear();
    while (in_.has_word()) list_.push_back(corner());
    if (list_.size() < least) in_.fail(fmt::format("needs at least {} corners, has {}", least, list_.size()));
    return list_;
  }

  void check_range() {
    if (largest_ < mesh_.vertices.size()) return;
    in_.seek(largest_at_);
    in_.vertex_index(static_cast<std::int64_t>(largest_) + 1, 1, mesh_.vertices.size());
  }
  bool any() const { return any_; }

 private:
  int corner() {
    const std::string_view word = in_.word("a vertex index");
    const std::string_view digits = word.substr(0, word.find('/'));
    int raw = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), raw);
    if (error != std::errc{} || stop != digits.data() + digits.size() || raw == 0)
      in_.fail("expected a vertex index: a whole number, not 0", word);
    if (raw < 0) {
      const std::int64_t back = static_cast<std::int64_t>(mesh_.vertices.size()) + raw;
      if (back < 0) in_.fail(fmt::format("counts back beyond the {} vertices so far", mesh_.vertices.size()), word);
      return static_cast<int>(back);
    }
    const auto index = static_cast<std::size_t>(raw - 1);
    if (!any_ || index > largest_) {
      any_ = true;
      largest_ = index;
      largest_at_ = in_.position() - word.size();
    }
    return raw - 1;
  }

  Input& in_;
  const Mesh& mesh_;
  std::vector<int> list_;
  bool any_ = false;
  std::size_t largest_ = 0, largest_at_ = 0;
};

}  // namespace

Mesh parse_obj(std::string_view bytes, const std::string& name) {
  Mesh mesh;
  Input in(bytes, name);
  Corners corners(in, mesh);
  while (in.next_line()) {
    const std::string_view keyword = in.word("a keyword");
    if (keyword == "v") {
      mesh.vertices.push_back(in.point());
      while (in.has_word()) in.get<double>("a weight or color");
    } else if (keyword == "f" || keyword == "fo") {
      add_polygon(mesh, corners.read(3));
    } else if (keyword == "l") {
      add_chain(mesh, corners.read(2));
    } else if (std::ranges::find(ignored, keyword) == ignored.end()) {
      in.fail("unknown keyword", keyword, "an .obj file has lines such as 'v 0 0 1' and 'f 1 2 3'");
    }
  }
  if (corners.any()) corners.check_range();
  if (mesh.vertices.empty()) in.fail("no vertices ('v x y z') in the file");
  return mesh;
}

std::string print_obj(const Mesh& mesh, bool, const std::string&) {
  std::string out = "# written by brio\n";
  for (const Vec3& x : mesh.vertices) print(out, "v {} {} {}\n", x[0], x[1], x[2]);
  for (const Triangle& t : mesh.triangles) print(out, "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  for (const Segment& s : mesh.segments) print(out, "l {} {}\n", s[0] + 1, s[1] + 1);
  return out;
}

}  // namespace brio
