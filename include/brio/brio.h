/// All of brio's public headers, for programs that use it as a library.
#pragma once

#include "brio/engine.h"
#include "brio/mesh_io.h"
#include "brio/mesh_models.h"
#include "brio/record.h"
#include "brio/run.h"
#include "brio/scene.h"
