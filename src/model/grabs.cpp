#include "model/grabs.h"

#include <algorithm>
#include <cmath>

namespace brio {

Vec3 Grab::point(const NodalField& x) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t a = 0; a < 3; ++a)
    if (weights[static_cast<int>(a)] != 0) sum += weights[static_cast<int>(a)] * x[vertices[a]];
  return sum;
}

Vec3 Grab::hand(double time) const {
  if (time == start) return from;
  if (time == end || from == to) return to;
  return from + (time - start) / (end - start) * (to - from);
}

Vec3 Grab::hand(const Moment& when) const {
  if (when.x_n == nullptr || when.theta == 1) return hand(when.to);
  return hand(when.from) + when.theta * (hand(when.to) - hand(when.from));
}

Vec3 Grab::velocity(double time, Side side) const {
  const bool moves = from != to && time != (side == Side::after ? end : start);
  return moves ? Vec3((to - from) / (end - start)) : Vec3(Vec3::Zero());
}

bool Grab::fits(const BlockPattern& pattern) const {
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (weights[static_cast<int>(a)] != 0 && weights[static_cast<int>(b)] != 0 &&
          pattern.search(std::max(vertices[a], vertices[b]), std::min(vertices[a], vertices[b])) < 0)
        return false;
  return true;
}

double GrabSprings::value(const Configuration& at) const {
  double energy = 0;
  add_values(at, {}, {&energy, 1});
  return energy;
}

void GrabSprings::add_values(const Configuration& at, const Parts& parts, std::span<double> sums) const {
  for (const Grab& grab : grabs_)
    sums[parts[grab.vertices[0]]] += 0.5 * grab.stiffness * (grab.point(at.x) - grab.hand(at.when)).squaredNorm();
}

double GrabSprings::gradient(const Configuration& at, const Weights& weights, NodalField& g) const {
  for (const Grab& grab : grabs_) {
    const Vec3 pull = grab.stiffness * (grab.point(at.x) - grab.hand(at.when));
    for (std::size_t a = 0; a < 3; ++a)
      if (grab.weights[static_cast<int>(a)] != 0)
        g[grab.vertices[a]] += weights.gradient * grab.weights[static_cast<int>(a)] * pull;
  }
  return value(at);
}

template <class Visit>
void GrabSprings::for_blocks(const Grab& grab, Visit visit) const {
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      const double weight = grab.weights[static_cast<int>(a)] * grab.weights[static_cast<int>(b)];
      if (weight == 0 || grab.vertices[a] < grab.vertices[b]) continue;  // the lower triangle is stored
      visit(pattern_->find(grab.vertices[a], grab.vertices[b]), weight);
    }
}

double GrabSprings::hessian(const Configuration& at, const Weights& weights, Projection, NodalField& g,
                            BlockMatrix& H) const {
  for (const Grab& grab : grabs_)
    for_blocks(grab, [&](int block, double weight) {
      for (std::size_t c = 0; c < 3; ++c) H.block(block)[4 * c] += weights.hessian * weight * grab.stiffness;
    });
  return gradient(at, weights, g);
}

void GrabSprings::laplacian(double weight, std::span<double> L) const {
  for (const Grab& grab : grabs_)
    for_blocks(grab, [&](int block, double w) { L[static_cast<std::size_t>(block)] += weight * w * grab.stiffness; });
}

/// Hands let go of what is removed.
void GrabSprings::renumber(std::span<const int> vertices) {
  const auto now = [&](int vertex) { return vertices[static_cast<std::size_t>(vertex)]; };
  std::erase_if(grabs_, [&](const Grab& grab) { return now(grab.vertices[0]) < 0; });
  for (Grab& grab : grabs_)
    for (int& vertex : grab.vertices) vertex = now(vertex);
  changed();
}

/// Of the springs as they are, whoever made them: a state that is restored is as good as the one it came from.
std::uint64_t GrabSprings::version() const { return grabs_.empty() ? 0 : version_; }

Hands::Hands(Model& model, EnergyId energy) : energy_(energy), vertices_(model.vertices()) { rebind(model); }

void Hands::rebind(Model& model) { springs_ = &dynamic_cast<GrabSprings&>(model.energy(energy_)); }

