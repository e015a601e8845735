/// Writes a small mesh in every dialect of every format: DIR/<reader>/<dialect>.
#include "mesh/io/formats.h"
#include "save_seed.h"

int main(int argc, char** argv) {
  using namespace brio;
  if (argc != 2) return 1;
  const SaveSeed save{argv[1]};
  const Mesh sheet{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.5, 1e-3, 1}},
                   .tets = {},
                   .triangles = {{0, 1, 2}, {0, 2, 3}},
                   .segments = {{0, 3}}};
  Mesh surface = sheet;
  surface.segments.clear();
  Mesh solid = sheet;
  solid.tets = {{0, 1, 2, 3}};
  save("msh", "text41", print_msh(solid, false, "4.1"));
  save("msh", "binary41", print_msh(solid, true, "4.1"));
  save("msh", "text22", print_msh(solid, false, "2.2"));
  save("msh", "binary22", print_msh(solid, true, "2.2"));
  save("vtk", "text", print_vtk(solid, false, ""));
  save("vtk", "binary", print_vtk(solid, true, ""));
  save("vtu", "text", print_vtu(solid, false, ""));
  save("vtu", "raw", print_vtu(solid, true, ""));
  save("obj", "text", print_obj(sheet, false, ""));
  save("ply", "text", print_ply(sheet, false, ""));
  save("ply", "binary", print_ply(sheet, true, ""));
  save("stl", "text", print_stl(surface, false, ""));
  save("stl", "binary", print_stl(surface, true, ""));
  save("off", "text", print_off(sheet, false, ""));
  save("tetgen", "pair", print_node(solid) + '\0' + print_ele(solid));
  return 0;
}
