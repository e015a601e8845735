/// The experiments, one function per group: a new one is added here and in registry.cpp.
#pragma once

#include "experiments/experiment.h"

namespace brio {

using Experiments = std::vector<Experiment>;

Experiments s0_points();     ///< one particle in the potentials of Fig. 2 and 3
Experiments s0_bodies();     ///< bunny, dragon, bar and blob
Experiments s0_sheets();     ///< cloth and thin sheet
Experiments s0_table();      ///< costs
Experiments s1_points();     ///< the spring of Fig. 2 and 3, and the potentials of the appendix
Experiments s1_stability();  ///< cube, its epsilon, and the cactus
Experiments s1_swinging();   ///< bar, bunny, head and horn
Experiments s1_contact();    ///< hippo, friction and bounce
Experiments s1_cloth();      ///< Fig. 1 and 10
Experiments s1_tables();
Experiments s2_pendulum();  ///< phase plots of Fig. 5 and 6
Experiments s2_wires();     ///< score sheet and knots
Experiments s3_pendulum();  ///< Fig. 1
Experiments s3_elastic();   ///< rod, bunny, and how to solve
Experiments s4_orders();

}  // namespace brio
