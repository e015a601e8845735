/// A rigid collider that pushes by a penalty, between steps: finds who touches it, lets friction slide, and books what
/// its motion does.
///
/// The cap of friction during a step is μ f_n, f_n being the force that presses where the step starts. Over a contact
/// it adds up to what it should: Σ h μ f_n, whether the step's own force was that at its start, at its end or in
/// between; friction is one step late, no more and no less. First touch included: its first step is free of friction,
/// the one after the last is not. (The force expected at the end of the step, where it is larger, would brake what
/// chatters too much.) Caps change only after a step, when anchors slide, so that no energy changes unseen.
///
/// What sticks would ring around the speed of the surface with methods that damp nothing. After a step friction takes
/// from the velocity along the surface, relative to it, what the cap leaves room for beside the mean force f̄ of the
/// step:  J = −clip(m v_rel, h (min(cap_n, cap_n+1) − |f̄|)),  with the heat −J·(v_rel + J/2m) and, where the surface
/// moves, the work J·u.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "contact/collider.h"
#include "contact/collider_contact.h"
#include "contact/tunneling.h"

namespace brio {

class PenaltyCollider final : public AnyCollider {
 public:
  /// The stiffness for all bodies of a model.
  using Recommend = std::function<double(const Model&, const ColliderContact&)>;

  /// The contact is one of the model's energies, and lives as long.
  PenaltyCollider(ColliderId id, std::string name, EnergyId energy, ColliderContact& contact)
      : AnyCollider(id),
        name_(std::move(name)),
        energy_(energy),
        contact_(&contact),
        local_(contact.vertices().size()),
        world_(contact.vertices().size()),
        friction_(contact.vertices().size()) {}

  std::string name() const override { return name_; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<PenaltyCollider>(*this); }
  void rebind(Model& model) override { contact_ = &dynamic_cast<ColliderContact&>(model.energy(energy_)); }

  EnergyId energy() const override { return energy_; }
  /// From now on bodies that come feel it too. `recommend` is empty where a stiffness was given.
  void take_all_bodies(Recommend recommend) {
    takes_all_ = true;
    recommend_ = std::move(recommend);
  }
  bool follows_bodies() const override { return takes_all_; }
  void change(Model& model, std::span<const int> vertices) override {
    const auto first = static_cast<int>(std::ranges::count_if(vertices, [](int now) { return now >= 0; }));
    const auto last = static_cast<int>(model.vertices());
    if (takes_all_ && first < last) {
      contact_->add_vertices(first, last);
      if (recommend_) contact_->set_stiffness(recommend_(model, *contact_));
    }
    for (MeanForces* forces : {&local_, &world_, &friction_}) *forces = MeanForces(contact_->vertices().size());
  }
  void rewrite(State& state) const override {
    if (!history(state).empty()) remember(history(state));
  }

  bool fits(const Memory& history) const override {
    return history.empty() || (has_history() && history.fields.empty() && fits(history.numbers));
  }

  void recall(const Model&, State& state) override {
    if (!has_history()) return freeze(state);
    if (history(state).empty()) {
      contact_->friction_contacts().assign(contact_->friction_contacts().size(), {});
      hold_none();
      freeze(state);
      settle(state.x, contact_->pose_at(state.time));
      remember(history(state));
    } else {
      read(history(state));
      freeze(state);
    }
  }

  void begin_step(const Model&, State& state, const Clock&, Exchange& exchange) override {
    if (!law().has_planes()) return;
    freeze(state);
    exchange.changed = true;
  }

  void end_step(const Model& model, const State& before, State& state, const Clock& clock,
                Exchange& exchange) override {
    const double time = clock.time_of(state.step);
    count_tunneled(before, state.x, time);
    if (!has_history()) return;
    caps_before();
    double lost = settle(state.x, contact_->pose_at(time));
    if (law().friction > 0) lost += stop_sliding(model, state, time, clock.h, exchange);
    exchange.friction_loss += lost;
    exchange.changed = exchange.changed || lost > 0;
    remember(history(state));
  }

