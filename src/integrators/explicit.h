/// What explicit methods share: a workspace that is kept from step to step, forces, one fused pass over the vertices
/// per stage, and the decision between the new state and the old one. A method is a function that fills `x_next` and
/// `v_next`:
///
///   void advance(ExplicitStep& s) {
///     s.force_at_start();
///     s.update([h = s.h](VertexStep& p) {
///       p.v_next = p.v + h * p.a;
///       p.x_next = p.x + h * p.v_next;
///     });
///   }
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>

#include "brio/integrators.h"
#include "integrators/strain_damping.h"
#include "math/nodal_ops.h"

namespace brio {

/// One free vertex in a pass.
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

  void force_at_start() { evaluate(state_->x, state_->v); }
  void force_at_next() { evaluate(x_next, v_next); }

  /// Calls rule(VertexStep&) for every free vertex; pinned ones stay, at rest.
  template <class Rule>
  void update(Rule rule) {
    const std::size_t count = x_next.size();
    parallel_chunks((count + nodal_chunk - 1) / nodal_chunk, [&](std::size_t chunk) {
      const std::size_t last = std::min(count, (chunk + 1) * nodal_chunk);
      double sum = 0;
      for (std::size_t i = chunk * nodal_chunk; i < last; ++i) {
        VertexStep p{i, state_->x[i], state_->v[i], force_[i] / model_->mass()[i], x_next[i], v_next[i]};
        if (model_->pinned()[i] == 0) {
          rule(p);
        } else {
          p.x_next = p.x;
          p.v_next.setZero();
        }
        sum += 0 * (p.x_next.sum() + p.v_next.sum());  // NaN from the first infinity or NaN on
      }
      if (!std::isfinite(sum)) finite_ = false;
    });
  }

 private:
  friend class ExplicitMethod;
  void evaluate(const NodalField& x, const NodalField& v);
  double strain_loss();

  const Model* model_ = nullptr;
  const State* state_ = nullptr;
  NodalField force_;
  StrainDamping strain_;
  NodalField moved_, damping_force_;  ///< of the damping of strain
  NodalSum sum_;
  std::atomic<bool> finite_ = true;
};

class ExplicitMethod final : public Integrator {
 public:
  using Advance = void (*)(ExplicitStep&);
  /// Fields of the method's own: within a step, and from one step to the next.
  struct Fields {
    std::size_t scratch = 0;
    std::size_t memory = 0;
  };
  ExplicitMethod(Advance advance, Fields fields) : advance_(advance), fields_(fields) {}

  StepReport step(const Model& model, State& state, double h) override;
  bool fits(const Memory& memory, std::size_t vertices) const override;

 private:
  bool remembers(const State& state, double h) const;

  Advance advance_;
  Fields fields_;
  const Damping* prepared_for_ = nullptr;  ///< damping of the model that the workspace is for
  ExplicitStep work_;
};

/// For registry entries: `.make = make_explicit<advance>`.
template <ExplicitMethod::Advance advance, ExplicitMethod::Fields fields = ExplicitMethod::Fields{}>
std::unique_ptr<Integrator> make_explicit(const IntegratorOptions&) {
  return std::make_unique<ExplicitMethod>(advance, fields);
}

}  // namespace brio
