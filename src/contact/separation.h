/// Bodies that start in each other, and the way out.
#pragma once

#include "contact/surfaces.h"

namespace brio {

/// The shortest way on which one surface leaves another as a whole, of the directions of axes, faces and middles: the
/// true one for convex bodies that meet with a face, else longer.
struct WayOut {
  Vec3 direction = Vec3::UnitY();
  double depth = 0;  ///< up to where they only touch [m]
};
WayOut find_way_out(const ContactSurface& surface, const ContactSurface& other, const NodalField& x);

/// Moves bodies that pass through each other apart, as a whole, until they are where contact begins. Of two it is the
/// later one, but none that pins hold, nor with vertices before `first_vertex`. Where that does not end, all are left
/// where they were. Returns whether anything was moved.
bool set_bodies_apart(const Model& model, const std::vector<ContactSurface>& surfaces, int first_vertex, NodalField& x);

}  // namespace brio
