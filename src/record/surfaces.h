/// Bodies as a renderer wants them: the one place that decides which vertices and faces of a body are seen, so that
/// every format shows the same and keeps its numbering over all frames.
#pragma once

#include "brio/model.h"
#include "record/frame_cache.h"

namespace brio {

struct Surface {
  std::string name;                   ///< of the body
  std::string id;                     ///< the same as a word of letters, digits and _, different for every body
  std::string kind;                   ///< "solid", "cloth", "wire" or "particles"
  std::size_t first_vertex = 0;       ///< of the body in the model
  std::size_t body_vertices = 0;      ///< of the body
  std::vector<int> vertices{};        ///< of the body that are seen, ascending
  std::vector<Triangle> triangles{};  ///< over `vertices`; outside of solids and wires, all of cloths
  std::vector<Segment> segments{};    ///< over `vertices`; springs of particles
  std::vector<int> curve{};           ///< over `vertices`; points of a wire from end to end
  float radius = 0;                   ///< of wires and particles, for showing them [m]
  std::array<float, 3> color{};       ///< linear red, green and blue in [0, 1]
  bool painted = false;               ///< the scene chose the color

  std::size_t size() const { return vertices.size(); }
};

/// One per body of the model, in its order.
std::vector<Surface> surfaces(const Model& model);

/// A rigid thing that bodies run into, as it is seen: triangles in a frame of its own that moves.
struct Obstacle {
  std::string name{};
  bool endless = false;  ///< a plane: everything below y = 0 of its frame. It has no triangles.
  std::vector<Vec3> vertices{};
  std::vector<Triangle> triangles{};
  Pose pose{};      ///< where its frame is when its motion has not begun
  Motion motion{};  ///< of the frame

  Pose at(double time) const;
};

/// All that is seen of a scene.
struct Scenery {
  std::vector<Surface> surfaces{};  ///< one per body
  std::vector<Obstacle> obstacles{};
};

/// x, y, z of every vertex of the surface; `scratch` saves allocations from call to call.
void read_positions(const FrameCache& frames, long frame, const Surface& surface, std::vector<float>& scratch,
                    std::vector<float>& xyz);

/// Unit normals at the vertices, means of those around weighted by area; (0, 1, 0) where there is none.
void vertex_normals(const Surface& surface, const std::vector<float>& xyz, std::vector<float>& normals);

struct Extent {
  std::array<float, 3> low{}, high{};
};
Extent bounds(const std::vector<float>& xyz);

}  // namespace brio
