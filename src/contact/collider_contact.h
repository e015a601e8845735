/// Repulsion of vertices by one rigid collider, with friction (contact/friction_contact.h):
///
///   E = Σ ½ k min(0, φ(x) − thickness)² + W          [S1; S0 prints k without ½]
///
/// or another function V of the gap in place of the spring (PenaltyLaw).
///
/// law "potential": φ is the distance where the vertex is, so that E is a function of x and of the collider's pose
/// alone.
/// law "spring": φ is the height above a plane through the surface point that was nearest when the step began: one
/// search per step, and a function without creases. [S0]
/// Every vertex has its plane, so that none disappears too early. A vertex in a dent knows one wall at a time: what it
/// finds out about the other after a step is seen in the residual of the ledger.
/// law "held-spring": the same, but only for vertices that a step found inside, and from then on until one finds them
/// outside and moving away. [S0's rule to the letter] A vertex that enters within a step is not resisted there, and the
/// next one gives it the energy of its depth for nothing: up to k v² h²/2 each, which explodes at stiff colliders.
/// A collider with a path is seen from its own frame, ξ = Rᵀ(x − c). At θ along a step ξ lies on the straight line
/// between both ends' (the pose at t_n + θh would err by a h²/8 in depth). The derivative by x is taken with the R of
/// the step's end, so that the step stays a minimization.
/// Along a path (Moment::mean) the distance to a plane changes evenly, from q₀ to q. With V = ½k min(0, q)² half of
/// the mean force is then along the normal
///   m(q) = (V(q) − V(q₀)) / (2(q − q₀)),
/// whose work over the step is the change of V exactly: bounces lose nothing, however stiff the plane. Friction is
/// averaged in closed form too (contact/friction_mean.h); other shapes and other penalties by Gauss points, many enough
/// to see most of what begins or ends within a step.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "brio/model.h"
#include "contact/any_shape.h"
#include "contact/collider_energy.h"
#include "contact/friction_contact.h"
#include "contact/friction_mean.h"
#include "math/nodal_ops.h"
#include "model/parts.h"

namespace brio {

class ColliderContact final : public ColliderEnergy, public PartedEnergy {
 public:
  /// `pose`: without motion.
  ColliderContact(AnyShape shape, const ContactLaw& law, std::vector<int> vertices, const Pose& pose, Motion motion)
      : shape_(std::move(shape)),
        law_(law),
        pose_(pose),
        motion_(std::move(motion)),
        vertices_(std::move(vertices)),
        diagonal_(vertices_.size()) {
    resize_to_vertices();
  }

  const ContactLaw& law() const override { return law_; }
  bool has_plane() const override { return shape_.is_plane(); }
  void set_stiffness(double k) { law_.stiffness = k; }
  /// Takes in the model's vertices from `first` to before `last`.
  void add_vertices(int first, int last) {
    for (int vertex = first; vertex < last; ++vertex) vertices_.push_back(vertex);
    resize_to_vertices();
  }
  const AnyShape& shape() const { return shape_; }
  const Pose& pose() const { return pose_; }  ///< without motion
  const std::vector<int>& vertices() const { return vertices_; }
  /// One per vertex; none without friction.
  std::vector<FrictionContact>& friction_contacts() { return friction_contacts_; }
  const Motion& motion() const { return motion_; }
  void set_motion(const Motion& motion) { motion_ = motion; }
  Pose pose_at(double time) const {
    if (motion_.empty()) return pose_;
    const Pose moved = motion_.at(time);
    return {.rotation = moved.rotation * pose_.rotation, .translation = moved.apply(pose_.translation)};
  }

  /// The planes for the step to come from x, at that time. approach(k, p, n): how fast vertex k at p moves along n
  /// [m/s], both in the collider's frame. Said twice of the same state it changes nothing.
  template <class Approach>
  void freeze(const NodalField& x, double time, Approach approach) {
    const Pose pose = pose_at(time);
    for_vertices(planes_.size(), [&](std::size_t k) {
      const Vec3 p = pose.undo(x[vertices_[k]]);
      const Closest closest = shape_.closest(p);
      Plane& plane = planes_[k];
      const bool inside = closest.distance < law_.thickness;
      plane = {
          .normal = closest.normal,
          .level = closest.normal.dot(p) - closest.distance + law_.thickness,
          .acts = law_.rule == ColliderLaw::spring || inside || (plane.acts && approach(k, p, closest.normal) < 0)};
    });
  }
  /// Law "held-spring": whether the last step had a spring for vertex k.
  bool holds(std::size_t k) const { return planes_[k].acts; }
  void hold(std::size_t k, bool held) { planes_[k].acts = held; }

