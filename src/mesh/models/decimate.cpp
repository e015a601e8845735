#include "mesh/models/decimate.h"

#include <OpenMesh/Core/Mesh/TriMesh_ArrayKernelT.hh>
#include <OpenMesh/Tools/Decimater/DecimaterT.hh>
#include <OpenMesh/Tools/Decimater/ModAspectRatioT.hh>
#include <OpenMesh/Tools/Decimater/ModNormalFlippingT.hh>
#include <OpenMesh/Tools/Decimater/ModQuadricT.hh>

namespace brio {
namespace {

struct DoubleTraits : OpenMesh::DefaultTraits {
  using Point = OpenMesh::Vec3d;
  using Normal = OpenMesh::Vec3d;
};
using HalfedgeMesh = OpenMesh::TriMesh_ArrayKernelT<DoubleTraits>;
using Decimater = OpenMesh::Decimater::DecimaterT<HalfedgeMesh>;

/// Down to the vertices wanted, or until no triangle may be collapsed without making one longer than `aspect` times
/// its height; 0: any shape will do.
Mesh thinned(const Mesh& surface, int vertices, double aspect) {
  HalfedgeMesh mesh;
  for (const Vec3& p : surface.vertices) mesh.add_vertex({p[0], p[1], p[2]});
  for (const auto& [a, b, c] : surface.triangles)
    mesh.add_face(OpenMesh::VertexHandle(a), OpenMesh::VertexHandle(b), OpenMesh::VertexHandle(c));
  mesh.request_face_normals();  // ModNormalFlipping compares them
  mesh.update_face_normals();

  Decimater decimater(mesh);
  OpenMesh::Decimater::ModQuadricT<HalfedgeMesh>::Handle quadric;
  OpenMesh::Decimater::ModNormalFlippingT<HalfedgeMesh>::Handle no_flips;
  decimater.add(quadric);
  decimater.add(no_flips);
  if (aspect > 0) {
    OpenMesh::Decimater::ModAspectRatioT<HalfedgeMesh>::Handle shape;
    decimater.add(shape);
    decimater.module(shape).set_aspect_ratio(static_cast<float>(aspect));
  }
  decimater.module(quadric).unset_max_err();
  decimater.module(no_flips).set_max_normal_deviation(60);  // degrees; more lets thin parts fold over
  decimater.initialize();
  decimater.decimate_to(static_cast<std::size_t>(vertices));
  mesh.garbage_collection();

  Mesh result;
  for (const auto v : mesh.vertices()) {
    const auto& p = mesh.point(v);
    result.vertices.emplace_back(p[0], p[1], p[2]);
  }
  for (const auto f : mesh.faces()) {
    Triangle triangle{};
    auto corner = triangle.begin();
    for (const auto v : mesh.fv_range(f)) *corner++ = v.idx();
    result.triangles.push_back(triangle);
  }
  return remove_unreferenced(result);
}

}  // namespace

/// Thin triangles are faces of slivers, whatever is done inside.
Mesh decimate(const Mesh& surface, int vertices) {
  for (const double aspect : {3.0, 5.0, 10.0})
    if (Mesh mesh = thinned(surface, vertices, aspect); static_cast<int>(mesh.vertices.size()) <= vertices) return mesh;
  return thinned(surface, vertices, 0);
}

}  // namespace brio
