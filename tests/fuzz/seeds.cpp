/// Writes a small mesh in every dialect of every format, and small records of runs: DIR/<reader>/<dialect>.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "mesh/io/formats.h"
#include "record/checkpoint.h"
#include "record/frame_cache.h"
#include "records.h"

namespace {

using namespace brio;

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// As runs leave them, after a few steps of every method that remembers something.
template <class Save>
void save_records(Save save) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / fmt::format("brio-seed-{}", getpid());
  long frame = 0;
  for (const char* method : methods_that_remember) {
    Simulation simulation = remembering(method);
    RunSummary summary;
    for (long k = 0; k < frame; ++k) summary.add(simulation.ledger());
    simulation.step(20);
    summary.add(simulation.ledger());
    summary.warn("depth", "too deep");
    write_checkpoint(file, {.digest = 1,
                            .frame = frame++,
                            .state = simulation.state(),
                            .ledger = simulation.ledger(),
                            .gathered = summary.gathered(),
                            .run_seconds = 1,
                            .solver_ms = {{"assembly", 2}}});
    constexpr std::size_t head = 16;
    save("checkpoint", method, bytes_of(file).substr(head));
  }
  {
    FrameCacheWriter writer(file, {.vertices = 2, .frames_per_second = 24, .digest = 1});
    for (int k = 0; k < 3; ++k) writer.add(NodalField(2), NodalField(2));
  }
  save("frames", "two", bytes_of(file));
  std::filesystem::remove(file);
  save("ledger", "text",
       "frame,time,kinetic,elastic,gravity,contact,total,user_work,damping_loss,friction_loss,residual,px,py,pz,lx,ly,"
       "lz,alpha,iterations,status,ms\n0,0,1,2,3,0,6,0,0,0,0,1,0,0,0,0,0,0,0,ok,0.1\n"
       "1,0.1,1e300,-2,3.5,0,6,0,0,0,0,1,0,0,0,0,0,0,0,failed,0.1\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::filesystem::path root = argv[1];
  const auto save = [&](const char* reader, const char* dialect, const std::string& bytes) {
    std::filesystem::create_directories(root / reader);
    std::ofstream(root / reader / dialect, std::ios::binary) << bytes;
  };
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
  save_records(save);
  return 0;
}
