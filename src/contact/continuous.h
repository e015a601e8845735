/// Simplices in motion along straight lines: how far they may go, and whether they went through each other.
#pragma once

#include "contact/distance.h"

namespace brio {

/// A step s <= 1 such that on the path from x to x + s d the distance never falls below a tenth of what it is at x,
/// nor, from afar, below half of the pair's activation distance; 0 where it is zero at x. Advances by what the distance
/// allows, again and again. [additive CCD: Li, Kaufman & Jiang 2021, section 5] Never too long; too short only where
/// simplices slide past each other at a hair's breadth. A pair that stays beyond its activation distance limits
/// nothing: lists of candidates differ in such pairs, and must not differ in what they allow. Who needs the least of
/// many gives the least so far as `limit`, which is returned where a pair allows no less.
double safe_step(PairKind kind, const Vec3* x, const Vec3* d, double dhat, double limit = 1);

/// Whether a point went through a triangle, or a segment through another, on the straight path from `before` to
/// `after`: at a root of the cubic by which their four vertices are in one plane, they touch.
bool passed_through(PairKind kind, const Vec3* before, const Vec3* after);

/// Whether the segment x[0] x[1] goes through the inside of the triangle x[2] x[3] x[4].
bool pierces(const Vec3* x);

}  // namespace brio
