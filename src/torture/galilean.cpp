#include "torture/galilean.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "brio/scene.h"
#include "torture/momenta.h"

namespace brio::torture {
namespace {

/// The scene with that velocity added to every body's.
std::string boosted(const std::string& text, const Vec3& u) {
  std::string out;
  const std::string body = "[[body]]\n", key = "\nvelocity = [";
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t next = std::min(text.find(body, start + 1), text.size());
    std::string part = text.substr(start, next - start);
    start = next;
    if (part.starts_with(body)) {
      Vec3 v = Vec3::Zero();
      if (const std::size_t at = part.find(key); at != std::string::npos) {
        std::sscanf(part.c_str() + at + key.size(), "%lf, %lf, %lf", &v[0], &v[1], &v[2]);
        part.erase(at, part.find('\n', at + 1) - at);
      }
      v += u;
      part.insert(body.size(), fmt::format("velocity = [{}, {}, {}]\n", v[0], v[1], v[2]));
    }
    out += part;
  }
  return out;
}

/// How far two ends are apart, one of which was carried along by `shift` [m].
double distance(const Trial& one, const Trial& other, const Vec3& shift) {
  if (one.positions.size() != other.positions.size()) return std::numeric_limits<double>::infinity();
  constexpr std::size_t bytes = sizeof(double) * NodalField::stride;
  double apart = 0;
  for (std::size_t at = 0; at < one.positions.size(); at += bytes) {
    double a[3], b[3];
    std::memcpy(a, one.positions.data() + at, sizeof(a));
    std::memcpy(b, other.positions.data() + at, sizeof(b));
    apart = std::max(apart, (Vec3(b[0], b[1], b[2]) - Vec3(a[0], a[1], a[2]) - shift).norm());
  }
  return apart;
}

}  // namespace

std::string galilean_breach(const std::string& text, const Trial& still, const std::filesystem::path& folder) {
  constexpr double tolerance = 1e-8, same = 1e-6, amplified = 100;
  const bool judged = still.outcome == Outcome::ok && still.meaningful() && is_free(text);
  if (!judged) return {};
  const Scene scene = parse_scene(text);
  if (scene.options.options.solver.tolerance > tolerance) return {};
  const double time = scene.simulation.h() * scene.frames * scene.steps_per_frame;
  const Model& model = scene.simulation.model();
  const Vec3 center = center_of(model, model.rest());
  double size = 0;  // the first vertex of a sphere is its center
  for (std::size_t i = 0; i < model.vertices(); ++i) size = std::max(size, (model.rest()[i] - center).norm());
  const Vec3 u = 10 * size / time * Vec3(0.7, 0.3, -0.2);
  constexpr double nothing = 1e-12;
  const Trial nearly = try_scene(boosted(text, nothing * u), folder);
  if (nearly.outcome != Outcome::ok) return {};
  const Trial along = try_scene(boosted(text, u), folder);
  if (along.outcome != Outcome::ok)
    return fmt::format("ok, but seen by who moves along it is {}: {}", to_string(along.outcome), along.wrong);
  const double apart = distance(still, along, time * u);
  const double sensitivity = distance(still, nearly, time * nothing * u);
  if (apart <= same * size + amplified * sensitivity) return {};
  return fmt::format("who moves along sees another motion: {:.1e} of its size apart, rounding makes {:.1e}",
                     apart / size, sensitivity / size);
}

}  // namespace brio::torture
