/// Vertices that are held, where they are or along a path.
#include "model/pins.h"

#include "model/attached.h"
#include "model/body_checks.h"

namespace brio {

Pins::Pins(PinId id, BodyId body, const Model& model, std::vector<int> vertices, Motion motion)
    : id_(id), body_(body), vertices_(std::move(vertices)), motion_(std::move(motion)), forces_(vertices_.size()) {
  for (const int vertex : vertices_) mass_.push_back(model.mass()[static_cast<std::size_t>(vertex)]);
}

bool Pins::fits(const Memory& history) const {
  return history.empty() || (history.fields.empty() && history.numbers.size() == 3 * vertices_.size());
}

void Pins::recall(const Model&, State& state) {
  std::vector<double>& still = history(state).numbers;
  if (!has_path() || !still.empty()) return;
  const Pose pose = motion_.at(state.time);
  for (const int vertex : vertices_) {
    const Vec3 point = pose.undo(state.x[vertex]);
    still.insert(still.end(), point.begin(), point.end());
  }
}

Vec3 Pins::still(const State& state, std::size_t k) const {
  return Eigen::Map<const Vec3>(history(state).numbers.data() + 3 * k);
}

Vec3 Pins::middle(const State& state) const {
  Vec3 sum = Vec3::Zero();
  for (const int vertex : vertices_) sum += state.x[vertex];
  return vertices_.empty() ? sum : Vec3(sum / static_cast<double>(vertices_.size()));
}

void Pins::place(const State& state, double time, Side side, NodalField& x, NodalField& v) const {
  if (!has_path()) return;
  const Pose pose = motion_.at(time);
  const PoseRate rate = motion_.rate(time, side);
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    x[vertices_[k]] = pose.apply(still(state, k));
    v[vertices_[k]] = rate.at(x[vertices_[k]]);
  }
}

void Pins::add_vertex_forces(const NodalField& g, double weight) {
  for (std::size_t k = 0; k < vertices_.size(); ++k) forces_[k] += weight * g[vertices_[k]];
}

void Pins::scale_forces(const Parts& parts, std::span<const double> factors) {
  for (std::size_t k = 0; k < vertices_.size(); ++k) forces_[k] *= factors[parts[vertices_[k]]];
}

void Pins::add_work(const State& state, const NodalField&, const TimeStep& step, const Parts& parts,
                    std::span<SupportWork> works) const {
  const Pose from = motion_.at(step.start), to = motion_.at(step.end);
  const PoseRate before = motion_.rate(step.start), after = motion_.rate(step.end);
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    SupportWork& work = works[parts[vertices_[k]]];
    work.impulse += step.h * forces_[k];
    if (!has_path()) continue;
    const Vec3 p = from.apply(still(state, k)), q = to.apply(still(state, k));
    const Vec3 u = before.at(p), w = after.at(q);
    work.energy += forces_[k].dot(q - p) + 0.5 * mass_[k] * (w.squaredNorm() - u.squaredNorm());
    work.impulse += mass_[k] * (w - u);
  }
}

double Pins::power(const State& state, const Configuration& at, const NodalField& g, Side side) const {
  if (!has_path()) return 0;
  const PoseRate rate = motion_.rate(at.when.to, side);
  const Pose pose = motion_.at(at.when.to);
  double power = 0;
  for (std::size_t k = 0; k < vertices_.size(); ++k) power += g[vertices_[k]].dot(rate.at(pose.apply(still(state, k))));
  return power;
}

void Pins::add_to_frames(const State& state, const TimeStep& step, const Parts& parts,
                         std::span<SupportFrame> frames) const {
  const Pose from = motion_.at(step.start), to = motion_.at(step.end);
  for (std::size_t k = 0; k < vertices_.size(); ++k) {
    const Vec3 p = has_path() ? from.apply(still(state, k)) : Vec3(state.x[vertices_[k]]);
    SupportFrame& frame = frames[parts[vertices_[k]]];
    frame.place += p;
    if (has_path()) frame.displacement += to.apply(still(state, k)) - p;
    frame.points += 1;
  }
}

bool is_driven_by_pins(const Model& model, int vertex) {
  return std::ranges::any_of(model.supports(), [&](const Driven* support) {
    const auto* pins = dynamic_cast<const Pins*>(support);
    return pins != nullptr && pins->has_path() && pins->holds(vertex);
  });
}

PinId Model::pin(BodyId body, std::span<const int> vertices, const Motion& motion) {
  const Body& b = this->body(body);
  for (const int vertex : vertices) check_vertex(b, vertex);
  motion.check(b.name + ".pin.path");
  std::vector<int> of_model;
  for (const int vertex : vertices) of_model.push_back(b.first_vertex + vertex);
  std::ranges::sort(of_model);
  for (const EnergyId id : b.energies)
    if (const auto* springs = dynamic_cast<const AttachmentSprings<HookeanLaw>*>(&energy(id));
        springs != nullptr && !(motion.empty() && springs->motion().empty()))
      for (const Attachment& attachment : springs->attachments())
        if (std::ranges::binary_search(of_model, attachment.vertex)) refuse_two_holds(*this, attachment.vertex, "pin");
  of_model.erase(std::unique(of_model.begin(), of_model.end()), of_model.end());
  // The last word counts for vertices that were pinned before.
  for (Driven* support : supports_)
    if (auto* pins = dynamic_cast<Pins*>(support)) pins->give_up(of_model);
  for (const int vertex : of_model) pinned_[vertex] = 1;
  pattern_.reset();  // integrators prepare anew
  const PinId id = next_pins_.next();
  add_support(std::make_unique<Pins>(id, body, *this, std::move(of_model), motion));
  if (is_watched()) tell_interactions(same_vertices());  // contact takes what is pinned as immovable
  return id;
}

void Pins::change(Model&, std::span<const int> vertices) {
  for (int& vertex : vertices_) vertex = vertices[static_cast<std::size_t>(vertex)];
}

void Pins::give_up(const std::vector<int>& sorted) {
  const auto gone = [&](int vertex) { return std::ranges::binary_search(sorted, vertex); };
  std::vector<double> mass;
  for (std::size_t k = 0; k < vertices_.size(); ++k)
    if (!gone(vertices_[k])) mass.push_back(mass_[k]);
  std::erase_if(vertices_, gone);
  mass_ = std::move(mass);
  forces_ = MeanForces(vertices_.size());
}

}  // namespace brio
