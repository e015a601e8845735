/// Coulomb's friction between bodies that touch each other or obstacles, with sticking that does not creep.
///
/// Where the step begins, every pair in touch gets a spring across its normal n, stretched by what it slipped
/// elastically so far, s. During the step its ends are held to the nearest points of then, so that its stretch is
///   u = (I − n nᵀ)(s + Σ w_i (x_i − x_n,i))
/// Its energy is Huber's: ½k|u|² while k|u| <= μ f_n, the force f_n of the barrier at the start of the step; then the
/// force stays at μ f_n and the energy grows in proportion. When the step ends, what is beyond the spring's own energy
/// has been rubbed off, exactly; s becomes the stretch that the spring still holds. So within a step friction is a
/// potential that every integrator can take, and sliding loses μ f_n times the distance slid. Its mean along a path is
/// known in closed form (friction_mean.h), so that the work of sticking and slipping within one step is exact.
/// Normals, points and normal forces lag by one step. The surface of a sphere or capsule that turns moves although the
/// points within it may not: the stretch then has the way of the surface point too, by the obstacle's frame.
#pragma once

#include <algorithm>

#include "contact/self_contact.h"

namespace brio {

class PairFriction final : public Energy, public PartedEnergy, public ObstacleEnergy {
 public:
  /// `coefficient`: between bodies; obstacles have their own.
  explicit PairFriction(double coefficient) : mu_(coefficient) {}

  /// The contact whose obstacles it sees, which lives as long.
  void follow(const SelfContact& contact) { contact_ = &contact; }
  void set_coefficient(double mu) { mu_ = mu; }

  std::string name() const override { return "self-friction"; }
  Role role() const override { return Role::contact; }
  bool has_domain() const override { return false; }
  std::size_t elements() const override { return points_.size(); }
  double value(const Configuration& at) const override;
  void add_values(const Configuration& at, const Parts& parts, std::span<double> sums) const override;
  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override;
  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override;
  bool averages_path() const override { return true; }
  void laplacian(double, std::span<double>) const override {}
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  void renumber(std::span<const int>) override {}  // `reshape` does it
  /// The new index of every vertex, those of obstacles among them, -1 of those that are gone; and how many there are.
  void reshape(std::span<const int> vertices, std::size_t count);
  bool has_rest_shape() const override { return false; }
  void set_rest(const NodalField&) override {}
  std::unique_ptr<Energy> clone() const override { return std::make_unique<PairFriction>(*this); }

  /// Springs for the pairs in touch. Those that were in touch when `history` was written keep their slip.
  void attach(const Configuration& at, const std::vector<ActivePair>& active, const Memory& history);
  /// Lets springs slip to what they can hold where the next step begins; returns what was rubbed off [J].
  double slip(const Configuration& at);
  void for_obstacle_forces(const Configuration& at, const ObstacleForce& tell) const override;
  bool rubs_obstacles() const {
    return std::ranges::any_of(points_, [](const Point& point) { return point.pair.obstacle >= 0; });
  }
  /// The present springs and their energy at the place of the last attach or slip.
  void write(Memory& history) const;
  /// Whether `write` may have written it.
  static bool fits(const Memory& history);
  /// Of a history [J].
  static double energy_of(const Memory& history) { return history.numbers.empty() ? 0 : history.numbers[0]; }

 private:
  struct Point {
    ContactPair pair;
    double w[4];
    Vec3 normal;
    double cap;      ///< μ f_n [N]
    Vec3 slip;       ///< across the normal [m]
    int frame;       ///< the first vertex of the obstacle's frame (ContactObstacle::first_of_frame); -1: none
    double turn[4];  ///< weights of the frame's vertices, of sum 0
  };
  static double stiffness(const Point& point) { return point.pair.barrier.k; }
  /// Where the obstacle's surface is touched, beyond the nearest point within it.
  void follow_surface(Point& point, const NodalField& x) const;
  Vec3 stretch(const Point& point, const NodalField& x) const;
  /// Energy of a stretched spring, and its force per stretch.
  struct Pull {
    double energy, per_stretch;
    bool slips;
  };
  static Pull pull(const Point& point, double stretch);
  /// Calls add(point, gradient by the stretch, Hessian) for the means along the path to `at`; returns their sum.
  template <int order, class Add>
  double average(const Configuration& at, Add&& add) const;
  /// Of vertices that are not an obstacle's.
  static void add_gradient(const Point& point, double weight, double per_stretch, const Vec3& u, NodalField& g);
  void add_blocks_of(const Point& point, const Mat3& K, double weight, BlockMatrix& H) const;

  /// As contact sees them.
  const NodalField& everything(const Configuration& at) const { return contact_->everything(at, z_); }
  double slip_to(const NodalField& z);
  double energy_at(const NodalField& z) const;

  double mu_;
  const SelfContact* contact_ = nullptr;
  NodalField x_n_;  ///< of all vertices, those of obstacles too
  mutable NodalField z_, from_;
  std::vector<Point> points_;
};

}  // namespace brio
