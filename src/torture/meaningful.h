/// Which scenes mean something physically. Decided from the start alone, before anything is simulated.
#pragma once

#include <string>

#include "brio/scene.h"

namespace brio::torture {

/// Why it does not; empty where it does. A scene means something when
/// - an explicit step is at most half of the largest that is stable around the start and around the rest shape and, of
///   methods that grow at any step, short enough for them not to double the energy within the run;
/// - the step does not exceed the fastest oscillation so far that doubles cannot hold both: h omega < 1e5;
/// - what is held or falls on something carries its weight: pressed together by less than its height;
/// - its kinetic energy at the start, but for the flight of what is free, is no more than bodies hold at a strain of
/// one;
/// - it starts neither inside of colliders nor inside of other bodies.
/// Starts that are inside out, mirrored, scattered or collapsed do mean something: animators make them.
/// `text` is what the scene was read from.
std::string unphysical(const Scene& scene, const std::string& text);

/// By what the scene goes beyond what its method promises; empty where it does not:
/// - options that give the promise up: a quadrature by name, solver.unconverged = "accept", contact_energy = false;
/// - the solvers local-global, which ends before it converges, and root, which may end at a saddle;
/// - forces and contact without energy: torsion_law = "s2", and laws of colliders of which the scene is warned;
/// - a step that does not resolve the motion as far as the method wants it to: h omega > Method::resolves.
/// Such runs are counted apart. They too must not fail silently.
std::string beyond_promise(const Scene& scene, const std::string& text);

}  // namespace brio::torture
