#include "experiments/shape.h"

#include <Eigen/SVD>
#include <algorithm>

namespace brio {

Vec3 middle(const NodalField& x) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i];
  return sum / static_cast<double>(x.size());
}

Eigen::Matrix3d best_rotation(const NodalField& from, const NodalField& to) {
  const Vec3 a = middle(from), b = middle(to);
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < from.size(); ++i) covariance += (to[i] - b) * (from[i] - a).transpose();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Vector3d handed(1, 1, (svd.matrixU() * svd.matrixV().transpose()).determinant());
  return svd.matrixU() * handed.asDiagonal() * svd.matrixV().transpose();
}

double largest_deformation(const NodalField& rest, const NodalField& x) {
  const Eigen::Matrix3d rotation = best_rotation(rest, x);
  const Vec3 from = middle(rest), to = middle(x);
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, (x[i] - to - rotation * (rest[i] - from)).norm());
  return most;
}

}  // namespace brio
