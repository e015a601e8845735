/// Mesh files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "brio/mesh.h"

namespace brio {

/// A mesh from a file, in the format its extension names (see mesh_formats). Quads and polygons become triangles; cells
/// that a Mesh cannot hold are refused. The cells are as the file has them: orientation is not checked.
Mesh read_mesh(const std::filesystem::path& file);

struct WriteOptions {
  std::optional<bool> binary{};  ///< unset: what is usual for the format
  std::string version{};         ///< .msh: "2.2" or "4.1"; empty: the newest
};

/// Writes a mesh under a temporary name in the same directory, then renames it, so that the file is never half written.
/// Coordinates that are not finite, indices out of range and cells that the format cannot hold are refused beforehand.
void write_mesh(const std::filesystem::path& file, const Mesh& mesh, const WriteOptions& options = {});

struct MeshFormat {
  std::string extension;  ///< ".msh"
  std::string name;       ///< "Gmsh 2.2 and 4.1"
  bool can_read = true;
  bool can_write = true;
};
std::vector<MeshFormat> mesh_formats();

}  // namespace brio
