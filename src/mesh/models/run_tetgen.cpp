#include "mesh/models/run_tetgen.h"

#ifdef BRIO_WITH_GPL

#define TETLIBRARY
#include <tetgen.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace brio {
namespace {

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

/// What the child sends: these numbers, then points, corners of tets and markers as TetGen has them.
struct Head {
  int code = 0;
  int points = 0;
  int tets = 0;
  int corners = 0;  ///< per tet
  int marked = 0;
};

template <class T>
void append(std::string& bytes, const T* list, std::size_t count) {
  if (list != nullptr) bytes.append(reinterpret_cast<const char*>(list), count * sizeof(T));
}

std::string fill_in_child(const Mesh& shell, double scale, std::string switches) {
  tetgenio input, output;
  give(shell, scale, input);
  Head head;
  try {
    ::tetrahedralize(switches.data(), &input, &output);
  } catch (const int code) {
    head.code = code == 0 ? -1 : code;
  }
  if (head.code == 0) {
    head.points = output.pointlist != nullptr ? output.numberofpoints : 0;
    head.tets = output.tetrahedronlist != nullptr ? output.numberoftetrahedra : 0;
    head.corners = output.numberofcorners;
    head.marked = output.trifacemarkerlist != nullptr ? output.numberoftrifaces : 0;
  }
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  if (head.code == 0) {
    append(bytes, output.pointlist, 3 * static_cast<std::size_t>(head.points));
    append(bytes, output.tetrahedronlist, static_cast<std::size_t>(head.corners) * static_cast<std::size_t>(head.tets));
    append(bytes, output.trifacemarkerlist, static_cast<std::size_t>(head.marked));
  }
  return bytes;
}

/// False when the numbers do not fit together: memory may have been overwritten before TetGen came to its end.
bool read_result(std::string_view bytes, double scale, std::size_t triangles, TetgenResult& result) {
  Head head;
  if (bytes.size() < sizeof head) return false;
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes.remove_prefix(sizeof head);
  result.code = head.code;
  if (head.points < 0 || head.tets < 0 || head.marked < 0 || (head.tets > 0 && head.corners != 4)) return false;
  const auto points = static_cast<std::size_t>(head.points), tets = static_cast<std::size_t>(head.tets);
  const auto marked = static_cast<std::size_t>(head.marked);
  if (bytes.size() != 3 * points * sizeof(double) + (4 * tets + marked) * sizeof(int)) return false;
  const auto take = [&](void* into, std::size_t size) {
    std::memcpy(into, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  for (std::size_t v = 0; v < points; ++v) {
    Vec3 p;
    take(p.data(), 3 * sizeof(double));
    result.solid.vertices.push_back(p / scale);
    if (!result.solid.vertices.back().allFinite()) return false;
  }
  for (std::size_t t = 0; t < tets; ++t) {
    Tet tet;
    take(tet.data(), 4 * sizeof(int));
    if (!std::ranges::all_of(tet, [&](int v) { return v >= 0 && v < head.points; })) return false;
    result.solid.tets.push_back(tet);
  }
  for (std::size_t i = 0; i < marked; ++i) {
    int marker = 0;
    take(&marker, sizeof marker);
    if (marker >= 1 && static_cast<std::size_t>(marker) <= triangles) result.marked.push_back(marker - 1);
  }
  return true;
}

}  // namespace

TetgenResult run_tetgen(const Mesh& shell, double scale, const std::string& switches, const ChildLimits& limits) {
  TetgenResult result;
  result.child = run_in_child([&] { return fill_in_child(shell, scale, switches); }, limits);
  if (result.child.end == ChildReport::End::finished &&
      !read_result(result.child.bytes, scale, shell.triangles.size(), result))
    result.child.end = ChildReport::End::crashed;
  result.child.bytes = {};
  return result;
}

}  // namespace brio

#endif
