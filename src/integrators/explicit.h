/// What explicit methods share: a workspace that is kept from step to step, forces, one fused pass over the vertices
/// per stage, and the decision between the new state and the old one. A method is a function that fills `x_next` and
/// `v_next`:
///
/// and says for every force with which weight it enters v' − v, and for every pass at which fraction of the step its
/// positions are: so supports with a path are where and as fast as they should be, and their work is known.
///
///   void advance(ExplicitStep& s) {
///     s.force_at_start(1);
///     s.update(1, [h = s.h](VertexStep& p) {
///       p.v_next = p.v + h * p.a;
///       p.x_next = p.x + h * p.v_next;
///     });
///   }
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>

#include "brio/integrators.h"
#include "integrators/stage_work.h"
#include "math/nodal_ops.h"

namespace brio {

/// One vertex in a pass.
struct VertexStep {
  std::size_t i;
  Eigen::Map<const Vec3> x, v;      ///< when the step began [m], [m/s]
  Vec3 a;                           ///< acceleration at the last force evaluation [m/s²]
  Eigen::Map<Vec3> x_next, v_next;  ///< what the passes before left there
};

class ExplicitStep {
 public:
  double h = 0;                     ///< [s]
  NodalField x_next, v_next;        ///< [m], [m/s]
  std::vector<NodalField> scratch;  ///< of the method
  std::vector<NodalField> memory;   ///< what the method wants to find in `remembered` at the next step
  const std::vector<NodalField>* remembered = nullptr;  ///< null: the method starts afresh

  /// Force evaluations. `weight`: of h a in v' − v.
  void force_at_start(double weight) { evaluate(state_->x, state_->v, 0, weight); }
  void force_at_next(double weight) { evaluate(x_next, v_next, fraction_, weight); }
  /// Instead of force_at_start where the last step found the acceleration already.
  void remember_start(const NodalField& a, double weight);  ///< also what came from outside

  /// Calls rule(VertexStep&) for every vertex; then puts pinned ones where they are at that fraction of the step.
  template <class Rule>
  void update(double fraction, Rule rule) {
    fraction_ = fraction;
    const std::size_t count = x_next.size();
    parallel_chunks((count + nodal_chunk - 1) / nodal_chunk, [&](std::size_t chunk) {
      const std::size_t last = std::min(count, (chunk + 1) * nodal_chunk);
      double sum = 0;
      for (std::size_t i = chunk * nodal_chunk; i < last; ++i) {
        VertexStep p{i, state_->x[i], state_->v[i], force_[i] / model_->mass()[i], x_next[i], v_next[i]};
        rule(p);
        if (model_->pinned()[i] != 0) {
          p.x_next = p.x;
          p.v_next.setZero();
        }
        sum += 0 * (p.x_next.sum() + p.v_next.sum());  // NaN from the first infinity or NaN on
      }
      if (!std::isfinite(sum)) finite_ = false;
    });
    stages_.place_driven(fraction, x_next, v_next);
  }

 private:
  friend class ExplicitMethod;
  void evaluate(const NodalField& x, const NodalField& v, double fraction, double weight) {
    const double energy = stages_.force({x, v, fraction, weight}, force_);
    within_domain_ = within_domain_ && (!has_domain_ || std::isfinite(energy));
  }

  const Model* model_ = nullptr;
  const State* state_ = nullptr;
  double fraction_ = 0;  ///< of the step, where x_next is
  NodalField force_;
  StageWork stages_;
  std::atomic<bool> finite_ = true;
  bool has_domain_ = false;    ///< of the model
  bool within_domain_ = true;  ///< positions at which forces were taken
};

class ExplicitMethod final : public Integrator {
 public:
  using Advance = void (*)(ExplicitStep&);
  /// Fields of the method's own: within a step, and from one step to the next; where forces come from outside these are
  /// remembered too.
  struct Fields {
    std::size_t scratch = 0;
    std::size_t memory = 0;
    bool by_stages = false;  ///< work of supports by stages, as orders above 2 need
    bool kicks = true;       ///< forces change velocities at once, else over the stage
  };
  ExplicitMethod(Advance advance, Fields fields) : advance_(advance), fields_(fields) {
    work_.stages_ = StageWork(fields.by_stages, fields.kicks);
  }

  using Integrator::step;
  StepReport step(const Model& model, State& state, const TimeStep& step) override;
  bool fits(const Memory& memory, const Model& model) const override;
  bool accounts_for_all() const override { return true; }

 private:
  StepReport attempt(const Model& model, State& state, const TimeStep& step, int halvings);
  /// As a whole; the state is as it was where that fails.
  StepReport advance_once(const Model& model, State& state, const TimeStep& step);
  bool remembers(const State& state, double h) const;
  void prepare(const Model& model);
  std::size_t memory_fields(const Model& model) const;

  Advance advance_;
  Fields fields_;
  const Model* model_ = nullptr;                 ///< that the workspace is for
  std::shared_ptr<const BlockPattern> pattern_;  ///< of it
  ExplicitStep work_;
};

/// For registry entries: `.make = make_explicit<advance>`.
template <ExplicitMethod::Advance advance, ExplicitMethod::Fields fields = ExplicitMethod::Fields{}>
std::unique_ptr<Integrator> make_explicit(const IntegratorOptions&) {
  return std::make_unique<ExplicitMethod>(advance, fields);
}

}  // namespace brio
