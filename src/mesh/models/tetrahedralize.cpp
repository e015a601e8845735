/// TetGen behind two doors: what could make it stop or crash is refused beforehand, by name; what does so nevertheless
/// happens in another process. [Si 2015]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>

#include "brio/mesh_models.h"
#include "core/fields.h"
#include "core/memory.h"
#include "mesh/generators.h"
#include "mesh/models/flatness.h"
#include "mesh/models/run_tetgen.h"
#include "mesh/topology.h"

namespace brio {
namespace {

const FieldTable<TetrahedralizeOptions>& fields() {
  static const auto table = FieldTable<TetrahedralizeOptions>{}
                                .number("quality", &TetrahedralizeOptions::quality, "", Bound::closed(0, 1000),
                                        "largest circumradius / shortest edge of a tet; 0 = no demand")
                                .number("max-volume", &TetrahedralizeOptions::max_volume, "m^3", Bound::not_negative(),
                                        "largest volume of a tet; 0 = no demand")
                                .flag("keep-surface", &TetrahedralizeOptions::keep_surface, "new vertices only inside");
  return table;
}

[[noreturn]] void refuse(const std::string& problem, const std::string& advice) {
  throw InputError({.key = "tetrahedralize", .problem = problem, .advice = advice});
}

void require_closed_surface(const Mesh& shell, const TetrahedralizeOptions& options) {
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
  if (const std::string flat = flatness(shell, report); !flat.empty())
    refuse(flat, "give it thickness, or use it as cloth");
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

/// Enough for the largest meshes that are allowed; only what does not end at all is to be ended.
ChildLimits limits_of(const Mesh& shell, double tets) {
  constexpr double seconds_per_cell = 2e-3, bytes_per_cell = 2e3;  // far more than TetGen needs
  const double cells = static_cast<double>(shell.triangles.size()) + tets;
  double seconds = 60 + seconds_per_cell * cells;
  if (const char* wish = std::getenv("BRIO_TETGEN_TIMEOUT"); wish != nullptr)
    if (const double wanted = std::strtod(wish, nullptr); wanted > 0) seconds = wanted;
  return {.seconds = seconds, .bytes = std::min(4e9 + bytes_per_cell * cells, memory_limit())};
}

/// What TetGen did, if it was not what it should.
void refuse_failure(const Mesh& shell, const ChildLimits& limits, const TetgenResult& result) {
  using End = ChildReport::End;
  const std::string repair = "weld or simplify the surface (--weld TOLERANCE)";
  switch (result.child.end) {
    case End::finished:
      break;
    case End::crashed:
      if (result.child.signal == SIGINT || result.child.signal == SIGTERM) refuse("interrupted", "");
      refuse(fmt::format("TetGen {} on this surface; {}", result.child.text(), thinnest_triangle(shell)), repair);
    case End::out_of_time:
      refuse(fmt::format("TetGen did not come to an end within {:.0f} s; {}", limits.seconds, thinnest_triangle(shell)),
             repair + ", ask for fewer tets, or set BRIO_TETGEN_TIMEOUT to more seconds");
    case End::out_of_memory:
    case End::not_started:
      refuse(fmt::format("TetGen {} ({:.1f} GB allowed)", result.child.text(), limits.bytes / 1e9),
             "ask for fewer tets");
  }
  switch (result.code) {
    case 0:
      return;
    case 1:
      refuse(fmt::format("TetGen ran out of memory ({:.1f} GB allowed)", limits.bytes / 1e9), "ask for fewer tets");
    case 3:
      refuse("the surface cuts through itself", "repair it in a modeling program");
    case 4:
      refuse(fmt::format("the surface has details too small for TetGen; {}", thinnest_triangle(shell)), repair);
    case 5:
      refuse("two triangles of the surface nearly touch", "keep the surface (new vertices only inside)");
    default:
      refuse(fmt::format("TetGen gave up (code {}); {}", result.code, thinnest_triangle(shell)), repair);
  }
}

TetgenResult checked_tetgen(const Mesh& shell, double scale, const std::string& switches, double tets) {
  const ChildLimits limits = limits_of(shell, tets);
  TetgenResult result = run_tetgen(shell, scale, switches, limits);
  refuse_failure(shell, limits, result);
  return result;
}

void refuse_self_intersections(const Mesh& shell, double scale) {
  std::vector<int> triangles = checked_tetgen(shell, scale, "pdQ", 0).marked;
  if (triangles.empty()) return;
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  const std::size_t named = std::min<std::size_t>(triangles.size(), 8);
  refuse(fmt::format("the surface cuts through itself at {} triangles: {}{}", triangles.size(),
                     fmt::join(triangles.begin(), triangles.begin() + static_cast<long>(named), ", "),
                     named < triangles.size() ? ", ..." : ""),
         "repair it in a modeling program");
}

Mesh fill(const Mesh& shell, const TetrahedralizeOptions& options) {
  const double scale = exact_scale(shell);
  refuse_self_intersections(shell, scale);
  std::string switches = "pQ";
  if (options.keep_surface) switches += "Y";
  if (options.quality > 0) switches += fmt::format("q{:.6f}", options.quality);
  if (options.max_volume > 0) switches += fmt::format("a{:.30f}", options.max_volume * scale * scale * scale);
  const double tets = options.max_volume > 0 ? std::abs(check_mesh(shell).volume) / options.max_volume : 0;
  Mesh solid = checked_tetgen(shell, scale, switches, tets).solid;
  if (solid.tets.empty()) refuse("TetGen found nothing inside the surface", "see that it encloses a volume");
  orient(solid);
  return solid;
}

#else

Mesh fill(const Mesh&, const TetrahedralizeOptions&) {
  refuse("this brio was built without TetGen", "build it with BRIO_WITH_GPL=ON, or give a file that already has tets");
}

#endif

}  // namespace

Mesh tetrahedralize(const Mesh& closed_surface, const TetrahedralizeOptions& options) {
  fields().check(options, "tetrahedralize");
  if (options.quality > 0 && options.quality < 1.1)
    throw InputError({.key = "tetrahedralize.quality",
                      .value = to_text(options.quality),
                      .problem = "must be 0 or at least 1.1",
                      .advice = "1.4 is a good start; smaller bounds cannot be reached"});
  const Mesh shell = remove_unreferenced({closed_surface.vertices, {}, closed_surface.triangles, {}});
  require_closed_surface(shell, options);
  return fill(shell, options);
}

}  // namespace brio
