#include "mesh_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace brio::app {
namespace {

using Json = nlohmann::ordered_json;

std::string vector_text(const Vec3& v) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v[0], v[1], v[2]); }

std::string line(const char* label, const std::string& text) { return fmt::format("  {:<10} {}\n", label, text); }

std::string histogram_text(const char* label, const QualityHistogram& histogram, const char* measure) {
  constexpr int width = 40;
  std::string text = line(label, fmt::format("{}: least {:.3f}, mean {:.3f}", measure, histogram.min, histogram.mean));
  const int most = std::max(1, *std::max_element(histogram.bins.begin(), histogram.bins.end()));
  for (std::size_t i = 0; i < histogram.bins.size(); ++i) {
    const int count = histogram.bins[i];
    const int bar = count == 0 ? 0 : std::max(1, static_cast<int>(double(width) * count / most));
    text += fmt::format("    {:.1f}-{:.1f} |{:<{}}| {}\n", 0.1 * double(i), 0.1 * double(i + 1),
                        std::string(static_cast<std::size_t>(bar), '#'), width, count);
  }
  return text;
}

Json histogram_json(const QualityHistogram& histogram) {
  return {{"bins", histogram.bins}, {"min", histogram.min}, {"mean", histogram.mean}};
}

Json vector_json(const Vec3& v) { return {v[0], v[1], v[2]}; }

}  // namespace

std::string counts_text(const MeshReport& report) {
  std::string text = fmt::format("{} vertices", report.vertices);
  if (report.tets > 0) text += fmt::format(", {} tets", report.tets);
  if (report.triangles > 0) text += fmt::format(", {} triangles", report.triangles);
  if (report.segments > 0) text += fmt::format(", {} segments", report.segments);
  return text;
}

std::vector<std::string> problems_of(const MeshReport& report, const Slivers& slivers) {
  std::vector<std::string> problems = report.problems();
  const long poor = slivers.count - static_cast<long>(report.inverted_tets.size() + report.flat_tets.size());
  if (poor > 0)
    problems.push_back(fmt::format(
        "{} of {} tets are slivers (3 inradius / circumradius below {}), which cost digits and steps; make them anew "
        "from the surface: --tetrahedralize --split-surface",
        poor, report.tets, Slivers::poor));
  return problems;
}

std::string report_text(const MeshReport& report, const Slivers& slivers) {
  std::string text = line("counts", counts_text(report));
  text += line("box", fmt::format("{} to {} m", vector_text(report.low), vector_text(report.high)));
  if (report.tets > 0 || report.closed) text += line("volume", fmt::format("{:.6g} m^3", report.volume));
  if (report.area > 0) text += line("area", fmt::format("{:.6g} m^2", report.area));
  if (report.segments > 0) text += line("length", fmt::format("{:.6g} m", report.length));
  text += line("pieces", fmt::format("{}", report.components));
  if (report.tets > 0 || report.triangles > 0)
    text += line("surface", fmt::format("{}, {}", report.closed ? "closed" : "open",
                                        report.manifold ? "manifold" : "not manifold"));
  if (report.tets > 0) text += histogram_text("tets", report.tet_quality, "3 inradius / circumradius");
  if (report.tets == 0 && report.triangles > 0)
    text += histogram_text("triangles", report.triangle_quality, "2 inradius / circumradius");
  const std::vector<std::string> problems = problems_of(report, slivers);
  text += line("problems", problems.empty() ? "none" : problems.front());
  for (std::size_t i = 1; i < problems.size(); ++i) text += line("", problems[i]);
  return text;
}

Json report_json(const MeshReport& report, const Slivers& slivers) {
  return {{"vertices", report.vertices},
          {"tets", report.tets},
          {"triangles", report.triangles},
          {"segments", report.segments},
          {"box", {vector_json(report.low), vector_json(report.high)}},
          {"volume", report.volume},
          {"area", report.area},
          {"length", report.length},
          {"pieces", report.components},
          {"closed", report.closed},
          {"manifold", report.manifold},
          {"oriented", report.oriented},
          {"tet_quality", histogram_json(report.tet_quality)},
          {"triangle_quality", histogram_json(report.triangle_quality)},
          {"problems", problems_of(report, slivers)},
          {"slivers", slivers.count},
          {"inverted_tets", report.inverted_tets},
          {"flat_tets", report.flat_tets},
          {"flat_triangles", report.flat_triangles},
          {"empty_segments", report.empty_segments},
          {"duplicate_vertices", report.duplicate_vertices},
          {"duplicate_tets", report.duplicate_tets},
          {"duplicate_triangles", report.duplicate_triangles},
          {"duplicate_segments", report.duplicate_segments},
          {"unreferenced_vertices", report.unreferenced_vertices},
          {"crowded_edges", report.crowded_edges},
          {"crowded_faces", report.crowded_faces}};
}

}  // namespace brio::app
