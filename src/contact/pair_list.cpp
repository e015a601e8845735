#include "contact/pair_list.h"

#include <fmt/format.h>

#include <cmath>

#include "core/memory.h"

namespace brio {
namespace {

double thinnest(const std::vector<ContactSurface>& surfaces) {
  double least = std::numeric_limits<double>::infinity();
  for (const ContactSurface& surface : surfaces) least = std::min(least, surface.half_thickness);
  return least;
}

std::vector<FlatPatches> flat_patches(const std::vector<ContactSurface>& surfaces, const NodalField& rest,
                                      const PairRules& rules) {
  std::vector<FlatPatches> all;
  for (const ContactSurface& surface : surfaces) {
    const bool meets_itself = rules.self && surface.is_body() && surface.meets_bodies;
    all.push_back(meets_itself && surface.core == 0 ? FlatPatches(surface, rest) : FlatPatches());
  }
  return all;
}

/// Of vertices. Where most neighbors are known to be apart, larger ones cost little and last longer.
std::vector<double> least_margins(const std::vector<ContactSurface>& surfaces, const std::vector<FlatPatches>& patches,
                                  const NodalField& rest) {
  constexpr double of_an_edge = 0.3;
  const double least = thinnest(surfaces);
  std::vector<double> margins(rest.size(), least);
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (!patches[s].empty())
      for (const int i : surfaces[s].points) margins[i] = std::max(least, of_an_edge * patches[s].edge());
  return margins;
}

}  // namespace

ContactVertices::ContactVertices(const Model& model, const std::vector<ContactObstacle>& obstacles)
    : rest(model.rest()), mass(model.mass()) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < model.vertices(); ++i)
    if (model.pinned()[i] != 0) mass[i] = infinite;
  for (const ContactObstacle& obstacle : obstacles) {
    rest.append(obstacle.points);
    mass.insert(mass.end(), obstacle.points.size(), infinite);
  }
}

PairList::PairList(const Model& model, std::vector<ContactSurface> surfaces, const PairRules& rules,
                   const std::vector<ContactObstacle>& obstacles)
    : PairList(ContactVertices(model, obstacles), std::move(surfaces), rules) {
  for (const ContactObstacle& one : obstacles) terms_.push_back({one.bodies, one.stiffness, one.explicit_step});
}

PairList::PairList(ContactVertices vertices, std::vector<ContactSurface> surfaces, const PairRules& rules)
    : surfaces_(std::move(surfaces)),
      trees_(surfaces_.size()),
      rules_(rules),
      mass_(std::move(vertices.mass)),
      rest_(std::move(vertices.rest)),
      patches_(flat_patches(surfaces_, rest_, rules_)),
      cover_(rest_, surfaces_, least_margins(surfaces_, patches_, rest_)),
      last_{.cover = cover_, .patches = patches_} {
  // What moves within reason meets some dozens; the rest of the bound is for small scenes, and for small machines.
  constexpr std::size_t per_simplex = 300, few = 10'000'000, bytes = sizeof(ContactPair) + 4 * sizeof(Bvh::Pair);
  std::size_t simplices = 0;
  for (const ContactSurface& surface : surfaces_) simplices += surface.points.size() + surface.edges.size();
  max_pairs_ = std::min(std::max(few, per_simplex * simplices), static_cast<std::size_t>(memory_limit() / 4 / bytes));
}

void PairList::expect(const NodalField& x, const NodalField& v, double h) {
  if (surfaces_.empty()) return;
  cover_.begin(x, v, h);
  last_.cover.begin(x, v, h);
  for (std::vector<FlatPatches>* all : {&patches_, &last_.patches})
    for (FlatPatches& of : *all) of.begin_step();
}

void PairList::cover(const NodalField& x, const NodalField& d, double scale) {
  if (surfaces_.empty()) return;
  const auto covers = [&] { return cover_.holds(x, d, 0, here_) && (scale == 0 || cover_.holds(x, d, scale, ahead_)); };
  const auto holds = [&] { return covers() && patches_hold(here_.by) && (scale == 0 || patches_hold(ahead_.by)); };
  if (found_ && holds()) return;
  if (found_) swap_lists();
  if (found_ && holds()) return;
  if (!covers()) cover_.include(x, d, scale);
  certify_patches(x, d, scale);
  try {
    find(cover_.reference());
  } catch (const TooManyPairs&) {  // perhaps by what is covered for later
    cover_.include_only(x, d, scale);
    certify_patches(x, d, scale);
    try {
      find(x);
    } catch (const TooManyPairs&) {
      refuse(x);
    }
  }
  cover_.holds(x, d, 0, here_);
}

void PairList::swap_lists() {
  std::swap(cover_, last_.cover);
  std::swap(patches_, last_.patches);
  std::swap(pairs_, last_.pairs);
  std::swap(found_, last_.found);
}

bool PairList::patches_hold(const NodalField& strays) {
  return std::ranges::all_of(patches_, [&](FlatPatches& of) { return of.empty() || of.holds(strays); });
}

