#include "model/attached.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/body_checks.h"
#include "model/pins.h"

namespace brio {

void AttachedPoints::begin_step(const Model&, State& state, const Clock& clock, Exchange& exchange) {
  const TimeStep step = clock.step_from(state.step);
  if (releases_within(step.start, step.end) || (has_path() && springs_->forcing() == Forcing::s1))
    exchange.changed = true;
}

void AttachedPoints::add_forces(const Configuration& at, const NodalField&, double weight) {
  springs_->for_forces(at, [&](std::size_t k, const Vec3& gradient) { forces_[k] += weight * gradient; });
}

void AttachedPoints::scale_forces(const Parts& parts, std::span<const double> factors) {
  for (std::size_t k = 0; k < forces_.size(); ++k) forces_[k] *= factors[parts[springs_->attachments()[k].vertex]];
}

/// The points feel the opposite of what the vertices feel. What is released, or jumps, does so before the step.
void AttachedPoints::add_work(const State& state, const NodalField&, const TimeStep& step, const Parts& parts,
                              std::span<SupportWork> works) const {
  if (forces_.size() == 0) return;
  SupportWork& work = works[parts[springs_->attachments()[0].vertex]];  // all are of one body
  const Moment start = Moment::at(step.start), end = Moment::at(step.end);
  const Moment jumped{.from = step.start, .to = step.start, .end = step.end};
  if (releases_within(step.start, step.end) || springs_->forcing() == Forcing::s1)
    work.energy += springs_->value({state.x, jumped}) - springs_->value({state.x, start});
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    work.impulse -= step.h * forces_[k];
    if (has_path() && springs_->forcing() == Forcing::path)
      work.energy -= forces_[k].dot(springs_->point(k, end) - springs_->point(k, start));
  }
}

double AttachedPoints::power(const State&, const Configuration& at, const NodalField&, Side side) const {
  if (!has_path() || springs_->forcing() == Forcing::s1) return 0;
  const PoseRate rate = springs_->motion().rate(at.when.to, side);
  double power = 0;
  springs_->for_forces(
      at, [&](std::size_t k, const Vec3& gradient) { power -= gradient.dot(rate.at(springs_->point(k, at.when))); });
  return power;
}

void AttachedPoints::add_to_frames(const State&, const TimeStep& step, const Parts& parts,
                                   std::span<SupportFrame> frames) const {
  const Moment start = Moment::at(step.start), end = Moment::at(step.end);
  if (!springs_->acts(end) || forces_.size() == 0) return;
  SupportFrame& frame = frames[parts[springs_->attachments()[0].vertex]];
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    frame.place += springs_->point(k, start);
    frame.displacement += springs_->point(k, end) - springs_->point(k, start);
  }
  frame.points += static_cast<double>(forces_.size());
}

void refuse_two_holds(const Model& model, int vertex, const char* hold) {
  const Body* body = &model.bodies().front();
  for (const Body& b : model.bodies())
    if (b.first_vertex <= vertex) body = &b;
  throw InputError({.key = body->name + "." + hold,
                    .value = fmt::format("vertex {}", vertex - body->first_vertex),
                    .problem = "is pinned and held by springs, of which one is driven: they would pull against each "
                               "other for ever",
                    .advice = "select each vertex for pin or for attach, not for both"});
}

namespace {

bool same_keys(const std::vector<Motion::Key>& one, const std::vector<Motion::Key>& other) {
  return std::ranges::equal(one, other, [](const Motion::Key& a, const Motion::Key& b) {
    return a.time == b.time && a.translate == b.translate && a.turn == b.turn;
  });
}

/// Springs along two paths that part would stretch for ever; one that lets go hands over to the other.
void refuse_two_paths(const Model& model, const AttachmentSprings<HookeanLaw>& springs, int vertex,
                      const Motion& motion) {
  for (const auto& energy : model.energies()) {
    const auto* other = dynamic_cast<const AttachmentSprings<HookeanLaw>*>(energy.get());
    if (other == nullptr || other == &springs || other->motion().empty()) continue;
    if (std::isfinite(other->release_time()) || std::isfinite(springs.release_time())) continue;
    const Motion& path = other->motion();
    if (same_keys(path.keys, motion.keys) && same_keys(path.turns, motion.turns) && path.center == motion.center &&
        path.interpolation == motion.interpolation)
      continue;
    const auto holds = [&](const Attachment& attachment) { return attachment.vertex == vertex; };
    if (!std::ranges::any_of(other->attachments(), holds)) continue;
    const auto body = std::ranges::find_if(model.bodies(), [&](const Body& b) {
      return vertex < b.first_vertex + static_cast<int>(b.mesh.vertices.size());
    });
    throw InputError({.key = body->name + ".attach",
                      .value = fmt::format("vertex {}", vertex - body->first_vertex),
                      .problem = "is driven along two paths that differ: their springs would pull against each other "
                                 "for ever",
                      .advice = "select each vertex for one of them, or release one"});
  }
}

}  // namespace

AttachmentId Model::attach(BodyId body, std::vector<Attachment> attachments) {
  const Body& b = this->body(body);
  for (Attachment& attachment : attachments) {
    check_vertex(b, attachment.vertex);
    check_number(b.name + ".attach.stiffness", attachment.stiffness, Bound::positive());
    check_number(b.name + ".attach.rest_length", attachment.rest_length, Bound::not_negative());
    attachment.vertex += b.first_vertex;
  }
  for (const Attachment& attachment : attachments)
    if (is_driven_by_pins(*this, attachment.vertex)) refuse_two_holds(*this, attachment.vertex, "attach");
  if (attachments.empty()) throw InputError({.key = b.name + ".attach", .problem = "selects no vertex"});
  auto springs = std::make_unique<AttachmentSprings<HookeanLaw>>(std::move(attachments));
  AttachmentSprings<HookeanLaw>& added = *springs;
  const EnergyId energy = add(body, std::move(springs));
  const AttachmentId id = next_attachment_.next();
  add_support(std::make_unique<AttachedPoints>(id, body, energy, added));
  return id;
}

void Model::drive(AttachmentId attachment, const Motion& motion, Forcing forcing) {
  AttachmentSprings<HookeanLaw>& springs = find_support<AttachedPoints>(*this, attachment, "attachment").springs();
  motion.check("attach.path");
  if (!motion.empty())
    for (const Attachment& held : springs.attachments()) {
      if (pinned_[held.vertex] != 0) refuse_two_holds(*this, held.vertex, "attach");
      refuse_two_paths(*this, springs, held.vertex, motion);
    }
  springs.drive(motion, forcing);
}

void Model::release(AttachmentId attachment, double time) {
  AttachmentSprings<HookeanLaw>& springs = find_support<AttachedPoints>(*this, attachment, "attachment").springs();
  check_number("attach.release", time, Bound::not_negative());
  springs.release(time);
}

}  // namespace brio
