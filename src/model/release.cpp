#include "model/release.h"

#include "model/energies/springs.h"

namespace brio {
namespace {

class Release final : public Interaction {
 public:
  Release(int energy, double time) : energy_(energy), time_(time) {}

  std::string name() const override { return "release"; }
  void recall(Model& model, State& state) override { springs(model).hold(state.time < time_); }
  void begin_step(Model& model, State& state, double h, Exchange& exchange) override {
    const bool holds = state.time + h < time_;
    if (holds == springs(model).holds()) return;
    exchange.user_work -= springs(model).value(state.x);
    springs(model).hold(holds);
    exchange.user_work += springs(model).value(state.x);
    exchange.changed = true;
  }

 private:
  AttachmentBatch<HookeanLaw>& springs(Model& model) const {
    return static_cast<AttachmentBatch<HookeanLaw>&>(model.energy(energy_));
  }

  int energy_;
  double time_;
};

}  // namespace

std::unique_ptr<Interaction> release_attachment(int attachment, double time) {
  return std::make_unique<Release>(attachment, time);
}

}  // namespace brio
