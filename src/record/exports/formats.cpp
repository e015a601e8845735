#include "record/exports/formats.h"

#include <fmt/format.h>

#include "core/append_file.h"
#include "core/fields.h"

namespace brio {
namespace {

struct Counts {
  double vertices = 0, triangles = 0;
};

Counts counts(const std::vector<Surface>& surfaces) {
  Counts sum;
  for (const Surface& s : surfaces) {
    sum.vertices += static_cast<double>(s.size());
    sum.triangles += static_cast<double>(s.triangles.size());
  }
  return sum;
}

double model_cells(const Model& model) {
  double cells = 0;
  for (const Body& body : model.bodies())
    cells += static_cast<double>(body.mesh.tets.empty() ? body.mesh.triangles.size() : body.mesh.tets.size());
  return cells;
}

using Surfaces = const std::vector<Surface>&;

void any_number(Surfaces, long) {}

/// Files of a fixed name, whatever there is to write.
std::function<Outputs(Surfaces, long)> one_file(const std::string& name) {
  return [name](Surfaces, long) { return Outputs{.files = {name}}; };
}

/// One per frame.
std::function<Outputs(Surfaces, long)> sequence(const std::string& extension) {
  return [extension](Surfaces, long frames) { return Outputs{.sequences = {{extension, frames}}}; };
}

Outputs cache_files(Surfaces surfaces, long) {
  Outputs outputs;
  for (const Surface& s : surfaces)
    for (const char* extension : {".pc2", ".obj"}) outputs.files.push_back("pc2/" + s.id + extension);
  return outputs;
}

Outputs vtu_files(Surfaces, long frames) { return {.files = {"animation.pvd"}, .sequences = {{"vtu", frames}}}; }

std::deque<ExportFormat> make_formats() {
  return {
      {"pc2", "pc2/BODY.pc2, pc2/BODY.obj",
       "point caches over a rest shape, for Blender, Houdini, Maya and 3ds Max; 12 bytes per vertex and frame, read "
       "from the disk as they play",
       [](const Model&, Surfaces s, double frames) { return 12 * counts(s).vertices * frames; }, any_number,
       cache_files, write_pc2},
      {"usda", "animation.usda",
       "OpenUSD as text, for Houdini, Maya, Omniverse and usdview: one prim per body, normals",
       [](const Model&, Surfaces s, double frames) { return 60 * counts(s).vertices * frames; }, any_number,
       one_file("animation.usda"), write_usda},
      {"gltf", "animation.glb",
       "glTF 2.0 with morph targets in one file, for Blender, browsers and game engines; best below 1000 frames",
       [](const Model&, Surfaces s, double frames) { return 24 * counts(s).vertices * frames + frames * frames; },
       check_gltf, one_file("animation.glb"), write_gltf},
      {"vtu", "animation.pvd, vtu/",
       "VTK with tetrahedra, velocity, energy density and von Mises stress, for ParaView and PyVista",
       [](const Model& m, Surfaces, double frames) {
         return (24 * static_cast<double>(m.vertices()) + 37 * model_cells(m)) * frames;
       },
       any_number, vtu_files, write_vtu},
      {"obj", "obj/", "one Wavefront file per frame, for anything; text",
       [](const Model&, Surfaces s, double frames) {
         return (34 * counts(s).vertices + 20 * counts(s).triangles) * frames;
       },
       any_number, sequence("obj"), write_obj},
      {"ply", "ply/", "one binary PLY per frame with velocities and colors, for MeshLab and Python",
       [](const Model&, Surfaces s, double frames) {
         return (31 * counts(s).vertices + 13 * counts(s).triangles) * frames;
       },
       any_number, sequence("ply"), write_ply},
  };
}

std::deque<ExportFormat>& registered_formats() {
  static std::deque<ExportFormat> table = make_formats();
  return table;
}

}  // namespace

const std::deque<ExportFormat>& export_formats() { return registered_formats(); }

void register_format(ExportFormat format) {
  for (const ExportFormat& known : export_formats())
    if (known.name == format.name) throw InputError({.key = "format", .value = format.name, .problem = "is taken"});
  if (!format.outputs || !format.write)
    throw InputError({.key = "format", .value = format.name, .problem = "needs outputs and write"});
  if (!format.bytes) format.bytes = [](const Model&, Surfaces, double) { return 0.0; };
  if (!format.check) format.check = any_number;
  allow_outputs(format.outputs({}, 1));
  registered_formats().push_back(std::move(format));
}

std::vector<std::string> export_names() {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_formats()) names.push_back(format.name);
  return names;
}

const ExportFormat& find_export_format(const std::string& name) {
  for (const ExportFormat& format : export_formats())
    if (format.name == name) return format;
  refuse_name("format", name, "unknown format", export_names());
}

const std::vector<std::string>& default_export_formats() {
  static const std::vector<std::string> formats{"pc2"};
  return formats;
}

void check_frames(const Animation& animation) {
  if (animation.frames.frames() == 0)
    throw InputError({.file = animation.frames.path().string(), .problem = "has no complete frame"});
  if (animation.frames.info().vertices != animation.model.vertices())
    throw InputError({.file = animation.frames.path().string(),
                      .byte = 0,
                      .problem = fmt::format("has {} vertices, the scene {}", animation.frames.info().vertices,
                                             animation.model.vertices()),
                      .advice = "run the scene again"});
  Frame frame;
  for (long k = 0; k < animation.frames.frames(); ++k) animation.frames.read(k, frame);
}

std::filesystem::path output_folder(const std::filesystem::path& folder, const std::string& name) {
  std::filesystem::path place = folder / name;
  std::error_code error;
  std::filesystem::create_directories(place, error);
  if (error) throw WriteError({.file = place.string(), .problem = "cannot be made: " + error.message()});
  if (std::filesystem::is_symlink(place))
    throw WriteError({.file = place.string(),
                      .problem = "is a link, which brio does not follow",
                      .advice = "remove it, or choose another folder"});
  return place;
}

}  // namespace brio
