#include "contact/restitution.h"

#include <algorithm>

#include "contact/pair_key.h"

namespace brio {
namespace {

constexpr std::size_t numbers_per_pair = 6;  ///< its key and the speed of its approach

using Approach = std::pair<PairKey, double>;

/// In ascending order.
std::vector<Approach> approaches_of(const Memory& history) {
  std::vector<Approach> list;
  for (std::size_t k = 0; k + numbers_per_pair <= history.numbers.size(); k += numbers_per_pair) {
    Approach one;
    std::copy_n(history.numbers.begin() + static_cast<std::ptrdiff_t>(k), one.first.size(), one.first.begin());
    one.second = history.numbers[k + one.first.size()];
    list.push_back(one);
  }
  std::sort(list.begin(), list.end());
  return list;
}

double known_approach(const std::vector<Approach>& list, const PairKey& key) {
  const auto found = std::lower_bound(list.begin(), list.end(), key,
                                      [](const Approach& one, const PairKey& k) { return one.first < k; });
  return found != list.end() && found->first == key ? found->second : 0;
}

/// Of those vertices of a pair that the field has.
Vec3 between(const ContactPair& pair, const Nearest& near, const NodalField& field) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < vertices_of(pair.kind); ++i)
    if (const auto v = static_cast<std::size_t>(pair.vertices[i]); v < field.size()) sum += near.w[i] * field[v];
  return sum;
}

/// Those of bodies, and of obstacles that went from `start` to `end`.
const NodalField& velocities(const NodalField& v, const NodalField& start, const NodalField& end, double h,
                             NodalField& scratch) {
  if (start.size() == v.size()) return v;
  scratch = NodalField(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) scratch[i] = i < v.size() ? Vec3(v[i]) : Vec3((end[i] - start[i]) / h);
  return scratch;
}

Nearest nearest_at(const ContactPair& pair, const NodalField& x) {
  Vec3 place[4];
  for (int i = 0; i < vertices_of(pair.kind); ++i) place[i] = x[pair.vertices[i]];
  return nearest(pair.kind, place);
}

/// Obstacles do not give way.
double inverse_mass(const Model& model, int vertex) {
  const auto v = static_cast<std::size_t>(vertex);
  return v >= model.vertices() || model.pinned()[v] != 0 ? 0 : 1 / model.mass()[v];
}

}  // namespace

bool Restitution::fits(const Memory& history) const {
  return history.fields.empty() && history.numbers.size() % numbers_per_pair == 0;
}

std::vector<Restitution::Touch> Restitution::touches(const Model& model, const State& before, const State& state,
                                                     const Clock& clock) const {
  const double resting = 2 * model.gravity().norm() * clock.h;
  const std::vector<Approach> known = approaches_of(history(state));
  const Configuration from(before), to{state.x, Moment::at(clock.time_of(state.step))};
  NodalField start_scratch, end_scratch, v_scratch;
  const NodalField &start = contact_->everything(from, start_scratch), &end = contact_->everything(to, end_scratch);
  const NodalField& v = velocities(before.v, start, end, clock.h, v_scratch);
  std::vector<Touch> list;
  for (const ActivePair& active : contact_->active_pairs(to)) list.push_back({.pair = active.pair});
  for (const ActivePair& active : contact_->active_pairs(from))
    if (const Barrier& barrier = active.pair.barrier;
        !(nearest_at(active.pair, end).distance() < barrier.dhat + barrier.core))
      list.push_back({.pair = active.pair});
  for (Touch& touch : list) {
    touch.near = nearest_at(touch.pair, end);
    touch.normal = touch.near.r / touch.near.distance();
    for (int i = 0; i < vertices_of(touch.pair.kind); ++i)
      if (const auto k = static_cast<std::size_t>(touch.pair.vertices[i]); k >= model.vertices())
        touch.carried += touch.near.w[i] * v[k].dot(touch.normal);
    const Nearest then = nearest_at(touch.pair, start);
    const double speed = -between(touch.pair, then, v).dot(then.r) / then.distance();
    touch.approach = std::max({known_approach(known, key_of(touch.pair)), speed, 0.0});
    touch.bound = touch.approach > resting ? e_ * touch.approach : 0;
    double inverse = 0;
    for (int i = 0; i < vertices_of(touch.pair.kind); ++i)
      inverse += touch.near.w[i] * touch.near.w[i] * inverse_mass(model, touch.pair.vertices[i]);
    touch.mass = inverse > 0 ? 1 / inverse : 0;
  }
  return list;
}

bool Restitution::bound_speeds(const Model& model, const std::vector<Touch>& touches, State& state,
                               Exchange& exchange) const {
  constexpr int sweeps = 20;
  bool bounded = false;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (const Touch& touch : touches) {
      const double parts = between(touch.pair, touch.near, state.v).dot(touch.normal) + touch.carried;
      const double impulse = (parts - touch.bound) * touch.mass;
      if (!(impulse > 0)) continue;
      bounded = true;
      const double lost = 0.5 * impulse * (parts + touch.bound);
      double given = lost;  // by supports that are driven: the free vertices' gain of energy, and what was lost
      for (int i = 0; i < vertices_of(touch.pair.kind); ++i) {
        const int v = touch.pair.vertices[i];
        const Vec3 change = -impulse * touch.near.w[i] * inverse_mass(model, v) * touch.normal;
        if (change.isZero()) continue;
        given += model.mass()[v] * change.dot(Vec3(state.v[v]) + 0.5 * change);
        state.v[v] += change;
      }
      exchange.damping_loss += lost;
      exchange.contact_loss += lost;
      exchange.user_work += model.is_driven() ? given : 0;
    }
  return bounded;
}

void Restitution::end_step(const Model& model, const State& before, State& state, const Clock& clock,
                           Exchange& exchange) {
  const std::vector<Touch> found = touches(model, before, state, clock);
  if (bound_speeds(model, found, state, exchange)) exchange.changed = true;
  Memory& memory = history(state);
  memory.clear();
  for (const Touch& touch : found) {
    if (touch.approach == 0) continue;
    const PairKey key = key_of(touch.pair);
    memory.numbers.insert(memory.numbers.end(), key.begin(), key.end());
    memory.numbers.push_back(touch.approach);
  }
}

}  // namespace brio
