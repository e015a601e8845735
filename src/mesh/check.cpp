/// What `brio mesh IN` prints. Shapes are measured by the radius ratio (three resp. two times the inscribed radius over
/// the circumscribed one), which is 1 for the regular cell and falls to 0 for every kind of degenerate one, slivers
/// included. [Parthasarathy, Graichen, Hathaway 1994]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "mesh/quality.h"
#include "mesh/topology.h"

namespace brio {
namespace {

constexpr double flat_tolerance = 1e-12;

double longest_edge(const std::vector<Vec3>& x, const int* cell, int corners) {
  double longest = 0;
  for (int i = 0; i < corners; ++i)
    for (int j = 0; j < i; ++j) longest = std::max(longest, (x[cell[i]] - x[cell[j]]).norm());
  return longest;
}

/// 2 r / R with r = 2 A / (a + b + c), R = a b c / (4 A).
double triangle_quality(double a, double b, double c, double area) {
  const double scale = (a + b + c) * a * b * c;
  return scale > 0 ? 16 * area * area / scale : 0;
}

class Histogram {
 public:
  void add(double quality) {
    const int bins = static_cast<int>(result_.bins.size());
    ++result_.bins[std::clamp(static_cast<int>(quality * bins), 0, bins - 1)];
    result_.min = count_ == 0 ? quality : std::min(result_.min, quality);
    sum_ += quality;
    ++count_;
  }
  QualityHistogram result() {
    if (count_ > 0) result_.mean = sum_ / static_cast<double>(count_);
    return result_;
  }

 private:
  QualityHistogram result_;
  double sum_ = 0;
  std::size_t count_ = 0;
};

template <class Cell>
std::vector<int> later_copies(const std::vector<Cell>& cells) {
  std::vector<std::pair<Cell, int>> keyed;
  keyed.reserve(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) {
    keyed.emplace_back(cells[c], static_cast<int>(c));
    std::sort(keyed.back().first.begin(), keyed.back().first.end());
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<int> copies;
  for (std::size_t i = 1; i < keyed.size(); ++i)
    if (keyed[i].first == keyed[i - 1].first) copies.push_back(keyed[i].second);
  std::sort(copies.begin(), copies.end());
  return copies;
}

std::vector<int> coinciding_vertices(const std::vector<Vec3>& x) {
  std::vector<int> order(x.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int v) { return std::tuple(x[v][0], x[v][1], x[v][2]); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return std::tuple(key(a), a) < std::tuple(key(b), b); });
  std::vector<int> copies;
  for (std::size_t i = 1; i < order.size(); ++i)
    if (key(order[i]) == key(order[i - 1])) copies.push_back(order[i]);
  std::sort(copies.begin(), copies.end());
  return copies;
}

void measure_tets(const Mesh& mesh, MeshReport& report) {
  const auto& x = mesh.vertices;
  Histogram quality;
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const Tet& t = mesh.tets[i];
    const Vec3 a = x[t[1]] - x[t[0]];
    const Vec3 b = x[t[2]] - x[t[0]];
    const Vec3 c = x[t[3]] - x[t[0]];
    const double volume = a.cross(b).dot(c) / 6;
    report.volume += volume;
    const double longest = longest_edge(x, t.data(), 4);
    const bool flat = std::abs(6 * volume) <= flat_tolerance * longest * longest * longest;
    if (flat) report.flat_tets.push_back(static_cast<int>(i));
    if (!flat && volume < 0) report.inverted_tets.push_back(static_cast<int>(i));
    quality.add(flat ? 0 : tet_quality(a, b, c, volume));
  }
  report.tet_quality = quality.result();
  report.duplicate_tets = later_copies(mesh.tets);
  for_each_run(sorted_faces(mesh.tets), [&](auto first, auto last) {
    if (last - first > 2) report.crowded_faces.push_back(first->key);
  });
}

/// Area, volume if it is wanted, and how the triangles meet.
void measure_surface(const Mesh& mesh, const std::vector<Triangle>& triangles, MeshReport& report) {
  const auto& x = mesh.vertices;
  Histogram quality;
  double enclosed = 0;
  for (const auto& [p, q, r] : triangles) {
    const Vec3 normal = (x[q] - x[p]).cross(x[r] - x[p]);
    report.area += normal.norm() / 2;
    enclosed += normal.dot(x[p] - report.low) / 6;
    quality.add(triangle_quality((x[q] - x[p]).norm(), (x[r] - x[q]).norm(), (x[p] - x[r]).norm(), normal.norm() / 2));
  }
  report.triangle_quality = quality.result();
  report.closed = !triangles.empty();
  for_each_run(sorted_edges(triangles), [&](auto first, auto last) {
    if (last - first == 1) report.closed = false;
    if (last - first > 2) report.crowded_edges.push_back(first->key);
    if (last - first == 2) {
      const auto& second = *(first + 1);
      if (triangles[first->cell / 3][first->cell % 3] == triangles[second.cell / 3][second.cell % 3])
        report.oriented = false;
    }
  });
  report.manifold = report.crowded_edges.empty() && report.crowded_faces.empty();
  if (mesh.tets.empty() && report.closed) report.volume = enclosed;
}

void measure_cells_of_lower_dimension(const Mesh& mesh, MeshReport& report) {
  const auto& x = mesh.vertices;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const auto& [p, q, r] = mesh.triangles[i];
    const double longest = longest_edge(x, mesh.triangles[i].data(), 3);
    if ((x[q] - x[p]).cross(x[r] - x[p]).norm() <= flat_tolerance * longest * longest)
      report.flat_triangles.push_back(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < mesh.segments.size(); ++i) {
    const double length = (x[mesh.segments[i][1]] - x[mesh.segments[i][0]]).norm();
    report.length += length;
    if (length == 0) report.empty_segments.push_back(static_cast<int>(i));
  }
  report.duplicate_triangles = later_copies(mesh.triangles);
  report.duplicate_segments = later_copies(mesh.segments);
}

void count_pieces(const Mesh& mesh, MeshReport& report) {
  DisjointSets pieces(mesh.vertices.size());
  std::vector<bool> used(mesh.vertices.size());
  const auto join = [&](const auto& cells) {
    for (const auto& cell : cells)
      for (const int v : cell) {
        used[v] = true;
        pieces.join(v, cell[0]);
      }
  };
  join(mesh.tets);
  join(mesh.triangles);
  join(mesh.segments);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const int v = static_cast<int>(i);
    if (!used[i]) report.unreferenced_vertices.push_back(v);
    if (used[i] && pieces.find(v) == v) ++report.components;
  }
}

