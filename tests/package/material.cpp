/// A material of one's own: Fung's exponential law, soft at first and stiffer the more it is strained, as skin is.
/// psi = mu/b (exp(b s) - 1) + lambda/2 t², s = E : E
#include <brio/brio.h>

#include <cmath>
#include <cstdio>

namespace {

brio::EnergyDensity fung(const brio::Material& m, const brio::StrainInvariants& I) {
  const double grown = std::exp(m.b * I.s);
  return {.psi = m.mu / m.b * (grown - 1) + m.lambda / 2 * I.t * I.t,
          .t = m.lambda * I.t,
          .s = m.mu * grown,
          .tt = m.lambda,
          .ss = m.mu * m.b * grown};
}

}  // namespace

int main() {
  brio::register_material({.name = "fung",
                           .formula = "mu/b (exp(b E:E) - 1) + lambda/2 tr(E)^2",
                           .sentence = "skin",
                           .reference = "Fung 1967",
                           .keys = {"mu", "lambda", "b"},
                           .density = fung});
  // Scenes know it as they know the others.
  brio::Scene scene = brio::parse_scene(R"(
gravity = [0, -9.81, 0]
[time]
h = 0.01
frames = 50
[integrator]
name = "avf"
[[body]]
mesh = { generate = "bar", size = [1, 0.25, 0.25], cells = [8, 2, 2] }
material = { name = "fung", mu = 2e4, lambda = 2e4, b = 4 }
pin = [ { select = { plane = [[-0.499, 0, 0], [-1, 0, 0]] } } ]
)");
  const auto report = scene.simulation.step(50);
  const brio::LedgerRow& row = scene.simulation.ledger();
  std::printf("%s: elastic %.3f J, residual %.1e J\n", report.message.c_str(), row.elastic, row.residual);
  return report.ok() && row.elastic > 0 && std::abs(row.residual) < 1e-3 * row.elastic ? 0 : 1;
}