  std::pair<int, double> deepest(const State& state, const std::vector<char>& pinned) const override {
    const Pose pose = contact_->pose_at(state.time);
    std::pair<int, double> found{-1, 0};
    Closest closest;
    for (const int i : contact_->vertices())
      if (pinned[i] == 0 && contact_->find(pose.undo(state.x[i]), closest) && -closest.distance > found.second)
        found = {i, -closest.distance};
    return found;
  }

  Pose pose_at(double time) const override { return contact_->pose_at(time); }
  bool contains(const Vec3& point, const Pose& pose) const override {
    return contact_->shape().closest(pose.undo(point)).distance < 0;
  }
  bool has_path() const override { return !contact_->motion().empty(); }
  const Motion* path() const override { return &contact_->motion(); }
  void set_path(const Motion& path) override { contact_->set_motion(path); }
  Vec3 middle(const State& state) const override { return contact_->pose_at(state.time).translation; }
  bool wants_forces() const override { return has_path() || law().friction > 0; }
  bool takes_mean(Averaging which) const override { return contact_->takes_mean(which); }
  void clear_forces() override {
    for (MeanForces* forces : {&local_, &world_, &friction_}) forces->clear();
  }
  void add_forces(const Configuration& at, const NodalField&, double weight) override {
    contact_->for_forces(at, [&](std::size_t k, const Mat3& R, const Vec3& gradient, const Vec3& friction) {
      local_[k] += weight * gradient;
      world_[k] += weight * (R * gradient);
      friction_[k] += weight * friction;
    });
  }
  void scale_forces(const Parts& parts, std::span<const double> factors) override {
    for (std::size_t k = 0; k < local_.size(); ++k) {
      const double factor = factors[parts[contact_->vertices()[k]]];
      for (MeanForces* forces : {&local_, &world_, &friction_}) (*forces)[k] *= factor;
    }
  }
  /// The change of the energy by what its frame sees, less what the vertices feel: ∇·Δξ − R∇·Δx.
  void add_work(const State& state, const NodalField& x_next, const TimeStep& step, const Parts& parts,
                std::span<SupportWork> works) const override {
    const Pose from = contact_->pose_at(step.start), to = contact_->pose_at(step.end);
    for (std::size_t k = 0; k < local_.size(); ++k) {
      const int i = contact_->vertices()[k];
      SupportWork& work = works[parts[i]];
      work.impulse -= step.h * world_[k];
      if (!has_path() || local_[k].isZero(0)) continue;
      const Vec3 before = state.x[i], after = x_next[i];
      // Translation and turn apart: the same number without motion of the vertex being seen through two frames.
      const Vec3 turned =
          to.rotation.transpose() * (after - to.translation) - from.rotation.transpose() * (after - from.translation);
      const Vec3 moved = from.rotation.transpose() * (after - before);
      work.energy += local_[k].dot(turned) + local_[k].dot(moved) - world_[k].dot(after - before);
    }
  }
  double power(const State&, const Configuration& at, const NodalField&, Side side) const override {
    if (!has_path()) return 0;
    const PoseRate rate = contact_->motion().rate(at.when.to, side);
    double power = 0;
    contact_->for_forces(at, [&](std::size_t k, const Mat3& R, const Vec3& gradient, const Vec3&) {
      power -= (R * gradient).dot(rate.at(at.x[contact_->vertices()[k]]));
    });
    return power;
  }
  std::size_t force_numbers() const override { return 3 * local_.numbers(); }
  void write_forces(std::span<double> numbers) const override {
    const std::size_t count = local_.numbers();
    local_.write(numbers.subspan(0, count));
    world_.write(numbers.subspan(count, count));
    friction_.write(numbers.subspan(2 * count, count));
  }
  void add_forces(std::span<const double> numbers, double weight) override {
    const std::size_t count = local_.numbers();
    local_.add(numbers.subspan(0, count), weight);
    world_.add(numbers.subspan(count, count), weight);
    friction_.add(numbers.subspan(2 * count, count), weight);
  }
  /// Once for each part that may feel it.
  void add_to_frames(const State&, const TimeStep& step, const Parts& parts,
                     std::span<SupportFrame> frames) const override {
    const Pose from = contact_->pose_at(step.start), to = contact_->pose_at(step.end);
    for (const int vertex : contact_->vertices()) {
      SupportFrame& frame = frames[parts[vertex]];
      if (frame.last == this) continue;
      frame.last = this;
      frame.place += from.translation;
      frame.displacement += to.translation - from.translation;
      frame.points += 1;
    }
  }

