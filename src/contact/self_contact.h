/// Contact between bodies, of bodies with themselves and with obstacles: a barrier (barrier.h) for every pair of
/// simplices of their surfaces, and steps that never carry one through another.
///
/// Obstacles are where the moment of the configuration has them; as everything that is driven they are seen on the
/// straight line between where a step begins and ends.
///
/// E is the sum over all pairs nearer than their activation distance, a function of x alone: the list of candidates
/// behind it is a cache that is renewed when x leaves what it covers, and pairs are summed in one fixed order. Vertices
/// of different elements are coupled, which no pattern made beforehand knows: those blocks are loose in the Hessian.
/// Forces act between pairs along their nearest points, so that both momenta are kept. Over a whole step they are
/// discrete gradients of the pairs that are within their activation distance at either end of it (pair_path.h).
#pragma once

#include "brio/energy.h"
#include "contact/pair_list.h"
#include "model/parts.h"
#include "model/path_force.h"

namespace brio {

/// A pair within its activation distance.
struct ActivePair {
  ContactPair pair;
  Nearest near;
  double force;  ///< by which its simplices push each other away [N]
};

/// What has been done so far; the same for any number of threads.
struct ContactCounts {
  long searches = 0;  ///< of trees, for lists of candidate pairs
  long found = 0;     ///< candidate pairs, by all searches
  long asked = 0;     ///< candidate pairs by all evaluations and paths that went through a list
  long culled = 0;    ///< of those, known to stay apart by how far their vertices have moved
  long active = 0;    ///< pairs within their activation distance, by all evaluations
  long ccd = 0;       ///< calls of continuous collision detection
};

/// The gradient at point k of the obstacle that a pair is with [N].
using ObstacleForce = std::function<void(const ContactPair& pair, std::size_t k, const Vec3& gradient)>;

/// Energies that obstacles feel too.
class ObstacleEnergy {
 public:
  virtual ~ObstacleEnergy() = default;
  /// Tells the gradient at every point of an obstacle that is part of a pair; the mean where Moment::mean is set, as
  /// Energy::gradient.
  virtual void for_obstacle_forces(const Configuration& at, const ObstacleForce& tell) const = 0;
};

class SelfContact final : public PathForce, public PartedEnergy, public ObstacleEnergy {
 public:
  /// Surfaces of obstacles come last, in their order.
  SelfContact(const Model& model, std::vector<ContactSurface> surfaces, const PairRules& rules,
              std::vector<ContactObstacle> obstacles = {});

  std::string name() const override { return "self-contact"; }
  Role role() const override { return Role::contact; }
  std::size_t elements() const override { return list_.pairs().size(); }
  double value(const Configuration& at) const override;
  void add_values(const Configuration& at, const Parts& parts, std::span<double> sums) const override;
  /// Pairs of different bodies within their activation distance.
  void for_coupled(const Configuration& at, const std::function<void(int, int)>& join) const override;
  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override;
  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override;
  void laplacian(double, std::span<double>) const override {}
  /// Remembers the pairs that touch there.
  void begin_path(const Configuration& start) const override;
  bool linearize_path(const Configuration& at, std::span<double> stiffness) const override;
  double path_loss(const Configuration& at) const override;
  bool is_crossed(const Configuration& from, const Configuration& to) const override {
    return goes_through(from, to, false);
  }
  void add_path_product(const NodalField& v, NodalField& Jv) const override;
  /// Limits the path, not only the place (continuous collision detection): nothing goes through anything between x and
  /// x + s d.
  double domain_step(const Configuration& at, const NodalField& d) const override;
  bool limits_path() const override { return true; }
  double free_path(const Configuration& from, const Configuration& to) const override;
  void couple(PatternBuilder&) const override {}
  void bind(const BlockPattern&) override {}
  void renumber(std::span<const int>) override {}  // it is made anew
  bool has_rest_shape() const override { return false; }
  void set_rest(const NodalField&) override {}
  std::unique_ptr<Energy> clone() const override { return std::make_unique<SelfContact>(*this); }

