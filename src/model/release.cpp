/// Attachments that let go.
#include "model/attached.h"
#include "model/body_checks.h"
#include "model/interaction.h"

namespace brio {
namespace {

class Release final : public Interaction {
 public:
  Release(int energy, double time) : energy_(energy), time_(time) {}

  std::string name() const override { return "release"; }
  void recall(Model& model, State& state) override { springs(model).hold(state.time < time_); }
  void begin_step(Model& model, State& state, const Clock& clock, Exchange& exchange) override {
    const bool holds = clock.time_of(state.step + 1) < time_;
    if (holds == springs(model).holds()) return;
    exchange.user_work -= springs(model).value(state.x);
    springs(model).hold(holds);
    exchange.user_work += springs(model).value(state.x);
    exchange.changed = true;
  }

 private:
  AttachmentBatch<HookeanLaw>& springs(Model& model) const { return attached_springs(model, energy_); }

  int energy_;
  double time_;
};

}  // namespace

void Model::release(int attachment, double time) {
  attached_springs(*this, attachment);
  check_number("attach.release", time, Bound::not_negative());
  add(std::make_unique<Release>(attachment, time));
}

}  // namespace brio
