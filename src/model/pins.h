/// Vertices that are held, where they are or along a path.
#pragma once

#include <algorithm>

#include "model/driven.h"

namespace brio {

/// History, with a path: where each vertex would be without motion.
class Pins final : public Driven {
 public:
  /// Vertices of the model.
  Pins(PinId id, BodyId body, const Model& model, std::vector<int> vertices, Motion motion);

  PinId id() const { return id_; }
  BodyId body() const override { return body_; }
  std::string name() const override { return "pins"; }
  std::unique_ptr<Interaction> clone() const override { return std::make_unique<Pins>(*this); }
  bool fits(const Memory& history) const override;
  void recall(const Model& model, State& state) override;

  bool has_path() const override { return !motion_.empty(); }
  bool is_made_of_vertices() const override { return true; }
  const Motion* path() const override { return &motion_; }
  void set_path(const Motion& path) override { motion_ = path; }
  Vec3 middle(const State& state) const override;
  void place(const State& state, double time, Side side, NodalField& x, NodalField& v) const override;
  void clear_forces() override { forces_.clear(); }
  void add_forces(const Configuration&, const NodalField& g, double weight) override { add_vertex_forces(g, weight); }
  void add_vertex_forces(const NodalField& g, double weight) override;
  void scale_forces(const Parts& parts, std::span<const double> factors) override;
  void add_work(const State& state, const NodalField& x_next, const TimeStep& step, const Parts& parts,
                std::span<SupportWork> works) const override;
  double power(const State& state, const Configuration& at, const NodalField& g, Side side) const override;
  std::size_t force_numbers() const override { return forces_.numbers(); }
  void write_forces(std::span<double> numbers) const override { forces_.write(numbers); }
  void add_forces(std::span<const double> numbers, double weight) override { forces_.add(numbers, weight); }
  void add_to_frames(const State& state, const TimeStep& step, const Parts& parts,
                     std::span<SupportFrame> frames) const override;

  bool holds(int vertex) const { return std::ranges::binary_search(vertices_, vertex); }
  void change(Model& model, std::span<const int> vertices) override;
  /// Vertices that another has taken over, in ascending order.
  void give_up(const std::vector<int>& sorted);

 private:
  Vec3 still(const State& state, std::size_t k) const;

  PinId id_;
  BodyId body_;
  std::vector<int> vertices_;
  std::vector<double> mass_;  ///< [kg]
  Motion motion_;
  MeanForces forces_;  ///< gradients at the vertices [N]
};

/// Whether pins with a path hold that vertex of the model.
bool is_driven_by_pins(const Model& model, int vertex);

}  // namespace brio
