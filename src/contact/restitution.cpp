#include "contact/restitution.h"

#include <algorithm>
#include <limits>
#include <map>

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

double known_approach(const std::vector<Approach>& list, const PairKey& key, double otherwise) {
  const auto found = std::lower_bound(list.begin(), list.end(), key,
                                      [](const Approach& one, const PairKey& k) { return one.first < k; });
  return found != list.end() && found->first == key ? found->second : otherwise;
}

/// Of the vertices [first, last) of a pair.
Vec3 weighted(const ContactPair& pair, const Nearest& near, const NodalField& field, int first, int last) {
  Vec3 sum = Vec3::Zero();
  for (int i = first; i < last; ++i) sum += near.w[i] * field[pair.vertices[i]];
  return sum;
}

Vec3 between(const ContactPair& pair, const Nearest& near, const NodalField& field) {
  return weighted(pair, near, field, 0, vertices_of(pair.kind));
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
  gather(x, pair, place);
  return nearest(pair.kind, place);
}

/// Obstacles do not give way.
double inverse_mass(const Model& model, int vertex) {
  const auto v = static_cast<std::size_t>(vertex);
  return v >= model.vertices() || model.pinned()[v] != 0 ? 0 : 1 / model.mass()[v];
}

/// The vertices of the first or the second of a pair: from, to.
std::array<int, 2> side_of(const ContactPair& pair, int side) {
  const int first = vertices_of_first(pair.kind);
  return side == 0 ? std::array{0, first} : std::array{first, vertices_of(pair.kind)};
}

}  // namespace

bool Restitution::fits(const Memory& history) const {
  return history.fields.empty() && history.numbers.size() % numbers_per_pair == 0;
}

void Restitution::rebind(Model& model) {
  contact_ = &dynamic_cast<SelfContact&>(model.energy(contact_id_));
  solids_ = FreeSolids(model);
}

bool Restitution::are_whole(const Model& model, const ContactPair& pair) const {
  int pieces[2] = {-1, -1};
  for (int side = 0; side < 2; ++side) {
    const auto [first, last] = side_of(pair, side);
    pieces[side] = solids_.of(pair.vertices[first]);
    for (int i = first; i < last; ++i)
      if (pieces[side] < 0 && inverse_mass(model, pair.vertices[i]) != 0) return false;
  }
  return pieces[0] != pieces[1];
}

RigidTouch Restitution::as_rigid(const Touch& touch, const Nearest& near, const NodalField& x,
                                 const NodalField& v) const {
  RigidTouch rigid;
  rigid.normal = near.r / near.distance();
  for (int side = 0; side < 2; ++side) {
    const auto [first, last] = side_of(touch.pair, side);
    rigid.piece[side] = solids_.of(touch.pair.vertices[first]);
    rigid.point[side] = (side == 0 ? 1 : -1) * weighted(touch.pair, near, x, first, last);
    if (rigid.piece[side] < 0) rigid.carried += rigid.normal.dot(weighted(touch.pair, near, v, first, last));
  }
  rigid.bound = touch.bound;
  return rigid;
}

std::vector<RigidMotion> Restitution::motions(const Model& model, const std::vector<Touch>& touches,
                                              const NodalField& x, const NodalField& v) const {
  std::vector<RigidMotion> all(solids_.size());
  for (const Touch& touch : touches)
    for (int side = 0; touch.whole && side < 2; ++side)
      if (const int piece = solids_.of(touch.pair.vertices[side_of(touch.pair, side)[0]]);
          piece >= 0 && all[piece].mass == 0)
        all[piece] = solids_.motion(model, piece, x, v);
  return all;
}

std::vector<Restitution::Touch> Restitution::touches(const Configuration& from, const Configuration& to,
                                                     const NodalField& end) const {
  std::vector<Touch> list;
  std::map<PairKey, std::size_t> place;
  for (const ActivePair& active : contact_->active_pairs(to)) {
    place.emplace(key_of(active.pair), list.size());
    list.push_back({.pair = active.pair, .force = active.force});
  }
  for (const ActivePair& active : contact_->active_pairs(from)) {
    if (const auto found = place.find(key_of(active.pair)); found != place.end()) {
      Touch& touch = list[found->second];
      touch.force = std::max(touch.force, active.force);
    } else if (const Barrier& barrier = active.pair.barrier;
               !(nearest_at(active.pair, end).distance() < barrier.dhat + barrier.core)) {
      place.emplace(key_of(active.pair), list.size());
      list.push_back({.pair = active.pair, .force = active.force, .opens = true});
    }
  }
  for (const ContactPair& pair : contact_->met())
    if (place.emplace(key_of(pair), list.size()).second) list.push_back({.pair = pair, .opens = true});
  for (Touch& touch : list) {
    touch.near = nearest_at(touch.pair, end);
    touch.normal = touch.near.r / touch.near.distance();
  }
  return list;
}

void Restitution::look_at_vertices(const Model& model, const Step& step, const std::vector<Approach>& known,
                                   Touch& touch) const {
  for (int i = 0; i < vertices_of(touch.pair.kind); ++i)
    if (const auto k = static_cast<std::size_t>(touch.pair.vertices[i]); k >= model.vertices())
      touch.carried += touch.near.w[i] * step.v[k].dot(touch.normal);
  const Nearest then = nearest_at(touch.pair, step.start);
  const double speed = -between(touch.pair, then, step.v).dot(then.r) / then.distance();
  touch.approach = std::max({known_approach(known, key_of(touch.pair), 0), speed, 0.0});
  touch.bound = touch.approach > step.resting ? e_ * touch.approach : 0;
  double inverse = 0;
  for (int i = 0; i < vertices_of(touch.pair.kind); ++i)
    inverse += touch.near.w[i] * touch.near.w[i] * inverse_mass(model, touch.pair.vertices[i]);
  touch.mass = inverse > 0 ? 1 / inverse : 0;
}

