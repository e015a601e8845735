"""An integrator of one's own: AVF by Simpson's rule in ten lines, beside the one that is built in."""

# %% A step of AVF minimizes 1/(2 h^2) |x - y|^2_M + 2/3 E(x + x_n over 2) + 1/12 E(x); the velocity follows.
import pathlib

import matplotlib.pyplot as plt
import numpy as np

import brio


@brio.integrator(order=2, accounts=False, reversible=True, energy="kept to the solver's tolerance")
def my_avf(step):
    """AVF by Simpson's rule, in NumPy."""
    h, x_n, v_n = step.h, step.x, step.v
    y = x_n + h * v_n - h**2 / 12 * step.model.gradient(x_n) / step.mass
    x = step.minimize(y, [(2 / 3, 1 / 2), (1 / 12, 1)], guess=x_n + h * v_n)
    return x, 2 * (x - x_n) / h - v_n


@brio.integrator(order=1, symplectic=True)
def my_euler(step):
    """Symplectic Euler, in NumPy: explicit, one force."""
    v = step.v + step.h * step.force(step.x, step.v) / step.mass
    return step.x + step.h * v, v


# %% Their orders, measured on problems with known answers.
for name in ("my-avf", "my-euler"):
    print(name, {row.problem: round(row.measured, 2) for row in brio.orders(name)})

# %% The same motion, to the solver's tolerance.
scene = brio.load_scene(pathlib.Path(__file__).resolve().parents[2] / "scenes/hello.toml")
scene["body"][0]["material"] = {"name": "stvk", "young": 1e5, "poisson": 0.3}
scene["integrator"] = {"name": "avf", "quadrature": "simpson"}
built_in = scene.simulation()
mine = scene.with_integrator("my-avf").simulation()
built_in.step(30), mine.step(30)
apart = np.abs(built_in.x - mine.x).max()
print(f"after {mine.time:.2f} s they are {apart:.1e} m apart")
assert apart < 1e-6

# %% In a comparison, with the page that `brio compare` writes.
scene.set("time.frames", 30)
comparison = scene.compare(["avf", "my-avf", "backward-euler"], "your_own_integrator", force=True)
comparison.plot("residual")
plt.savefig("your_own_integrator.png")
