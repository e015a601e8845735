/// What is done to a body from outside, as scene files say it: keyframes, pushes, wind.
#pragma once

#include "brio/model.h"
#include "scene/reference.h"
#include "scene/value.h"

namespace brio {

/// Keys of a node that `read_motion` reads.
extern const std::vector<std::string> motion_keys;

/// `path = [[time, [x, y, z]], …]`: where what is at `middle` without motion is at those times; `turn = [[time,
/// degrees], …]` about `axis`, through it. Empty when the node has neither. `offset` is added to every place: of a copy
/// of a body, from the first.
Motion read_motion(const Node& node, const Vec3& middle, const Vec3& offset = Vec3::Zero());

Vec3 middle_of(const std::vector<Vec3>& places, const std::vector<int>& vertices);

/// The pins of one body: their paths begin where the body starts, and no two move one vertex differently.
class PinReader {
 public:
  /// `places`: where the body's vertices start [m]; `size` of the body [m].
  PinReader(std::vector<Vec3> places, double size, const Vec3& offset)
      : places_(std::move(places)), size_(size), offset_(offset) {}

  Motion read(const Node& node, const std::vector<int>& vertices);

 private:
  struct Pin {
    std::string path;  ///< of its node
    std::vector<int> vertices;
    Motion motion;
  };
  void refuse_other_start(const Node& node, const Motion& motion, const Vec3& middle) const;
  void refuse_contradiction(const Node& node, const Pin& pin, const Pin& earlier) const;

  std::vector<Vec3> places_;
  double size_;
  Vec3 offset_;
  std::vector<Pin> pins_;
};

/// `{ select = …, force = [[time, [x, y, z]], …] }`: the force on all vertices together, shared equally.
Push read_push(const Node& node, const Body& body);

Wind read_wind(const Node& node);

void document_motion(Reference& reference, const std::string& body);

}  // namespace brio
