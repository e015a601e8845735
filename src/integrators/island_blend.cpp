#include "integrators/island_blend.h"

#include <algorithm>
#include <cmath>

namespace brio {

void IslandBlend::prepare(const Model& model) {
  model_ = &model;
  for (NodalField* field : {&base_x, &base_v, &other_x, &other_v, &x, &v}) *field = NodalField(model.vertices());
  const std::size_t bodies = model.bodies().size();
  searches_.resize(bodies);
  saved_targets_.resize(bodies);
  apart_.resize(bodies);
}

bool IslandBlend::aims(Aim aim) const {
  return std::any_of(searches_.begin(), searches_.begin() + static_cast<long>(targets_->count()),
                     [&](const Search& search) { return search.aim == aim; });
}

const IslandBlend::Search* IslandBlend::most_steered() const {
  const Search* most = nullptr;
  for (std::size_t i = 0; i < targets_->count(); ++i)
    if (searches_[i].fraction > (most == nullptr ? 0 : most->fraction)) most = &searches_[i];
  return most;
}

bool IslandBlend::choose_aims(bool backward_only) {
  for (std::size_t i = 0; i < targets_->count(); ++i) (*targets_)[i].work = searches_[i].base_work;
  targets_->judge(base_x, base_v, [](std::size_t) { return true; });
  bool steered = false;
  for (std::size_t i = 0; i < targets_->count(); ++i) {
    const IslandTarget& target = (*targets_)[i];
    if (!backward_only && std::abs(target.e) <= target.allowed) continue;
    searches_[i].aim = backward_only || !(target.e < 0) ? Aim::backward : Aim::forward;
    searches_[i].base_e = target.e;
    steered = true;
  }
  return steered;
}

void IslandBlend::share_mean_motion() {
  std::fill_n(apart_.begin(), targets_->count(), Apart{});
  const Parts parts = targets_->islands().parts();
  for (std::size_t k = 0; k < x.size(); ++k) {
    Apart& apart = apart_[parts[static_cast<int>(k)]];
    apart.x += model_->mass()[k] * (base_x[k] - other_x[k]);
    apart.v += model_->mass()[k] * (base_v[k] - other_v[k]);
  }
  for_vertices(x.size(), [&](std::size_t k) {
    const std::size_t i = parts[static_cast<int>(k)];
    if (targets_->islands().is_held(i)) return;
    other_x[k] += apart_[i].x / targets_->islands().mass(i);
    other_v[k] += apart_[i].v / targets_->islands().mass(i);
  });
}

void IslandBlend::blend() {
  for_vertices(x.size(), [&](std::size_t k) {
    const double fraction = of_vertex(k).fraction;
    x[k] = base_x[k] + fraction * (other_x[k] - base_x[k]);
    v[k] = base_v[k] + fraction * (other_v[k] - base_v[k]);
  });
}

void IslandBlend::judge_blend() {
  blend();
  for (std::size_t i = 0; i < targets_->count(); ++i)
    if (searches_[i].searching) (*targets_)[i].work = searches_[i].work();
  targets_->judge(x, v, [&](std::size_t i) { return searches_[i].searching; });
}

template <class Each>
void IslandBlend::for_searching(Each each) {
  for (std::size_t i = 0; i < targets_->count(); ++i)
    if (searches_[i].searching) each(searches_[i], (*targets_)[i]);
}

void IslandBlend::search(StepObjective& objective, bool ends_only) {
  constexpr int max_evaluations = 60;
  const double open = ends_only ? 0 : objective.free_path(base_x, other_x);
  const double back = open == 1 ? 1 : ends_only ? 0 : objective.free_path(other_x, base_x);
  for (std::size_t i = 0; i < targets_->count(); ++i) {
    Search& search = searches_[i];
    search.searching = search.aim != Aim::keep;
    if (!search.searching) continue;
    const bool forward = search.aim == Aim::forward;
    search.bracket = {.low = forward ? 0 : 1 - back, .f_low = search.base_e, .high = forward ? open : 1};
    search.fraction = search.bracket.high;
  }
  judge_blend();
  for_searching([](Search& search, const IslandTarget& target) { search.bracket.f_high = target.e; });
  if (open < 1) {
    for_searching([](Search& search, const IslandTarget&) { search.fraction = search.bracket.low; });
    judge_blend();
    for_searching([](Search& search, const IslandTarget& target) { search.bracket.f_low = target.e; });
  }
  bool is_elsewhere = false;
  for_searching([&](Search& search, const IslandTarget&) {
    const Bracket& bracket = search.bracket;
    const double nearer = bracket.holds_root() || bracket.high_is_nearer() ? bracket.high : bracket.low;
    is_elsewhere = is_elsewhere || nearer != search.fraction;
    search.fraction = nearer;
  });
  if (is_elsewhere) judge_blend();
  int evaluations = 0;
  for (; evaluations < max_evaluations; ++evaluations) {
    bool done = true;
    for_searching([&](Search& search, const IslandTarget& target) {
      if (std::abs(target.e) <= target.allowed || !search.bracket.holds_root()) {
        search.searching = false;
        return;
      }
      if (evaluations > 0) search.bracket.narrow(search.fraction, target.e);
      search.fraction = search.bracket.next();
      done = false;
    });
    if (done) break;
    judge_blend();
  }
  // What jumps across its target, as to infinity, ends on the lower side.
  bool any = false;
  for_searching([&](Search& search, const IslandTarget&) {
    search.fraction = search.bracket.f_high <= 0 ? search.bracket.high : search.bracket.low;
    any = true;
  });
  if (any) judge_blend();
  for (std::size_t i = 0; i < targets_->count(); ++i)
    (*targets_)[i].is_calmest = searches_[i].aim == Aim::backward && searches_[i].fraction == 1;
  blend();
  objective.add_work(evaluations);
}

bool IslandBlend::prefer(const NodalField& there_x, const NodalField& there_v, std::span<const SupportWork> works) {
  for (std::size_t i = 0; i < targets_->count(); ++i) {
    saved_targets_[i] = (*targets_)[i];
    if (searches_[i].searching) (*targets_)[i].work = 0;
  }
  for (std::size_t b = 0; b < works.size(); ++b)
    if (of_body(b).searching) targets_->of_body(b).work += works[b].energy;
  targets_->judge(there_x, there_v, [&](std::size_t i) { return searches_[i].searching; });
  bool any = false;
  for (std::size_t i = 0; i < targets_->count(); ++i) {
    IslandTarget& target = (*targets_)[i];
    searches_[i].searching = searches_[i].searching && target.e < saved_targets_[i].e;
    target = saved_targets_[i];
    any = any || searches_[i].searching;
  }
  return any;
}

void IslandBlend::slow_down(const NodalField& x_n, StepObjective& objective) {
  bool any = false;
  for (std::size_t i = 0; i < targets_->count(); ++i) {
    Search& search = searches_[i];
    const bool too_much = (*targets_)[i].has_too_much();
    search.base_work = search.other_work = search.work();
    search.aim = too_much ? Aim::forward : Aim::keep;
    search.fraction = 0;
    search.base_e = (*targets_)[i].e;
    any = any || too_much;
  }
  if (!any) return;
  base_x = x;
  base_v = v;
  other_x = x;
  other_v = v;
  for_vertices(x.size(), [&](std::size_t k) {
    if (of_vertex(k).aim == Aim::keep || model_->pinned()[k] != 0) return;
    const IslandTarget& target = targets_->of_vertex(k);
    other_x[k] = x_n[k] + targets_->step().h * target.frame;
    other_v[k] = target.frame;
  });
  share_mean_motion();
  search(objective, false);
}

}  // namespace brio
