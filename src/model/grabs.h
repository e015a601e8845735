/// Hands that hold points of bodies by springs: E = Σ k/2 |Σ w_i x_i − p|². They come and go between steps without
/// changing the model: the spring of a vertex, or of the corners of a triangle, adds to blocks that are there anyway.
#pragma once

#include <cstdint>
#include <optional>

#include "brio/energy.h"
#include "model/driven.h"

namespace brio {

struct Grab {
  /// Beyond, forces of any stretch that positions can tell drown all others, and with more they are no numbers.
  static constexpr double max_stiffness = 1e15;  // N/m

  GrabId id{};
  std::array<int, 3> vertices{};  ///< of the model; those with weight 0 do not count
  Vec3 weights = Vec3(1, 0, 0);
  double stiffness = 0;  ///< [N/m]
  /// Where the hand is at `start` and at `end` [m]. It goes evenly, also beyond both: parts of some methods' steps look
  /// there, and are of high order only where nothing breaks off. Once `end` has come it rests: Hands::rest_from.
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  double start = 0, end = 0;  ///< [s]

  Vec3 point(const NodalField& x) const;
  Vec3 hand(double time) const;
  Vec3 hand(const Moment& when) const;
  Vec3 velocity(double time, Side side) const;
  /// Whether its vertices are corners of one element, so that its spring finds its blocks in the pattern.
  bool fits(const BlockPattern& pattern) const;
};

class GrabSprings final : public Energy, public PartedEnergy {
 public:
  std::vector<Grab>& grabs() { return grabs_; }
  const std::vector<Grab>& grabs() const { return grabs_; }
  /// To be called after grabs have come, gone or changed stiffness: what is made of the Laplacian is out of date.
  void changed() { ++version_; }

  std::string name() const override { return "grabs"; }
  std::size_t elements() const override { return grabs_.size(); }
  int force_degree() const override { return 1; }
  double value(const Configuration& at) const override;
  void add_values(const Configuration& at, const Parts& parts, std::span<double> sums) const override;
  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override;
  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override;
  void laplacian(double weight, std::span<double> L) const override;
  std::uint64_t version() const override;
  void couple(PatternBuilder&) const override {}  // edges of elements are there
  void bind(const BlockPattern& pattern) override { pattern_ = &pattern; }
  void renumber(std::span<const int> vertices) override;
  bool has_domain() const override { return false; }
  bool is_anchored() const override { return !grabs_.empty(); }
  bool has_rest_shape() const override { return false; }
  void set_rest(const NodalField&) override {}
  std::unique_ptr<Energy> clone() const override { return std::make_unique<GrabSprings>(*this); }

 private:
  /// Calls visit(block, w_a w_b) for the blocks of a grab.
  template <class Visit>
  void for_blocks(const Grab& grab, Visit visit) const;

  std::vector<Grab> grabs_;
  std::uint64_t version_ = 0;
  const BlockPattern* pattern_ = nullptr;
};

/// The hands as a support, and the paths of pins and colliders that are moved by hand. History: how many grabs, all of
/// them, then all such paths, so that a state knows of them; empty without any.
class Hands final : public Driven {
 public:
  /// `energy`: the springs.
  Hands(Model& model, EnergyId energy);

  std::string name() const override { return "hands"; }
  GrabSprings& springs() { return *springs_; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<Hands>(*this); }
  void rebind(Model& model) override;
  bool follows_bodies() const override { return true; }
  void change(Model& model, std::span<const int> vertices) override;
  void rewrite(State& state) const override { remember(state); }
  bool fits(const Memory& history) const override;
  /// Whether hands of that history, which fits, hold what is in the pattern.
  static bool fits(const Memory& history, const BlockPattern& pattern);
  void recall(const Model& model, State& state) override;
  /// Writes the grabs and paths into the state's history.
  void remember(State& state) const;
  /// Moves a support from where it is, within that step, turning about `pivot` or what it turned about before.
  void move(const Model& model, State& state, Driven& support, const Motion::Key& to, const std::optional<Vec3>& pivot,
            const TimeStep& step);
  /// The step to come is another than the one that motions were meant for: they take place within it. Returns whether
  /// there were any.
  bool move_within(const TimeStep& step, const Model& model, State& state);

  /// Motions that have come to their end by then are over.
  void rest_from(double time, const Model& model, State& state);

  bool has_path() const override { return !springs_->grabs().empty(); }
  bool comes_and_goes() const override { return true; }
  void clear_forces() override { forces_ = MeanForces(springs_->grabs().size()); }
  void add_forces(const Configuration& at, const NodalField& g, double weight) override;
  void scale_forces(const Parts& parts, std::span<const double> factors) override;
  void add_work(const State& state, const NodalField& x_next, const TimeStep& step, const Parts& parts,
                std::span<SupportWork> works) const override;
  double power(const State& state, const Configuration& at, const NodalField& g, Side side) const override;
  std::size_t force_numbers() const override { return 3 * springs_->grabs().size(); }
  void write_forces(std::span<double> numbers) const override { forces_.write(numbers); }
  void add_forces(std::span<const double> numbers, double weight) override { forces_.add(numbers, weight); }
  void add_to_frames(const State& state, const TimeStep& step, const Parts& parts,
                     std::span<SupportFrame> frames) const override;

 private:
  EnergyId energy_;
  std::size_t vertices_;
  GrabSprings* springs_ = nullptr;
  MeanForces forces_;
  struct Moved {
    std::uint32_t support;  ///< its serial number
    Motion script;          ///< what it would do by itself
    Motion path;
  };
  std::vector<Moved> moved_;
};

}  // namespace brio
