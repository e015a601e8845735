#pragma once

#include <functional>

#include "brio/material.h"
#include "model/materials/invariants.h"

namespace brio {

/// A material that was registered (brio/material.h), element by element: lanes are taken apart for it.
struct CustomLaw {
  static constexpr const char* name = "custom";
  static constexpr unsigned depends = on_t | on_s | on_J | on_tt | on_ts | on_tJ | on_ss | on_sJ | on_JJ;
  static constexpr bool barrier = false;    // an infinite psi is met by the line search
  static constexpr bool has_domain = true;  // for all that is known
  static constexpr int force_degree = 0;
  std::function<EnergyDensity(const StrainInvariants&)> density;
  Lame rest;

  double modulus() const { return 2 * rest.mu + rest.lambda; }  ///< of uniaxial strain at rest [Pa]

  // Calls of a program's function take longer than calls of these, and all that is inlined takes long to compile.
  template <class T>
  [[gnu::noinline]] T psi(const Invariants<T>& I) const {
    T psi;
    for (int i = 0; i < lane_count<T>; ++i) {
      const double value = at(I, i).psi;
      set(psi, i, std::isnan(value) ? std::numeric_limits<double>::infinity() : value);
    }
    return psi;
  }
  template <class T>
  [[gnu::noinline]] Gradient<T> gradient(const Invariants<T>& I) const {
    Gradient<T> g;
    for (int i = 0; i < lane_count<T>; ++i) {
      const EnergyDensity d = at(I, i);
      for (const auto& [to, value] : {std::pair{&g.t, d.t}, {&g.s, d.s}, {&g.J, d.J}}) set_finite(*to, i, value);
    }
    return g;
  }
  template <class T>
  [[gnu::noinline]] Curvature<T> curvature(const Invariants<T>& I) const {
    Curvature<T> c;
    for (int i = 0; i < lane_count<T>; ++i) {
      const EnergyDensity d = at(I, i);
      for (const auto& [to, value] :
           {std::pair{&c.tt, d.tt}, {&c.ts, d.ts}, {&c.tJ, d.tJ}, {&c.ss, d.ss}, {&c.sJ, d.sJ}, {&c.JJ, d.JJ}})
        set_finite(*to, i, value);
    }
    return c;
  }

 private:
  template <class T>
  static double get(const T& lanes, int i) {
    if constexpr (lane_count<T> == 1) return lanes;
    if constexpr (lane_count < T >> 1) return static_cast<double>(lanes.raw[i]);
  }
  template <class T>
  static void set(T& lanes, int i, double value) {
    if constexpr (lane_count<T> == 1) lanes = value;
    if constexpr (lane_count < T >> 1) lanes.raw[i] = static_cast<std::remove_cvref_t<decltype(lanes.raw[0])>>(value);
  }
  /// Lanes without an element have F = 0, of which a law need not make sense.
  template <class T>
  static void set_finite(T& lanes, int i, double value) {
    set(lanes, i, std::isfinite(value) ? value : 0);
  }
  template <class T>
  EnergyDensity at(const Invariants<T>& I, int i) const {
    return density({.t = get(I.t, i), .s = get(I.s, i), .J = get(I.J, i)});
  }
};

}  // namespace brio
