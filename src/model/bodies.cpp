/// The kinds of body: their masses and energies.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <limits>

#include "brio/force.h"
#include "brio/model.h"
#include "model/body_checks.h"
#include "model/cloth_springs.h"
#include "model/energies/potentials.h"
#include "model/energies/springs.h"
#include "model/energies/tets.h"
#include "model/energies/torsion.h"
#include "model/materials/registry.h"
#include "model/materials/volume_spring.h"
#include "model/wire.h"

namespace brio {

namespace {

template <std::size_t N>
std::vector<std::array<int, N>> shifted(std::vector<std::array<int, N>> cells, int first_vertex) {
  for (auto& cell : cells)
    for (int& v : cell) v += first_vertex;
  return cells;
}

std::unique_ptr<Energy> make_springs(const std::string& name, bool stvk, std::vector<Spring> springs, int first_vertex,
                                     const NodalField& rest) {
  for (Spring& spring : springs)
    for (int& v : spring.ends) v += first_vertex;
  if (stvk) return std::make_unique<SpringBatch<StVKLaw>>(name, springs, rest);
  return std::make_unique<SpringBatch<HookeanLaw>>(name, springs, rest);
}

/// Six times the signed volume [m³].
double six_volumes(const Mesh& mesh, const Tet& t) {
  const Vec3& o = mesh.vertices[t[0]];
  return (mesh.vertices[t[1]] - o).cross(mesh.vertices[t[2]] - o).dot(mesh.vertices[t[3]] - o);
}

/// Every vertex with a quarter of the volumes around it. Inverted and flat tetrahedra and loose vertices are refused by
/// index.
std::vector<double> vertex_volumes(const std::string& body, const Mesh& mesh) {
  std::vector<double> volume(mesh.vertices.size());
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const Tet& t = mesh.tets[e];
    const double six = six_volumes(mesh, t);
    double longest = 0;
    for (int a = 1; a < 4; ++a) longest = std::max(longest, (mesh.vertices[t[a]] - mesh.vertices[t[0]]).norm());
    if (six <= 1e-12 * longest * longest * longest)
      throw InputError({.key = body + ".mesh",
                        .problem = fmt::format("tetrahedron {} {}", e, six < 0 ? "is inverted" : "has no volume"),
                        .advice = "inspect it with `brio mesh FILE`"});
    for (const int v : t) volume[v] += six / 24;
  }
  for (std::size_t i = 0; i < volume.size(); ++i)
    if (volume[i] == 0)
      throw InputError({.key = body + ".mesh",
                        .problem = fmt::format("vertex {} belongs to no tetrahedron", i),
                        .advice = "every vertex of a solid must carry some of it"});
  return volume;
}

}  // namespace

BodyId Model::add(const SolidOptions& options) {
  check_cells(options.name, options.mesh);
  if (options.mesh.tets.empty())
    throw InputError({.key = options.name + ".mesh",
                      .problem = "a solid needs tetrahedra",
                      .advice = "fill a closed surface with `brio mesh IN OUT --tetrahedralize`"});
  check_number(options.name + ".mass", options.mass, Bound::not_negative());
  check_number(options.name + ".density", options.density, Bound::positive());
  const MaterialEntry& material = find_material(options.material.name);
  check_material(options.material, options.name + ".material");
  std::vector<double> mass = vertex_volumes(options.name, options.mesh);
  for (double& m : mass) m *= options.density;
  if (options.mass > 0) mass = spread_mass(options.mass, std::move(mass));
  const BodyId body = append({.name = options.name, .kind = BodyKind::solid, .mesh = options.mesh}, mass);
  add(body, material.make(options.material, shifted(options.mesh.tets, bodies_.back().first_vertex), rest_));
  return body;
}

void Model::set_material(BodyId body, const Material& material) {
  const Body& b = this->body(body);
  if (b.kind != BodyKind::solid)
    throw InputError({.key = b.name + ".material", .value = to_string(b.kind), .problem = "is of solids only"});
  const MaterialEntry& entry = find_material(material.name);
  check_material(material, b.name + ".material");
  energies_[place_of(b.energies.front())] = entry.make(material, shifted(b.mesh.tets, b.first_vertex), rest_);
  pattern_.reset();  // the same graph: nothing is analyzed again
}

