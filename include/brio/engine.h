/// The public headers of brio::engine: all that simulates, for programs that bring their own meshes and keep their own
/// results.
#pragma once

#include "brio/block_matrix.h"
#include "brio/choices.h"
#include "brio/contact.h"
#include "brio/core.h"
#include "brio/energy.h"
#include "brio/force.h"
#include "brio/ids.h"
#include "brio/integrators.h"
#include "brio/interaction.h"
#include "brio/material.h"
#include "brio/math.h"
#include "brio/mesh.h"
#include "brio/model.h"
#include "brio/motion.h"
#include "brio/objective.h"
#include "brio/sim.h"
#include "brio/solvers.h"
#include "brio/view.h"