  /// Whether the vertex at p, in the collider's frame, is inside.
  bool find(const Vec3& p, Closest& closest) const { return shape_.find(p, law_.thickness, closest); }

  std::string name() const override { return "collider"; }
  Role role() const override { return Role::contact; }
  std::size_t elements() const override { return vertices_.size(); }

  double value(const Configuration& at) const override {
    return for_each<0>(at, Projection::none, [](std::size_t, const Mat3&, const Response&) {});
  }
  void add_values(const Configuration& at, const Parts& parts, std::span<double> sums) const override {
    values_.assign(vertices_.size(), 0.0);
    for_each<0>(at, Projection::none,
                [&](std::size_t k, const Mat3&, const Response& response) { values_[k] = response.energy; });
    for (std::size_t k = 0; k < vertices_.size(); ++k) sums[parts[vertices_[k]]] += values_[k];
  }
  double gradient(const Configuration& at, const Weights& weights, NodalField& g) const override {
    return for_each<1>(at, Projection::none, [&](std::size_t k, const Mat3& R, const Response& response) {
      g[vertices_[k]] += weights.gradient * (R * response.gradient);
    });
  }
  double hessian(const Configuration& at, const Weights& weights, Projection projection, NodalField& g,
                 BlockMatrix& H) const override {
    return for_each<2>(at, projection, [&](std::size_t k, const Mat3& R, const Response& response) {
      g[vertices_[k]] += weights.gradient * (R * response.gradient);
      Eigen::Map<Mat3> block(H.block(diagonal_[k]));  // symmetric, so rows may be columns
      block += weights.hessian * (R * response.hessian * R.transpose());
    });
  }
  /// Calls visit(k, R, gradient, part of friction) for every vertex that feels something: gradients in the collider's
  /// frame, R towards the world [N].
  template <class Visit>
  void for_forces(const Configuration& at, Visit visit) const {
    for_each<1>(at, Projection::none, [&](std::size_t k, const Mat3& R, const Response& response) {
      visit(k, R, response.gradient, response.friction);
    });
  }
  void laplacian(double, std::span<double>) const override {}
  double hidden_stiffness() const override { return law_.stiffness; }

  void couple(PatternBuilder&) const override {}  // diagonals are there anyway
  void bind(const BlockPattern& pattern) override {
    for (std::size_t k = 0; k < vertices_.size(); ++k) diagonal_[k] = pattern.column_start[vertices_[k]];
  }
  void renumber(std::span<const int> vertices) override {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < vertices_.size(); ++k) {
      const int now = vertices[static_cast<std::size_t>(vertices_[k])];
      if (now < 0) continue;
      vertices_[kept] = now;
      if (!friction_contacts_.empty()) friction_contacts_[kept] = friction_contacts_[k];
      if (!planes_.empty()) planes_[kept] = planes_[k];
      ++kept;
    }
    vertices_.resize(kept);
    resize_to_vertices();
  }
  bool averages_path() const override { return true; }
  bool has_domain() const override { return false; }
  bool is_anchored() const override { return true; }
  bool has_rest_shape() const override { return false; }
  void set_rest(const NodalField&) override {}
  std::unique_ptr<Energy> clone() const override { return std::make_unique<ColliderContact>(*this); }

 private:
  void resize_to_vertices() {
    diagonal_.resize(vertices_.size());
    if (law_.friction > 0) friction_contacts_.resize(vertices_.size());
    if (law_.has_planes()) planes_.resize(vertices_.size());
  }

  /// Below it there is energy: p.normal < level.
  struct Plane {
    Vec3 normal = Vec3::Zero();
    double level = 0;  ///< [m]
    bool acts = false;
  };
  /// What one vertex feels, in the collider's frame.
  struct Response {
    double energy = 0;
    Vec3 gradient = Vec3::Zero();
    Vec3 friction = Vec3::Zero();  ///< the part of the gradient that friction is
    Mat3 hessian = Mat3::Zero();
  };

