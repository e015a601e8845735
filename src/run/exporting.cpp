#include "run/exporting.h"

#include <fmt/format.h>

#include "core/memory.h"
#include "record/recorder.h"

namespace brio {

void announce(const ExportPlan& plan, const Model& model, long frames, double recording, RunObserver& observer) {
  constexpr double much = 1e9;  // bytes
  const std::vector<Surface>& shapes = *plan.surfaces;
  double total = recording;
  std::string parts = recording > 0 ? fmt::format("{} {}", RunFiles::frames, size_text(recording)) : "";
  for (const std::string& name : plan.formats) {
    const ExportFormat& format = find_export_format(name);
    format.check(shapes, frames);
    const double bytes = format.bytes(model, shapes, static_cast<double>(frames));
    total += bytes;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", name, size_text(bytes));
  }
  if (total > much) observer.warning(fmt::format("will need about {} ({})", size_text(total), parts));
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(plan.folder->path(), error);
  if (!error && static_cast<double>(space.available) < total)
    observer.warning(fmt::format("{}: only {} are free, about {} will be needed", plan.folder->path().string(),
                                 size_text(static_cast<double>(space.available)), size_text(total)));
}

Outputs export_outputs(const ExportPlan& plan, long frames) {
  Outputs outputs;
  for (const std::string& name : plan.formats) outputs.add(find_export_format(name).outputs(*plan.surfaces, frames));
  return outputs;
}

void write_exports(const ExportPlan& plan, const Model& model) {
  const std::filesystem::path& folder = plan.folder->path();
  const FrameCache frames(folder / RunFiles::frames);
  const Animation animation{.model = model, .surfaces = *plan.surfaces, .frames = frames, .title = plan.title};
  check_frames(animation);
  const Outputs outputs = export_outputs(plan, frames.frames());
  plan.folder->claim(outputs);
  plan.folder->trim(outputs);
  for (const std::string& name : plan.formats) find_export_format(name).write(animation, folder);
}

}  // namespace brio
