/// Scenes, runs and what they leave behind.
#include <pybind11/stl.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bridge.h"
#include "brio/run.h"
#include "core/hash.h"
#include "core/safe_file.h"
#include "experiments/measure.h"
#include "model/body_checks.h"
#include "model/energy_in_play.h"
#include "record/run_summary.h"
#include "report/comparison.h"
#include "report/ledger_charts.h"
#include "report/svg.h"
#include "run/run_folder.h"
#include "scene/scene.h"
#include "simulation_box.h"

namespace brio::python {
namespace {

/// The tree says what the scene is; where the file says the same, complaints name its lines.
void take_places(Node& node, const Node& of_file) {
  if (node.kind != of_file.kind || node.mesh != nullptr) return;
  if (node.text() == of_file.text()) node.line = of_file.line;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    Node& child = node.children[i];
    const Node* same = node.kind == Node::Kind::table ? of_file.find(child.key)
                       : i < of_file.children.size()  ? &of_file.children[i]
                                                      : nullptr;
    if (same != nullptr) take_places(child, *same);
  }
}

void name_file(Node& node, const std::string& file) {
  node.file = file;
  for (Node& child : node.children) name_file(child, file);
}

std::shared_ptr<Scene> make_scene(const py::dict& tree, const std::string& file, const std::string& text, bool search) {
  Node root = node_of(tree, "", "");
  name_file(root, file);
  return compute([&] {
    if (!text.empty()) take_places(root, parse_toml(text, file));
    return std::make_shared<Scene>(build_scene(root, file, search ? MissingFiles::search : MissingFiles::refuse));
  });
}

/// Tells Python of frames and warnings.
class PythonObserver final : public RunObserver {
 public:
  explicit PythonObserver(py::object told) : told_(std::move(told)) {}
  void started(const Scene& scene, const std::filesystem::path&, long first) override {
    tell("started", scene.frames, first);
  }
  void frame(long frame, const LedgerRow& row, double) override { tell("frame", frame, row.total); }
  void warning(const std::string& text) override { tell("warning", text, 0); }

