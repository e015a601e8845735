#include "report/libraries.h"

#include "brio/core.h"
#include "mesh/models/package.h"
#include "report/pack.h"

namespace brio {
namespace {

PageLibrary load(const Package& package, const std::string& first, const std::string& second) {
  try {
    return {.first = packed(package_file(package, first)), .second = packed(package_file(package, second))};
  } catch (const InputError& error) {
    return {.problem = error.what()};
  }
}

}  // namespace

PageLibrary chart_library() {
  return load(
      {.name = "uplot",
       .version = "1.6.32",
       .integrity = "sha512-KIMVnG68zvu5XXUbC4LQEPnhwOxBuLyW1AHtpm6IKTXImkbLgkMy+jabjLgSLMasNuGGzQm/ep3tOkyTxpiQIw=="},
      "package/dist/uPlot.iife.min.js", "package/dist/uPlot.min.css");
}

PageLibrary scene_library() {
  // The last version whose minified module is a single file.
  return load(
      {.name = "three",
       .version = "0.170.0",
       .integrity = "sha512-FQK+LEpYc0fBD+J8g6oSEyyNzjp+Q7Ks1C568WWaoMRLW+TkNNWmenWeGgJjV105Gd+p/2ql1ZcjYvNiPZBhuQ=="},
      "package/build/three.module.min.js", "package/examples/jsm/controls/OrbitControls.js");
}

}  // namespace brio