std::string name_of(int index) { return fmt::format("{}", index); }
template <std::size_t N>
std::string name_of(const std::array<int, N>& key) {
  return fmt::format("{}", fmt::join(key, "-"));
}

/// "3 tets are inverted: 4, 17, 20"; only the first few are named.
template <class Item>
void tell(std::vector<std::string>& sentences, const std::vector<Item>& items, const char* what) {
  if (items.empty()) return;
  constexpr std::size_t named = 8;
  std::string sentence = fmt::format("{} {}: ", items.size(), what);
  for (std::size_t i = 0; i < std::min(named, items.size()); ++i) sentence += (i == 0 ? "" : ", ") + name_of(items[i]);
  if (items.size() > named) sentence += ", ...";
  sentences.push_back(sentence);
}

}  // namespace

MeshReport check_mesh(const Mesh& mesh) {
  require_valid_indices(mesh);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (!mesh.vertices[v].allFinite())
      throw InputError(
          {.key = fmt::format("vertex {}", v),
           .value = fmt::format("[{}]", fmt::join(mesh.vertices[v].data(), mesh.vertices[v].data() + 3, ", ")),
           .problem = "must be finite"});
  MeshReport report;
  report.vertices = mesh.vertices.size();
  report.tets = mesh.tets.size();
  report.triangles = mesh.triangles.size();
  report.segments = mesh.segments.size();
  if (!mesh.vertices.empty()) {
    report.low = report.high = mesh.vertices[0];
    for (const Vec3& p : mesh.vertices) {
      report.low = report.low.cwiseMin(p);
      report.high = report.high.cwiseMax(p);
    }
  }
  measure_tets(mesh, report);
  measure_surface(mesh, mesh.tets.empty() ? mesh.triangles : surface(mesh), report);
  measure_cells_of_lower_dimension(mesh, report);
  report.duplicate_vertices = coinciding_vertices(mesh.vertices);
  count_pieces(mesh, report);
  return report;
}

std::vector<std::string> MeshReport::problems() const {
  std::vector<std::string> sentences;
  tell(sentences, inverted_tets, "tets are inverted");
  tell(sentences, flat_tets, "tets have no volume");
  tell(sentences, flat_triangles, "triangles have no area");
  tell(sentences, empty_segments, "segments have no length");
  tell(sentences, duplicate_vertices, "vertices lie where an earlier one does");
  tell(sentences, duplicate_tets, "tets repeat an earlier one");
  tell(sentences, duplicate_triangles, "triangles repeat an earlier one");
  tell(sentences, duplicate_segments, "segments repeat an earlier one");
  if (tets + triangles + segments > 0) tell(sentences, unreferenced_vertices, "vertices belong to no cell");
  tell(sentences, crowded_edges, "edges have more than two triangles");
  tell(sentences, crowded_faces, "faces have more than two tets");
  if (!oriented) sentences.emplace_back("neighboring triangles do not run the same way round");
  return sentences;
}

}  // namespace brio
