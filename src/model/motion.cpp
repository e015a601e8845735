/// What is moved from outside: attachments and pins along keyframes. They move at the start of a step, all else staying
/// where it is; the energy that puts into the model is the work of whoever moves them. [S1 section 4.3]
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "model/attached.h"
#include "model/body_checks.h"
#include "model/interaction.h"

namespace brio {
namespace {

class DrivenAttachment final : public Interaction {
 public:
  DrivenAttachment(int energy, const std::vector<Attachment>& attachments, Motion motion)
      : energy_(energy), motion_(std::move(motion)) {
    for (const Attachment& attachment : attachments) points_.push_back(attachment.point);
    moved_ = points_;  // where the springs still have them
  }

  std::string name() const override { return "driven attachment"; }
  void recall(Model& model, State& state) override { move(model, state.time); }
  void begin_step(Model& model, State& state, const Clock& clock, Exchange& exchange) override {
    const Energy& energy = *model.energies()[energy_];
    const double before = energy.value(state.x);
    if (!move(model, clock.time_of(state.step + 1))) return;
    exchange.user_work += energy.value(state.x) - before;
    exchange.changed = true;
  }

 private:
  bool move(Model& model, double time) {
    const Pose pose = motion_.at(time);
    bool moves = false;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3 to = pose.apply(points_[i]);
      moves = moves || to != moved_[i];
      moved_[i] = to;
    }
    if (moves) attached_springs(model, energy_).move(moved_);
    return moves;
  }

  int energy_;
  Motion motion_;
  std::vector<Vec3> points_;  ///< without motion [m]
  std::vector<Vec3> moved_;   ///< where they are [m]
};

/// History: where each pin would be without motion.
class MovedPins final : public Interaction {
 public:
  MovedPins(std::vector<int> vertices, Motion motion) : vertices_(std::move(vertices)), motion_(std::move(motion)) {}

  std::string name() const override { return "moved pins"; }
  bool fits(const Memory& history) const override {
    return history.empty() || (history.fields.empty() && history.numbers.size() == 3 * vertices_.size());
  }
  void recall(Model&, State& state) override {
    std::vector<double>& still = history(state).numbers;
    if (!still.empty()) return;
    const Pose pose = motion_.at(state.time);
    for (const int vertex : vertices_) {
      const Vec3 point = pose.undo(state.x[vertex]);
      still.insert(still.end(), point.begin(), point.end());
    }
  }
  void begin_step(Model& model, State& state, const Clock& clock, Exchange& exchange) override {
    const std::vector<double>& still = history(state).numbers;
    const Pose pose = motion_.at(clock.time_of(state.step + 1));
    const auto target = [&](std::size_t k) { return pose.apply(Eigen::Map<const Vec3>(still.data() + 3 * k)); };
    bool moves = false;
    for (std::size_t k = 0; k < vertices_.size(); ++k) moves = moves || target(k) != state.x[vertices_[k]];
    if (!moves) return;
    exchange.user_work -= model.potential_energy(state.x);
    for (std::size_t k = 0; k < vertices_.size(); ++k) state.x[vertices_[k]] = target(k);
    exchange.user_work += model.potential_energy(state.x);
    exchange.changed = true;
  }

 private:
  std::vector<int> vertices_;
  Motion motion_;
};

}  // namespace

Pose Motion::at(double time) const {
  if (keys.empty()) return {};
  const auto after = std::ranges::upper_bound(keys, time, {}, &Key::time);
  Vec3 translate, turn;
  if (after == keys.begin() || after == keys.end()) {
    const Key& key = after == keys.begin() ? keys.front() : keys.back();
    translate = key.translate;
    turn = key.turn;
  } else {
    const Key& from = *(after - 1);
    const double fraction = (time - from.time) / (after->time - from.time);
    translate = from.translate + fraction * (after->translate - from.translate);
    turn = from.turn + fraction * (after->turn - from.turn);
  }
  const double angle = turn.norm();
  Pose pose;
  if (angle > 0) pose.rotation = Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
  pose.translation = center - pose.rotation * center + translate;
  return pose;
}

void Motion::check(const std::string& key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string place = fmt::format("{}[{}]", key, i);
    check_number(place + ".time", keys[i].time, Bound::any());
    if (i > 0 && keys[i].time <= keys[i - 1].time)
      throw InputError({.key = place + ".time",
                        .value = fmt::format("{}", keys[i].time),
                        .problem = fmt::format("must be later than {}", keys[i - 1].time)});
    for (int c = 0; c < 3; ++c) {
      check_number(place + ".translate", keys[i].translate[c], Bound::any());
      check_number(place + ".turn", keys[i].turn[c], Bound::any());
    }
  }
  for (int c = 0; c < 3; ++c) check_number(key + ".center", center[c], Bound::any());
}

AttachmentBatch<HookeanLaw>& attached_springs(Model& model, int attachment) {
  auto* springs = attachment < 0 || attachment >= static_cast<int>(model.energies().size())
                      ? nullptr
                      : dynamic_cast<AttachmentBatch<HookeanLaw>*>(&model.energy(attachment));
  if (springs == nullptr)
    throw InputError({.key = "attachment", .value = fmt::format("{}", attachment), .problem = "is none of the model"});
  return *springs;
}

void Model::drive(int attachment, const Motion& motion) {
  const AttachmentBatch<HookeanLaw>& springs = attached_springs(*this, attachment);
  motion.check("attach.path");
  if (!motion.empty()) add(std::make_unique<DrivenAttachment>(attachment, springs.attachments(), motion));
}

void Model::pin(int body, std::span<const int> vertices, const Motion& motion) {
  const Body& b = find_body(bodies_, body);
  for (const int vertex : vertices) check_vertex(b, vertex);
  motion.check(b.name + ".pin.path");
  std::vector<int> of_model;
  for (const int vertex : vertices) of_model.push_back(b.first_vertex + vertex);
  for (const int vertex : of_model) pinned_[vertex] = 1;
  pattern_.reset();  // integrators prepare anew
  if (!motion.empty()) add(std::make_unique<MovedPins>(std::move(of_model), motion));
}

}  // namespace brio
