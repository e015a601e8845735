#include "scene/scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/cancellation.h"
#include "core/hash.h"
#include "core/time_budget.h"
#include "integrators/equilibrium.h"
#include "integrators/options.h"
#include "record/exports/formats.h"
#include "scene/body.h"
#include "scene/caveats.h"
#include "scene/collider.h"
#include "scene/damping.h"
#include "scene/obstacle.h"
#include "scene/self_contact.h"
#include "scene/start_check.h"
#include "scene/value.h"
#include "solvers/options.h"

namespace brio {
namespace {

struct Head {
  std::string title;
  Vec3 gravity{0, -9.81, 0};  ///< [m/s²]
};

const FieldTable<Head>& head_fields() {
  static const auto table =
      FieldTable<Head>{}
          .text("title", &Head::title, {}, "what the scene shows")
          .vector("gravity", &Head::gravity, "m/s^2", Bound::any(), "acceleration by gravity; y is up");
  return table;
}

struct Time {
  double h = 0;  ///< [s]
  int frames = 100;
  double fps = 0;    ///< [1/s]
  int substeps = 0;  ///< per frame
  std::string start = "as-given";
};

const FieldTable<Time>& time_fields() {
  static const auto table =
      FieldTable<Time>{}
          .number("h", &Time::h, "s", Bound::positive(), "integration step")
          .whole("frames", &Time::frames, Bound::closed(0, 1e9), "frames after the initial one")
          .number("fps", &Time::fps, "1/s", Bound::positive(), "frames per second of simulated time")
          .whole("substeps", &Time::substeps, Bound::closed(1, 1e6), "steps per frame, 1 unless fps is given")
          .text("start", &Time::start, {"as-given", "equilibrium"},
                "as-given: from where and as fast as bodies are placed; equilibrium: from where they hang or lie still "
                "under the loads of time 0, without velocities");
  return table;
}

/// Fills in what follows from the rest: h = 1/(fps substeps), one step per frame unless told, or substeps = 1/(fps h).
Time read_time(const Node& node) {
  require(node, Node::Kind::table, "a table with h and frames");
  Time time = time_fields().read(node.entries(), node.path);
  const bool has_h = node.find("h") != nullptr;
  const bool has_fps = node.find("fps") != nullptr;
  const bool has_substeps = node.find("substeps") != nullptr;
  if (!has_h && !has_fps) refuse(node, "give h, or fps");
  if (has_h && has_fps && has_substeps)
    refuse(*node.find("h"), "follows from fps and substeps", "leave one of the three out");
  if (!has_h) {
    time.h = 1 / (time.fps * std::max(time.substeps, 1));
  } else if (has_fps) {
    const double steps = 1 / (time.fps * time.h);
    time.substeps = static_cast<int>(std::round(std::clamp(steps, 1.0, 1e6)));
    if (!(std::abs(steps - time.substeps) <= 1e-6 * time.substeps))
      refuse(*node.find("h"), fmt::format("a frame of 1/{} s must be a whole number of steps", time.fps),
             fmt::format("h = {} gives {} per frame", 1 / (time.fps * time.substeps), time.substeps));
  }
  time.substeps = std::max(time.substeps, 1);
  constexpr double shortest = 1e-100, longest = 1e100;  // s; squares and rates of steps and frames stay in range
  if (!(time.h >= shortest && time.h * time.substeps <= longest))
    refuse(*node.find(has_h ? "h" : "fps"), fmt::format("steps of {} s are beyond what can be reckoned with", time.h),
           fmt::format("they must take {} to {} s", shortest, longest));
  return time;
}

/// The method by name, then those of its options that are given; options of other methods are refused. When the command
/// line names another method than the file, what the file says to its own is dropped.
void read_integrator(Node& node, SimulationOptions& options) {
  require(node, Node::Kind::table, "a table with a name");
  const Node* name = node.find("name");
  if (name == nullptr) refuse(node, "needs a name", "see `brio list integrators`");
  const auto* text = std::get_if<std::string>(&name->value);
  if (text == nullptr) refuse(*name, "must be a text");
  options.integrator = at_place_of(*name, [&] { return find_integrator(*text).name; });
  const Method& method = find_integrator(options.integrator);
  std::vector<std::string> known{"name"};
  known.insert(known.end(), method.options.begin(), method.options.end());
  const auto foreign = [&](const Node& member) { return std::ranges::count(known, member.key) == 0; };
  if (name->file != node.file)
    std::erase_if(node.children, [&](const Node& member) { return foreign(member) && member.file == node.file; });
  for (const Node& member : node.children)
    if (foreign(member)) refuse_unknown(member, known);
  options.options = integrator_fields().read(node.entries({"name"}), node.path, options.options);
}

/// Moves the simulation to equilibrium before its first step; the ledger starts there. With `told` only as far as a few
/// seconds lead.
void settle_start(const Node& time, const SimulationOptions& options, std::string* told, Simulation& simulation) {
  constexpr double patience = 10e3;  // ms
  const Node* const key = time.find("start");
  const Model& model = simulation.model();
  if (const int body = unheld_body(model); body >= 0)
    refuse(*key, no_equilibrium("\"" + model.bodies()[static_cast<std::size_t>(body)].name + "\""),
           "pin or attach it, put a collider under it, or leave start out");
  State state = simulation.state();
  const TimeBudget budget(told != nullptr ? patience : std::numeric_limits<double>::infinity());
  StepReport report;
  try {
    report = find_equilibrium(model, state);
  } catch (const Canceled& canceled) {
    if (!canceled.out_of_time) throw;
    report.out_of_time = true;
  }
  if (report.out_of_time && told != nullptr) {
    *told = fmt::format("not found within {:g} s; a run looks for it longer", patience / 1e3);
    return;
  }
  if (!report.ok()) refuse(*key, report.message);
  if (told != nullptr) *told = fmt::format("found in {} iterations", report.iterations);
  simulation = at_place_of(*key, [&] { return Simulation(Model(model), std::move(state), options); });
}

std::vector<std::string> read_formats(const Node& output) {
  require(output, Node::Kind::table, "a table with formats");
  std::vector<std::string> formats = default_export_formats();
  for (const Node& member : output.children) {
    if (member.key != "formats") refuse_unknown(member, {"formats"});
    formats.clear();
    if (member.is_empty_list()) continue;
    require(member, Node::Kind::array, "a list of texts");
    for (const Node& item : member.children) {
      const auto* name = std::get_if<std::string>(&item.value);
      if (name == nullptr) refuse(item, "must be a text");
      const std::vector<std::string> known = export_names();
      if (std::ranges::count(known, *name) == 0) {
        const std::string near = nearest(*name, known);
        refuse(item, "unknown format",
               near.empty() ? fmt::format("choose from {}", fmt::join(known, ", "))
                            : fmt::format("did you mean '{}'?", near));
      }
      if (std::ranges::count(formats, *name) == 0) formats.push_back(*name);
    }
  }
  return formats;
}

/// Calls visit(path) for every file that the scene refers to.
template <class Visit>
void for_files(Node& root, Visit visit) {
  for (Node& list : root.children) {
    if (list.key != "body" && list.key != "collider") continue;
    const auto visit_file_of = [&](Node& mesh) {
      for (Node& member : mesh.children)
        if (auto* file = std::get_if<std::string>(&member.value); member.key == "file" && file != nullptr) visit(*file);
    };
    for (Node& item : list.children)
      for (Node& member : item.children) {
        if (member.key == "mesh") visit_file_of(member);
        if (member.key == "frames" && list.key == "collider")
          for (Node& frame : member.children) visit_file_of(frame);
      }
  }
}

template <class Item>
std::uint64_t hash_list(const std::vector<Item>& items, std::uint64_t seed) {
  return hash_bytes(std::as_bytes(std::span(items)), seed);
}

/// Two scenes of the same digest move alike. Of meshes it has what they hold, not where their files are.
std::uint64_t digest(Node root, const Simulation& simulation, const std::vector<Obstacle>& obstacles) {
  const auto drop = [](Node& node, const char* key) {
    std::erase_if(node.children, [&](const Node& child) { return child.key == key; });
  };
  drop(root, "output");
  for (Node& node : root.children) {
    if (node.key == "time") drop(node, "frames");
    if (node.key == "body")
      for (Node& body : node.children) drop(body, "color");
  }
  for_files(root, [](std::string& file) { file.clear(); });
  const std::string text = to_toml(root);
  std::uint64_t meshes = 0;
  for (const Body& body : simulation.model().bodies())
    meshes = hash_list(body.mesh.segments, hash_list(body.mesh.triangles, hash_list(body.mesh.tets, meshes)));
  if (const Node* colliders = root.find("collider"))
    for (std::size_t k = 0; k < obstacles.size(); ++k)
      if (colliders->children[k].find("mesh") != nullptr)
        meshes = hash_list(obstacles[k].triangles, hash_list(obstacles[k].vertices, meshes));
  for (const Obstacle& obstacle : obstacles)
    for (const Obstacle::Sample& sample : obstacle.samples) meshes = hash_list(sample.vertices, meshes);
  const Model& model = simulation.model();
  const std::span<const double> rest(model.rest().data(), NodalField::stride * model.vertices());
  return hash_bytes(std::as_bytes(std::span(text)),
                    hash_doubles(model.mass(), hash_doubles(rest, hash_list(std::vector{meshes}, simulation.hash()))));
}

/// Where a file may be after the project that it belongs to has moved: the longest end of its path that is there below
/// the folder or one above it. Where there is none, the path as it is.
std::filesystem::path find_moved(const std::filesystem::path& file, const std::filesystem::path& folder) {
  std::error_code ignored;
  for (auto from = file.begin(); from != file.end(); ++from) {
    std::filesystem::path end;
    for (auto part = from; part != file.end(); ++part) end /= *part;
    std::filesystem::path above = std::filesystem::absolute(folder).lexically_normal();
    for (;; above = above.parent_path()) {
      if (std::filesystem::is_regular_file(above / end, ignored)) return above / end;
      if (above == above.parent_path()) break;
    }
  }
  return file;
}

/// Returns the paths.
std::vector<std::filesystem::path> make_paths_absolute(Node& root, const std::filesystem::path& folder,
                                                       MissingFiles missing) {
  std::vector<std::filesystem::path> paths;
  for_files(root, [&](std::string& file) {
    std::filesystem::path place = std::filesystem::absolute(folder / file).lexically_normal();
    if (missing == MissingFiles::search) place = find_moved(place, folder);
    file = place.string();
    paths.push_back(std::move(place));
  });
  return paths;
}

/// Tables and lists of them, which are read one by one.
const std::vector<std::string> scene_tables{"time",     "integrator", "solver",  "body",
                                            "collider", "contact",    "damping", "output"};

void check_keys(const Node& root) {
  std::vector<std::string> known = head_fields().keys();
  known.insert(known.end(), scene_tables.begin(), scene_tables.end());
  for (const Node& member : root.children)
    if (std::ranges::count(known, member.key) == 0) refuse_unknown(member, known);
}

const Node& needed(const Node& root, const char* key, const char* what) {
  const Node* node = root.find(key);
  if (node == nullptr) throw InputError({.file = root.file, .key = key, .problem = what});
  return *node;
}

}  // namespace

Scene load_scene(const std::filesystem::path& file, const std::vector<Override>& overrides, MissingFiles missing) {
  Node root = read_toml(file);
  for (const Override& o : overrides) assign(root, o.path, o.value, o.origin);
  return build_scene(std::move(root), file, missing);
}

Scene check_scene(const std::filesystem::path& file, const std::vector<Override>& overrides, std::string& start) {
  start.clear();
  Node root = read_toml(file);
  for (const Override& o : overrides) assign(root, o.path, o.value, o.origin);
  return build_scene(std::move(root), file, MissingFiles::refuse, &start);
}

Scene parse_scene(const std::string& text, const std::string& name, const std::filesystem::path& folder,
                  const std::vector<Override>& overrides) {
  Node root = parse_toml(text, name);
  for (const Override& o : overrides) assign(root, o.path, o.value, o.origin);
  return build_scene(std::move(root), folder / name);
}

Scene build_scene(Node root, const std::filesystem::path& file, MissingFiles missing, std::string* told) {
  std::vector<std::filesystem::path> inputs = make_paths_absolute(root, file.parent_path(), missing);
  inputs.insert(inputs.begin(), file);
  check_keys(root);

  const Head head = head_fields().read(root.entries(scene_tables));
  const Time time = read_time(needed(root, "time", "a scene needs a [time] table with h and frames"));
  SimulationOptions options{.h = time.h};
  if (const auto node = std::ranges::find(root.children, "integrator", &Node::key); node != root.children.end())
    read_integrator(*node, options);
  if (const Node* node = root.find("solver")) {
    options.options.solver = solver_fields().read(node->entries(), node->path);
    if (const Node* name = node->find("name"))
      at_place_of(*name, [&] { return find_solver(options.options.solver.name).name; });
  }
  std::vector<std::string> formats = default_export_formats();
  if (const Node* node = root.find("output")) formats = read_formats(*node);

  const Node& bodies = needed(root, "body", "a scene needs at least one [[body]]");
  require(bodies, Node::Kind::array, "given as [[body]]");
  Model model;
  model.set_gravity(head.gravity);
  std::vector<BodyStart> starts;
  BodyNames names;
  for (const Node& node : bodies.children)
    for (BodyStart& start : read_bodies(node, model, names)) starts.push_back(std::move(start));
  std::vector<Obstacle> obstacles;
  if (const Node* node = root.find("collider")) {
    require(*node, Node::Kind::array, "given as [[collider]]");
    const bool is_explicit = find_integrator(options.integrator).family == "explicit";
    for (const Node& item : node->children)
      obstacles.push_back(seen(read_collider(item, is_explicit ? options.h : 0, model)));
  }
  if (const Node* node = root.find("contact"))
    read_contact(*node, model);
  else
    calm_colliders(model);
  if (const Node* node = root.find("damping")) at_place_of(*node, [&] { model.set_damping(read_damping(*node)); });
  Scenery scenery{.surfaces = surfaces(model), .obstacles = std::move(obstacles)};
  for (const BodyStart& start : starts)
    if (start.color) {
      Surface& surface = scenery.surfaces[model.index(start.body)];
      surface.color = *start.color;
      surface.painted = true;
    }
  State state = model.rest_state();
  for (const BodyStart& start : starts) start.apply(model, state);
  Scene scene{
      .title = head.title.empty() ? file.stem().string() : head.title,
      .simulation = at_place_of(bodies, [&] { return Simulation(std::move(model), std::move(state), options); }),
      .frames = time.frames,
      .steps_per_frame = time.substeps,
      .options = options,
      .resolved = to_toml(root),
      .formats = std::move(formats),
      .warnings = {},
      .scenery = std::move(scenery),
      .inputs = std::move(inputs),
      .digest = 0};
  scene.digest = digest(root, scene.simulation, scene.scenery.obstacles);
  if (time.start == "equilibrium") settle_start(*root.find("time"), options, told, scene.simulation);
  std::vector<BodyId> scattered;
  for (const BodyStart& body : starts)
    if (std::ranges::any_of(body.deforms, [](const auto& deform) { return deform.scatter > 0; }))
      scattered.push_back(body.body);
  scene.warnings = caveats(scene.simulation.model(), scene.simulation.state(), options);
  if (const Node* node = root.find("solver"); node != nullptr && scene.simulation.method().family == "explicit")
    scene.warnings.push_back(
        fmt::format("[solver] has no effect: {} is explicit and solves nothing; leave it out, or choose an implicit "
                    "integrator",
                    options.integrator));
  std::ranges::move(
      start_warnings(scene.simulation.model(), scene.simulation.state(), time.start == "equilibrium", scattered),
      std::back_inserter(scene.warnings));
  return scene;
}

void document_scene(Reference& reference) {
  reference.table("", head_fields());
  reference.table("time", time_fields());
  reference.structured("output.formats", "list of texts",
                       "animation files: pc2 (default), usda, gltf, vtu, obj, ply; see `brio list formats`");
}

std::string scene_title(const std::filesystem::path& file) {
  const Node root = read_toml(file);
  const Node* title = root.find("title");
  return title == nullptr ? "" : head_fields().read({title->entry()}).title;
}

}  // namespace brio
