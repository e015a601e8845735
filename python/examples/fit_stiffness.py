"""A stiffness from a motion: which Young's modulus makes the bar sway as it was seen to."""

# %% What was seen: the height of the tip, with some noise.
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize_scalar

import brio

FRAMES = 25


def sway(young):
    """The height of the tip over time [m]."""
    model = brio.Model(gravity=(0, -9.81, 0))
    bar = model.add_solid(
        brio.bar(size=(1, 0.2, 0.2), cells=(6, 1, 1)),
        material={"young": young, "poisson": 0.3},
        density=300,
        pin={"select": {"plane": [[-0.49, 0, 0], [-1, 0, 0]]}},
    )
    sim = brio.Simulation(model, "avf", h=0.02)
    tip = bar.mesh.vertices[:, 0].argmax()
    return np.array([frame.x[tip, 1] for frame in sim.frames(FRAMES)])


truth = 3e5  # Pa
seen = sway(truth) + 1e-3 * np.random.default_rng(0).standard_normal(FRAMES)

# %% The logarithm of the modulus that comes nearest.
exponents = np.linspace(4.8, 6, 7)
errors = [np.sum((sway(10**e) - seen) ** 2) for e in exponents]
middle = int(np.argmin(errors))
bracket = (exponents[max(middle - 1, 0)], exponents[min(middle + 1, 6)])
found = minimize_scalar(lambda e: np.sum((sway(10**e) - seen) ** 2), bounds=bracket, method="bounded")
young = 10**found.x
print(f"Young's modulus {young:.4g} Pa, off by {abs(young / truth - 1):.1%}")
assert abs(young / truth - 1) < 0.02

# %% The fit.
times = 0.02 * np.arange(1, FRAMES + 1)
plt.plot(times, seen, "o", label="seen")
plt.plot(times, sway(young), label=f"fitted: {young:.3g} Pa")
plt.xlabel("time [s]")
plt.ylabel("height of the tip [m]")
plt.legend()
plt.savefig("fit_stiffness.png")