  /// Where the collider's frame has a vertex.
  struct Relative {
    Pose from{}, to{};
    double theta = 1;
    const NodalField* x_n = nullptr;
    bool turns = false;

    Vec3 operator()(const Vec3& x, int vertex) const {
      if (theta == 1) return to.undo(x);
      if (!turns)
        return to.rotation.transpose() * (x - (from.translation + theta * (to.translation - from.translation)));
      const Vec3 before = (*x_n)[vertex];
      return to.rotation.transpose() * (x - (1 - theta) * before - theta * to.translation) +
             (1 - theta) * from.undo(before);
    }
  };
  Relative relative(const Moment& when) const {
    if (motion_.empty()) return {.from = pose_, .to = pose_};
    if (when.theta == 0) return {.to = pose_at(when.from)};
    if (when.x_n == nullptr || (when.theta == 1 && !when.mean)) return {.to = pose_at(when.to)};
    Relative places{.from = pose_at(when.from), .to = pose_at(when.to), .theta = when.theta, .x_n = when.x_n};
    places.turns = places.from.rotation != places.to.rotation;
    return places;
  }

  /// Calls use(k, R, response) for each vertex that feels something, with derivatives up to `order`; R leads from the
  /// collider's frame to the world. Returns the energy.
  template <int order, class Use>
  double for_each(const Configuration& at, Projection projection, Use use) const {
    const Relative local = relative(at.when);
    return sum_(vertices_.size(), [&](std::size_t k) {
      const Vec3 p = local(at.x[vertices_[k]], vertices_[k]);
      Response response;
      bool felt = false;
      if (at.when.mean) {
        const Vec3 from = local.from.undo((*at.when.x_n)[vertices_[k]]);
        felt = law_.has_planes() ? press_plane_on_path<order>(planes_[k], from, p, response)
                                 : press_on_path<order>(from, p, projection, response);
        if (law_.friction > 0) felt = rub_on_path<order>(friction_contacts_[k], from, p, response) || felt;
      } else {
        felt = law_.has_planes() ? press_plane<order>(planes_[k], p, response) : press<order>(p, projection, response);
        if (law_.friction > 0) felt = rub<order>(friction_contacts_[k], p, response) || felt;
      }
      if (felt) use(k, local.to.rotation, response);
      return response.energy;
    });
  }

  template <int order>
  bool press(const Vec3& p, Projection projection, Response& response) const {
    Closest at;
    if (!find(p, at)) return false;
    const GapEnergy V = law_.at(at.distance - law_.thickness);
    response.energy += V.value;
    if constexpr (order > 0) response.gradient += V.slope * at.normal;
    if constexpr (order > 1) {
      response.hessian += V.curvature * at.normal * at.normal.transpose();
      // Outside of what is convex the surface falls away from the vertex: that curvature is negative.
      if (projection == Projection::none || at.bend < 0) response.hessian += V.slope * at.curvature();
    }
    return true;
  }

  template <int order>
  bool press_plane(const Plane& plane, const Vec3& p, Response& response) const {
    const double gap = plane.normal.dot(p) - plane.level;
    if (gap >= 0 || !plane.acts) return false;
    const GapEnergy V = law_.at(gap);
    response.energy += V.value;
    if constexpr (order > 0) response.gradient += V.slope * plane.normal;
    if constexpr (order > 1) response.hessian += V.curvature * plane.normal * plane.normal.transpose();
    return true;
  }

  template <int order>
  bool press_on_path(const Vec3& from, const Vec3& p, Projection projection, Response& response) const {
    if (shape_.is_plane()) {
      const Closest at = shape_.closest(p);
      const double level = law_.thickness - at.distance + at.normal.dot(p);
      return press_plane_on_path<order>({.normal = at.normal, .level = level, .acts = true}, from, p, response);
    }
    return average<order>(from, p, response,
                          [&](const Vec3& at, Response& part) { return press<order>(at, projection, part); });
  }

