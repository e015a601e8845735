/// Simplices in motion along straight lines: how far they may go, and whether they went through each other.
#pragma once

#include "contact/distance.h"

namespace brio {

/// How near two simplices may come.
struct Layer {
  double dhat;  ///< where they begin to push [m]
  double core;  ///< radii that nothing enters [m]

  Layer(double activation = 0, double solid = 0) : dhat(activation), core(solid) {}  // NOLINT
};

/// A step s <= 1 such that on the path from x to x + s d the distance, less the core, never falls below a tenth of what
/// it is at x, nor, from afar, below half of the pair's activation distance; 0 where there is none at x. Advances by
/// what the distance allows, again and again. [additive CCD: Li, Kaufman & Jiang 2021, section 5] Never too long; too
/// short only where simplices turn about each other at a hair's breadth for hundreds of strides. A pair that stays
/// beyond its activation distance limits nothing: lists of candidates differ in such pairs, and must not differ in what
/// they allow. Who needs
/// the least of many gives the least so far as `limit`, which is returned where a pair allows no less. Planes are solid
/// below, where the normal of their three points, which are the same triangle wherever they are, points away from; how
/// far a point may go is told by the roots of a cubic.
double safe_step(PairKind kind, const Vec3* x, const Vec3* d, const Layer& layer, double limit = 1);

/// Whether a point went through a triangle, or a segment through another, on the straight path from `before` to
/// `after`: at a root of the cubic by which their four vertices are in one plane, they touch. A core is passed by what
/// comes within a thousandth of the activation distance from it, a plane by what gets below.
bool passed_through(PairKind kind, const Vec3* before, const Vec3* after, const Layer& layer = {});

/// Whether the segment x[0] x[1] goes through the inside of the triangle x[2] x[3] x[4].
bool pierces(const Vec3* x);

}  // namespace brio
