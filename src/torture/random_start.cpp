/// How bodies of random scenes start, and what holds, drives and pushes them.
#include <algorithm>
#include <cmath>

#include "torture/random_scene.h"

namespace brio::torture {

/// Fast enough for something to happen; unless wild, slower than waves in the body.
double SceneWriter::speed(const Placed& body) {
  const double fall = std::sqrt(std::max(std::abs(setting_.gravity), 1.0) * body.length);
  const double across = body.length / setting_.duration();
  const double most = setting_.sane ? 0.5 * body.sound : 20 * body.sound;
  return std::min(most, dice_.of(std::vector<double>{fall, across, 0.1 * body.sound}) * dice_.log_between(0.1, 3));
}

/// Moves every slice across x from its place s to stretch * s + shift.
void SceneWriter::add_slices(double stretch, double shift, const Placed& body) {
  const double near = 0.1 * (slices_[1] - slices_[0]), far = 10 * setting_.size;
  std::string list;
  for (const double s : slices_) {
    const double x = body.x + s;
    list += fmt::format(
        "{}{{ select = {{ box = [[{:.6g}, {:.6g}, {:.6g}], [{:.6g}, {:.6g}, {:.6g}]] }}, translate = [{:.6g}, 0, 0] }}",
        list.empty() ? "" : ", ", x - near, -far, -far, x + near, far, far, (stretch - 1) * s + shift);
  }
  say("deform = [{}]", list);
}

void SceneWriter::add_start(Placed& body) {
  std::vector<std::string> starts{"calm", "calm", "calm", "calm", "bent", "stretched"};
  const bool may_invert = !barrier_ || dice_.chance(0.05);
  if (may_invert) starts.insert(starts.end(), {"inverted", "scattered", "collapsed", "mirrored"});
  const std::string start = dice_.of(starts);
  body.calm = start == "calm";
  const double size = body.length;
  if (start == "bent")
    say("deform = [{{ select = {{ plane = [[{:.4g}, {:.6g}, 0], [1, 0.1, 0]] }}, translate = {} }}]",
        body.x + 0.01 * size, body.y, vector(0.15 * size));
  if (start == "stretched")
    say("deform = [{{ select = {{ all = true }}, scale = {:.3g} }}]", dice_.log_between(0.5, 2));
  if (start == "scattered")
    say("deform = [{{ select = {{ all = true }}, scatter = {:.3g}, seed = {} }}]", size * dice_.log_between(0.1, 2),
        dice_.whole(1, 1000));
  if (start == "inverted")
    say("deform = [{{ select = {{ plane = [[{:.4g}, {:.6g}, 0], [1, 0.1, 0]] }}, translate = [{:.3g}, 0, 0] }}]",
        body.x + 0.01 * size, body.y, -size * dice_.between(0.8, 1.6));
  if (start == "mirrored" || start == "collapsed") {
    const bool mirrored = start == "mirrored";
    if (slices_.size() > 1)
      add_slices(mirrored ? -1 : dice_.chance(0.5) ? 0 : 0.01, 0, body);
    else
      say("deform = [{{ select = {{ all = true }}, scale = {:.1g} }}]", dice_.log_between(1e-4, 1e-1));
  }
}

void SceneWriter::add_motion(const Placed& body) {
  if (dice_.chance(0.5)) say("velocity = {}", vector(speed(body)));
  if (dice_.chance(0.4)) say("spin = {}", vector(2 * speed(body) / body.length));
  const bool edge_at_end = body.upright && (slices_.size() > 1 || body.kind == "cloth" || body.kind == "particles");
  if (setting_.method->constraints && edge_at_end && body.calm && dice_.chance(0.3)) {
    say("constrain = [{{ kind = \"plane\", vertex = 0, point = [{:.6g}, {:.6g}, 0], direction = [1, 0, 0] }}]",
        body.x - body.length / 2, body.y);
    return;
  }
  const bool must_hold = !setting_.method->dynamic;
  if (must_hold || dice_.chance(0.3)) add_held("pin", -1, body);
  if (dice_.chance(0.2)) add_held("attach", 1, body);
}

/// The end at that side, where it is or along a path that begins there; springs may let go.
void SceneWriter::add_held(const char* how, double side, const Placed& body) {
  const bool springs = std::string(how) == "attach";
  const double end = body.x + side * body.length / 2;
  std::string held = body.upright ? fmt::format("select = {{ plane = [[{:.6g}, {:.6g}, 0], [{}, 0, 0]] }}",
                                                body.x + 0.99 * side * body.length / 2, body.y, side)
                                  : fmt::format("select = {{ vertices = [{}] }}", side < 0 ? "0, 1, 2" : "3, 4");
  if (springs) {
    const double weight = body.mass * std::max(std::abs(setting_.gravity), 1.0) / body.length;
    held += fmt::format(", stiffness = {:.3g}",
                        stable_limit(weight * dice_.log_between(0.1, 1e4), body.mass / body.vertices));
    if (dice_.chance(0.3)) held += fmt::format(", release = {:.3g}", moment());
  }
  const double away = std::min(0.5 * body.length, 0.5 * speed(body) * setting_.duration());
  const bool path = body.upright && body.calm && body.kind != "wire" && dice_.chance(0.4);
  if (path) {
    const double x = end + away * dice_.between(-1, 1), y = body.y + away * dice_.between(-1, 1);
    held += fmt::format(", path = [[0, [{:.6g}, {:.6g}, {:.6g}]], [{:.4g}, [{:.4g}, {:.4g}, {:.4g}]]]", end, body.y,
                        body.z, moment(), x, y, body.z + away * dice_.between(-1, 1));
  }
  const bool turn = body.calm && dice_.chance(0.2);
  if (turn) {
    const double degrees = 60 * std::min(1.0, 2 * away / body.length) * dice_.between(-1, 1);
    held += fmt::format(", turn = [[0, 0], [{:.4g}, {:.3g}]], axis = [1, 0, 0]", moment(), degrees);
  }
  if ((path || turn) && dice_.chance(0.5)) held += ", interpolate = \"smooth\"";
  if ((path || turn) && springs && dice_.chance(0.1)) held += ", forcing = \"s1\"";
  say("{} = [{{ {} }}]", how, held);
}

void SceneWriter::add_loads(const Placed& body) {
  const double weight = body.mass * std::max(std::abs(setting_.gravity), 1.0);
  if (dice_.chance(0.12))
    say("push = [{{ select = {{ vertex = 1 }}, force = [[0, {}], [{:.4g}, {}]] }}]", vector(0.3 * weight), moment(),
        vector(0.3 * weight));
  if ((body.kind == "cloth" || body.kind == "solid") && dice_.chance(0.12))
    say("wind = {{ velocity = {}, gust = {:.2g}, period = {:.3g} }}", vector(std::min(10.0, speed(body))),
        dice_.between(0, 0.8), setting_.duration() * dice_.between(0.1, 2));
}

}  // namespace brio::torture