 private:
  const ContactLaw& law() const { return contact_->law(); }

  /// Forces know where a vertex is, not how it got there: what goes through within a step is at least told of. As the
  /// collider sees it, which may have moved.
  void count_tunneled(const State& before, const NodalField& x, double time) {
    const Pose from = contact_->pose_at(before.time), to = contact_->pose_at(time);
    for (const int i : contact_->vertices())
      if (contact_->shape().is_passed(from.undo(before.x[i]), to.undo(x[i]))) ++tunneled_;
  }
  bool holds_springs() const { return law().rule == ColliderLaw::held_spring; }
  bool has_history() const { return law().friction > 0 || holds_springs(); }

  /// The tangent planes where the state has it.
  void freeze(const State& state) {
    if (!law().has_planes()) return;
    const Pose pose = contact_->pose_at(state.time);
    const PoseRate rate = contact_->motion().rate(state.time);
    contact_->freeze(state.x, state.time, [&](std::size_t k, const Vec3& p, const Vec3& normal) {
      const Vec3 relative = state.v[contact_->vertices()[k]] - rate.at(pose.apply(p));
      return (pose.rotation * normal).dot(relative);
    });
  }
  void hold_none() {
    for (std::size_t k = 0; holds_springs() && k < contact_->vertices().size(); ++k) contact_->hold(k, false);
  }

  /// Finds who touches, and lets friction slide, which takes the energy returned [J].
  double settle(const NodalField& x, const Pose& pose) {
    return sum_(contact_->friction_contacts().size(), [&](std::size_t k) {
      FrictionContact& contact = contact_->friction_contacts()[k];
      const Vec3 p = pose.undo(x[contact_->vertices()[k]]);
      Closest closest;
      if (!contact_->find(p, closest)) return contact.active() ? let_go(contact, p) : 0;
      const double cap = law().penalty == nullptr
                             ? law().friction * law().stiffness * (law().thickness - closest.distance)
                             : -law().friction * law().at(closest.distance - law().thickness).slope;
      if (contact.active()) return friction::slide(contact, law().stiffness, p, closest.normal, cap);
      contact = {.normal = closest.normal, .anchor = p, .cap = cap};
      return 0.0;
    });
  }

  double let_go(FrictionContact& contact, const Vec3& p) const {
    const double lost = friction::energy(law().stiffness, contact.cap, contact.offset(p).norm());
    contact = {};
    return lost;
  }

  void caps_before() {
    const auto& contacts = contact_->friction_contacts();
    caps_.resize(contacts.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) caps_[k] = contacts[k].cap;
  }

