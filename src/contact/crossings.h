/// Bodies that have gone through each other or through themselves, by index: what contact must prevent.
#pragma once

#include "contact/surfaces.h"

namespace brio {

/// An edge that goes through a triangle.
struct Crossing {
  Segment edge;
  Triangle triangle;
};
std::vector<Crossing> find_crossings(const std::vector<ContactSurface>& surfaces, const NodalField& x);
/// Edges of the one through triangles of the other.
std::vector<Crossing> find_crossings(const ContactSurface& edges, const ContactSurface& triangles, const NodalField& x);

/// Whether anything went through anything on the straight path from `before` to `after`: the only way to tell for
/// wires, which have no inside.
bool went_through(const std::vector<ContactSurface>& surfaces, const NodalField& before, const NodalField& after);

}  // namespace brio
