/// A rigid collider between steps: moves it along its keyframes, finds who touches it, lets friction slide.
///
/// The cap of friction during a step is μ f_n, f_n being the force that presses where the step starts. Over a contact
/// it adds up to what it should: Σ h μ f_n, whether the step's own force was that at its start, at its end or in
/// between; friction is one step late, no more and no less. First touch included: its first step is free of friction,
/// the one after the last is not. (The force expected at the end of the step, where it is larger, would brake what
/// chatters too much.) Caps change only after a step, when anchors slide, so that no energy changes unseen.
#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "brio/contact.h"
#include "contact/collider_contact.h"
#include "model/interaction.h"

namespace brio {

/// What is asked of a collider of any shape.
class AnyCollider : public Interaction {
 public:
  /// The free vertex deepest inside, -1 if none is, and how deep [m].
  virtual std::pair<int, double> deepest(const NodalField& x, const std::vector<char>& pinned) const = 0;
};

template <class Shape>
class Collider final : public AnyCollider {
 public:
  /// The contact is one of the model's energies, and lives as long.
  Collider(std::string name, ColliderContact<Shape>& contact, const Pose& pose, Motion motion)
      : name_(std::move(name)), contact_(&contact), pose_(pose), motion_(std::move(motion)) {
    contact.place(at(0));
  }

  std::string name() const override { return name_; }

  bool fits(const Memory& history) const override {
    return history.empty() || (has_history() && history.fields.empty() && fits(history.numbers));
  }

  void recall(Model&, State& state) override {
    if (!has_history()) return place(state);
    if (history(state).empty()) {
      contact_->friction_contacts().assign(contact_->friction_contacts().size(), {});
      hold_none();
      place(state);
      settle(state.x);
      remember(history(state));
    } else {
      read(history(state));
      place(state);
    }
  }

  void begin_step(Model&, State& state, const Clock& clock, Exchange& exchange) override {
    if (motion_.empty() && !law().has_planes()) return;
    place(state);
    const Pose next = at(clock.time_of(state.step + 1));
    const bool moves = next.rotation != contact_->pose().rotation || next.translation != contact_->pose().translation;
    exchange.changed = exchange.changed || moves || law().has_planes();
    if (!moves) return;
    const double before = contact_->value(state.x);
    contact_->place(next);
    exchange.user_work += contact_->value(state.x) - before;
  }

  void end_step(Model&, const State&, State& state, const Clock&, Exchange& exchange) override {
    if (!has_history()) return;
    const double lost = settle(state.x);
    exchange.friction_loss += lost;
    exchange.changed = exchange.changed || lost > 0;
    remember(history(state));
  }

  std::pair<int, double> deepest(const NodalField& x, const std::vector<char>& pinned) const override {
    std::pair<int, double> found{-1, 0};
    Closest closest;
    for (const int i : contact_->vertices())
      if (pinned[i] == 0 && contact_->find(local(x[i]), closest) && -closest.distance > found.second)
        found = {i, -closest.distance};
    return found;
  }

 private:
  const ContactLaw& law() const { return contact_->law(); }
  bool holds_springs() const { return law().rule == ContactRule::held_spring; }
  bool has_history() const { return law().friction > 0 || holds_springs(); }
  Vec3 local(const Vec3& x) const { return contact_->pose().undo(x); }

  Pose at(double time) const {
    const Pose moved = motion_.at(time);
    return {.rotation = moved.rotation * pose_.rotation, .translation = moved.apply(pose_.translation)};
  }

  /// Where the state has it.
  void place(const State& state) {
    contact_->place(at(state.time));
    if (!law().has_planes()) return;
    constexpr double instant = 1e-6;  // [s]: in which the collider's own speed shows
    const Pose soon = at(state.time + instant);
    contact_->freeze(state.x, [&](std::size_t k, const Vec3& p, const Vec3& normal) {
      const Vec3 collider = (soon.apply(p) - contact_->pose().apply(p)) / instant;
      return (contact_->pose().rotation * normal).dot(state.v[contact_->vertices()[k]] - collider);
    });
  }
  void hold_none() {
    for (std::size_t k = 0; holds_springs() && k < contact_->vertices().size(); ++k) contact_->hold(k, false);
  }

  /// Finds who touches, and lets friction slide, which takes the energy returned [J].
  double settle(const NodalField& x) {
    return sum_(contact_->friction_contacts().size(), [&](std::size_t k) {
      FrictionContact& contact = contact_->friction_contacts()[k];
      const Vec3 p = local(x[contact_->vertices()[k]]);
      Closest closest;
      if (!contact_->find(p, closest)) return contact.active() ? let_go(contact, p) : 0;
      const double cap = law().friction * law().stiffness * (law().thickness - closest.distance);
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
  ColliderContact<Shape>* contact_;
  Pose pose_;  ///< without motion
  Motion motion_;
  NodalSum sum_;
};

}  // namespace brio
