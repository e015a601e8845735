/// One row per file format: how its bytes become a mesh and a mesh its bytes. Readers are pure functions over bytes, so
/// that they can be fuzzed; `name` only serves messages.
#pragma once

#include <string>
#include <string_view>

#include "brio/mesh_io.h"

namespace brio {

Mesh parse_msh(std::string_view bytes, const std::string& name);
Mesh parse_vtk(std::string_view bytes, const std::string& name);
Mesh parse_vtu(std::string_view bytes, const std::string& name);
Mesh parse_obj(std::string_view bytes, const std::string& name);
Mesh parse_ply(std::string_view bytes, const std::string& name);
Mesh parse_stl(std::string_view bytes, const std::string& name);
Mesh parse_off(std::string_view bytes, const std::string& name);
/// A TetGen mesh is two files: x.node and x.ele.
Mesh parse_tetgen(std::string_view node_bytes, const std::string& node_name, std::string_view ele_bytes,
                  const std::string& ele_name);

/// What read_mesh reads and write_mesh writes for a file of this name: itself, or TetGen's pair.
std::vector<std::filesystem::path> mesh_files(const std::filesystem::path& file);

/// Writers rely on what write_mesh has checked: finite coordinates, indices in range, cells the format can hold.
std::string print_msh(const Mesh& mesh, bool binary, const std::string& version);
std::string print_vtk(const Mesh& mesh, bool binary, const std::string& version);
std::string print_vtu(const Mesh& mesh, bool binary, const std::string& version);
std::string print_obj(const Mesh& mesh, bool binary, const std::string& version);
std::string print_ply(const Mesh& mesh, bool binary, const std::string& version);
std::string print_stl(const Mesh& mesh, bool binary, const std::string& version);
std::string print_off(const Mesh& mesh, bool binary, const std::string& version);
std::string print_node(const Mesh& mesh);
std::string print_ele(const Mesh& mesh);

}  // namespace brio
