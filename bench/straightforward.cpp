#include "bench/straightforward.h"

#include <stdexcept>

namespace brio::bench {
namespace {

using Eigen::Matrix3d;

const Matrix3d I = Matrix3d::Identity();

/// One material in the plain form of its definition: psi, P, and dP for a given dF.
struct StVKPlain {
  double mu, lambda;
  Matrix3d F, E, S;
  void set(const Matrix3d& f) {
    F = f;
    E = 0.5 * (F.transpose() * F - I);
    S = 2 * mu * E + lambda * E.trace() * I;
  }
  double psi() const { return mu * E.squaredNorm() + 0.5 * lambda * E.trace() * E.trace(); }
  Matrix3d P() const { return F * S; }
  Matrix3d dP(const Matrix3d& dF) const {
    const Matrix3d dE = 0.5 * (dF.transpose() * F + F.transpose() * dF);
    return dF * S + F * (2 * mu * dE + lambda * dE.trace() * I);
  }
};

struct VolumePlain : StVKPlain {
  double kappa;
  double J;
  Matrix3d inverse;  ///< F⁻ᵀ
  void set(const Matrix3d& f) {
    StVKPlain::set(f);
    J = F.determinant();
    inverse = F.inverse().transpose();
  }
  double psi() const { return StVKPlain::psi() + 0.5 * kappa * (J - 1) * (J - 1); }
  Matrix3d P() const { return StVKPlain::P() + kappa * (J - 1) * J * inverse; }
  Matrix3d dP(const Matrix3d& dF) const {
    const double trace = inverse.cwiseProduct(dF).sum();
    return StVKPlain::dP(dF) +
           kappa * ((2 * J - 1) * J * trace * inverse - (J - 1) * J * inverse * dF.transpose() * inverse);
  }
};

struct NeoHookeanPlain {
  double mu, lambda;
  double J;
  Matrix3d F, inverse;
  void set(const Matrix3d& f) {
    F = f;
    J = F.determinant();
    inverse = F.inverse().transpose();
  }
  double psi() const { return 0.5 * mu * (F.squaredNorm() - 3) - mu * std::log(J) + 0.5 * lambda * (J - 1) * (J - 1); }
  Matrix3d P() const { return mu * (F - inverse) + lambda * (J - 1) * J * inverse; }
  Matrix3d dP(const Matrix3d& dF) const {
    const double trace = inverse.cwiseProduct(dF).sum();
    return mu * dF + (mu - lambda * (J - 1) * J) * inverse * dF.transpose() * inverse +
           lambda * (2 * J - 1) * J * trace * inverse;
  }
};

Matrix3d cofactor_of(const Matrix3d& F) {
  Matrix3d c;
  c.col(0) = F.col(1).cross(F.col(2));
  c.col(1) = F.col(2).cross(F.col(0));
  c.col(2) = F.col(0).cross(F.col(1));
  return c;
}

struct StableNeoHookeanPlain {
  double mu, lambda;
  double J;
  Matrix3d F, cof;
  void set(const Matrix3d& f) {
    F = f;
    cof = cofactor_of(F);
    J = F.col(0).dot(cof.col(0));
  }
  double psi() const {
    return 0.5 * mu * (F.squaredNorm() - 3) - mu * (J - 1) + 0.5 * (lambda + mu) * (J - 1) * (J - 1);
  }
  double slope() const { return (lambda + mu) * (J - 1) - mu; }
  Matrix3d P() const { return mu * F + slope() * cof; }
  Matrix3d dP(const Matrix3d& dF) const {
    Matrix3d dcof;
    dcof.col(0) = dF.col(1).cross(F.col(2)) + F.col(1).cross(dF.col(2));
    dcof.col(1) = dF.col(2).cross(F.col(0)) + F.col(2).cross(dF.col(0));
    dcof.col(2) = dF.col(0).cross(F.col(1)) + F.col(0).cross(dF.col(1));
    return mu * dF + (lambda + mu) * cof.cwiseProduct(dF).sum() * cof + slope() * dcof;
  }
};

struct MooneyRivlinPlain {
  double a, b, kappa;
  double J, I1, I2, p1, p2;
  Matrix3d F, C, inverse;
  void set(const Matrix3d& f) {
    F = f;
    C = F.transpose() * F;
    J = F.determinant();
    inverse = F.inverse().transpose();
    I1 = C.trace();
    I2 = 0.5 * (I1 * I1 - C.squaredNorm());
    p1 = std::pow(J, -2.0 / 3);
    p2 = std::pow(J, -4.0 / 3);
  }
  double psi() const { return a * (p1 * I1 - 3) + b * (p2 * I2 - 3) + 0.5 * kappa * (J - 1) * (J - 1); }
  Matrix3d first() const { return 2 * F - 2.0 / 3 * I1 * inverse; }
  Matrix3d second() const { return 2 * (I1 * F - F * C) - 4.0 / 3 * I2 * inverse; }
  Matrix3d P() const { return a * p1 * first() + b * p2 * second() + kappa * (J - 1) * J * inverse; }
  Matrix3d dP(const Matrix3d& dF) const {
    const double trace = inverse.cwiseProduct(dF).sum();
    const Matrix3d dinverse = -inverse * dF.transpose() * inverse;
    const Matrix3d dC = dF.transpose() * F + F.transpose() * dF;
    const double dI1 = dC.trace();
    const double dI2 = I1 * dI1 - C.cwiseProduct(dC).sum();
    return a * p1 * (-2.0 / 3 * trace * first() + 2 * dF - 2.0 / 3 * (dI1 * inverse + I1 * dinverse)) +
           b * p2 *
               (-4.0 / 3 * trace * second() + 2 * (dI1 * F + I1 * dF - dF * C - F * dC) -
                4.0 / 3 * (dI2 * inverse + I2 * dinverse)) +
           kappa * ((2 * J - 1) * J * trace * inverse + (J - 1) * J * dinverse);
  }
};

struct CorotatedPlain {
  double mu, lambda;
  Matrix3d F, U, V, R;
  Eigen::Vector3d sigma;
  void set(const Matrix3d& f) {
    F = f;
    const Eigen::JacobiSVD<Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    U = svd.matrixU();
    V = svd.matrixV();
    sigma = svd.singularValues();
    if (U.determinant() < 0) U.col(2) *= -1, sigma[2] *= -1;
    if (V.determinant() < 0) V.col(2) *= -1, sigma[2] *= -1;
    R = U * V.transpose();
  }
  double trace() const { return sigma.sum() - 3; }
  double psi() const { return mu * (F - R).squaredNorm() + 0.5 * lambda * trace() * trace(); }
  Matrix3d P() const { return 2 * mu * (F - R) + lambda * trace() * R; }
  Matrix3d dP(const Matrix3d& dF) const {
    const Matrix3d inner = U.transpose() * dF * V;
    Matrix3d turned = Matrix3d::Zero();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (i != j) turned(i, j) = (inner(i, j) - inner(j, i)) / (sigma[i] + sigma[j]);
    return 2 * mu * dF + lambda * R.cwiseProduct(dF).sum() * R +
           (lambda * trace() - 2 * mu) * U * turned * V.transpose();
  }
};

template <class Plain>
double evaluate(Plain material, const std::vector<ReferenceTet>& tets, const std::vector<Vec3>& x,
                std::vector<Vec3>& gradient, std::vector<Matrix12>* hessians) {
  double energy = 0;
  for (std::size_t e = 0; e < tets.size(); ++e) {
    const ReferenceTet& t = tets[e];
    Matrix3d D;
    for (int a = 0; a < 3; ++a) D.col(a) = x[t.vertices[a + 1]] - x[t.vertices[0]];
    material.set(D * t.inverse);
    energy += t.volume * material.psi();
    const Matrix3d P = material.P();
    const Vector12 g = t.volume * t.dFdx.transpose() * Eigen::Map<const Eigen::Matrix<double, 9, 1>>(P.data());
    for (Eigen::Index a = 0; a < 4; ++a) gradient[t.vertices[a]] += g.segment<3>(3 * a);
    if (hessians == nullptr) continue;
    Eigen::Matrix<double, 9, 9> dPdF;
    for (int k = 0; k < 9; ++k) {
      Matrix3d dF = Matrix3d::Zero();
      dF(k % 3, k / 3) = 1;
      const Matrix3d dP = material.dP(dF);
      dPdF.col(k) = Eigen::Map<const Eigen::Matrix<double, 9, 1>>(dP.data());
    }
    (*hessians)[e] = t.volume * t.dFdx.transpose() * dPdF * t.dFdx;
  }
  return energy;
}

}  // namespace

std::vector<ReferenceTet> reference_tets(const Mesh& mesh) {
  std::vector<ReferenceTet> tets;
  for (const Tet& tet : mesh.tets) {
    Matrix3d D;
    for (int a = 0; a < 3; ++a) D.col(a) = mesh.vertices[tet[a + 1]] - mesh.vertices[tet[0]];
    ReferenceTet t{.vertices = tet, .inverse = D.inverse(), .dFdx = {}, .volume = std::abs(D.determinant()) / 6};
    t.dFdx.setZero();
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        for (int a = 0; a < 3; ++a) t.dFdx(3 * j + i, 3 * (a + 1) + i) = t.inverse(a, j);
        t.dFdx(3 * j + i, i) = -t.inverse.col(j).sum();
      }
    tets.push_back(t);
  }
  return tets;
}

double straightforward(const Material& m, const std::vector<ReferenceTet>& tets, const std::vector<Vec3>& x,
                       std::vector<Vec3>& gradient, std::vector<Matrix12>* hessians) {
  auto with = [&](auto plain) { return evaluate(plain, tets, x, gradient, hessians); };
  if (m.name == "stvk") return with(StVKPlain{m.mu, m.lambda, {}, {}, {}});
  if (m.name == "stvk-volume") return with(VolumePlain{{m.mu, m.lambda, {}, {}, {}}, m.kappa, {}, {}});
  if (m.name == "corotated") return with(CorotatedPlain{m.mu, m.lambda, {}, {}, {}, {}, {}});
  if (m.name == "neo-hookean") return with(NeoHookeanPlain{m.mu, m.lambda, {}, {}, {}});
  if (m.name == "stable-neo-hookean") return with(StableNeoHookeanPlain{m.mu, m.lambda, {}, {}, {}});
  if (m.name == "mooney-rivlin") return with(MooneyRivlinPlain{m.a, m.b, m.kappa, {}, {}, {}, {}, {}, {}, {}, {}});
  throw std::invalid_argument("no straightforward version of material " + m.name);
}

}  // namespace brio::bench
