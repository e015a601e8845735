#include "bench/bullet.h"

#ifdef BRIO_WITH_BULLET
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableGravityForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btDeformableNeoHookeanForce.h>
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>

#include <Eigen/Geometry>

namespace brio::bench {
namespace {

btVector3 to_bullet(const Vec3& p) {
  return {static_cast<btScalar>(p[0]), static_cast<btScalar>(p[1]), static_cast<btScalar>(p[2])};
}

class Bar final : public BulletBar {
 public:
  Bar(const Mesh& mesh, Lame moduli, double density, const std::vector<int>& held)
      : dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &constraints_, &configuration_, &solver_),
        gravity_(to_bullet({0, -9.81, 0})),
        // Its energy has Lamé moduli 3/4 mu and lambda - 5/8 mu at rest [Smith, de Goes & Kim 2018, section 3.4].
        elasticity_(static_cast<btScalar>(4 * moduli.mu / 3), static_cast<btScalar>(moduli.lambda + 5 * moduli.mu / 6),
                    0) {
    constraints_.setDeformableSolver(&solver_);
    world_.setGravity(to_bullet({0, -9.81, 0}));
    world_.getWorldInfo().m_gravity = to_bullet({0, -9.81, 0});
    std::vector<btVector3> points;
    for (const Vec3& p : mesh.vertices) points.push_back(to_bullet(p));
    body_ =
        std::make_unique<btSoftBody>(&world_.getWorldInfo(), static_cast<int>(points.size()), points.data(), nullptr);
    for (const Tet& t : mesh.tets) body_->appendTetra(t[0], t[1], t[2], t[3]);
    btSoftBodyHelpers::generateBoundaryFaces(body_.get());
    body_->initializeDmInverse();
    body_->m_tetraScratches.resize(body_->m_tetras.size());
    body_->m_tetraScratchesTn.resize(body_->m_tetras.size());
    set_masses(mesh, density, held);
    body_->m_cfg.collisions = 0;
    body_->m_cfg.kDP = 0;
    body_->m_sleepingThreshold = 0;
    body_->setActivationState(DISABLE_DEACTIVATION);
    world_.addSoftBody(body_.get());
    world_.addForce(body_.get(), &gravity_);
    world_.addForce(body_.get(), &elasticity_);
    world_.setImplicit(true);
    world_.setLineSearch(false);
    world_.setUseProjection(true);  // without it version 3.24 does not move bodies that touch nothing
  }
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;
  ~Bar() override { world_.removeSoftBody(body_.get()); }

  void step(double h) override { world_.stepSimulation(static_cast<btScalar>(h), 1, static_cast<btScalar>(h)); }
  Vec3 position(int vertex) const override {
    const btVector3& x = body_->m_nodes[vertex].m_x;
    return {x[0], x[1], x[2]};
  }

 private:
  void set_masses(const Mesh& mesh, double density, const std::vector<int>& held) {
    std::vector<double> mass(mesh.vertices.size());
    for (const Tet& t : mesh.tets) {
      const Vec3& o = mesh.vertices[t[0]];
      const Vec3 a = mesh.vertices[t[1]] - o, b = mesh.vertices[t[2]] - o, c = mesh.vertices[t[3]] - o;
      for (const int v : t) mass[v] += density * std::abs(a.cross(b).dot(c)) / 24;
    }
    for (const int v : held) mass[v] = 0;  // Bullet's sign for what does not move
    for (std::size_t v = 0; v < mass.size(); ++v) body_->setMass(static_cast<int>(v), static_cast<btScalar>(mass[v]));
  }

  btSoftBodyRigidBodyCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btDeformableBodySolver solver_;
  btDeformableMultiBodyConstraintSolver constraints_;
  btDeformableMultiBodyDynamicsWorld world_;
  btDeformableGravityForce gravity_;
  btDeformableNeoHookeanForce elasticity_;
  std::unique_ptr<btSoftBody> body_;
};

}  // namespace

std::unique_ptr<BulletBar> make_bullet_bar(const Mesh& mesh, Lame moduli, double density,
                                           const std::vector<int>& held) {
  return std::make_unique<Bar>(mesh, moduli, density, held);
}

}  // namespace brio::bench
#else
namespace brio::bench {

std::unique_ptr<BulletBar> make_bullet_bar(const Mesh&, Lame, double, const std::vector<int>&) { return nullptr; }

}  // namespace brio::bench
#endif