BodyId Model::add(const ClothOptions& options) {
  check_cells(options.name, options.mesh);
  if (options.mesh.triangles.empty())
    throw InputError({.key = options.name + ".mesh", .problem = "a cloth needs triangles"});
  const bool stvk = options.law == SpringLaw::stvk;
  check_number(options.name + ".mass", options.mass, Bound::positive());
  check_number(options.name + ".stretch", options.stretch, Bound::positive());
  check_number(options.name + ".shear", options.shear, Bound::not_negative());
  check_number(options.name + ".bend", options.bend, Bound::not_negative());
  std::vector<Spring> springs = cloth_springs(options);
  const std::vector<double> mass = spread_mass(options.mass, vertex_areas(options.name, options.mesh));
  const BodyId body = append({.name = options.name, .kind = BodyKind::cloth, .mesh = options.mesh}, mass);
  add(body, make_springs("cloth-springs", stvk, std::move(springs), bodies_.back().first_vertex, rest_));
  return body;
}

BodyId Model::add(const WireOptions& options) {
  check_cells(options.name, options.mesh);
  const bool stvk = options.law == SpringLaw::stvk;
  check_number(options.name + ".mass", options.mass, Bound::positive());
  check_number(options.name + ".radius", options.radius, Bound::positive());
  check_number(options.name + ".stiffness", options.stiffness, Bound::positive());
  check_number(options.name + ".volume", options.volume, Bound::not_negative());
  check_number(options.name + ".collapse", options.collapse, Bound::closed(1e-6, 1));
  check_number(options.name + ".torsion", options.torsion, Bound::not_negative());
  const Wire wire = make_wire(options.name, options.mesh, options.radius);
  const std::vector<double> mass = spread_mass(options.mass, wire.length_per_vertex);
  std::vector<Spring> springs;
  for (const Segment& edge : wire.edges) springs.push_back({edge, options.stiffness});
  const BodyId body = append({.name = options.name, .kind = BodyKind::wire, .mesh = wire.mesh}, mass);
  const int first = bodies_.back().first_vertex;
  add(body, make_springs("wire-springs", stvk, std::move(springs), first, rest_));
  if (options.volume > 0) {
    std::vector<Tet> tets = shifted(wire.mesh.tets, first);
    if (options.improved) {
      add(body, make_tets(ImprovedVolumeSpring(options.volume, options.collapse), std::move(tets), rest_, false));
    } else {
      add(body, make_tets(VolumeSpring{options.volume}, std::move(tets), rest_, false));
    }
  }
  if (options.torsion > 0 && options.torsion_law == TorsionLaw::potential)
    add(body, std::make_unique<TorsionBatch>(twist_segments(first, wire.points), options.torsion, rest_));
  if (options.torsion > 0 && options.torsion_law == TorsionLaw::s2)
    forces_.push_back(std::make_unique<TorsionSprings>(first, wire.points, options.torsion, rest_));
  return body;
}

BodyId Model::add(const ParticlesOptions& options) {
  check_cells(options.name, options.mesh);
  const bool stvk = options.law == SpringLaw::stvk;
  check_number(options.name + ".mass", options.mass, Bound::positive());
  check_number(options.name + ".stiffness", options.stiffness, Bound::positive());
  check_number(options.name + ".strength", options.strength, Bound::positive());
  std::vector<Spring> springs;
  for (const Segment& segment : options.mesh.segments) springs.push_back({segment, options.stiffness});
  const std::vector<double> mass(options.mesh.vertices.size(), options.mass);
  const BodyId body = append({.name = options.name, .kind = BodyKind::particles, .mesh = options.mesh}, mass);
  if (!springs.empty())
    add(body, make_springs("springs", stvk, std::move(springs), bodies_.back().first_vertex, rest_));
  if (options.potential != PointPotential::none)
    add(body, std::make_unique<PointPotentials>(options.potential, options.strength, bodies_.back().first_vertex,
                                                static_cast<int>(mass.size())));
  return body;
}

}  // namespace brio
