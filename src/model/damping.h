/// Damping of velocities between steps.
#pragma once

namespace brio {

class Model;

/// Does what Model::damping() says of relative, per_step and drag after every step; nothing where it says nothing, or
/// where it is there already. With it in the model from the start, states fit whatever damping is chosen later.
void add_velocity_damping(Model& model);

}  // namespace brio
