/// Writes small records of runs: DIR/<reader>/<name>.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "record/checkpoint.h"
#include "record/frame_cache.h"
#include "records.h"
#include "save_seed.h"

namespace {

using namespace brio;

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// As runs leave them, after a few steps of every method that remembers something.
void save_records(const SaveSeed& save) {
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
  save_records(SaveSeed{argv[1]});
  return 0;
}