  /// After the anchors have slid. Returns the heat [J].
  double stop_sliding(const Model& model, State& state, double time, double h, Exchange& exchange) {
    const Pose pose = contact_->pose_at(time);
    const PoseRate rate = contact_->motion().rate(time, Side::before);  // of the step: after it a hand may rest
    double heat = 0;
    for (std::size_t k = 0; k < contact_->friction_contacts().size(); ++k) {
      const FrictionContact& contact = contact_->friction_contacts()[k];
      const int i = contact_->vertices()[k];
      if (!contact.active() || !(caps_[k] > 0) || model.pinned()[i] != 0) continue;
      const double room = h * (std::min(caps_[k], contact.cap) - friction_[k].norm());
      if (!(room > 0)) continue;
      const Vec3 normal = pose.rotation * contact.normal;
      const Vec3 surface = has_path() ? rate.at(state.x[i]) : Vec3(Vec3::Zero());
      const Vec3 apart = state.v[i] - surface;
      const Vec3 sliding = apart - normal.dot(apart) * normal;
      const double m = model.mass()[i], momentum = m * sliding.norm();
      if (!(momentum > 0)) continue;
      const Vec3 impulse = -std::min(1.0, room / momentum) * m * sliding;
      state.v[i] += impulse / m;
      heat -= impulse.dot(sliding + impulse / (2 * m));
      exchange.user_work += impulse.dot(surface);
    }
    return heat;
  }

  /// Numbers of the history: how many touch, so that it is never empty; for each its place among the vertices, the
  /// touch; then the places of those with a held spring.
  void remember(Memory& history) const {
    std::vector<double>& numbers = history.numbers;
    numbers.assign(1, 0.0);
    const std::vector<FrictionContact>& contacts = contact_->friction_contacts();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const FrictionContact& t = contacts[k];
      if (!t.active()) continue;
      ++numbers[0];
      numbers.insert(numbers.end(), {static_cast<double>(k), t.normal.x(), t.normal.y(), t.normal.z(), t.anchor.x(),
                                     t.anchor.y(), t.anchor.z(), t.cap});
    }
    for (std::size_t k = 0; holds_springs() && k < contact_->vertices().size(); ++k)
      if (contact_->holds(k)) numbers.push_back(static_cast<double>(k));
  }
  static constexpr std::size_t numbers_per_contact = 8;
  static std::size_t held_from(const std::vector<double>& numbers) {
    return 1 + numbers_per_contact * static_cast<std::size_t>(numbers[0]);
  }
  bool fits(const std::vector<double>& numbers) const {
    const auto count = static_cast<double>(contact_->vertices().size());
    if (numbers.empty() || !(numbers[0] >= 0 && numbers[0] <= count) || numbers[0] != std::floor(numbers[0]) ||
        numbers.size() < held_from(numbers) || (!holds_springs() && numbers.size() > held_from(numbers)))
      return false;
    double last = -1;  // places are written in their order, each once
    const auto is_next = [&](double place) {
      const bool follows = place > last && place < count && place == std::floor(place);
      last = place;
      return follows;
    };
    std::size_t at = 1;
    for (; at < held_from(numbers); at += numbers_per_contact) {
      const double* t = numbers.data() + at;
      if (!is_next(t[0]) || !(std::abs(Vec3(t[1], t[2], t[3]).norm() - 1) < 1e-6) || t[7] < 0) return false;
    }
    for (last = -1; at < numbers.size(); ++at)
      if (!is_next(numbers[at])) return false;
    return true;
  }
  void read(const Memory& history) {
    const std::vector<double>& numbers = history.numbers;
    std::vector<FrictionContact>& contacts = contact_->friction_contacts();
    contacts.assign(contacts.size(), {});
    hold_none();
    std::size_t at = 1;
    for (; at < held_from(numbers); at += numbers_per_contact) {
      const double* t = numbers.data() + at;
      contacts[static_cast<std::size_t>(t[0])] = {
          .normal = {t[1], t[2], t[3]}, .anchor = {t[4], t[5], t[6]}, .cap = t[7]};
    }
    for (; at < numbers.size(); ++at) contact_->hold(static_cast<std::size_t>(numbers[at]), true);
  }

  std::string name_;
  EnergyId energy_;
  bool takes_all_ = false;
  Recommend recommend_;
  ColliderContact* contact_;
  MeanForces local_, world_, friction_;  ///< gradients of the step in both frames, and friction's in its own [N]
  std::vector<double> caps_;             ///< of friction, during the step that has just ended [N]
  NodalSum sum_;
};

}  // namespace brio
