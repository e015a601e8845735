/// Blends of two ends of a step, with a fraction for each island (island_targets.h) such that it holds its target.
#pragma once

#include "integrators/bracket.h"
#include "integrators/island_targets.h"

namespace brio {

class IslandBlend {
 public:
  enum class Aim { keep, backward, forward };  ///< the other end is where the step begins from, or beyond
  /// How far the search for an island's fraction has come.
  struct Search {
    Aim aim = Aim::keep;
    Bracket bracket{};
    double base_e = 0;    ///< e of the first end [J]
    double fraction = 0;  ///< of the other end
    bool searching = false;
    double base_work = 0, other_work = 0;  ///< of supports on the way to either end [J]

    double work() const { return base_work + fraction * (other_work - base_work); }
  };

  explicit IslandBlend(IslandTargets& targets) : targets_(&targets) {}
  void prepare(const Model& model);
  void clear() { searches_.assign(searches_.size(), Search{}); }

  Search& operator[](std::size_t island) { return searches_[island]; }
  Search& of_body(std::size_t body) { return searches_[targets_->islands().of_body(body)]; }
  Search& of_vertex(std::size_t vertex) { return searches_[targets_->islands().parts()[static_cast<int>(vertex)]]; }
  bool aims(Aim aim) const;
  /// The island that was steered most; null where none was.
  const Search* most_steered() const;

  /// Judges the first end, and aims every island that strays from its target, or all, at another.
  bool choose_aims(bool backward_only);
  /// Gives the other end the mean motion of the first, where nothing holds an island.
  void share_mean_motion();
  /// Fractions of the other ends in [0, 1] for which |e| ≤ allowed, or the ends nearest to it; the blends are then in
  /// `x` and `v`. None passes through a contact: where one is between both ends, only blends near the backward step are
  /// tried, which is reached without passing through anything, and less of the forward one. With `ends_only` no blends
  /// at all.
  void search(StepObjective& objective, bool ends_only);
  /// Judges another end for islands that have been marked as `searching`, and leaves those marked that have less energy
  /// there.
  bool prefer(const NodalField& x, const NodalField& v, std::span<const SupportWork> works);
  /// Takes what has too much energy from the blend back towards x_n, without motion but that of what holds it, or the
  /// mean.
  void slow_down(const NodalField& x_n, StepObjective& objective);

  NodalField base_x, base_v, other_x, other_v;
  NodalField x, v;  ///< the blend

 private:
  void blend();
  void judge_blend();
  template <class Each>
  void for_searching(Each each);

  IslandTargets* targets_;
  const Model* model_ = nullptr;
  std::vector<Search> searches_;
  std::vector<IslandTarget> saved_targets_;
  struct Apart {
    Vec3 x = Vec3::Zero(), v = Vec3::Zero();  ///< [kg m], [kg m/s]
  };
  std::vector<Apart> apart_;
};

}  // namespace brio