namespace {

Driven* support_of(const Model& model, std::uint32_t serial) {
  const auto found = std::ranges::find(model.supports(), serial, &Driven::serial);
  return found == model.supports().end() ? nullptr : *found;
}

constexpr std::size_t numbers_per_grab = 16;
constexpr std::size_t numbers_per_path = 18;  ///< the support, two keys and the pivot

bool is_whole(double number, double bound) { return number >= 0 && number < bound && number == std::floor(number); }

void write_key(const Motion::Key& key, std::vector<double>& numbers) {
  numbers.push_back(key.time);
  numbers.insert(numbers.end(), key.translate.begin(), key.translate.end());
  numbers.insert(numbers.end(), key.turn.begin(), key.turn.end());
}
Motion::Key read_key(const double* n) {
  return {.time = n[0], .translate = {n[1], n[2], n[3]}, .turn = {n[4], n[5], n[6]}};
}
Grab read_grab(const double* n) {
  return {.id = GrabId(static_cast<std::uint32_t>(n[0])),
          .vertices = {static_cast<int>(n[1]), static_cast<int>(n[2]), static_cast<int>(n[3])},
          .weights = {n[4], n[5], n[6]},
          .stiffness = n[7],
          .from = {n[8], n[9], n[10]},
          .to = {n[11], n[12], n[13]},
          .start = n[14],
          .end = n[15]};
}
std::size_t first_path(const std::vector<double>& numbers) {
  return 1 + numbers_per_grab * static_cast<std::size_t>(numbers[0]);
}

}  // namespace

bool Hands::fits(const Memory& history) const {
  const std::vector<double>& numbers = history.numbers;
  if (history.empty()) return true;
  if (!history.fields.empty() || !is_whole(numbers[0], static_cast<double>(numbers.size()))) return false;
  const std::size_t paths = first_path(numbers);
  if (numbers.size() < paths || (numbers.size() - paths) % numbers_per_path != 0) return false;
  for (std::size_t k = 1; k < paths; k += numbers_per_grab) {
    const double* n = numbers.data() + k;
    constexpr double max_id = 1 << 30;  // others are still to come
    if (!is_whole(n[0], max_id) || !(n[7] > 0 && n[7] <= Grab::max_stiffness)) return false;
    for (int a = 1; a <= 3; ++a)
      if (!is_whole(n[a], static_cast<double>(vertices_))) return false;
  }
  for (std::size_t k = paths; k < numbers.size(); k += numbers_per_path)
    if (!is_whole(numbers[k], 4294967296.0) || !(numbers[k + 1] < numbers[k + 8])) return false;
  return true;
}

bool Hands::fits(const Memory& history, const BlockPattern& pattern) {
  const std::vector<double>& numbers = history.numbers;
  for (std::size_t k = 1; !numbers.empty() && k < first_path(numbers); k += numbers_per_grab)
    if (!read_grab(numbers.data() + k).fits(pattern)) return false;
  return true;
}

void Hands::change(Model& model, std::span<const int>) {
  vertices_ = model.vertices();
  std::erase_if(moved_, [&](const Moved& moved) { return support_of(model, moved.support) == nullptr; });
}

void Hands::recall(const Model& model, State& state) {
  for (const Moved& moved : moved_) support_of(model, moved.support)->set_path(moved.script);
  moved_.clear();
  springs_->grabs().clear();
  springs_->changed();
  const std::vector<double>& numbers = history(state).numbers;
  if (numbers.empty()) return;
  const std::size_t paths = first_path(numbers);
  for (std::size_t k = 1; k < paths; k += numbers_per_grab) springs_->grabs().push_back(read_grab(numbers.data() + k));
  for (std::size_t k = paths; k < numbers.size(); k += numbers_per_path) {
    const auto serial = static_cast<std::uint32_t>(numbers[k]);
    Driven* support = support_of(model, serial);
    if (support == nullptr || support->path() == nullptr) continue;
    const Motion script = *support->path();
    const double* const pivot = numbers.data() + k + 15;
    Motion path{.keys = {read_key(numbers.data() + k + 1), read_key(numbers.data() + k + 8)},
                .center = {pivot[0], pivot[1], pivot[2]},
                .extends = true};
    moved_.push_back({.support = serial, .script = script, .path = path});
    support->set_path(path);
  }
}

void Hands::remember(State& state) const {
  std::vector<double>& numbers = history(state).numbers;
  numbers.clear();
  if (springs_->grabs().empty() && moved_.empty()) return;
  numbers.push_back(static_cast<double>(springs_->grabs().size()));
  for (const Grab& g : springs_->grabs())
    numbers.insert(numbers.end(), {static_cast<double>(g.id.number()), static_cast<double>(g.vertices[0]),
                                   static_cast<double>(g.vertices[1]), static_cast<double>(g.vertices[2]), g.weights[0],
                                   g.weights[1], g.weights[2], g.stiffness, g.from[0], g.from[1], g.from[2], g.to[0],
                                   g.to[1], g.to[2], g.start, g.end});
  for (const Moved& moved : moved_) {
    numbers.push_back(static_cast<double>(moved.support));
    for (const Motion::Key& key : moved.path.keys) write_key(key, numbers);
    numbers.insert(numbers.end(), moved.path.center.begin(), moved.path.center.end());
  }
}