  template <int order>
  bool press_plane_on_path(const Plane& plane, const Vec3& from, const Vec3& p, Response& response) const {
    if (law_.penalty != nullptr)
      return average<order>(from, p, response,
                            [&](const Vec3& at, Response& part) { return press_plane<order>(plane, at, part); });
    const double q_0 = plane.normal.dot(from) - plane.level;
    const double q = plane.normal.dot(p) - plane.level;
    if ((q_0 >= 0 && q >= 0) || !plane.acts) return false;
    const WayLaw law = mean_law(q_0, q);
    response.energy += law.value;
    if constexpr (order > 0) response.gradient += law.slope * plane.normal;
    if constexpr (order > 1) response.hessian += law.curvature * plane.normal * plane.normal.transpose();
    return true;
  }

  struct WayLaw {
    double value = 0, slope = 0, curvature = 0;  ///< ∫ m dq from the surface, m, dm/dq
  };
  WayLaw mean_law(double q_0, double q) const {
    const double c = law_.stiffness / 4;
    const double d = q - q_0;
    if (q_0 < 0 && q < 0) return {.value = c * (0.5 * q * q + q_0 * q), .slope = c * (q + q_0), .curvature = c};
    if (q_0 < 0)
      return {.value = -c * q_0 * q_0 * std::log(d / -q_0),
              .slope = -c * q_0 * q_0 / d,
              .curvature = c * q_0 * q_0 / (d * d)};
    if (q >= 0) return {};
    const double log_part = q_0 > 0 ? q_0 * q_0 * std::log(d / -q_0) : 0;
    return {.value = c * (0.5 * q * q + q_0 * q + log_part),
            .slope = c * q * q / d,
            .curvature = c * q * (q - 2 * q_0) / (d * d)};
  }

  /// ½ ∫ of what acts along the path, by five Gauss points: visit(place, part) is true where something does.
  template <int order, class Visit>
  static bool average(const Vec3& from, const Vec3& p, Response& response, Visit visit) {
    static constexpr std::pair<double, double> rule[]{{0.04691007703066802, 0.11846344252809454},
                                                      {0.23076534494715845, 0.23931433524968324},
                                                      {0.5, 0.28444444444444444},
                                                      {0.7692346550528415, 0.23931433524968324},
                                                      {0.9530899229693319, 0.11846344252809454}};
    bool felt = false;
    for (const auto& [theta, weight] : rule) {
      Response part;
      if (!visit(from + theta * (p - from), part)) continue;
      const double c = weight / (2 * theta);
      response.energy += c * part.energy;
      response.gradient += c * theta * part.gradient;
      response.hessian += c * theta * theta * part.hessian;
      felt = true;
    }
    return felt;
  }

  template <int order>
  bool rub(const FrictionContact& contact, const Vec3& p, Response& response) const {
    if (!contact.active() || contact.cap <= 0) return false;
    const double k = law_.stiffness;
    const Vec3 offset = contact.offset(p);
    const double u = offset.norm();
    const bool sticks = k * u <= contact.cap;
    response.energy += friction::energy(k, contact.cap, u);
    if constexpr (order > 0) response.gradient += response.friction = (sticks ? k : contact.cap / u) * offset;
    if constexpr (order > 1) {
      const Mat3 tangent = Mat3::Identity() - contact.normal * contact.normal.transpose();
      response.hessian +=
          sticks ? Mat3(k * tangent) : Mat3(contact.cap / u * (tangent - offset * offset.transpose() / (u * u)));
    }
    return true;
  }

  template <int order>
  bool rub_on_path(const FrictionContact& contact, const Vec3& from, const Vec3& p, Response& response) const {
    if (!contact.active() || contact.cap <= 0) return false;
    const auto mean =
        friction::PathAverage(law_.stiffness, contact.cap, contact.offset(from), contact.offset(p), contact.normal)
            .template find<order>();
    response.energy += mean.value;
    response.gradient += response.friction = mean.gradient;
    response.hessian += mean.hessian;
    return true;
  }

  AnyShape shape_;
  ContactLaw law_;
  Pose pose_;  ///< without motion
  Motion motion_;
  std::vector<int> vertices_;
  std::vector<int> diagonal_;  ///< blocks of the bound pattern
  std::vector<FrictionContact> friction_contacts_;
  std::vector<Plane> planes_;  ///< one per vertex; none with the law "potential"
  mutable NodalSum sum_;
  mutable std::vector<double> values_;  ///< per vertex [J]
};

}  // namespace brio