 private:
  template <class A, class B>
  void tell(const char* what, const A& a, const B& b) {
    const py::gil_scoped_acquire gil;
    if (!told_.is_none()) told_(what, a, b);
  }
  py::object told_;
};

std::string summary_text(const RunSummary& summary) { return to_json(summary).dump(); }

std::string run_scene(Scene& scene, const std::string& folder, bool resume, bool force, bool report,
                      const py::object& told) {
  PythonObserver observer(told);
  const InterruptGuard guard;
  answer_signals();
  std::string text;
  {
    const py::gil_scoped_release others_run;
    const RunSummary summary = run(
        scene, {.folder = folder, .resume = resume, .force = force, .report = report, .stop = &InterruptGuard::flag()},
        &observer);
    text = summary_text(summary);
  }
  if (InterruptGuard::flag()) answer_signals();
  return text;
}

/// The page of `brio compare` from runs that are there: (integrator, folder, status, message) each.
void write_comparison(const std::string& folder, const Scene& scene,
                      const std::vector<std::array<std::string, 4>>& made) {
  compute([&] {
    std::vector<ComparedRun> runs;
    PlaybackLimits limits;
    limits.bytes /= std::max<std::size_t>(1, made.size());  // one page holds them all
    for (const auto& [name, place, status, message] : made) {
      ComparedRun run{.integrator = name, .order = find_integrator(name).order};
      run.ending = {status, message, rounding_of_energy(scene.simulation.model())};
      if (!place.empty()) {
        const std::filesystem::path path(place);
        run.ledger = read_ledger(path / RunFiles::ledger);
        run.recording = read_recording(FrameCache(path / RunFiles::frames), scene.scenery, limits, scene.frames + 1L);
        run.playback = playback_json(run.recording, name, status == "ok" ? "" : outcome(run));
      }
      runs.push_back(std::move(run));
    }
    HeldFolder held(folder);
    held.claim({.files = comparison_files()});
    const std::filesystem::path whole(folder);
    write_safely(whole / "compare.html", comparison_html(scene.title, scene.resolved, runs));
    write_safely(whole / "compare.json",
                 comparison_json(runs).dump(2, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
  });
}

std::string ledger_svg(const std::string& file, const std::vector<std::string>& columns, bool log) {
  return compute([&] {
    const std::vector<NamedLedger> ledgers{{"", read_ledger(file)}};
    return to_svg(column_chart(ledgers, columns, log));
  });
}

py::list measured_orders(const std::string& integrator) {
  const Method& method = find_integrator(integrator);
  py::list rows;
  for (const Problem& problem : order_problems()) {
    const double measured = compute([&] { return measured_order(method, precise(), problem); });
    rows.append(py::make_tuple(problem.name, method.order, measured));
  }
  return rows;
}

}  // namespace

void bind_scenes(py::module_& module) {
  py::class_<Obstacle>(module, "Obstacle")
      .def_readonly("name", &Obstacle::name)
      .def_readonly("endless", &Obstacle::endless)
      .def_property_readonly("triangles", [](const Obstacle& o) { return cells_array(o.triangles, 3); })
      .def("pose",
           [](const Obstacle& o, double time) {
             check_number("time", time, Bound::any());
             return pose_tuple(o.at(time));
           })
      .def("at", [](const Obstacle& o, double time) {
        check_number("time", time, Bound::any());
        const Pose pose = o.at(time);
        std::vector<Vec3> places = o.vertices_at(time);
        for (Vec3& place : places) place = pose.apply(place);
        return vertices_array(places);
      });
  py::class_<Scene, std::shared_ptr<Scene>>(module, "Scene")
      .def(py::init(&make_scene))
      .def_readonly("title", &Scene::title)
      .def_readonly("frames", &Scene::frames)
      .def_readonly("steps_per_frame", &Scene::steps_per_frame)
      .def_readonly("resolved", &Scene::resolved)
      .def_readonly("warnings", &Scene::warnings)
      .def_readonly("digest", &Scene::digest)
      .def_readonly("formats", &Scene::formats)
      .def_property_readonly("frames_per_second", [](const Scene& s) { return s.frames_per_second(); })
      .def_property_readonly("inputs",
                             [](const Scene& s) {
                               std::vector<std::string> files;
                               for (const auto& file : s.inputs) files.push_back(file.string());
                               return files;
                             })
      .def_property_readonly("obstacles", [](const Scene& s) { return s.scenery.obstacles; })
      .def_property_readonly("integrator", [](const Scene& s) { return s.options.integrator; })
      .def_property_readonly("h", [](const Scene& s) { return s.options.h; })
      .def("take_simulation",  // once; another one is made by another scene
           [](Scene& s) { return std::make_shared<SimulationBox>(std::move(s.simulation), s.options); })
      .def("run", &run_scene);
  module.def("write_comparison", &write_comparison);
  module.def("export_run", [](const std::string& folder, const std::vector<std::string>& formats) {
    return compute([&] { return export_run(folder, formats); });
  });
  module.def("report_run", [](const std::string& folder) { compute([&] { report_run(folder); }); });
  module.def("check_frames", [](const std::string& file) {
    return compute([&] {
      const FrameCache frames(file);
      Frame frame;
      for (long k = 0; k < frames.frames(); ++k) frames.read(k, frame);
      return frames.frames();
    });
  });
  module.def("read_ledger", [](const std::string& file) {
    const LedgerTable table = compute([&] { return read_ledger(file); });
    py::dict columns;
    for (std::size_t k = 0; k < table.names.size(); ++k) columns[py::str(table.names[k])] = table.values[k];
    return columns;
  });
  module.def("ledger_unit", &ledger_unit);
  module.def("ledger_svg", &ledger_svg);
  module.def("measured_orders", &measured_orders);
}

}  // namespace brio::python
