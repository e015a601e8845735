/// What a run leaves behind, read back: frames, the ledger, and what is seen of its bodies.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "brio/model.h"

namespace brio {

/// Files of a run folder.
struct RunFiles {
  static constexpr const char* scene = "scene.toml";
  static constexpr const char* frames = "frames.bin";
  static constexpr const char* ledger = "ledger.csv";
  static constexpr const char* checkpoint = "checkpoint.brio";
  static constexpr const char* summary = "run.json";
  static constexpr const char* log = "run.log";
  static constexpr const char* report = "report.html";
};

// Frames.

struct FrameCacheInfo {
  std::size_t vertices = 0;
  double frames_per_second = 0;
  std::uint64_t digest = 0;  ///< of the scene

  std::uint64_t bytes(long frames) const;  ///< size of the file
};

/// x, y, z of one vertex after the other.
struct Frame {
  std::vector<float> x;  ///< [m]
  std::vector<float> v;  ///< [m/s]
};

/// Reads frames.bin, also one that is being written. Damage throws InputError naming the byte.
class FrameCache {
 public:
  explicit FrameCache(std::filesystem::path path);
  ~FrameCache();
  FrameCache(const FrameCache&) = delete;
  FrameCache& operator=(const FrameCache&) = delete;

  const FrameCacheInfo& info() const { return info_; }
  long frames() const { return frames_; }  ///< complete ones, the initial one included
  double time(long frame) const { return static_cast<double>(frame) / info_.frames_per_second; }  ///< [s]
  const std::filesystem::path& path() const { return path_; }

  void read(long frame, Frame& into) const;
  /// Positions of `count` vertices from `first` on, not checked for damage: read every frame once before.
  void read_positions(long frame, std::size_t first, std::size_t count, std::vector<float>& xyz) const;

 private:
  void fetch(std::uint64_t byte, void* into, std::size_t size) const;
  bool fetch_frame(long frame, Frame& into) const;  ///< whether its checksum agrees

  std::filesystem::path path_;
  int descriptor_ = -1;
  FrameCacheInfo info_;
  long frames_ = 0;
};

// The ledger.

/// ledger.csv as columns of numbers.
struct LedgerTable {
  std::string file;                         ///< for messages
  std::vector<std::string> names;           ///< of the columns
  std::vector<std::vector<double>> values;  ///< per column; `status` is 0 where it is ok, else 1

  std::size_t rows() const { return values.empty() ? 0 : values.front().size(); }
  /// Throws InputError with the nearest name when there is no such column.
  const std::vector<double>& column(const std::string& name) const;
  bool has(const std::string& name) const;
};

/// Bad rows are named by their line. A last line without its end, as a killed run leaves it, is passed over.
LedgerTable parse_ledger(std::string_view text, const std::string& file);
LedgerTable read_ledger(const std::filesystem::path& file);

/// "J" for "kinetic"; empty for columns that are unknown or have no unit.
std::string ledger_unit(const std::string& column);

// What is seen.

/// A body as a renderer wants it, with the same numbering over all frames.
struct Surface {
  std::string name;                   ///< of the body
  std::string id;                     ///< the same as a word of letters, digits and _, different for every body
  std::string kind;                   ///< "solid", "cloth", "wire" or "particles"
  std::size_t first_vertex = 0;       ///< of the body in the model
  std::size_t body_vertices = 0;      ///< of the body
  std::vector<int> vertices{};        ///< of the body that are seen, ascending
  std::vector<Triangle> triangles{};  ///< over `vertices`; outside of solids and wires, all of cloths
  std::vector<Segment> segments{};    ///< over `vertices`; springs of particles
  std::vector<int> curve{};           ///< over `vertices`; points of a wire from end to end
  float radius = 0;                   ///< of wires and particles, for showing them [m]
  std::array<float, 3> color{};       ///< linear red, green and blue in [0, 1]
  bool painted = false;               ///< the scene chose the color

  std::size_t size() const { return vertices.size(); }
};

/// One per body of the model, in its order.
std::vector<Surface> surfaces(const Model& model);

/// x, y, z of every vertex of the surface; `scratch` saves allocations from call to call.
void read_positions(const FrameCache& frames, long frame, const Surface& surface, std::vector<float>& scratch,
                    std::vector<float>& xyz);

/// Unit normals at the vertices, means of those around weighted by area; (0, 1, 0) where there is none.
void vertex_normals(const Surface& surface, const std::vector<float>& xyz, std::vector<float>& normals);

/// A thing that bodies run into, as it is seen: triangles in a frame of its own that moves.
struct Obstacle {
  std::string name{};
  bool endless = false;  ///< a plane: everything below y = 0 of its frame. It has no triangles.
  std::vector<Vec3> vertices{};
  std::vector<Triangle> triangles{};
  Pose pose{};      ///< where its frame is when its motion has not begun
  Motion motion{};  ///< of the frame
  /// Of one that deforms: its vertices at some times, evenly in between, held before the first and after the last.
  struct Sample {
    double time = 0;               ///< [s]
    std::vector<Vec3> vertices{};  ///< [m]
  };
  std::vector<Sample> samples{};

