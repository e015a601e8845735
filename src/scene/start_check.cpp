#include "scene/start_check.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "brio/contact.h"
#include "brio/energy.h"
#include "contact/body_size.h"
#include "contact/bvh.h"
#include "contact/overlaps.h"
#include "math/direction.h"
#include "mesh/quality.h"
#include "model/attached.h"
#include "model/inversion.h"

namespace brio {
namespace {

constexpr double standard_gravity = 9.81;  // m/s^2, where a scene has none to compare with

double gravity_of(const Model& model) { return std::max(model.gravity().norm(), standard_gravity); }

double mass_of(const Model& model, const Body& body) {
  double mass = 0;
  for (std::size_t i = 0; i < body.mesh.vertices.size(); ++i) mass += model.mass()[body.first_vertex + i];
  return mass;
}

/// A body at rest on a collider sinks in by less than a thousandth of its size (recommended_stiffness).
std::string inside_collider(const Model& model, const State& state) {
  constexpr double much = 0.01;  // of a body's size
  const Penetration deepest = deepest_penetration(model, state);
  if (deepest.fraction <= much) return {};
  return fmt::format(
      "{} starts {:.3g} m inside {}, {:.0f} % of its size: contact holds {:.3g} J, which will be set free; move it "
      "out, "
      "or the collider",
      model.body(deepest.body).name, deepest.depth, deepest.collider, 100 * deepest.fraction,
      model.contact_energy(state.x));
}

std::string overlapping(const Model& model, const State& state) {
  std::vector<Overlap> overlaps;
  try {
    overlaps = find_overlaps(model, state.x);
  } catch (const TooManyPairs&) {
    return "so many bodies share one place that overlaps were not looked for; move them apart: bodies by position, "
           "copies by spacing";
  }
  if (overlaps.empty()) return {};
  const Overlap& first = overlaps.front();
  const std::string how =
      first.crossings > 0 ? fmt::format("in {} places", first.crossings) : std::string("one within the other");
  const std::string more = overlaps.size() > 1 ? fmt::format(", and {} more pairs do", overlaps.size() - 1) : "";
  return fmt::format(
      "{} and {} overlap at the start, {}{}: nothing keeps them apart; move them apart, and give [contact] if they "
      "should stay so",
      model.body(first.a).name, model.body(first.b).name, how, more);
}

/// A spring may start stretched; one that is longer than the body it holds is more often a slip of the pen.
std::string far_attached(const Model& model, const Body& body, const State& state) {
  const Moment start = Moment::at(state.time);
  for (const EnergyId id : body.energies) {
    const auto* springs = dynamic_cast<const AttachmentSprings<HookeanLaw>*>(&model.energy(id));
    if (springs == nullptr) continue;
    double farthest = 0;  // m
    for (std::size_t k = 0; k < springs->attachments().size(); ++k) {
      const Attachment& attachment = springs->attachments()[k];
      const double length = (state.x[attachment.vertex] - springs->point(k, start)).norm();
      farthest = std::max(farthest, length - attachment.rest_length);
    }
    if (farthest <= body_size(body)) continue;
    return fmt::format(
        "{}: springs of attach start stretched by {:.3g} m, more than the body is large: they hold {:.3g} J, which "
        "will "
        "be set free; begin {}, or mean it",
        body.name, farthest, springs->value(state),
        springs->motion().empty() ? "where the vertices are" : "the path where the vertices are");
  }
  return {};
}

std::string inside_out(const Body& body, const State& state, bool settled) {
  const Inversion found = find_inverted(body, state.x);
  if (found.inverted == 0) return {};
  return fmt::format("{}: {} of {} tets {}, the worst at {:.2g} % of its volume; {}", body.name, found.inverted,
                     found.tets, settled ? "are inside out in the equilibrium" : "start inside out", 100 * found.worst,
                     settled ? "its material gives way under such loads: make it stiffer, or choose one that resists "
                               "inversion, such as stable-neo-hookean or neo-hookean"
                             : "deform it less");
}

std::string slivers(const Body& body) {
  if (body.kind != BodyKind::solid) return {};
  const auto [count, least] = find_slivers(body.mesh);
  if (count == 0) return {};
  return fmt::format(
      "{}: {} of {} tets are slivers (3 inradius / circumradius below {}, least {:.1g}), which cost digits and steps; "
      "make the mesh anew: brio mesh SURFACE OUT --tetrahedralize --split-surface",
      body.name, count, body.mesh.tets.size(), Slivers::poor, least);
}

/// How far a solid would be pressed together by its own weight: weight times half its height over what squeezing by the
/// same strain costs, whatever the material.
/// The rest shape of every body, squeezed along gravity by a strain of `probe`.
constexpr double probe = 1e-3;
NodalField squeezed(const Model& model) {
  NodalField x = model.rest();
  if (model.gravity().isZero(0)) return x;
  const Vec3 down = direction_of(model.gravity());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= probe * down.dot(x[i]) * down;
  return x;
}

std::string too_soft(const Model& model, const Body& body, const NodalField& x) {
  constexpr double much = 0.5;
  if (body.kind != BodyKind::solid || model.gravity().isZero(0)) return {};
  const Vec3 down = direction_of(model.gravity());
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec3& vertex : body.mesh.vertices) {
    low = std::min(low, down.dot(vertex));
    high = std::max(high, down.dot(vertex));
  }
  double energy = 0;  // J
  for (const EnergyId id : body.energies)
    if (const Energy& one = model.energy(id); one.has_rest_shape()) energy += one.value(x) - one.value(model.rest());
  const double weight = mass_of(model, body) * model.gravity().norm();
  const double strain = weight * (high - low) / 2 * probe * probe / (2 * energy);
  if (!(energy > 0) || !(strain > much)) return {};
  if (constexpr double flat = 1e6; !(strain < flat))
    return fmt::format("{} has next to no stiffness for its size: nothing holds it against its own weight", body.name);
  return fmt::format(
      "{} is too soft for its size: its own weight would press it together by {:.0f} % of its height; give it {:.1g} "
      "times the stiffness, or less mass",
      body.name, 100 * strain, 10 * strain);
}

/// Springs take more than solids: how far what is made of them would be stretched by its own weight, where it hangs.
std::string too_slack(const Model& model, const Body& body) {
  constexpr double much = 10;
  if (body.kind == BodyKind::solid || model.gravity().isZero(0)) return {};
  NodalField x = model.rest();
  const auto first = static_cast<std::size_t>(body.first_vertex), last = first + body.mesh.vertices.size();
  const auto is_inside = [&](const Constraint& constraint) {
    const auto a = static_cast<std::size_t>(constraint.a);
    return a >= first && a < last;
  };
  if (std::ranges::any_of(model.constraints(), is_inside)) return {};  // rods may carry it
  for (std::size_t i = first; i < last; ++i) x[i] += probe * (x[i] - x[first]);
  double energy = 0;  // J
  for (const EnergyId id : body.energies)
    if (const Energy& one = model.energy(id); one.has_rest_shape())
      energy += one.value({x, Moment::at(0)}) - one.value({model.rest(), Moment::at(0)});
  const double weight = mass_of(model, body) * model.gravity().norm();
  const double strain = weight * body_size(body) / 2 * probe * probe / (2 * energy);
  if (!(energy > 0) || !(strain > much)) return {};
  return fmt::format(
      "{} is too soft for its size: its own weight would stretch it by {:.1g} times its length; give it {:.1g} times "
      "the stiffness, or less mass",
      body.name, strain, strain);
}

/// Some laws have an energy that falls without end: neo-hookean's lambda/2 (J-1)^2 where lambda < 0.
std::string gives_way(const Model& model, const Body& body) {
  if (body.kind != BodyKind::solid) return {};
  NodalField x = model.rest();
  const auto first = static_cast<std::size_t>(body.first_vertex);
  double before = 0, times = 1;  // J, sizes
  for (const double stretch : {1.25, 1.5, 2.0, 3.0, 5.0, 10.0}) {
    for (std::size_t i = first; i < first + body.mesh.vertices.size(); ++i)
      x[i] = model.rest()[first] + stretch * (model.rest()[i] - model.rest()[first]);
    double energy = 0;
    for (const EnergyId id : body.energies)
      if (const Energy& one = model.energy(id); one.has_rest_shape()) energy += one.value({x, Moment::at(0)});
    if (energy < before)
      return fmt::format(
          "{} gives way where it is stretched: beyond some {:.3g} times its size its material resists no more, and its "
          "energy falls without end; choose a Poisson's ratio of at least 0, or another material, such as "
          "stable-neo-hookean",
          body.name, times);
    before = energy;
    times = stretch;
  }
  return {};
}

/// Positions are rounded; forces that follow from them by stiff laws then err by what moves vertices more than their
/// weight does. Measured: forces at x and at x off by its last digit.
std::string drowned(const Model& model, const State& state) {
  constexpr double much = 0.01;  // of the weight
  constexpr double digit = std::numeric_limits<double>::epsilon();
  NodalField f(model.vertices()), f_off(model.vertices()), x = state.x;
  for (const Body& body : model.bodies()) {
    double farthest = body_size(body);
    for (std::size_t i = 0; i < body.mesh.vertices.size(); ++i)
      farthest = std::max(farthest, state.x[body.first_vertex + i].cwiseAbs().maxCoeff());
    for (std::size_t i = 0; i < body.mesh.vertices.size(); ++i)
      for (int c = 0; c < 3; ++c) x[body.first_vertex + i][c] += ((7 * i + 3 * c) % 5 < 2 ? digit : -digit) * farthest;
  }
  model.force(state.x, state.v, f);
  model.force(x, state.v, f_off);
  for (const Body& body : model.bodies()) {
    double error = 0, weight = 0;  // squares summed [N²]
    for (std::size_t i = body.first_vertex; i < body.first_vertex + body.mesh.vertices.size(); ++i) {
      if (model.pinned()[i] != 0) continue;
      error += (f_off[i] - f[i]).squaredNorm();
      weight += std::pow(model.mass()[i] * gravity_of(model), 2);
    }
    const double ratio = std::sqrt(error / weight);
    if (!(weight > 0) || ratio <= much) continue;
    if (!std::isfinite(ratio))
      return fmt::format("{} is so stiff, or moved so fast, that its forces are beyond what numbers hold", body.name);
    const double vertices = static_cast<double>(body.mesh.vertices.size());
    return fmt::format(
        "{} is so stiff, or so far from the origin, that rounding of positions alone makes its forces err by {:.1g} N "
        "where vertices weigh {:.1g} N: motion is lost in it; take a stiffness at most {:.0e} times as large",
        body.name, std::sqrt(error / vertices), std::sqrt(weight / vertices), much / ratio);
  }
  return {};
}

}  // namespace

std::vector<std::string> start_warnings(const Model& model, const State& state, bool settled,
                                        const std::vector<BodyId>& scattered) {
  std::vector<std::string> list{inside_collider(model, state), overlapping(model, state), drowned(model, state)};
  // Copies of one body have the same trouble: told once.
  const auto tell_first = [&](auto check) {
    std::string first;
    long others = 0;
    for (const Body& body : model.bodies())
      if (const std::string text = check(body); first.empty()) {
        first = text;
      } else {
        others += text.empty() ? 0 : 1;
      }
    list.push_back(others > 0 ? fmt::format("{} (and likewise {} other bodies)", first, others) : first);
  };
  tell_first([&](const Body& body) {
    return std::ranges::count(scattered, body.id) > 0 ? std::string() : inside_out(body, state, settled);
  });
  tell_first([&](const Body& body) { return far_attached(model, body, state); });
  tell_first(slivers);
  const NodalField x = squeezed(model);
  tell_first([&](const Body& body) { return too_soft(model, body, x); });
  tell_first([&](const Body& body) { return too_slack(model, body); });
  tell_first([&](const Body& body) { return gives_way(model, body); });
  std::erase(list, "");
  return list;
}

}  // namespace brio
