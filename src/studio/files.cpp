#include "studio/files.h"

namespace brio::studio {
namespace {

[[noreturn]] void refuse_without_brio(const std::string& what) {
  throw InputError({.problem = what + " needs brio itself, which this page does without",
                    .advice = "save the scene from the editor, and open it with `./brio studio`"});
}

}  // namespace

SceneText Files::scene(const std::string& /*name*/) const { refuse_without_brio("the gallery"); }

SceneText Files::filled(const std::string& /*obj*/) { refuse_without_brio("filling a surface with tetrahedra"); }

void Files::check(const Node& /*scene*/, const std::filesystem::path& /*folder*/) const {}

void Files::check_format(const std::string& /*name*/) const { refuse_without_brio("writing animation files"); }

std::unique_ptr<Take> Files::take(const SceneText& /*scene*/, const Pane& /*pane*/, double /*frames_per_second*/) {
  refuse_without_brio("recording a take");
}

}  // namespace brio::studio
