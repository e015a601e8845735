#include "model/energies/springs.h"

#include <cassert>

namespace brio {
namespace {

std::vector<Segment> ends_of(const std::vector<Spring>& springs) {
  std::vector<Segment> ends;
  ends.reserve(springs.size());
  for (const Spring& spring : springs) ends.push_back(spring.ends);
  return ends;
}

std::vector<std::array<int, 1>> vertices_of(const std::vector<Attachment>& attachments) {
  std::vector<std::array<int, 1>> vertices;
  vertices.reserve(attachments.size());
  for (const Attachment& attachment : attachments) vertices.push_back({attachment.vertex});
  return vertices;
}

}  // namespace

template <class Law>
SpringBatch<Law>::SpringBatch(std::string name, const std::vector<Spring>& springs, const NodalField& rest)
    : Base(std::move(name), {}, ends_of(springs), rest) {
  for (const Spring& spring : springs) stiffness_.push_back(spring.stiffness);
  set_rest(rest);
}

template <class Law>
void SpringBatch<Law>::set_rest(const NodalField& x) {
  Base::set_parameters([this, &x](std::size_t spring, const Segment& v) {
    return std::array<double, 2>{(x[v[1]] - x[v[0]]).norm(), stiffness_[spring]};
  });
}

template <class Law>
AttachmentBatch<Law>::AttachmentBatch(std::vector<Attachment> attachments, const NodalField& rest)
    : Base("attachment", {}, vertices_of(attachments), rest), attachments_(std::move(attachments)) {
  update();
}

template <class Law>
void AttachmentBatch<Law>::move(std::span<const Vec3> points) {
  assert(points.size() == attachments_.size());
  for (std::size_t k = 0; k < points.size(); ++k) attachments_[k].point = points[k];
  update();
}

template <class Law>
void AttachmentBatch<Law>::hold(bool holds) {
  if (holds == holds_) return;
  holds_ = holds;
  update();
}

template <class Law>
void AttachmentBatch<Law>::update() {
  Base::set_parameters([this](std::size_t k, const std::array<int, 1>&) {
    const Attachment& a = attachments_[k];
    return std::array<double, 5>{a.rest_length, holds_ ? a.stiffness : 0, a.point[0], a.point[1], a.point[2]};
  });
}

template class SpringBatch<HookeanLaw>;
template class SpringBatch<StVKLaw>;
template class AttachmentBatch<HookeanLaw>;
template class AttachmentBatch<StVKLaw>;

}  // namespace brio
