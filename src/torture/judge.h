/// Holds a run to what its integrator's entry in the registry promises, without asking the run for its own verdict:
/// energies, momenta and books are taken from definitions, and compared with what the run said of itself.
#pragma once

#include <string>
#include <vector>

#include "brio/run.h"

namespace brio::torture {

/// What is known of a run that came to some end.
struct Evidence {
  const Scene& scene;       ///< its simulation is where the run ended
  const std::string& text;  ///< of the scene
  const RunSummary& summary;
  std::vector<LedgerRow> rows;  ///< of every frame, the start first
  Vec3 center;                  ///< of mass, at the start [m]
};

struct Judgment {
  std::string broken{};   ///< the promise that was broken, and by how much; empty: none
  std::string told{};     ///< what the run said of it; empty: nothing
  std::string unclear{};  ///< what is wrong with the report itself, whatever was promised
  double energy = 0;      ///< largest error of the energy, of the energy in play
  double gained = 0;      ///< largest rise of it above what it was before, likewise
  double momentum = 0;    ///< largest change that nothing outside explains, of the momentum in play
  double angular = 0;     ///< likewise
};
Judgment judge(const Evidence& evidence);

}  // namespace brio::torture
