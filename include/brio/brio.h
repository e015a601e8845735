/// All of brio's public headers, for programs that use it as a library.
#pragma once

#include "brio/contact.h"
#include "brio/core.h"
#include "brio/integrators.h"
#include "brio/math.h"
#include "brio/mesh.h"
#include "brio/model.h"
#include "brio/sim.h"
#include "brio/solvers.h"
#include "brio/view.h"
