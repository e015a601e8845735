/// OpenUSD as text: a Mesh per solid and cloth, BasisCurves per wire, Points per body of particles, under one Xform.
/// Time codes are frames. The text holds attribute after attribute, so every attribute is a pass over the frames.
/// [openusd.org, UsdGeom]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/safe_file.h"
#include "mesh/io/output.h"
#include "record/exports/formats.h"

namespace brio {
namespace {

/// In double quotes; control characters have no place in a title.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

void print_points(std::string& out, const std::vector<float>& xyz) {
  out += '[';
  for (std::size_t i = 0; i < xyz.size(); i += 3)
    print(out, "{}({}, {}, {})", i > 0 ? ", " : "", xyz[i], xyz[i + 1], xyz[i + 2]);
  out += ']';
}

/// Four digits are enough to shade by.
void print_normals(std::string& out, const std::vector<float>& xyz) {
  out += '[';
  for (std::size_t i = 0; i < xyz.size(); i += 3)
    print(out, "{}({:.4g}, {:.4g}, {:.4g})", i > 0 ? ", " : "", xyz[i], xyz[i + 1], xyz[i + 2]);
  out += ']';
}

class UsdaWriter {
 public:
  UsdaWriter(const Animation& animation, const std::filesystem::path& path) : animation_(animation), file_(path) {}

  void write() {
    const double fps = animation_.frames.info().frames_per_second;
    file_.write(
        fmt::format("#usda 1.0\n(\n    defaultPrim = \"animation\"\n    doc = {}\n    endTimeCode = {}\n"
                    "    framesPerSecond = {}\n    metersPerUnit = 1\n    startTimeCode = 0\n"
                    "    timeCodesPerSecond = {}\n    upAxis = \"Y\"\n)\n\ndef Xform \"animation\"\n{{\n",
                    quoted(animation_.title), animation_.frames.frames() - 1, fps, fps));
    for (const Surface& s : animation_.surfaces) write_prim(s);
    file_.write("}\n");
    file_.finish();
  }

 private:
  void write_prim(const Surface& s) {
    const bool curves = !s.curve.empty();
    const bool mesh = !curves && !s.triangles.empty();
    std::string out;
    print(out, "    def {} \"{}\"\n    {{\n", curves ? "BasisCurves" : mesh ? "Mesh" : "Points", s.id);
    print(out,
          "        color3f[] primvars:displayColor = [({}, {}, {})] (\n            interpolation = \"constant\"\n"
          "        )\n",
          s.color[0], s.color[1], s.color[2]);
    if (curves) {
      print(out, "        uniform token type = \"linear\"\n        int[] curveVertexCounts = [{}]\n", s.curve.size());
    }
    if (mesh) {
      if (s.kind == "cloth") out += "        uniform bool doubleSided = 1\n";
      out += "        uniform token subdivisionScheme = \"none\"\n";
      brio::print(out, "        int[] faceVertexCounts = [{}]\n",
                  fmt::join(std::vector<int>(s.triangles.size(), 3), ", "));
      print(out, "        int[] faceVertexIndices = [");
      for (std::size_t i = 0; i < s.triangles.size(); ++i)
        brio::print(out, "{}{}", i > 0 ? ", " : "", fmt::join(s.triangles[i], ", "));
      out += "]\n        normal3f[] normals (\n            interpolation = \"vertex\"\n        )\n";
    } else {
      print(out, "        float[] widths = [{}] (\n            interpolation = \"constant\"\n        )\n",
            2 * s.radius);
    }
    file_.write(out);
    write_samples(s, "float3[] extent", [&](std::string& text) {
      Extent box = bounds(xyz_);
      for (std::size_t c = 0; c < 3; ++c) {  // the extent of curves and points includes their width
        box.low[c] -= s.radius;
        box.high[c] += s.radius;
      }
      print_points(text, {box.low[0], box.low[1], box.low[2], box.high[0], box.high[1], box.high[2]});
    });
    write_samples(s, "point3f[] points", [&](std::string& text) { print_points(text, xyz_); });
    if (mesh)
      write_samples(s, "normal3f[] normals", [&](std::string& text) {
        vertex_normals(s, xyz_, normals_);
        print_normals(text, normals_);
      });
    file_.write("    }\n");
  }

  template <class Print>
  void write_samples(const Surface& s, const char* attribute, Print print_value) {
    file_.write(fmt::format("        {}.timeSamples = {{\n", attribute));
    std::string text;
    for (long k = 0; k < animation_.frames.frames(); ++k) {
      read_positions(animation_.frames, k, s, scratch_, xyz_);
      if (!s.curve.empty()) {
        for (std::size_t i = 0; i < s.curve.size(); ++i)
          std::copy_n(xyz_.data() + 3 * static_cast<std::size_t>(s.curve[i]), 3, xyz_.data() + 3 * i);
        xyz_.resize(3 * s.curve.size());
      }
      text.clear();
      print(text, "            {}: ", k);
      print_value(text);
      text += ",\n";
      file_.write(text);
    }
    file_.write("        }\n");
  }

  const Animation& animation_;
  SafeFile file_;
  std::vector<float> scratch_, xyz_, normals_;
};

}  // namespace

void write_usda(const Animation& animation, const std::filesystem::path& folder) {
  UsdaWriter(animation, folder / "animation.usda").write();
}

}  // namespace brio
