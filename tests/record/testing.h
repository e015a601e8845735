/// Small recordings in a folder of their own.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "in_folder.h"
#include "record/exports/formats.h"
#include "record/frame_cache.h"

namespace brio::testing {

/// The message of the InputError that `work` throws.
template <class Work>
std::string complaint(Work work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no complaint";
}

/// A solid, a cloth, a wire and two joined particles.
inline Model one_of_each() {
  Model model;
  model.add(SolidOptions{.name = "jelly bar", .mesh = make_bar({.size = {2, 1, 1}, .cells = {3, 3, 3}})});
  model.add(ClothOptions{.name = "flag", .mesh = make_sheet({.cells = {2, 3}})});
  model.add(WireOptions{.name = "wire", .mesh = make_line({.segments = 4})});
  Mesh pair;
  pair.vertices = {Vec3(0, 3, 0), Vec3(1, 3, 0)};
  pair.segments = {{0, 1}};
  model.add(ParticlesOptions{.name = "wire", .mesh = pair});  // the name is taken on purpose
  return model;
}

/// Every vertex on a path of its own.
inline State moved(const Model& model, long frame) {
  State state = model.rest_state();
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    const auto phase = static_cast<double>(i) + 0.3 * static_cast<double>(frame);
    state.x[i] += 0.05 * static_cast<double>(frame) * Vec3(std::sin(phase), std::cos(phase), std::sin(2 * phase));
    state.v[i] = Vec3(phase, 1.0 / 3, -1e-7);
  }
  return state;
}

inline FrameCacheInfo info_of(const Model& model) {
  return {.vertices = model.vertices(), .frames_per_second = 24, .digest = 77};
}

}  // namespace brio::testing
