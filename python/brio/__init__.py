"""brio animates deformable things: jelly, cloth, wires. This is all of it from Python.

    import brio

    sim = brio.load_scene("scenes/hello.toml").simulation()
    for frame in sim.frames(100):
        print(frame.time, frame.x.mean(axis=0), sim.row["residual"])

Lengths are in m, times in s, masses in kg, energies in J; y is up.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from brio import _native
from brio._native import Snapshot, StepReport
from brio.energies import DerivativeCheck, Energy, Force, Minimum, check_derivatives, minimize
from brio.errors import InputError, StepFailed
from brio.frames import Frames
from brio.integrators import (
    Integrator,
    Objective,
    OrderRow,
    Step,
    integrator,
    integrators,
    materials,
    orders,
    register_material,
    register_solver,
    solvers,
    stability_limit,
)
from brio.keywords import (
    bar,
    cactus,
    cube,
    cylinder,
    drag_damping,
    helix,
    line,
    momentum_preserving_damping,
    overhand_knot,
    points,
    rayleigh_damping,
    rayleigh_s0_damping,
    rod,
    sheet,
    solver,
    sphere,
    torus,
    variational_damping,
)
from brio.ledgers import Ledger, ledger
from brio.meshes import Mesh, load_model, read_mesh, write_mesh
from brio.model import Body, Model, StepObjective
from brio.runs import Comparison, Run, compare, run
from brio.scenes import Scene, load_scene, parse_scene
from brio.simulation import Frame, Hand, Hit, Simulation, State, Surface, load_snapshot
from brio.sweeps import sweep

__version__: str = _native.__version__


def set_threads(count: int) -> None:
    """How many threads simulations use from now on; 0: all cores. Results do not depend on it."""
    _native.set_threads(count)


@contextlib.contextmanager
def threads(count: int) -> Iterator[None]:
    """The same for a while: ``with brio.threads(1): ...``."""
    before = _native.threads()
    _native.set_threads(count)
    try:
        yield
    finally:
        _native.set_threads(before)


__all__ = [
    "Body",
    "Comparison",
    "DerivativeCheck",
    "Energy",
    "Force",
    "Frame",
    "Frames",
    "Hand",
    "Hit",
    "InputError",
    "Integrator",
    "Ledger",
    "Mesh",
    "Minimum",
    "Model",
    "Objective",
    "OrderRow",
    "Run",
    "Scene",
    "Simulation",
    "Snapshot",
    "State",
    "Step",
    "StepFailed",
    "StepObjective",
    "Surface",
    "StepReport",
    "bar",
    "cactus",
    "check_derivatives",
    "compare",
    "cube",
    "cylinder",
    "drag_damping",
    "helix",
    "integrator",
    "integrators",
    "ledger",
    "line",
    "load_model",
    "load_scene",
    "load_snapshot",
    "materials",
    "minimize",
    "momentum_preserving_damping",
    "orders",
    "overhand_knot",
    "parse_scene",
    "points",
    "rayleigh_damping",
    "rayleigh_s0_damping",
    "read_mesh",
    "register_material",
    "register_solver",
    "rod",
    "run",
    "set_threads",
    "sheet",
    "solver",
    "solvers",
    "sphere",
    "stability_limit",
    "sweep",
    "threads",
    "torus",
    "variational_damping",
    "write_mesh",
]
