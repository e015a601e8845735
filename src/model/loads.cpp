/// Forces from outside: pushes over time, and wind on surfaces. Their work is the user's.
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "brio/force.h"
#include "model/body_checks.h"

namespace brio {
namespace {

class PushForce final : public Force {
 public:
  explicit PushForce(Push push) : push_(std::move(push)) {}

  std::string name() const override { return "push"; }
  bool external() const override { return true; }
  void add(const NodalField&, const NodalField&, double time, NodalField& f) const override {
    const Vec3 now = at(time);
    for (const int vertex : push_.vertices) f[vertex] += now;
  }
  std::shared_ptr<const Force> renumbered(std::span<const int> vertices) const override {
    if (vertices[static_cast<std::size_t>(push_.vertices.front())] < 0) return nullptr;
    Push moved = push_;
    for (int& vertex : moved.vertices) vertex = vertices[static_cast<std::size_t>(vertex)];
    return std::make_shared<PushForce>(std::move(moved));
  }

 private:
  Vec3 at(double time) const {
    const auto& keys = push_.keys;
    const auto after = std::ranges::upper_bound(keys, time, {}, &Push::Key::time);
    if (after == keys.begin()) return Vec3::Zero();
    const Push::Key& from = *(after - 1);
    if (after == keys.end()) return time == from.time ? from.force : Vec3(Vec3::Zero());
    return from.force + (time - from.time) / (after->time - from.time) * (after->force - from.force);
  }

  Push push_;
};

class WindForce final : public Force {
 public:
  WindForce(BodyId body, const Wind& wind, std::vector<Triangle> triangles)
      : body_(body), wind_(wind), triangles_(std::move(triangles)) {}
  BodyId body() const { return body_; }

  std::string name() const override { return "wind"; }
  bool external() const override { return true; }
  void add(const NodalField& x, const NodalField& v, double time, NodalField& f) const override {
    const Vec3 air = (1 + wind_.gust * std::sin(2 * std::numbers::pi * time / wind_.period)) * wind_.velocity;
    for (const Triangle& t : triangles_) {
      const Vec3 across = Vec3(x[t[1]] - x[t[0]]).cross(Vec3(x[t[2]] - x[t[0]]));  // twice the area, along n
      const double twice_area = across.norm();
      if (twice_area == 0) continue;
      const Vec3 u = air - (v[t[0]] + v[t[1]] + v[t[2]]) / 3;
      const double through = u.dot(across) / twice_area;
      const Vec3 part = wind_.density / 2 * through * std::abs(through) * across / 6;
      for (const int vertex : t) f[vertex] += part;
    }
  }
  std::shared_ptr<const Force> renumbered(std::span<const int> vertices) const override {
    if (vertices[static_cast<std::size_t>(triangles_.front()[0])] < 0) return nullptr;
    std::vector<Triangle> moved = triangles_;
    for (Triangle& t : moved)
      for (int& vertex : t) vertex = vertices[static_cast<std::size_t>(vertex)];
    return std::make_shared<WindForce>(body_, wind_, std::move(moved));
  }

 private:
  BodyId body_;
  Wind wind_;
  std::vector<Triangle> triangles_;
};

}  // namespace

void Model::add(std::unique_ptr<Force> force) { forces_.push_back(std::move(force)); }

void Model::push(BodyId body, Push push) {
  const Body& b = this->body(body);
  if (push.vertices.empty()) throw InputError({.key = b.name + ".push", .problem = "selects no vertex"});
  for (int& vertex : push.vertices) {
    check_vertex(b, vertex);
    vertex += b.first_vertex;
  }
  for (std::size_t i = 0; i < push.keys.size(); ++i) {
    const std::string place = fmt::format("{}.push[{}]", b.name, i);
    check_number(place + ".time", push.keys[i].time, i == 0 ? Bound::any() : Bound::at_least(push.keys[i - 1].time));
    for (int c = 0; c < 3; ++c) check_number(place + ".force", push.keys[i].force[c], Bound::any());
  }
  forces_.push_back(std::make_unique<PushForce>(std::move(push)));
}

void Model::set_wind(BodyId body, const Wind& wind) {
  index(body);
  std::erase_if(forces_, [&](const std::shared_ptr<const Force>& force) {
    const auto* blowing = dynamic_cast<const WindForce*>(force.get());
    return blowing != nullptr && blowing->body() == body;
  });
  blow(body, wind);
  pattern_.reset();  // integrators prepare anew
}

void Model::blow(BodyId body, const Wind& wind) {
  const Body& b = this->body(body);
  for (int c = 0; c < 3; ++c) check_number(b.name + ".wind.velocity", wind.velocity[c], Bound::any());
  check_number(b.name + ".wind.density", wind.density, Bound::not_negative());
  check_number(b.name + ".wind.gust", wind.gust, Bound::any());
  check_number(b.name + ".wind.period", wind.period, Bound::positive());
  std::vector<Triangle> triangles = b.kind == BodyKind::cloth ? b.mesh.triangles : surface(b.mesh);
  if (triangles.empty())
    throw InputError({.key = b.name + ".wind", .problem = "the body has no surface", .advice = "use a cloth or solid"});
  for (Triangle& t : triangles)
    for (int& vertex : t) vertex += b.first_vertex;
  forces_.push_back(std::make_unique<WindForce>(body, wind, std::move(triangles)));
}

}  // namespace brio
