/// What is done to a body from outside, as scene files say it: keyframes, pushes, wind.
#pragma once

#include "scene/keyframes.h"

namespace brio {

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
  void refuse_other_start(const Node& node, const Motion& motion) const;
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
