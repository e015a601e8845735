"""Writes docs/python.md: what is below, and every public name with its docstring. Its examples are tests.

    ./brio python -m brio.docs            prints the page
"""

from __future__ import annotations

import inspect
import textwrap
from typing import Any

import brio
from brio.counterparts import ABSENT, KEYWORDS, RENAMED

GUIDE = """# brio in Python

Made by `./brio python -m brio.docs > docs/python.md`; its examples are run by the tests.

```
./brio python script.py          Debian's python3 with brio in it; also -m MODULE, -c CODE, or a prompt
cmake --install build/release --prefix ~/.local                       into site-packages of that prefix, or as a wheel:
(cd python && /usr/bin/python3 -m build --wheel --no-isolation)       needs nothing from the net
```
NumPy and SciPy are needed; pandas, Matplotlib, tqdm and Dask are used where they are installed.

## A scene

A scene is what a scene file says; its keys are those of [scene.md](scene.md).

>>> import brio, numpy as np
>>> scene = brio.load_scene("scenes/hello.toml")
>>> scene["body"][0]["material"]["young"] = 2e5
>>> sim = scene.simulation()
>>> for frame in sim.frames(10):
...     pass
>>> sim.x.shape, round(sim.time, 6)
((425, 3), 0.2)
>>> bool(abs(sim.row["residual"]) < 1e-6 * sim.row["kinetic"])
True

Mistakes are named with key, value, bound and remedy:

>>> scene["body"][0]["material"]["poisson"] = 0.7
>>> try:
...     scene.simulation()
... except brio.InputError as error:
...     print(error.key, "=", error.value, error.bound)
body[0].material.poisson = 0.7 must be in (-1, 0.5)

## A model

Keywords, defaults, units and bounds are those of the tables behind scene files: `help(brio.Model.add_solid)`.

>>> model = brio.Model(gravity=(0, -9.81, 0))
>>> held = {"select": {"plane": [[-0.49, 0, 0], [-1, 0, 0]]}}
>>> rubber = {"name": "stvk", "young": 2e4, "poisson": 0.3}
>>> bar = model.add_solid(brio.bar(size=(1, 0.25, 0.25), cells=(4, 1, 1)), material=rubber, pin=held)
>>> sim = brio.Simulation(model, "avf", h=0.02)
>>> sim.step(25).ok
True
>>> sim.ledger["total"].shape, sim.ledger.unit("total")
((2,), 'J')

`sim.x` and `sim.v` look at the state itself, without a copy, and cannot be written to. When the simulation goes on, is
changed, or is gone, arrays that are still held keep what they show.

>>> before = sim.x
>>> shown = before.copy()
>>> sim.set_state(v=np.zeros_like(sim.v))             # booked as work of the user
>>> bool((before == shown).all()), bool(sim.row["user_work"] < 0)
(True, True)

A moment can be kept, pickled, and returned to; what follows has the same bits.

>>> moment = sim.snapshot()
>>> first = (sim.step(5), sim.hash)[1]
>>> sim.restore(moment)
>>> (sim.step(5), sim.hash)[1] == first
True

A failed step raises `brio.StepFailed`, unless `strict=False`; the simulation is then where it was. Ctrl-C ends long
calls within a second, and leaves the simulation where it was, too. Other threads of Python run while brio computes; each
thread needs simulations and models of its own. Processes must be spawned, not forked, since brio has threads.

## Derivatives

>>> x = model.rest + 0.01 * np.random.default_rng(0).standard_normal(model.rest.shape)
>>> H = model.hessian(x, psd=True)                    # scipy.sparse; energy and gradient likewise
>>> H.shape == (3 * model.vertices, 3 * model.vertices)
True
>>> brio.check_derivatives(model, x).ok
True

`brio.StepObjective` is what an implicit step minimizes, and `minimize` does it:

>>> h, v = 0.02, np.zeros_like(x)
>>> step = brio.StepObjective(model, h, model.rest, model.rest + h * v, terms=[(1, 1)])   # backward Euler
>>> bool(np.abs(step.gradient(step.minimize(model.rest))).max() < 1e-6)
True

## An integrator of one's own

>>> @brio.integrator(order=1, symplectic=True)
... def my_euler(step):
...     v = step.v + step.h * step.force(step.x, step.v) / step.mass
...     return step.x + step.h * v, v
>>> mine, theirs = (brio.Simulation(model, name, h=1e-3) for name in ("my-euler", "symplectic-euler"))
>>> mine.step(100).ok, theirs.step(100).ok, bool(np.abs(mine.x - theirs.x).max() < 1e-12)
(True, True, True)
>>> [round(row.measured, 1) for row in brio.orders("my-euler")]
[1.0, 1.0, 1.0, 1.0]

A method of several steps says `remembers=1`, returns what the next one needs as a third, and finds it in `step.memory`.
Methods are known where Python runs: to `Simulation`, scenes, `brio.compare`, `brio.sweep` and their reports, not to the program.
An implicit one, AVF by Simpson's rule, by the solver of the simulation:

>>> @brio.integrator(order=2, accounts=False)
... def my_avf(step):
...     y = step.x + step.h * step.v - step.h**2 / 12 * step.model.gradient(step.x) / step.mass
...     x = step.minimize(y, [(2 / 3, 1 / 2), (1 / 12, 1)])
...     return x, 2 * (x - step.x) / step.h - step.v
>>> sim = brio.Simulation(model, "my-avf", h=0.02)
>>> sim.step(50).ok, bool(abs(sim.row["residual"]) < 1e-6)
(True, True)

## An energy, a force, a material, a solver of one's own

>>> class Well(brio.Energy):
...     elements = np.arange(model.vertices)[:, None]     # vertices of the body, one row per element
...     def value(self, x):                               # x: (elements, corners, 3)
...         return 50 * (x**2).sum(axis=(1, 2))
...     def gradient(self, x):
...         return 100 * x
>>> brio.check_derivatives(Well(), model.rest[:, None]).ok
True
>>> model.add_energy(bar, Well())
>>> brio.Simulation(model, "avf", h=0.02).step(10).ok
True

An energy that joins bodies belongs to none: `model.add_energy(None, energy)`. `brio.Force` likewise.
`brio.register_material` takes an energy density, `brio.register_penalty_law` how hard colliders push,
`brio.register_solver` a function that minimizes, `brio.register_format` one that writes an animation file.

What happens between steps is an interaction; by how much it changes the kinetic energy is booked:

>>> class Brake(brio.Interaction):
...     def end_step(self, now):                          # all vertices, or those of one body
...         return now.v * np.exp(-2 * now.h)
>>> model.add_interaction(Brake(), bar)
>>> sim = brio.Simulation(model, "avf", h=0.02)
>>> sim.step(10).ok, bool(sim.row["damping_loss"] > 0)
(True, True)

`brio.minimize` finds the minimum of such an energy alone, or of any function of positions, by any solver:

>>> class Valley(brio.Objective):
...     def value(self, x):
...         return np.sum((x - 1) ** 4)
...     def gradient(self, x):
...         return 4 * (x - 1) ** 3
>>> bool(np.abs(brio.minimize(Valley(), np.zeros((5, 3))).x - 1).max() < 1e-2)
True

## Runs, comparisons, sweeps

```python
run = scene.run("out/hello")                       # as brio run does, to the same bits; with a progress bar
run.frames.x[10], run.ledger["total"], run.summary # memory-mapped, structured array, dict; formats.md has every byte
run.export("usda")
brio.compare(scene, ["avf", "backward-euler", "my-euler"], "out/compare").plot("total")
table = brio.sweep(scene, {"integrator.name": ["avf", "bdf2"], "time.h": [0.01, 0.02]}, "out/sweep", workers=2)
```
In a script `sweep` stands below `if __name__ == "__main__":`, since workers import the script. In Jupyter a run and a
comparison show their pages, a ledger its chart. `sweep` takes up what was interrupted, and runs
on a cluster when it is given a Dask client whose machines see the same folder.

`python/examples` has four notebooks as scripts: first steps, an integrator of one's own against AVF, a map of energy and
momentum of all integrators over h, and a stiffness that is fitted to a motion.

"""