void Hands::move(const Model& model, State& state, Driven& support, const Motion::Key& to,
                 const std::optional<Vec3>& pivot, const TimeStep& step) {
  auto known = std::ranges::find(moved_, support.serial(), &Moved::support);
  if (known == moved_.end())
    known = moved_.insert(known, {.support = support.serial(), .script = *support.path(), .path = {}});
  const Motion& before = *support.path();
  const Vec3 center = pivot                                       ? *pivot
                      : before.empty() && before.center.isZero(0) ? support.middle(state)
                                                                  : before.center;
  Motion::Key now = before.key_at(step.start);
  // The same place, told as a turn about another point.
  const Vec3 shift = center - before.center;
  now.translate += before.at(step.start).rotation * shift - shift;
  known->path = {
      .keys = {now, {.time = step.end, .translate = to.translate, .turn = to.turn}}, .center = center, .extends = true};
  support.set_path(known->path);
  support.recall(model, state);  // pins take down where they would be without motion
  remember(state);
}

bool Hands::move_within(const TimeStep& step, const Model& model, State& state) {
  bool any = false;
  for (Grab& grab : springs_->grabs())
    if (grab.end > step.start) {
      grab.end = step.end;
      any = true;
    }
  for (Moved& moved : moved_)
    if (moved.path.keys.back().time > step.start) {
      moved.path.keys.back().time = step.end;
      support_of(model, moved.support)->set_path(moved.path);
      any = true;
    }
  if (any) remember(state);
  return any;
}

void Hands::rest_from(double time, const Model& model, State& state) {
  bool any = false;
  for (Grab& grab : springs_->grabs())
    if (grab.end <= time && grab.from != grab.to) {
      grab.from = grab.to;
      any = true;
    }
  for (Moved& moved : moved_) {
    Motion::Key& from = moved.path.keys.front();
    const Motion::Key& to = moved.path.keys.back();
    if (to.time > time || (from.translate == to.translate && from.turn == to.turn)) continue;
    from.translate = to.translate;
    from.turn = to.turn;
    support_of(model, moved.support)->set_path(moved.path);
    any = true;
  }
  if (any) remember(state);
}

void Hands::add_forces(const Configuration& at, const NodalField&, double weight) {
  const std::vector<Grab>& grabs = springs_->grabs();
  for (std::size_t k = 0; k < grabs.size(); ++k)
    forces_[k] += weight * grabs[k].stiffness * (grabs[k].point(at.x) - grabs[k].hand(at.when));
}

void Hands::scale_forces(const Parts& parts, std::span<const double> factors) {
  for (std::size_t k = 0; k < forces_.size(); ++k)
    forces_[k] *= factors[parts[springs_->grabs()[k].vertices[0]]];  // all are of one body
}

void Hands::add_work(const State&, const NodalField&, const TimeStep& step, const Parts& parts,
                     std::span<SupportWork> works) const {
  const std::vector<Grab>& grabs = springs_->grabs();
  for (std::size_t k = 0; k < forces_.size(); ++k) {
    SupportWork& work = works[parts[grabs[k].vertices[0]]];
    work.impulse -= step.h * forces_[k];
    work.energy -= forces_[k].dot(grabs[k].hand(step.end) - grabs[k].hand(step.start));
  }
}

double Hands::power(const State&, const Configuration& at, const NodalField&, Side side) const {
  double power = 0;
  for (const Grab& grab : springs_->grabs())
    power -= grab.stiffness * (grab.point(at.x) - grab.hand(at.when)).dot(grab.velocity(at.when.to, side));
  return power;
}

void Hands::add_to_frames(const State&, const TimeStep& step, const Parts& parts,
                          std::span<SupportFrame> frames) const {
  for (const Grab& grab : springs_->grabs()) {
    SupportFrame& frame = frames[parts[grab.vertices[0]]];
    frame.place += grab.hand(step.start);
    frame.displacement += grab.hand(step.end) - grab.hand(step.start);
    frame.points += 1;
  }
}

}  // namespace brio