  Pose at(double time) const;
  std::vector<Vec3> vertices_at(double time) const;  ///< in its frame
};

/// All that is seen of a scene.
struct Scenery {
  std::vector<Surface> surfaces{};  ///< one per body
  std::vector<Obstacle> obstacles{};
};

// Animation files.

/// Files of a folder, by names relative to it.
struct Outputs {
  std::vector<std::string> files{};                       ///< "ledger.csv", "pc2/cube.obj"
  std::vector<std::pair<std::string, long>> sequences{};  ///< "obj", 121: one file per frame, in a subfolder
  std::vector<std::string> folders() const;               ///< subfolders that they are in
  void add(const Outputs& more);
};

/// What there is to write. The surfaces are those of the model, the frames a run of it.
struct Animation {
  const Model& model;
  const std::vector<Surface>& surfaces;
  const FrameCache& frames;
  std::string title;
};

struct ExportFormat {
  std::string name;      ///< in [output] formats and after --formats
  std::string file;      ///< what it writes into the folder of the run
  std::string sentence;  ///< what it is good for
  /// About how much it writes for so many frames of this model [bytes]; none: little.
  std::function<double(const Model& model, const std::vector<Surface>& surfaces, double frames)> bytes{};
  /// Throws InputError when so many frames are more than the format can hold; none: it holds any number.
  std::function<void(const std::vector<Surface>& surfaces, long frames)> check{};
  /// All that `write` makes of so many frames: files whose names do not depend on the bodies, or any in folders of
  /// its own.
  std::function<Outputs(const std::vector<Surface>& surfaces, long frames)> outputs;
  /// Every file appears under its name when it is complete; files of an earlier export are replaced.
  std::function<void(const Animation& animation, const std::filesystem::path& folder)> write;
};

const std::deque<ExportFormat>& export_formats();
/// Names of the formats that frames can be exported to: "usda", "pc2", …
std::vector<std::string> export_names();

/// From now on scene files, runs and exports know it by name. Throws InputError when the name is taken. To be called
/// before other threads use brio.
void register_format(ExportFormat format);

// How it went.

/// Extremes of the ledger, gathered row by row, and how the run ended: what run.json holds.
class RunSummary {
 public:
  /// Something that the reader of the results should know.
  struct Warning {
    std::string about{};  ///< tells it from others: "penetration of floor"
    std::string text{};   ///< when it first was so
    long frames = 0;      ///< in which it was so
    double severity = 0;  ///< the greatest of them, where such is told
    std::string worst{};  ///< what was said then; empty: when it first was so
  };

  /// What rows have left behind; enough to go on from in another process.
  struct Gathered {
    LedgerRow first{}, last{};
    long rows = 0;
    double max_residual = 0;        ///< [J]
    double scale = 0;               ///< [J]
    double max_energy_error = 0;    ///< of what moves together (StepReport::energy_error)
    double contact_loss = 0;        ///< [J] (StepReport::contact_loss)
    double max_linear_change = 0;   ///< [kg m/s]
    double max_angular_change = 0;  ///< [kg m²/s]
    std::vector<Warning> warnings{};
  };

  /// The rows of a run in their order, the initial one first.
  void add(const LedgerRow& row);
  void add_energy_error(double error);  ///< of a frame's steps
  void add_contact_loss(double loss);   ///< likewise
  /// Counts the frame; true when it is the first of its kind. Kept are the first text and that of the greatest
  /// severity.
  bool warn(const std::string& about, const std::string& text, double severity = 0);

  const Gathered& gathered() const { return gathered_; }
  void go_on_from(const Gathered& gathered) { gathered_ = gathered; }

  long frames() const { return gathered_.rows - 1; }
  const char* status() const;  ///< "ok", "exploded", "failed" or "interrupted"
  /// Largest |residual| over the largest kinetic + elastic energy and change of potential seen so far, a scale that
  /// vanishes only when nothing happens.
  double max_relative_error() const;

  std::string outcome() const;  ///< "12 frames in 3 s; energy kept to 1.2e-11", or what the integrator took or added

  std::string integrator{};
  std::string title{};
  std::string message{};                                    ///< why the run failed; empty when it did not
  std::optional<long> exploded{};                           ///< the frame at which it did
  bool interrupted = false;                                 ///< before its last frame
  std::uint64_t hash = 0;                                   ///< of the final state
  double h = 0;                                             ///< [s]
  double load_seconds = 0;                                  ///< reading the scene
  double run_seconds = 0;                                   ///< steps and ledger
  double total_seconds = 0;                                 ///< all
  std::vector<std::pair<std::string, double>> solver_ms{};  ///< phases of the solver and their time [ms]
  /// Which linear solvers were used, and why, with the steps that each ended; of this process alone.
  std::vector<std::pair<std::string, long>> linear_solvers{};

 private:
  Gathered gathered_;
};

}  // namespace brio
