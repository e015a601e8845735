#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "brio/contact.h"
#include "contact/body_size.h"
#include "contact/crossings.h"
#include "contact/pair_friction.h"
#include "contact/restitution.h"
#include "model/body_checks.h"
#include "model/interaction.h"

namespace brio {
namespace {

/// Distances are differences of positions: one that is less than their rounding is never seen, and nothing would touch.
void check_thickness(const Model& model, const ContactSurface& surface) {
  constexpr double digits = 1e-12;  // of a position, with three left for the distance
  double farthest = 0;
  for (const int v : surface.points) farthest = std::max(farthest, model.rest()[v].cwiseAbs().maxCoeff());
  const double thickness = 2 * surface.half_thickness;
  if (thickness >= digits * farthest && thickness >= std::numeric_limits<double>::min()) return;
  const std::string& body = model.body(surface.body).name;
  throw InputError(
      {.key = surface.is_line ? body + ".radius" : "contact.thickness",
       .value = fmt::format("{} m", surface.is_line ? surface.half_thickness : thickness),
       .problem = fmt::format("is lost in the rounding of positions: {} reaches to {:.3g} m", body, farthest),
       .advice =
           fmt::format("choose at least {:.0e} m, or bring {} nearer to the origin", 2 * digits * farthest, body)});
}

/// The energy between bodies as they are in the model.
std::unique_ptr<SelfContact> make_contact(const Model& model, const SelfContactOptions& options) {
  std::vector<BodyId> bodies;
  for (const BodyId body : options.bodies.empty() ? all_bodies(model) : options.bodies)
    if (model.has(body)) bodies.push_back(body);
  std::vector<ContactSurface> surfaces = contact_surfaces(model, bodies, options.thickness);
  for (const ContactSurface& surface : surfaces) check_thickness(model, surface);
  const PairRules rules{.stiffness = options.stiffness,
                        .speed = options.speed,
                        .damper = options.damper,
                        .self = options.self,
                        .between = options.between};
  return std::make_unique<SelfContact>(model, std::move(surfaces), rules);
}

/// Tells the energy what is to come, and afterwards whether it came well.
class SelfContactSteps final : public Interaction {
 public:
  /// Its energies; of friction perhaps none.
  SelfContactSteps(Model& model, SelfContactOptions options, EnergyId contact, EnergyId friction)
      : options_(std::move(options)), contact_id_(contact), friction_id_(friction) {
    rebind(model);
  }

  std::string name() const override { return "self-contact"; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<SelfContactSteps>(*this); }
  void rebind(Model& model) override {
    contact_ = &dynamic_cast<SelfContact&>(model.energy(contact_id_));
    friction_ = friction_id_ ? &dynamic_cast<PairFriction&>(model.energy(friction_id_)) : nullptr;
  }
  bool follows_bodies() const override { return true; }
  void change(Model& model, std::span<const int> vertices) override {
    model.replace(contact_id_, make_contact(model, options_));
    rebind(model);
    if (friction_ != nullptr) friction_->resize(model.vertices());
    // Once it runs only what comes can be refused for being in the wrong place.
    if (started_) unchecked_from_ = static_cast<int>(std::ranges::count_if(vertices, [](int now) { return now >= 0; }));
    started_ = started_ && unchecked_from_ == static_cast<int>(model.vertices());
  }
  void rewrite(State& state) const override {
    if (friction_ != nullptr && !history(state).empty()) friction_->write(history(state));
  }
  bool fits(const Memory& history) const override {
    return history.empty() || (friction_ != nullptr && PairFriction::fits(history));
  }

  void recall(const Model& model, State& state) override {
    contact_->recall();
    if (friction_ != nullptr) friction_->attach(state.x, contact_->active_pairs(state.x), history(state));
    if (started_) return;
    started_ = true;
    if (contact_->list().surfaces().empty()) return;
    std::vector<Crossing> crossings = find_crossings(contact_->list().surfaces(), state.x);
    std::erase_if(crossings, [&](const Crossing& one) {
      return std::max(std::ranges::max(one.edge), std::ranges::max(one.triangle)) < unchecked_from_;
    });
    if (crossings.empty()) return;
    const auto body_of = [&](int vertex) {
      std::size_t body = 0;
      while (body + 1 < model.bodies().size() && model.bodies()[body + 1].first_vertex <= vertex) ++body;
      return model.bodies()[body].name;
    };
    const std::string edge = body_of(crossings[0].edge[0]);
    const std::string triangle = body_of(crossings[0].triangle[0]);
    throw InputError({.key = "contact",
                      .problem = fmt::format("{} passes through {} at the start, in {} places", edge,
                                             edge == triangle ? "itself" : triangle, crossings.size()),
                      .advice = "move them apart"});
  }

  /// Springs of friction that no longer touch, or can hold less, lose what they held.
  void begin_step(const Model&, State& state, const Clock& clock, Exchange& exchange) override {
    contact_->expect(state.x, state.v, clock.h);
    if (friction_ == nullptr) return;
    friction_->attach(state.x, contact_->active_pairs(state.x), history(state));
    exchange.friction_loss += PairFriction::energy_of(history(state)) - friction_->value(state.x);
  }

  void end_step(const Model& model, const State& before, State& state, const Clock&, Exchange& exchange) override {
    contact_->arrive(before.x, state.x, {.limited = exchange.path_was_limited, .driven = model.is_driven()});
    if (friction_ == nullptr) return;
    exchange.friction_loss += friction_->slip(state.x);
    friction_->write(history(state));
  }

 private:
  SelfContactOptions options_;
  EnergyId contact_id_, friction_id_;
  SelfContact* contact_ = nullptr;
  PairFriction* friction_ = nullptr;  ///< null: there is none
  bool started_ = false;
  int unchecked_from_ = 0;  ///< the first vertex that was not there when crossings were looked for
};

}  // namespace

EnergyId add_self_contact(Model& model, const SelfContactOptions& options) {
  check_number("contact.thickness", options.thickness, Bound::positive());
  check_number("contact.stiffness", options.stiffness, Bound::not_negative());
  check_number("contact.speed", options.speed, Bound::positive());
  check_number("contact.friction", options.friction, Bound::not_negative());
  check_number("contact.damper", options.damper, Bound::not_negative());
  check_number("contact.restitution", options.restitution, Bound::closed(0, 1));
  SelfContactOptions known = options;
  const std::vector<BodyId> bodies = chosen_bodies(model, options.bodies, "contact.bodies");
  if (!bodies.empty() && contact_surfaces(model, bodies, options.thickness).empty())
    throw InputError({.key = "contact.bodies", .problem = "none of them has a surface", .advice = "particles do not"});
  if (!options.bodies.empty()) known.bodies = bodies;
  auto contact = make_contact(model, known);
  const EnergyId id = model.add_free(std::move(contact));
  EnergyId friction;
  if (options.friction > 0)
    friction = model.add_free(std::make_unique<PairFriction>(options.friction, model.vertices()));
  model.add(std::make_unique<SelfContactSteps>(model, std::move(known), id, friction));
  if (options.restitution < 1) model.add(std::make_unique<Restitution>(model, id, options.restitution));
  return id;
}

}  // namespace brio
