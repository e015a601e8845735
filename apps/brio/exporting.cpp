#include "exporting.h"

#include <fmt/format.h>

#include "record/recorder.h"

namespace brio::app {

std::string size_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.3g} kB", bytes / 1e3);
  return bytes < 1e9 ? fmt::format("{:.3g} MB", bytes / 1e6) : fmt::format("{:.3g} GB", bytes / 1e9);
}

void announce(const ExportPlan& plan, const Model& model, long frames, double recording, RunEvents& events) {
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
  if (total > much) events.warning(fmt::format("will need about {} ({})", size_text(total), parts));
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(plan.folder, error);
  if (!error && static_cast<double>(space.available) < total)
    events.warning(fmt::format("{}: only {} are free, about {} will be needed", plan.folder.string(),
                               size_text(static_cast<double>(space.available)), size_text(total)));
}

void write_exports(const ExportPlan& plan, const Model& model) {
  const FrameCache frames(plan.folder / RunFiles::frames);
  const Animation animation{.model = model, .surfaces = *plan.surfaces, .frames = frames, .title = plan.title};
  check_frames(animation);
  for (const std::string& name : plan.formats) find_export_format(name).write(animation, plan.folder);
}

}  // namespace brio::app
