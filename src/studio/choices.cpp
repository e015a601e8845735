/// Integrators, their options, and what holds for all panes.
#include <fmt/format.h>

#include <algorithm>

#include "scene/value.h"
#include "studio/session.h"

namespace brio::studio {

/// Panes that are there stay as they are; new ones begin where the first is now.
void Session::choose_panes(const Message& message) {
  std::vector<std::unique_ptr<Pane>> chosen;
  const std::vector<std::string> names = message.texts("integrators", 1, max_panes);
  const Pane::Moment now = panes_.front()->moment();
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = find_integrator(names[i]).name;
    if (i < panes_.size() && panes_[i]->integrator() == name) {
      kept.push_back(i);
      chosen.push_back(nullptr);
      continue;
    }
    auto pane = std::make_unique<Pane>(text_, name);
    pane->use(name, pane->wishes(), h());
    Settings given = settings_;  // as the scene has it
    given.gravity = pane->simulation().model().gravity();
    const Damping& damping = pane->simulation().model().damping();
    given.strain_damping = damping.strain;
    given.relative_damping = damping.relative;
    given.drag = damping.drag;
    given.stiffness = 1;
    given.wind = Vec3::Zero();
    pane->apply(settings_, given);
    pane->restore(now);
    chosen.push_back(std::move(pane));
  }
  for (const std::size_t i : kept) chosen[i] = std::move(panes_[i]);
  panes_ = std::move(chosen);
  history_.clear();
  remember();
  changed();
}

void Session::choose_integrator(const Message& message) {
  Pane& pane = pane_of(message);
  pane.use(find_integrator(message.text("name")).name, pane.wishes(), h());
  changed();
}

void Session::set_option(const Message& message) {
  Pane& pane = pane_of(message);
  Wishes wishes = pane.wishes();
  wishes.set(message.text("key"), message.value("value"));
  pane.use(pane.integrator(), wishes, h());
  changed();
}

void Session::set_setting(const Message& message) {
  Settings now = settings_;
  settings_fields().set(now, {.key = message.text("key"), .value = message.value("value")});
  if (now.substeps != settings_.substeps) {
    const double h = frame_seconds_ / now.substeps;
    in_all([&](Pane& pane) { pane.use(pane.integrator(), pane.wishes(), h); });
  } else {
    in_all([&](Pane& pane) { pane.apply(now, settings_); });
  }
  settings_ = now;
  changed();
}

void Session::set_coloring(const Message& message) {
  coloring_ = parse<Coloring>(message.text("by"), "by");
  changed();
}

std::string Session::present_scene() const {
  Node root = parse_toml(text_.text, text_.name);
  const Pane& pane = *panes_.front();
  const auto set = [&](const std::string& path, const std::string& text) { assign(root, path, text, "studio"); };
  std::string integrator = fmt::format("{{ name = '{}'", pane.integrator());
  std::string solver = "{ ";
  const IntegratorOptions standard;
  const Json values = values_of(pane.simulation().method(), pane.options());
  const Json usual = values_of(pane.simulation().method(), [&] {
    IntegratorOptions options;
    options.solver.name = pane.options().solver.name;
    return options;
  }());
  const std::string prefix = "solver.";
  for (const auto& [key, value] : values.items()) {
    const bool of_solver = key.starts_with(prefix);
    if (key != "solver.name" && value == usual.at(key)) continue;
    if (of_solver) {
      solver += fmt::format("{}{} = {}", solver.size() > 2 ? ", " : "", key.substr(prefix.size()), value.dump());
    } else {
      integrator += fmt::format(", {} = {}", key, value.dump());
    }
  }
  set("integrator", integrator + " }");
  if (pane.simulation().method().force_evaluations == 0) set("solver", solver + " }");
  set("time.fps", fmt::format("{}", std::round(1 / frame_seconds_ * 1e9) / 1e9));
  set("time.substeps", std::to_string(settings_.substeps));
  std::erase_if(std::ranges::find(root.children, "time", &Node::key)->children,
                [](const Node& node) { return node.key == "h"; });
  const Vec3& g = settings_.gravity;
  set("gravity", fmt::format("[{}, {}, {}]", g[0], g[1], g[2]));
  return to_toml(root);
}

}  // namespace brio::studio