def counterparts() -> str:
    """What one who knows the headers looks for."""
    text = "## From C++\n\nNames are those of the public headers, unless they are listed here. Options are keywords, choices texts.\n\n"
    text += "| in C++ | in Python |\n|---|---|\n"
    text += "".join(f"| `{name}` | `brio.{path}` |\n" for name, path in sorted({**KEYWORDS, **RENAMED}.items()))
    text += "\nNot in Python:\n\n| in C++ | since |\n|---|---|\n"
    return text + "".join(f"| `{name}` | {reason} |\n" for name, reason in sorted(ABSENT.items()))


def described(name: str, thing: Any, level: str) -> str:
    try:
        signature = str(inspect.signature(thing)) if callable(thing) else ""
    except ValueError:
        signature = ""
    signature = signature.replace("'", "")
    text = inspect.getdoc(thing) or ""
    return f"\n{level} `{name}{signature if len(signature) < 90 else '(...)'}`\n\n{formatted(text)}\n"


def formatted(text: str) -> str:
    """Paragraphs as they are, what is indented as code."""
    parts = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith(("Keywords:", "Attributes:")):
            head, *rest = paragraph.splitlines()
            items = textwrap.dedent("\n".join(rest)).replace("\n    ", " ").splitlines()
            parts.append(f"{head}\n" + "\n".join(f"- `{i.partition(': ')[0]}`: {i.partition(': ')[2]}" for i in items))
        elif paragraph.startswith("    "):
            parts.append(f"```python\n{textwrap.dedent(paragraph)}\n```")
        else:
            parts.append(paragraph.replace("``", "`"))
    return "\n\n".join(parts)


def page() -> str:
    text = GUIDE + counterparts() + "\n## Reference\n"
    for name in brio.__all__:
        thing = getattr(brio, name)
        text += described(f"brio.{name}", thing, "###")
        if not inspect.isclass(thing) or name in ("MeshReport", "StepReport", "Snapshot"):
            continue
        for member in dir(thing):
            inner = inspect.getattr_static(thing, member)
            if member.startswith("_") or not (inspect.getdoc(getattr(thing, member)) or "").strip():
                continue
            own = any(member in vars(base) for base in thing.__mro__ if base.__module__.startswith("brio."))
            if own and (callable(getattr(thing, member)) or isinstance(inner, property)):
                line = formatted(inspect.getdoc(getattr(thing, member)) or "").split("\n\n")[0].replace("\n", " ")
                text += f"- `{member}`: {line}\n"
    return text


if __name__ == "__main__":
    print(page(), end="")
