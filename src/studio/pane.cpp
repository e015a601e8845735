#include "studio/pane.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "model/materials/registry.h"
#include "scene/value.h"

namespace brio::studio {
namespace {

Scene read_scene(const SceneText& text, const std::string& integrator) {
  std::vector<Override> changes;
  const auto read = [&] { return parse_scene(text.text, text.name, text.folder, changes); };
  if (integrator.empty()) return read();
  const Node root = parse_toml(text.text, text.name);
  const Node* const table = root.find("integrator");
  const Node* const own = table == nullptr ? nullptr : table->find("name");
  const auto* const name = own == nullptr ? nullptr : std::get_if<std::string>(&own->value);
  const std::string wanted = find_integrator(integrator).name;
  // Its own keeps the options that the scene gives it.
  const bool same = name != nullptr && (*name == wanted || *name == integrator);
  if (!same) changes.push_back({"integrator", fmt::format("{{ name = '{}' }}", wanted), "studio"});
  return read();
}

/// One per body where each item of the scene is one body; else none is known.
std::vector<std::optional<Material>> read_materials(const SceneText& text, const Model& model) {
  std::vector<std::optional<Material>> list(model.bodies().size());
  const Node root = parse_toml(text.text, text.name);
  const Node* const bodies = root.find("body");
  if (bodies == nullptr || bodies->children.size() != list.size()) return list;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (model.bodies()[i].kind != BodyKind::solid) continue;
    const Node* const material = bodies->children[i].find("material");
    list[i] = material == nullptr ? Material{} : read_material(material->entries(), material->path);
  }
  return list;
}

/// Moduli that a material does not know must stay as they are.
Material scaled(Material material, double factor) {
  const std::vector<std::string>& keys = find_material(material.name).keys;
  const auto scale = [&](const char* key, double& modulus) {
    if (std::ranges::count(keys, key) > 0) modulus *= factor;
  };
  scale("mu", material.mu);
  scale("lambda", material.lambda);
  scale("kappa", material.kappa);
  scale("a", material.a);
  scale("b", material.b);
  return material;
}

}  // namespace

Pane::Pane(const SceneText& text, const std::string& integrator)
    : scene_(read_scene(text, integrator)),
      wishes_(scene_.options.options),
      options_(scene_.options.options),
      materials_(read_materials(text, simulation().model())),
      put_in_(simulation().ledger(), rounding_of_energy(simulation().model())),
      first_(simulation().ledger()),
      lowest_(first_.residual) {}

bool Pane::advance(int steps, const StepControl& control) {
  if (waits_ || !ended_.empty()) return true;
  using Watch = std::chrono::steady_clock;
  const auto start = Watch::now();
  StepReport report = simulation().step(steps, control);
  if (report.status == StepReport::Status::canceled && (control.stop == nullptr || !*control.stop)) {
    // Methods whose equations must be met exactly cannot end early: they take their time.
    report = simulation().step(steps, {.stop = control.stop});
    report.out_of_time = true;
  }
  if (report.status == StepReport::Status::canceled) return false;
  report_ = report;
  waits_ = true;
  ms_ = std::chrono::duration<double, std::milli>(Watch::now() - start).count();
  if (report_.ok()) {
    watch();
  } else {
    ended_ = report_.message;
    alarm_ = fmt::format("{} cannot go on at {:.2f} s: {}", integrator(), simulation().state().time, ended_);
  }
  return true;
}

/// What a method lost before does not pay for what appears.
void Pane::watch() {
  const LedgerRow& row = simulation().ledger();
  put_in_.add(row);
  LedgerRow risen = row;
  risen.residual -= lowest_ - first_.residual;
  if (!exploded_ && put_in_.exceeded_by(risen)) {
    exploded_ = true;
    alarm_ = fmt::format("{} exploded at {:.2f} s: {:.3g} J appeared from nowhere, more than the {:.3g} J put in",
                         integrator(), row.time, row.residual - lowest_, put_in_.total());
  }
  lowest_ = std::min(lowest_, row.residual);
}

void Pane::use(const std::string& integrator, const Wishes& wishes, double h) {
  const Method& method = find_integrator(integrator);
  const IntegratorOptions options = wishes.options_for(method);
  simulation().use({.integrator = method.name, .h = h, .options = options});
  options_ = options;
  wishes_ = wishes;
  ended_.clear();
}

void Pane::apply(const Settings& now, const Settings& before) {
  Simulation& s = simulation();
  const Model& model = s.model();
  if (now.gravity != before.gravity) s.set_gravity(now.gravity);
  if (now.wind != before.wind)
    for (const Body& body : model.bodies())
      if (body.kind != BodyKind::particles) s.set_wind(body.id, {.velocity = now.wind});
  if (now.strain_damping != before.strain_damping || now.relative_damping != before.relative_damping ||
      now.drag != before.drag) {
    Damping damping = model.damping();
    damping.strain = now.strain_damping;
    damping.relative = now.relative_damping;
    damping.drag = now.drag;
    s.set_damping(damping);
  }
  if (now.stiffness != before.stiffness)
    for (std::size_t i = 0; i < materials_.size(); ++i)
      if (materials_[i]) s.set_material(model.bodies()[i].id, scaled(*materials_[i], now.stiffness));
}

void Pane::grab(int number, const Hand& hand) {
  Simulation& s = simulation();
  if (hand.body >= s.model().bodies().size())
    throw InputError({.key = "body", .value = std::to_string(hand.body), .problem = "is none of the scene's bodies"});
  const GrabId id = s.grab(s.model().bodies()[hand.body].id, hand.point, hand.stiffness);
  grabs_[number] = {id, s.held(id).first};
}

void Pane::move(int number, const Vec3& by) {
  const auto found = grabs_.find(number);
  if (found != grabs_.end()) simulation().move(found->second.first, found->second.second + by);
}

void Pane::let_go(int number) {
  const auto found = grabs_.find(number);
  if (found == grabs_.end()) return;
  simulation().let_go(found->second.first);
  grabs_.erase(found);
}

std::optional<std::pair<Vec3, Vec3>> Pane::held(int number) const {
  const auto found = grabs_.find(number);
  if (found == grabs_.end()) return {};
  return simulation().held(found->second.first);
}

void Pane::restore(const Moment& moment) {
  simulation().restore(moment.snapshot);
  grabs_ = moment.grabs;
  ended_ = moment.ended;
  alarm_.clear();
  exploded_ = false;
  waits_ = false;
  report_ = {.status = StepReport::Status::ok};
  lowest_ = simulation().ledger().residual;
}

}  // namespace brio::studio
