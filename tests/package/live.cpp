#include <brio/brio.h>

#include <cstdio>

/// A cloth over a soft ball, driven live: dragged, switched to another integrator, saved and restored, and read for
/// rendering.
int main() {
  brio::Model model;
  brio::ClothOptions cloth{
      .mesh = brio::make_sheet({.size = {1, 1}, .cells = {12, 12}}), .grid = {12, 12}, .mass = 0.2};
  for (brio::Vec3& vertex : cloth.mesh.vertices) vertex.y() += 0.3;
  const brio::BodyId sheet = model.add(cloth);
  const brio::BodyId ball = model.add(brio::SolidOptions{
      .mesh = brio::make_sphere({.radius = 0.25, .rings = 2}), .material = {.mu = 2e4, .lambda = 4e4}, .density = 100});
  model.set_gravity({0, -9.81, 0});
  brio::add_collider(model, {.shape = brio::PlaneShape{.point = {0, -0.25, 0}}, .friction = 0.4});
  brio::add_self_contact(model, {.thickness = 5e-3, .friction = 0.3});
  brio::Simulation live(model, {.integrator = "stabilized", .h = 1.0 / 60});
  brio::BodyView view(live.model(), sheet);

  // Take hold of the cloth where a ray from the camera meets it, and drag it sideways for a third of a second.
  const brio::RayHit hit = live.pick({0.3, 5, 0.3}, {0, -1, 0});
  if (hit.body != sheet) return std::puts("the ray missed");
  const brio::GrabId hand = live.grab(hit.body, hit.point, 50);  // N/m
  for (int frame = 1; frame <= 20; ++frame) {
    live.move(hand, hit.place + brio::Vec3(0.01 * frame, 0.005 * frame, 0));
    if (const brio::StepReport report = live.step(); !report.ok()) return std::puts(report.message.c_str());
    view.update(live.model(), live.state());  // positions(), normals() and triangles() go to the renderer
  }
  std::printf("the hand did %.3f J of work; the ledger misses %.1e J\n", live.ledger().user_work,
              live.ledger().residual);

  // Keep this moment; see how it goes on with two integrators.
  brio::save(live.snapshot(), "moment.brio");
  for (const char* integrator : {"backward-euler", "avf"}) {
    live.use({.integrator = integrator, .h = 1.0 / 60});
    live.restore(brio::load_snapshot("moment.brio"));  // the hand is there again
    live.let_go(hand);
    live.apply_impulse(ball, 0, {0.5, 0, 0});  // N s
    if (const brio::StepReport report = live.step(20); !report.ok()) return std::puts(report.message.c_str());
    view.update(live.model(), live.state());
    const auto& corner = view.positions().front();
    std::printf("%s: corner at %.3f %.3f %.3f, kinetic %.3f J\n", integrator, corner[0], corner[1], corner[2],
                live.ledger().kinetic);
  }
  return std::remove("moment.brio");
}