  const std::vector<ContactObstacle>& obstacles() const { return obstacles_; }
  std::vector<ContactObstacle>& obstacles() { return obstacles_; }
  std::size_t bodies_vertices() const { return bodies_vertices_; }
  /// All vertices, those of obstacles after the model's: x itself where there are none, else z.
  const NodalField& everything(const Configuration& at, NodalField& z) const;
  void for_obstacle_forces(const Configuration& at, const ObstacleForce& tell) const override;
  /// The first vertex of an obstacle.
  int first_vertex(int obstacle) const { return first_vertex_[static_cast<std::size_t>(obstacle)]; }

  /// A step from the state that will move by about h v: candidates are found for it.
  void expect(const State& state, double h);
  struct Path {
    bool limited;  ///< by domain_step
    bool driven;   ///< pinned vertices may move
  };
  /// The step has ended. Methods whose path was not limited may have gone through something on the straight one, and
  /// all of them, where supports are driven, may have carried pinned vertices through pinned ones; E is then infinite,
  /// which fails the step, until `recall`.
  void arrive(const Configuration& before, const Configuration& after, Path path);
  void recall() { torn_ = false; }
  /// Pairs within their activation distance.
  std::size_t active_count(const Configuration& at) const;
  std::vector<ActivePair> active_pairs(const Configuration& at) const;
  /// Pairs that were within their activation distance where a part of the step at hand began, in methods that have
  /// discrete gradients: those of halved steps may touch within the step alone. A pair may be told more than once.
  const std::vector<ContactPair>& met() const { return met_; }
  const PairList& list() const { return list_; }
  ContactCounts counts() const;

 private:
  struct Result {
    double energy = 0;
    PairGradient g;
    PairHessian H;
  };
  static constexpr std::size_t batch = 1024;  ///< pairs that are evaluated in parallel before they are added up
  static constexpr std::size_t chunk = 64;

  /// Books a round over all candidates of which looked_at_ tells. Returns how many were not culled.
  long count_round() const;
  /// Lists in active_ the pairs that are within their activation distance at x.
  void find_active(const NodalField& x) const;
  /// evaluate(k, result) for k < count, in parallel; then add(k, result), one after the other. Returns their energy.
  template <class Evaluate, class Add>
  double evaluate_all(std::size_t count, Evaluate&& evaluate, Add&& add) const;
  /// The same of the active pairs.
  template <class Evaluate, class Add>
  double visit(const Configuration& at, Evaluate&& evaluate, Add&& add) const;
  /// The same of pairs that are active at either end of the path from x_n.
  template <class Evaluate, class Add>
  double visit_path(const Configuration& at, Evaluate&& evaluate, Add&& add) const;
  bool goes_through(const Configuration& start, const Configuration& end, bool held_only) const;
  /// The free part of the path from z to z + d, of all vertices.
  double free_part(const NodalField& z, const NodalField& d) const;

  std::vector<ContactObstacle> obstacles_;
  std::vector<int> first_vertex_;         ///< of each obstacle
  std::vector<std::vector<Vec3>> still_;  ///< where those are that do not move
  std::size_t bodies_vertices_ = 0, all_vertices_ = 0;
  // Scratch: which candidates are at hand changes no result.
  mutable PairList list_;
  mutable std::vector<char> is_active_;
  mutable std::vector<int> active_;
  mutable std::vector<Result> results_;
  mutable std::vector<double> partial_;
  mutable std::vector<long> looked_at_;  ///< pairs per chunk that were not culled
  mutable ContactCounts counts_;
  mutable std::vector<ContactPair> started_;  ///< active where the path begins
  mutable std::vector<ContactPair> met_;      ///< since the step began
  mutable std::vector<const ContactPair*> on_path_;
  struct Linearized {
    std::array<int, 4> vertices;
    int count;
    PairHessian J;
  };
  mutable std::vector<Linearized> linearized_;
  double damper_;  ///< β [s/m]
  bool torn_ = false;
  mutable NodalField z_, from_, to_, path_;  ///< of all vertices
  mutable std::vector<Vec3> starts_, ends_;  ///< of an obstacle that moves
};

}  // namespace brio
