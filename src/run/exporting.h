/// Animation files of a run folder, for `brio run` and `brio export`.
#pragma once

#include "brio/run.h"
#include "record/exports/formats.h"
#include "record/held_folder.h"

namespace brio {

struct ExportPlan {
  HeldFolder* folder = nullptr;      ///< of the run
  std::vector<std::string> formats;  ///< names of export_formats()
  std::string title;
  const std::vector<Surface>* surfaces = nullptr;  ///< of the model's bodies
};

/// Refuses what a format cannot hold, and warns before gigabytes are written or the disk would be full. `recording`:
/// bytes that come on top, of files that are not there yet.
void announce(const ExportPlan& plan, const Model& model, long frames, double recording, RunObserver& observer);

/// All files that so many frames become.
Outputs export_outputs(const ExportPlan& plan, long frames);

/// Converts the complete frames of the folder's frames.bin.
void write_exports(const ExportPlan& plan, const Model& model);

}  // namespace brio
