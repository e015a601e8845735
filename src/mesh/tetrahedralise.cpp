/// TetGen behind a door: what could make it stop or crash is refused beforehand, by name. [Si 2015]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/fields.h"
#include "mesh/generators.h"
#include "mesh/topology.h"

#ifdef BRIO_WITH_GPL
#define TETLIBRARY
#include <tetgen.h>
#endif

namespace brio {
namespace {

const FieldTable<TetrahedraliseOptions>& fields() {
  static const auto table = FieldTable<TetrahedraliseOptions>{}
                                .number("quality", &TetrahedraliseOptions::quality, "", Bound::closed(0, 1000),
                                        "largest circumradius / shortest edge of a tet; 0 = no demand")
                                .number("max-volume", &TetrahedraliseOptions::max_volume, "m^3", Bound::not_negative(),
                                        "largest volume of a tet; 0 = no demand")
                                .flag("keep-surface", &TetrahedraliseOptions::keep_surface, "new vertices only inside");
  return table;
}

[[noreturn]] void refuse(const std::string& problem, const std::string& advice) {
  throw InputError({.key = "tetrahedralise", .problem = problem, .advice = advice});
}

void require_closed_surface(const Mesh& shell, const TetrahedraliseOptions& options) {
  const MeshReport report = check_mesh(shell);
  if (shell.triangles.empty()) refuse("the mesh has no triangles", "give a closed surface");
  std::vector<std::string> problems;
  for_each_run(sorted_edges(shell.triangles), [&](auto first, auto last) {
    if (last - first == 1)
      problems.push_back(
          fmt::format("triangle {} has nothing beyond its edge {}-{}", first->cell / 3, first->key[0], first->key[1]));
  });
  if (!problems.empty()) refuse("the surface is open: " + problems.front(), "close or weld it (--weld TOLERANCE)");
  // Only duplicates and flat triangles are left to find besides crowded edges: the mesh holds nothing but triangles.
  MeshReport unoriented = report;
  unoriented.oriented = true;
  problems = unoriented.problems();
  if (!problems.empty()) refuse(problems.front(), "repair the surface or weld it (--weld TOLERANCE)");
  if (options.max_volume > 0) refuse_too_many_cells(std::abs(report.volume) / options.max_volume, "max-volume");
}

#ifdef BRIO_WITH_GPL

/// The power of two that brings coordinates near 1, where TetGen's products neither overflow nor vanish; scaling by it
/// is exact.
double exact_scale(const Mesh& mesh) {
  double largest = 0;
  for (const Vec3& p : mesh.vertices) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  return largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0;
}

/// Each triangle is a facet whose marker is its number + 1, so that TetGen can tell us which ones it means.
/// TetGen's destructor frees what is set here with delete and delete[].
void give(const Mesh& shell, double scale, tetgenio& input) {
  input.firstnumber = 0;
  input.numberofpoints = static_cast<int>(shell.vertices.size());
  input.pointlist = new double[3 * shell.vertices.size()];
  for (std::size_t v = 0; v < shell.vertices.size(); ++v)
    for (std::size_t i = 0; i < 3; ++i) input.pointlist[3 * v + i] = scale * shell.vertices[v][static_cast<int>(i)];
  input.numberoffacets = static_cast<int>(shell.triangles.size());
  input.facetlist = new tetgenio::facet[shell.triangles.size()];
  input.facetmarkerlist = new int[shell.triangles.size()];
  for (std::size_t t = 0; t < shell.triangles.size(); ++t) {
    tetgenio::facet& facet = input.facetlist[t];
    tetgenio::init(&facet);
    facet.numberofpolygons = 1;
    facet.polygonlist = new tetgenio::polygon[1];
    tetgenio::init(facet.polygonlist);
    facet.polygonlist->numberofvertices = 3;
    facet.polygonlist->vertexlist = new int[3];
    std::copy(shell.triangles[t].begin(), shell.triangles[t].end(), facet.polygonlist->vertexlist);
    input.facetmarkerlist[t] = static_cast<int>(t) + 1;
  }
}

void run_tetgen(const Mesh& shell, double scale, std::string switches, tetgenio& output) {
  tetgenio input;
  give(shell, scale, input);
  try {
    ::tetrahedralize(switches.data(), &input, &output);
  } catch (const int code) {
    switch (code) {
      case 1:
        refuse("TetGen ran out of memory", "ask for fewer tets");
      case 3:
        refuse("the surface cuts through itself", "repair it in a modelling program");
      case 4:
        refuse("the surface has details too small for TetGen", "weld or simplify it");
      case 5:
        refuse("two triangles of the surface nearly touch", "keep the surface (new vertices only inside)");
      default:
        refuse(fmt::format("TetGen gave up (code {})", code), "simplify or repair the surface");
    }
  }
}

void refuse_self_intersections(const Mesh& shell, double scale) {
  tetgenio output;
  run_tetgen(shell, scale, "pdQ", output);
  std::vector<int> triangles;
  for (int i = 0; output.trifacemarkerlist != nullptr && i < output.numberoftrifaces; ++i)
    triangles.push_back(output.trifacemarkerlist[i] - 1);
  if (triangles.empty()) return;
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  const std::size_t named = std::min<std::size_t>(triangles.size(), 8);
  refuse(fmt::format("the surface cuts through itself at {} triangles: {}{}", triangles.size(),
                     fmt::join(triangles.begin(), triangles.begin() + static_cast<long>(named), ", "),
                     named < triangles.size() ? ", ..." : ""),
         "repair it in a modelling program");
}

Mesh fill(const Mesh& shell, const TetrahedraliseOptions& options) {
  const double scale = exact_scale(shell);
  refuse_self_intersections(shell, scale);
  std::string switches = "pQ";
  if (options.keep_surface) switches += "Y";
  if (options.quality > 0) switches += fmt::format("q{:.6f}", options.quality);
  if (options.max_volume > 0) switches += fmt::format("a{:.30f}", options.max_volume * scale * scale * scale);
  tetgenio output;
  run_tetgen(shell, scale, switches, output);

  Mesh solid;
  solid.vertices.reserve(static_cast<std::size_t>(output.numberofpoints));
  for (std::ptrdiff_t v = 0; v < output.numberofpoints; ++v) {
    const double* p = output.pointlist + 3 * v;
    solid.vertices.push_back(Vec3(p[0], p[1], p[2]) / scale);
  }
  solid.tets.reserve(static_cast<std::size_t>(output.numberoftetrahedra));
  for (std::ptrdiff_t t = 0; t < output.numberoftetrahedra; ++t) {
    const int* corner = output.tetrahedronlist + t * output.numberofcorners;
    solid.tets.push_back({corner[0], corner[1], corner[2], corner[3]});
  }
  orient(solid);
  return solid;
}

#else

Mesh fill(const Mesh&, const TetrahedraliseOptions&) {
  refuse("this brio was built without TetGen", "build it with BRIO_WITH_GPL=ON, or give a file that already has tets");
}

#endif

}  // namespace

Mesh tetrahedralise(const Mesh& closed_surface, const TetrahedraliseOptions& options) {
  fields().check(options, "tetrahedralise");
  if (options.quality > 0 && options.quality < 1.1)
    throw InputError({.key = "tetrahedralise.quality",
                      .value = to_text(options.quality),
                      .problem = "must be 0 or at least 1.1",
                      .advice = "1.4 is a good start; smaller bounds cannot be reached"});
  const Mesh shell = remove_unreferenced({closed_surface.vertices, {}, closed_surface.triangles, {}});
  require_closed_surface(shell, options);
  return fill(shell, options);
}

}  // namespace brio
