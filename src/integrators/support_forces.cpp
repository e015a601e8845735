#include "integrators/support_forces.h"

#include <algorithm>

#include "math/nodal_ops.h"

namespace brio {

bool SupportForces::wanted() const {
  return std::ranges::any_of(model_->supports(),
                             [](const Driven* support) { return support->does_work() || support->wants_forces(); });
}

void SupportForces::clear() {
  if (g_.size() != model_->vertices() && wanted()) g_ = mixed_ = NodalField(model_->vertices());
  for (Driven* support : model_->supports()) support->clear_forces();
}

void SupportForces::add(const Configuration& at, double weight, const Choice& which) {
  const auto is_chosen = [&](const auto& one) {
    if (which.settled && one.limits_path()) return which.end;
    return !which.end && one.takes_mean(which.averages) == which.averaging;
  };
  if (model_->is_driven()) {  // pins feel all energies
    g_.set_zero();
    for (const auto& energy : model_->energies())
      if (is_chosen(*energy)) energy->gradient(at, {}, g_);
  }
  for (Driven* support : model_->supports())
    if (takes_part(*support) && (support->is_made_of_vertices() || is_chosen(*support)))
      support->add_forces(at, g_, weight);
}

void SupportForces::add(const NodalField& x_n, const NodalField& x_next, const TimeStep& step,
                        std::span<const Impulse> rule, Averaging averages, bool settled) {
  double sum = 0;
  for (const Impulse& part : rule) {
    sum += part.b;
    for_vertices(x_n.size(), [&](std::size_t i) { mixed_[i] = x_n[i] + part.theta * (x_next[i] - x_n[i]); });
    const NodalField& x = part.theta == 1 ? x_next : part.theta == 0 ? x_n : mixed_;
    add({x, Moment::along(step, x_n, part.theta)}, part.b, {.averages = averages, .settled = settled});
  }
  if (settled) add({x_next, Moment::along(step, x_n, 1)}, sum, {.settled = true, .end = true});
  if (averages == Averaging::none) return;
  Configuration mean{x_next, Moment::along(step, x_n, 1)};
  mean.when.mean = true;
  mean.when.discrete = averages == Averaging::discrete;
  add(mean, 2, {.averages = averages, .averaging = true, .settled = settled});  // its gradient is half of the mean
}

void SupportForces::add(const Configuration& at, const NodalField* g, double weight) {
  if (g == nullptr) return add(at, weight, {});
  for (Driven* support : model_->supports())
    if (takes_part(*support)) support->add_forces(at, *g, weight);
}

void SupportForces::add_loads(const NodalField* load, double weight) {
  if (!model_->is_driven()) return;
  for_vertices(g_.size(), [&](std::size_t i) {
    g_[i] = -weight * model_->mass()[i] * model_->gravity();
    if (load != nullptr) g_[i] -= weight * (*load)[i];
  });
  for (Driven* support : model_->supports()) support->add_vertex_forces(g_, 1);
}

void SupportForces::add_damping(const NodalField* gradient, double weight) {
  if (!model_->is_driven() || gradient == nullptr) return;
  for (Driven* support : model_->supports()) support->add_vertex_forces(*gradient, weight);
}

void SupportForces::scale(const Parts& parts, std::span<const double> factors) {
  for (Driven* support : model_->supports()) support->scale_forces(parts, factors);
}

SupportWork SupportForces::work(const State& state, const NodalField& x_next, const TimeStep& step) const {
  SupportWork sum;
  if (model_->is_driven())
    for (const Driven* support : model_->supports()) sum += support->work(state, x_next, step);
  return sum;
}

void SupportForces::add_work(const State& state, const NodalField& x_next, const TimeStep& step, const Parts& parts,
                             std::span<SupportWork> works) const {
  if (!model_->is_driven()) return;
  for (const Driven* support : model_->supports()) support->add_work(state, x_next, step, parts, works);
}

double SupportForces::power(const State& state, const Configuration& at, const NodalField& force, Side side) {
  for_vertices(g_.size(), [&](std::size_t i) { g_[i] = -force[i]; });
  double sum = 0;
  for (const Driven* support : model_->supports()) sum += support->power(state, at, g_, side);
  return sum;
}

std::size_t SupportForces::numbers() const {
  std::size_t count = 0;
  if (wanted())
    for (const Driven* support : model_->supports()) count += support->force_numbers();
  return count;
}

std::size_t SupportForces::lasting_numbers() const {
  std::size_t count = 0;
  for (const Driven* support : model_->supports())
    if (!support->comes_and_goes()) count += support->force_numbers();
  return count;
}

void SupportForces::write(std::span<double> numbers) const {
  for (const Driven* support : model_->supports()) {
    support->write_forces(numbers.subspan(0, support->force_numbers()));
    numbers = numbers.subspan(support->force_numbers());
  }
}

void SupportForces::add(std::span<const double> numbers, double weight) {
  for (Driven* support : model_->supports()) {
    support->add_forces(numbers.subspan(0, support->force_numbers()), weight);
    numbers = numbers.subspan(support->force_numbers());
  }
}

}  // namespace brio
