#include "model/energies/attachments.h"

#include <algorithm>

#include "math/symmetric_eigen.h"

namespace brio {

template <class Law>
AttachmentSprings<Law>::AttachmentSprings(std::vector<Attachment> attachments)
    : attachments_(std::move(attachments)), slots_(attachments_.size()) {}

template <class Law>
int AttachmentSprings<Law>::force_degree() const {
  const bool linear = std::ranges::all_of(attachments_, [](const Attachment& a) { return a.rest_length == 0; });
  return linear && Law::force_degree == 0 ? 1 : Law::force_degree;
}

template <class Law>
typename AttachmentSprings<Law>::Between AttachmentSprings<Law>::between(const Moment& when) const {
  if (motion_.empty()) return {};
  if (forcing_ == Forcing::s1) return {.to = motion_.at(when.end), .theta = 1};
  if (when.x_n == nullptr || when.theta == 1) return {.to = motion_.at(when.to), .theta = 1};
  return {.from = motion_.at(when.from), .to = motion_.at(when.to), .theta = when.theta};
}

template <class Law>
Vec3 AttachmentSprings<Law>::point(std::size_t k, const Moment& when) const {
  return motion_.empty() ? attachments_[k].point : between(when).point(attachments_[k].point);
}

template <class Law>
double AttachmentSprings<Law>::value(const Configuration& at) const {
  if (takes_closed_mean(at)) return for_means(at, [](std::size_t, const SpringMean<double>&) {});
  return for_springs(at, [](std::size_t, const Vec3&, const SpringResponse<double>&) {});
}

template <class Law>
double AttachmentSprings<Law>::gradient(const Configuration& at, const Weights& weights, NodalField& g) const {
  if (takes_closed_mean(at))
    return for_means(at, [&](std::size_t k, const SpringMean<double>& mean) {
      g[attachments_[k].vertex] += weights.gradient * half_force(mean);
    });
  if (at.when.discrete)
    return for_steps(at, [&](std::size_t k, const SpringStep<double>& step) {
      g[attachments_[k].vertex] += 0.5 * weights.gradient * step.response.tension * vector(step.mean);
    });
  return for_springs(at, [&](std::size_t k, const Vec3& arm, const SpringResponse<double>& response) {
    g[attachments_[k].vertex] += weights.gradient * response.tension * arm;
  });
}

template <class Law>
double AttachmentSprings<Law>::hessian(const Configuration& at, const Weights& weights, Projection projection,
                                       NodalField& g, BlockMatrix& H) const {
  if (takes_closed_mean(at))
    return for_means(at, [&](std::size_t k, const SpringMean<double>& mean) {
      g[attachments_[k].vertex] += weights.gradient * half_force(mean);
      const Matrix3<double> closed = mean.hessian();
      Mat3 K = 0.5 * Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(closed.m);
      if (projection == Projection::psd) K = SymmetricEigen<3>(K).positive_part();
      Eigen::Map<Mat3>(H.block(slots_[k])) += weights.hessian * K;
    });
  if (at.when.discrete)
    return for_steps(at, [&](std::size_t k, const SpringStep<double>& step) {
      const Vec3 arm = vector(step.mean);
      g[attachments_[k].vertex] += 0.5 * weights.gradient * step.response.tension * arm;
      const SpringResponse<double> curved =
          projection == Projection::psd ? positive_part(step.response, arm.squaredNorm()) : step.response;
      Eigen::Map<Mat3>(H.block(slots_[k])) +=
          0.25 * weights.hessian * (curved.tension * Mat3::Identity() + curved.axial * arm * arm.transpose());
    });
  return for_springs(at, [&](std::size_t k, const Vec3& arm, const SpringResponse<double>& response) {
    g[attachments_[k].vertex] += weights.gradient * response.tension * arm;
    const SpringResponse<double> curved =
        projection == Projection::psd ? positive_part(response, arm.squaredNorm()) : response;
    Eigen::Map<Mat3>(H.block(slots_[k])) +=
        weights.hessian * (curved.tension * Mat3::Identity() + curved.axial * arm * arm.transpose());
  });
}

template <class Law>
void AttachmentSprings<Law>::laplacian(double weight, std::span<double> L) const {
  for (std::size_t k = 0; k < attachments_.size(); ++k)
    L[slots_[k]] += weight * Law::template stiffness<double>(attachments_[k].rest_length, attachments_[k].stiffness);
}

template <class Law>
void AttachmentSprings<Law>::couple(PatternBuilder& pattern) const {
  for (const Attachment& a : attachments_) pattern.couple(std::vector<int>{a.vertex});
}

template <class Law>
void AttachmentSprings<Law>::bind(const BlockPattern& pattern) {
  for (std::size_t k = 0; k < attachments_.size(); ++k)
    slots_[k] = pattern.find(attachments_[k].vertex, attachments_[k].vertex);
}

template class AttachmentSprings<HookeanLaw>;
template class AttachmentSprings<StVKLaw>;

}  // namespace brio
