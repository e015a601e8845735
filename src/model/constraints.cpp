#include "model/constraints.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

namespace brio {

using Kind = Constraint::Kind;

const char* to_string(Kind kind) {
  switch (kind) {
    case Kind::distance:
      return "distance";
    case Kind::plane:
      return "plane";
    case Kind::line:
      return "line";
    case Kind::sphere:
      return "sphere";
    case Kind::point:
      return "point";
    case Kind::together:
      return "together";
  }
  return "";
}

void ConstraintJacobian::multiply(const NodalField& d, Eigen::VectorXd& Jd) const {
  for (int k = 0; k < rows(); ++k) Jd[k] = rows_[k].of_a.dot(d[rows_[k].a]) + rows_[k].of_b.dot(d[rows_[k].b]);
}

void ConstraintJacobian::add_transposed(const Eigen::VectorXd& lambda, NodalField& f) const {
  for (int k = 0; k < rows(); ++k) {
    f[rows_[k].a] += lambda[k] * rows_[k].of_a;
    f[rows_[k].b] += lambda[k] * rows_[k].of_b;
  }
}

void ConstraintJacobian::put(int k, NodalField& f) const {
  f[rows_[k].a] += rows_[k].of_a;
  f[rows_[k].b] += rows_[k].of_b;
}

void ConstraintJacobian::clear(int k, NodalField& f) const {
  f[rows_[k].a].setZero();
  f[rows_[k].b].setZero();
}

namespace {

bool is_pair(const Constraint& c) { return c.kind == Kind::distance || c.kind == Kind::together; }

/// What a constraint restricts: x_a, or x_a − x_b, from where it should be.
Vec3 offset(const Constraint& c, const NodalField& x) {
  const Vec3 d = is_pair(c) ? Vec3(x[c.a] - x[c.b]) : Vec3(x[c.a]);
  return c.kind == Kind::distance ? d : Vec3(d - c.point);
}

/// Gradient of equation k of a constraint by its offset d.
Vec3 slope(const Constraint& c, const Vec3& d, int k) {
  switch (c.kind) {
    case Kind::distance:
    case Kind::sphere:
      return d / c.length;
    case Kind::plane:
      return c.direction;
    case Kind::line: {
      const Vec3 across = c.direction.unitOrthogonal();
      return k == 0 ? across : Vec3(c.direction.cross(across));
    }
    case Kind::point:
    case Kind::together:
      return Vec3::Unit(k);
  }
  return Vec3::Zero();
}

double equation(const Constraint& c, const Vec3& d, int k) {
  if (c.kind == Kind::distance || c.kind == Kind::sphere)
    return (d.norm() - c.length) * (d.norm() + c.length) / (2 * c.length);
  return slope(c, d, k).dot(d);
}

}  // namespace

ConstraintSet::ConstraintSet(const Model& model) : model_(&model) {
  for (const Constraint& constraint : model.constraints()) equations_ += constraint.equations();
}

void ConstraintSet::evaluate(const NodalField& x, Eigen::VectorXd& g) const {
  int row = 0;
  for (const Constraint& c : model_->constraints()) {
    const Vec3 d = offset(c, x);
    for (int k = 0; k < c.equations(); ++k) g[row++] = equation(c, d, k);
  }
}

void ConstraintSet::jacobian(const NodalField& x, ConstraintJacobian& J) const {
  const auto& pinned = model_->pinned();
  int row = 0;
  for (const Constraint& c : model_->constraints()) {
    const Vec3 d = offset(c, x);
    const bool pair = is_pair(c);
    const int b = pair ? c.b : c.a;
    for (int k = 0; k < c.equations(); ++k) {
      const Vec3 n = slope(c, d, k);
      J[row++] = {.a = c.a,
                  .b = b,
                  .of_a = pinned[c.a] != 0 ? Vec3(Vec3::Zero()) : n,
                  .of_b = !pair || pinned[b] != 0 ? Vec3(Vec3::Zero()) : Vec3(-n)};
    }
  }
}

double ConstraintSet::scale(const NodalField& x) const {
  double scale = 0;
  for (const Constraint& c : model_->constraints()) {
    scale = std::max({scale, c.length, x[c.a].norm()});
    if (is_pair(c)) scale = std::max(scale, x[c.b].norm());
    if (c.kind != Kind::distance) scale = std::max(scale, c.point.norm());
  }
  return scale > 0 ? scale : 1;  // all of it at the origin: 1 m
}

std::string ConstraintSet::violation(const NodalField& x) const {
  constexpr double allowed = 1e-6;  // of the scale: what a state typed in or read from a file may be off
  const double limit = allowed * scale(x);
  for (std::size_t i = 0; i < model_->constraints().size(); ++i) {
    const Constraint& c = model_->constraints()[i];
    const Vec3 d = offset(c, x);
    for (int k = 0; k < c.equations(); ++k)
      if (const double g = equation(c, d, k); !(std::abs(g) <= limit))
        return fmt::format("constraint {} ({} of vertex {}) is off by {:.3g} m where the step starts", i,
                           to_string(c.kind), c.a, g);
  }
  return {};
}

}  // namespace brio
