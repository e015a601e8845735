/// Springs from vertices to points that do not belong to the simulation, perhaps driven along a path.
#pragma once

#include <limits>

#include "brio/energy.h"
#include "model/energies/spring_kernel.h"

namespace brio {

template <class Law>
class AttachmentSprings final : public Energy {
 public:
  explicit AttachmentSprings(std::vector<Attachment> attachments);

  const std::vector<Attachment>& attachments() const { return attachments_; }
  const Motion& motion() const { return motion_; }
  Forcing forcing() const { return forcing_; }
  void drive(const Motion& motion, Forcing forcing) {
    motion_ = motion;
    forcing_ = forcing;
  }
  /// From then on they hold no more [s].
  void release(double time) { release_ = time; }
  double release_time() const { return release_; }
  /// Where the point of a spring is.
  Vec3 point(std::size_t k, const Moment& when) const;
  /// Calls visit(k, gradient at the vertex) for every spring, [N].
  template <class Visit>
  void for_forces(const Configuration& at, Visit visit) const;

  std::string name() const override { return "attachment"; }
  std::size_t elements() const override { return attachments_.size(); }
  /// Springs without rest length are linear.
  int force_degree() const override;
  /// In closed form, where the force is no polynomial.
  bool averages_path() const override { return force_degree() == 0; }
  bool has_discrete_gradient() const override { return true; }
  double value(const Configuration& at) const override;
  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override;
  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override;
  void laplacian(double weight, std::span<double> L) const override;
  bool acts(const Moment& when) const override { return when.end < release_; }
  void couple(PatternBuilder& pattern) const override;
  void bind(const BlockPattern& pattern) override;
  void renumber(std::span<const int> vertices) override {
    for (Attachment& a : attachments_) a.vertex = vertices[static_cast<std::size_t>(a.vertex)];
  }
  bool has_domain() const override { return false; }
  bool is_anchored() const override { return true; }
  bool has_rest_shape() const override { return false; }
  void set_rest(const NodalField&) override {}  ///< rest lengths are given, not taken from a shape
  std::unique_ptr<Energy> clone() const override { return std::make_unique<AttachmentSprings>(*this); }

 private:
  /// Poses at both ends of a step, so that they are worked out once per evaluation.
  struct Between {
    Pose from{}, to{};
    double theta = 1;
    Vec3 point(const Vec3& still) const {
      return theta == 1 ? to.apply(still) : Vec3(from.apply(still) + theta * (to.apply(still) - from.apply(still)));
    }
  };
  Between between(const Moment& when) const;
  /// Calls visit(k, arm where the step starts, arm where it ends) for every spring that holds.
  template <class Visit>
  void for_arms(const Configuration& at, Visit visit) const;
  /// Calls visit(k, mean) for every spring that holds, with its mean along the path; returns half of their sum.
  template <class Visit>
  double for_means(const Configuration& at, Visit visit) const;
  /// Calls visit(k, step) for every spring that holds; returns the energy where the step ends.
  template <class Visit>
  double for_steps(const Configuration& at, Visit visit) const;
  /// Calls visit(k, arm, response) for every spring that holds; returns the energy.
  template <class Visit>
  double for_springs(const Configuration& at, Visit visit) const;

  bool takes_closed_mean(const Configuration& at) const { return at.when.mean && !at.when.discrete && averages_path(); }
  static Vector3<double> lanes(const Vec3& v) { return {{v[0], v[1], v[2]}}; }
  static Vec3 vector(const Vector3<double>& v) { return {v[0], v[1], v[2]}; }
  /// Gradient of half of W (spring_mean.h).
  static Vec3 half_force(const SpringMean<double>& mean) { return 0.5 * vector(mean.gradient()); }

  std::vector<Attachment> attachments_;
  std::vector<int> slots_;  ///< diagonal block of each vertex in the bound pattern
  Motion motion_;
  Forcing forcing_ = Forcing::path;
  double release_ = std::numeric_limits<double>::infinity();  ///< [s]
};

template <class Law>
template <class Visit>
double AttachmentSprings<Law>::for_springs(const Configuration& at, Visit visit) const {
  if (!acts(at.when)) return 0;
  const Between places = between(at.when);
  double energy = 0;
  for (std::size_t k = 0; k < attachments_.size(); ++k) {
    const Attachment& a = attachments_[k];
    const Vec3 arm = at.x[a.vertex] - (motion_.empty() ? a.point : places.point(a.point));
    const SpringResponse<double> response =
        Law::template respond<double>(arm.squaredNorm(), a.rest_length, a.stiffness);
    energy += response.energy;
    visit(k, arm, response);
  }
  return energy;
}

template <class Law>
template <class Visit>
void AttachmentSprings<Law>::for_arms(const Configuration& at, Visit visit) const {
  if (!acts(at.when)) return;
  Moment whole = at.when;
  whole.theta = 0;  // both ends of the path
  const Between places = between(whole);
  for (std::size_t k = 0; k < attachments_.size(); ++k) {
    const Attachment& a = attachments_[k];
    const Vec3 to = motion_.empty() ? a.point : places.to.apply(a.point);
    const Vec3 from = motion_.empty() || places.theta == 1 ? to : places.from.apply(a.point);
    visit(k, Vec3((*at.when.x_n)[a.vertex] - from), Vec3(at.x[a.vertex] - to));
  }
}

template <class Law>
template <class Visit>
double AttachmentSprings<Law>::for_means(const Configuration& at, Visit visit) const {
  double value = 0;
  for_arms(at, [&](std::size_t k, const Vec3& from, const Vec3& to) {
    const SpringMean<double> mean(lanes(from), lanes(to - from), attachments_[k].rest_length,
                                  attachments_[k].stiffness);
    value += 0.5 * mean.value();
    visit(k, mean);
  });
  return value;
}

template <class Law>
template <class Visit>
double AttachmentSprings<Law>::for_steps(const Configuration& at, Visit visit) const {
  double energy = 0;
  for_arms(at, [&](std::size_t k, const Vec3& from, const Vec3& to) {
    const SpringStep<double> step =
        spring_step<Law>(lanes(from), lanes(to), attachments_[k].rest_length, attachments_[k].stiffness);
    energy += step.response.energy;
    visit(k, step);
  });
  return energy;
}

template <class Law>
template <class Visit>
void AttachmentSprings<Law>::for_forces(const Configuration& at, Visit visit) const {
  if (takes_closed_mean(at)) {
    for_means(at, [&](std::size_t k, const SpringMean<double>& mean) { visit(k, half_force(mean)); });
    return;
  }
  if (at.when.discrete) {
    for_steps(at, [&](std::size_t k, const SpringStep<double>& step) {
      visit(k, Vec3(0.5 * step.response.tension * vector(step.mean)));
    });
    return;
  }
  for_springs(at, [&](std::size_t k, const Vec3& arm, const SpringResponse<double>& response) {
    visit(k, Vec3(response.tension * arm));
  });
}

}  // namespace brio