void Restitution::look_at_solids(const Model& model, const State& before, const Step& step,
                                 const std::vector<Approach>& known, std::vector<Touch>& touches) const {
  /// Of two that touch, who approaches fastest: what touches beside that began as fast.
  struct Fastest {
    double approach;
    Vec3 normal;
  };
  using Two = std::array<int, 2>;  // pieces, and surfaces of what does not give way
  const auto two_of = [&](const ContactPair& pair) {
    Two two;
    for (int side = 0; side < 2; ++side) {
      const int piece = solids_.of(pair.vertices[side_of(pair, side)[0]]);
      two[side] = piece >= 0 ? piece : -1 - pair.surfaces[side];
    }
    return two;
  };
  const auto sorted = [](const Two& two) { return Two{std::min(two[0], two[1]), std::max(two[0], two[1])}; };
  std::map<Two, Fastest> fastest;
  const std::vector<RigidMotion> motions = this->motions(model, touches, before.x, before.v);
  for (Touch& touch : touches) {
    if (!touch.whole) continue;
    const Nearest then = nearest_at(touch.pair, step.start);
    const double speed = -as_rigid(touch, then, step.start, step.v).speed(motions);
    touch.approach =
        std::max(known_approach(known, key_of(touch.pair), -std::numeric_limits<double>::infinity()), speed);
    const Two two = two_of(touch.pair);
    const Vec3 normal = two == sorted(two) ? touch.normal : Vec3(-touch.normal);
    const auto [place, is_new] = fastest.try_emplace(sorted(two), Fastest{touch.approach, normal});
    if (!is_new && touch.approach > place->second.approach) place->second = {touch.approach, normal};
  }
  for (Touch& touch : touches) {
    if (!touch.whole) continue;
    const Two two = two_of(touch.pair);
    const Fastest& other = fastest.at(sorted(two));
    const double cosine = (two == sorted(two) ? 1 : -1) * other.normal.dot(touch.normal);
    if (other.approach > 0 && cosine > 0) touch.approach = std::max(touch.approach, cosine * other.approach);
  }
}

bool Restitution::bound_vertices(const Model& model, const std::vector<Touch>& touches, State& state,
                                 Exchange& exchange) const {
  constexpr int sweeps = 20;
  bool bounded = false;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (const Touch& touch : touches) {
      if (touch.whole) continue;
      double parts = touch.carried;
      for (int i = 0; i < vertices_of(touch.pair.kind); ++i)
        if (const auto k = static_cast<std::size_t>(touch.pair.vertices[i]); k < model.vertices())
          parts += touch.near.w[i] * state.v[k].dot(touch.normal);
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

bool Restitution::bound_solids(const Model& model, const std::vector<Touch>& touches, const Step& step, double h,
                               State& state, Exchange& exchange) const {
  const std::vector<RigidMotion> before = motions(model, touches, state.x, state.v);
  std::vector<RigidTouch> rigid;
  std::vector<double> speeds;
  NodalField scratch;
  const NodalField& v = velocities(state.v, step.start, step.end, h, scratch);
  for (const Touch& touch : touches) {
    const bool rests = touch.approach <= step.resting;
    if (!touch.whole || (!rests && !touch.opens)) continue;
    RigidTouch one = as_rigid(touch, touch.near, step.end, v);
    const double speed = one.speed(before);
    one.bound = rests ? std::max(-touch.approach, 0.0) : e_ * std::max(touch.approach, speed);
    one.max_impulse = rests ? h * touch.force : std::numeric_limits<double>::infinity();
    rigid.push_back(one);
    speeds.push_back(speed);
  }
  std::vector<RigidMotion> after = before;
  if (!bound_motions(rigid, after)) return false;
  double lost = 0, gained = 0;
  for (std::size_t k = 0; k < rigid.size(); ++k) lost += 0.5 * rigid[k].impulse * (speeds[k] + rigid[k].speed(after));
  for (std::size_t piece = 0; piece < after.size(); ++piece) {
    if (after[piece].mass == 0) continue;
    gained += after[piece].kinetic_energy() - before[piece].kinetic_energy();
    solids_.change(static_cast<int>(piece), before[piece], after[piece], state.x, state.v);
  }
  exchange.damping_loss += lost;
  exchange.contact_loss += lost;
  exchange.user_work += model.is_driven() ? lost + gained : 0;
  return true;
}

void Restitution::end_step(const Model& model, const State& before, State& state, const Clock& clock,
                           Exchange& exchange) {
  const Configuration from(before), to{state.x, Moment::at(clock.time_of(state.step))};
  NodalField start_scratch, end_scratch, v_scratch;
  const NodalField &start = contact_->everything(from, start_scratch), &end = contact_->everything(to, end_scratch);
  const Step step{.start = start,
                  .end = end,
                  .v = velocities(before.v, start, end, clock.h, v_scratch),
                  .resting = 2 * model.gravity().norm() * clock.h};
  std::vector<Touch> found = touches(from, to, end);
  const std::vector<Approach> known = approaches_of(history(state));
  for (Touch& touch : found)
    if (touch.whole = are_whole(model, touch.pair); !touch.whole) look_at_vertices(model, step, known, touch);
  look_at_solids(model, before, step, known, found);
  if (bound_vertices(model, found, state, exchange)) exchange.changed = true;
  if (bound_solids(model, found, step, clock.h, state, exchange)) exchange.changed = true;
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