void PairList::certify_patches(const NodalField& x, const NodalField& d, double scale) {
  for (FlatPatches& patches : patches_) {
    if (patches.empty()) continue;
    patches.follow_strays(true);
    for (const double at : {0.0, scale}) {
      cover_.holds(x, d, at, at == 0 ? here_ : ahead_);
      patches.holds(at == 0 ? here_.by : ahead_.by);
      patches.follow_strays(false);
    }
    patches.certify(cover_.reference(), cover_.expected(), cover_.aside());
  }
}

double PairList::slack(const ContactPair& pair) const {
  double farthest_moved[2] = {0, 0};
  const int first = vertices_of_first(pair.kind);
  for (int i = 0; i < vertices_of(pair.kind); ++i) {
    double& side = farthest_moved[i < first ? 0 : 1];
    side = std::max(side, here_.strays[pair.vertices[i]]);
  }
  double by = farthest_moved[0] + farthest_moved[1] + here_.along * pair.nearer[0] + here_.aside * pair.nearer[1];
  if (pair.surfaces[0] != pair.surfaces[1]) by += (here_.mean[pair.surfaces[0]] - here_.mean[pair.surfaces[1]]).norm();
  return pair.gap - by - cover_.slack();
}

double PairList::farthest_approach(const NodalField& d) const {
  Vec3 mean = Vec3::Zero();
  double count = 0;
  for (const ContactSurface& surface : surfaces_)
    if (surface.is_body()) {
      for (const int i : surface.points) mean += d[i];
      count += static_cast<double>(surface.points.size());
    }
  if (count > 0) mean /= count;
  double most = 0;
  for (const ContactSurface& surface : surfaces_)
    for (const int i : surface.points) most = std::max(most, (d[i] - mean).squaredNorm());
  constexpr double sides = 2, means = 2;  // a pair's own mean is as far from that of all as its vertices are
  return sides * means * std::sqrt(most);
}

/// Wires have a radius, everything else is as thin as its surface: an obstacle's own thickness is all there is.
Layer PairList::layer(std::array<int, 2> surfaces) const {
  double dhat = 0, core = 0;
  const bool both_bodies = surfaces_[surfaces[0]].is_body() && surfaces_[surfaces[1]].is_body();
  for (const int s : surfaces) {
    const ContactSurface& surface = surfaces_[s];
    if (both_bodies || !surface.is_body() || surface.is_line) dhat += surface.half_thickness;
    core += surface.core;
  }
  return {dhat, core};
}

void PairList::refuse(const NodalField& x) const {
  double farthest = 0;
  for (std::size_t s = 0; s < surfaces_.size(); ++s) farthest = std::max(farthest, cover_.beta(static_cast<int>(s)));
  for (std::size_t i = 0; i < x.size(); ++i) farthest = std::max(farthest, cover_.expected()[i].norm());
  throw InputError(
      {.key = "contact",
       .problem = fmt::format("more than {:.3g} million pairs of points, edges and triangles, {} of memory, may meet "
                              "within a step, in which they move by up to {:.2g} m against each other",
                              static_cast<double>(max_pairs_) / 1e6,
                              size_text(static_cast<double>(max_pairs_ * sizeof(ContactPair))), farthest),
       .advice = farthest > 4 * thinnest(surfaces_) ? "choose a smaller h, or slower bodies"
                                                    : "choose a smaller contact.thickness"});
}

/// Infinite where nothing can move.
/// The reduced mass of both simplices. One that has a pinned vertex does not give way beside one that is free; where
/// both have, or one is an obstacle's, what is free of them does.
double PairList::yielding_mass(PairKind kind, const std::array<int, 4>& v) const {
  const int first = vertices_of_first(kind);
  const int count = vertices_of(kind);
  double mass[2] = {0, 0}, free = 0;
  int free_count = 0;
  for (int i = 0; i < count; ++i) {
    const double one = mass_[v[i]];
    mass[i < first ? 0 : 1] += one / (i < first ? first : count - first);
    if (!std::isfinite(one)) continue;
    free += one;
    ++free_count;
  }
  const double reduced = 1 / (1 / mass[0] + 1 / mass[1]);
  return std::isfinite(reduced) || free_count == 0 ? reduced : free / free_count;
}

double PairList::stiffness(PairKind kind, const std::array<int, 4>& v, double dhat, int obstacle) const {
  const double reduced = yielding_mass(kind, v);
  if (!std::isfinite(reduced)) return reduced;
  const double given = obstacle >= 0 ? terms_[obstacle].stiffness : rules_.stiffness;
  if (given > 0) return given;
  double k = reduced * rules_.speed * rules_.speed / (dhat * dhat);
  constexpr double explicit_fraction = 0.25;  // of m/h²: half as near as where contact begins it is stable still
  if (const double h = obstacle >= 0 ? terms_[obstacle].explicit_step : 0; h > 0)
    k = std::min(k, explicit_fraction * reduced / (h * h));
  if (k > 0 && std::isfinite(k)) return k;
  throw InputError({.key = "contact.stiffness",
                    .value = fmt::format("{} N/m", k),
                    .problem = fmt::format("follows from masses of {} kg that are stopped from {} m/s within {} m",
                                           reduced, rules_.speed, dhat),
                    .advice = "give a stiffness, or another contact.thickness or contact.speed"});
}

}  // namespace brio
