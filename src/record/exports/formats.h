/// Animation files for other programs, made from frames.bin frame by frame: no more than one is ever in memory. Adding
/// a format = one source and one line in the table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "record/manifest.h"
#include "record/surfaces.h"

namespace brio {

/// Throws InputError with the nearest name when there is none.
const ExportFormat& find_export_format(const std::string& name);

/// Written when a scene does not say: pc2, the most compact one that programs stream from the disk.
const std::vector<std::string>& default_export_formats();

/// Reads every frame once: damage throws InputError before anything is written.
void check_frames(const Animation& animation);

/// A subfolder for animation files, made if it is missing. Links are refused.
std::filesystem::path output_folder(const std::filesystem::path& folder, const std::string& name);

void check_gltf(const std::vector<Surface>& surfaces, long frames);

// The writers, each in a source of its own.
void write_usda(const Animation& animation, const std::filesystem::path& folder);
void write_pc2(const Animation& animation, const std::filesystem::path& folder);
void write_gltf(const Animation& animation, const std::filesystem::path& folder);
void write_vtu(const Animation& animation, const std::filesystem::path& folder);
void write_obj(const Animation& animation, const std::filesystem::path& folder);
void write_ply(const Animation& animation, const std::filesystem::path& folder);

}  // namespace brio
