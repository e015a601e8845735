/// A rigid collider between steps: moves it along its keyframes, finds who touches it, lets friction slide.
///
/// The cap of friction during a step is μ f_n, f_n being the force that presses where the step starts. Over a contact
/// it adds up to what it should: Σ h μ f_n, whether the step's own force was that at its start, at its end or in
/// between; friction is one step late, no more and no less. First touch included: its first step is free of friction,
/// the one after the last is not. (The force expected at the end of the step, where it is larger, would brake what
/// chatters too much.) Caps change only after a step, when anchors slide, so that no energy changes unseen.
#pragma once

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

  void recall(Model&, State& state) override {
    contact_->place(at(state.time));
    if (!law().remembers()) return;
    if (history(state).numbers.empty()) {
      contact_->touches().assign(contact_->vertices().size(), {});
      grasp_all(state.x);
      remember(history(state));
    } else {
      read(history(state));
    }
  }

  void begin_step(Model&, State& state, double h, Account& account) override {
    if (!motion_.empty()) {
      contact_->place(at(state.time));
      const double before = contact_->value(state.x);
      contact_->place(at(state.time + h));
      account.user_work += contact_->value(state.x) - before;
      account.changed = true;
    }
    if (!law().spring) return;
    for_vertices(contact_->vertices().size(), [&](std::size_t k) {
      const int i = contact_->vertices()[k];
      freeze(contact_->touches()[k], local(state.x[i]), local(state.x[i] + h * state.v[i]));
    });
  }

  void end_step(Model&, const State& before, State& state, double, Account& account) override {
    if (!law().remembers()) return;
    const Pose was = at(before.time);
    const double lost = sum_(contact_->vertices().size(), [&](std::size_t k) {
      const int i = contact_->vertices()[k];
      Touch& touch = contact_->touches()[k];
      const Vec3 p = local(state.x[i]);
      return law().spring ? settle_plane(touch, p, p - was.undo(before.x[i])) : settle(touch, p);
    });
    account.friction_loss += lost;
    account.changed = account.changed || lost > 0;
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
  Vec3 local(const Vec3& x) const { return contact_->pose().undo(x); }

  Pose at(double time) const {
    const Pose moved = motion_.at(time);
    return {.rotation = moved.rotation * pose_.rotation, .translation = moved.apply(pose_.translation)};
  }

  void grasp_all(const NodalField& x) {
    for (std::size_t k = 0; k < contact_->vertices().size(); ++k) {
      const Vec3 p = local(x[contact_->vertices()[k]]);
      Closest closest;
      if (contact_->find(p, closest)) contact_->touches()[k] = grasp(p, closest);
    }
  }

  /// Of a vertex inside: without any pull, held by what presses on it now.
  Touch grasp(const Vec3& p, const Closest& closest) const {
    const double depth = law().thickness - closest.distance;
    return {.normal = closest.normal,
            .level = closest.normal.dot(p) + depth,
            .anchor = p,
            .cap = law().friction * law().stiffness * depth};
  }

  /// Before a step with the law "spring" from p, which would lead to p_next if nothing were in the way: the plane of a
  /// vertex inside, or about to be; then where it will enter, which costs no energy yet.
  void freeze(Touch& touch, const Vec3& p, const Vec3& p_next) const {
    Closest closest;
    if (contact_->find(p, closest)) {
      const Touch found = grasp(p, closest);
      const Vec3 held = touch.active() ? friction::carry(touch.offset(p), touch.normal, found.normal) : Vec3(0, 0, 0);
      touch = {.normal = found.normal, .level = found.level, .anchor = p - held, .cap = std::max(touch.cap, found.cap)};
    } else if (!touch.active() && contact_->find(p_next, closest)) {
      const double level = std::min(grasp(p_next, closest).level, closest.normal.dot(p));
      touch = {.normal = closest.normal, .level = level, .anchor = p};
    }
  }

  /// After a step with the law "potential"; returns what friction took [J].
  double settle(Touch& touch, const Vec3& p) const {
    Closest closest;
    if (!contact_->find(p, closest)) return touch.active() ? let_go(touch, p) : 0;
    const Touch found = grasp(p, closest);
    if (touch.active()) return friction::slide(touch, law().stiffness, p, found.normal, found.cap);
    touch = found;
    return 0;
  }

  /// After a step with the law "spring".
  double settle_plane(Touch& touch, const Vec3& p, const Vec3& moved) const {
    if (!touch.active()) return 0;
    Closest closest;
    if (!contact_->find(p, closest) && touch.normal.dot(moved) > 0) return let_go(touch, p);
    const double depth = std::max(0.0, touch.level - touch.normal.dot(p));
    return friction::slide(touch, law().stiffness, p, touch.normal, law().friction * law().stiffness * depth);
  }

  double let_go(Touch& touch, const Vec3& p) const {
    const double lost = friction::energy(law().stiffness, touch.cap, touch.offset(p).norm());
    touch = {};
    return lost;
  }

  /// Numbers of the history: how many touch, then for each its place among the vertices and the touch.
  void remember(Memory& history) const {
    std::vector<double>& numbers = history.numbers;
    numbers.assign(1, 0.0);
    const std::vector<Touch>& touches = contact_->touches();
    for (std::size_t k = 0; k < touches.size(); ++k) {
      const Touch& t = touches[k];
      if (!t.active()) continue;
      ++numbers[0];
      numbers.insert(numbers.end(), {static_cast<double>(k), t.normal.x(), t.normal.y(), t.normal.z(), t.level,
                                     t.anchor.x(), t.anchor.y(), t.anchor.z(), t.cap});
    }
  }
  void read(const Memory& history) {
    constexpr std::size_t each = 9;
    const std::vector<double>& numbers = history.numbers;
    std::vector<Touch>& touches = contact_->touches();
    touches.assign(touches.size(), {});
    for (std::size_t at = 1; at + each <= numbers.size(); at += each) {
      const double* t = numbers.data() + at;
      touches.at(static_cast<std::size_t>(t[0])) = {
          .normal = {t[1], t[2], t[3]}, .level = t[4], .anchor = {t[5], t[6], t[7]}, .cap = t[8]};
    }
  }

  std::string name_;
  ColliderContact<Shape>* contact_;
  Pose pose_;  ///< without motion
  Motion motion_;
  NodalSum sum_;
};

}  // namespace brio
