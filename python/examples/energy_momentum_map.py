"""A map of all integrators over h: by how much energy and angular momentum drift, on a spinning bar."""

# %% A free bar that spins and wobbles: nothing acts from outside, so that both should stay.
import matplotlib.pyplot as plt
import numpy as np

import brio

STEPS = np.array([1e-3, 3e-3, 1e-2, 3e-2])  # s
DURATION = 0.3  # s


def spinning_bar():
    model = brio.Model()
    model.add_solid(
        brio.bar(size=(1, 0.25, 0.25), cells=(4, 1, 1)),
        material={"name": "stvk", "young": 2e4, "poisson": 0.3},
        spin=(0, 0, 4),
        deform={"select": {"all": True}, "scale": 1.1},
    )
    return model


def drifts(name, h):
    """Of energy and angular momentum, relative to the start; infinite where the run ends early."""
    try:
        sim = brio.Simulation(spinning_bar(), name, h=h)
    except brio.InputError:
        return np.nan, np.nan
    start = sim.row
    for _ in range(round(DURATION / h)):
        if not sim.step(strict=False).ok:
            return np.inf, np.inf
    return abs(sim.row["residual"]) / start["total"], abs(sim.row["lz"] / start["lz"] - 1)


# %% All that follow Newton's law.
names = [name for name, method in brio.integrators().items() if method.family != "static"]
table = np.array([[drifts(name, h) for h in STEPS] for name in names])

# %% As heat maps of decimal logarithms.
figure, axes = plt.subplots(1, 2, figsize=(9, 0.28 * len(names) + 1.5), sharey=True, layout="constrained")
for k, (axis, title) in enumerate(zip(axes, ("energy", "angular momentum"))):
    shown = np.log10(np.clip(table[:, :, k], 1e-14, 1e2))
    image = axis.imshow(shown, aspect="auto", cmap="viridis", vmin=-14, vmax=2)
    axis.set_xticks(range(len(STEPS)), [f"{h:g}" for h in STEPS])
    axis.set_yticks(range(len(names)), names)
    axis.set_xlabel("h [s]")
    axis.set_title(title)
figure.colorbar(image, ax=axes, label="log10 of the drift, relative to the start")
figure.savefig("energy_momentum_map.png")

best = names[int(np.nanargmin(table[:, -1, 0]))]
print(f"at h = {STEPS[-1]:g} s {best} keeps the energy best, to {np.nanmin(table[:, -1, 0]):.0e}")
assert table[names.index("avf"), -1, 0] < 1e-8 < table[names.index("backward-euler"), -1, 0]
