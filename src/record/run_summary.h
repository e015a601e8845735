/// run.json: how a run went, in one object.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "brio/record.h"

namespace brio {

/// status, integrator, frames, energy, momentum, hash, warnings, timings, versions.
nlohmann::ordered_json to_json(const RunSummary& summary);

}  // namespace brio
