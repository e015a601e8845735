"""First steps: a bar of jelly, what it does, and where its energy goes."""

# %% A scene file is read, a key is changed, and time passes.
import pathlib

import matplotlib.pyplot as plt
import numpy as np

import brio

scenes = pathlib.Path(__file__).resolve().parents[2] / "scenes"
scene = brio.load_scene(scenes / "hello.toml")
scene["body"][0]["material"]["young"] = 4e4
sim = scene.simulation()
tip = sim.x[:, 0].argmax()
heights = [frame.x[tip, 1] for frame in sim.frames(60)]

# %% The ledger has one row per frame. AVF keeps the energy.
rows = sim.ledger
drift = np.abs(rows["residual"]).max() / rows["kinetic"].max()
print(f"the tip falls to {min(heights):.3f} m; the energy is kept to {drift:.1e} of the largest kinetic energy")

# %% The same with backward Euler, from the same start: it takes energy that nothing else took.
other = scene.with_integrator("backward-euler").simulation()
other.step(60)
print(f"backward Euler loses {-other.row['residual']:.3f} J")

# %% Pictures.
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3))
left.plot(rows["time"][1:], heights)
left.set_xlabel("time [s]")
left.set_ylabel("height of the tip [m]")
rows.plot(axes=right)
figure.tight_layout()
figure.savefig("first_steps.png")
