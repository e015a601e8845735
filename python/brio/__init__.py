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
from brio._native import MeshReport, Snapshot, StepReport
from brio.energies import DerivativeCheck, Energy, Force, check_derivatives
from brio.errors import InputError, StepFailed
from brio.formats import Animation, Shape, formats, register_format, shapes
from brio.frames import Frames
from brio.integrators import Integrator, OrderRow, Step, integrator, integrators, orders, stability_limit
from brio.interactions import Between, Interaction
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
from brio.laws import lame, materials, penalty_laws, register_material, register_penalty_law
from brio.meshes import (
    Mesh,
    MeshFormat,
    load_model,
    mesh_formats,
    model_names,
    read_mesh,
    tetrahedralize,
    write_mesh,
)
from brio.model import Body, Model, StepObjective
from brio.motions import Motion, Pose, PoseRate
from brio.runs import Comparison, Run, compare, run
from brio.scenes import Examined, Obstacle, Scene, load_scene, parse_scene
from brio.simulation import Frame, Hand, Hit, Penetration, Simulation, State, Surface, load_snapshot
from brio.solvers import Minimum, Objective, Problem, minimize, register_solver, solvers
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
    "Animation",
    "Between",
    "Body",
    "Comparison",
    "DerivativeCheck",
    "Energy",
    "Examined",
    "Force",
    "Frame",
    "Frames",
    "Hand",
    "Hit",
    "InputError",
    "Integrator",
    "Interaction",
    "Ledger",
    "Mesh",
    "MeshFormat",
    "MeshReport",
    "Minimum",
    "Model",
    "Motion",
    "Objective",
    "Obstacle",
    "OrderRow",
    "Penetration",
    "Pose",
    "PoseRate",
    "Problem",
    "Run",
    "Scene",
    "Shape",
    "Simulation",
    "Snapshot",
    "State",
    "Step",
    "StepFailed",
    "StepObjective",
    "StepReport",
    "Surface",
    "bar",
    "cactus",
    "check_derivatives",
    "compare",
    "cube",
    "cylinder",
    "drag_damping",
    "formats",
    "helix",
    "integrator",
    "integrators",
    "lame",
    "ledger",
    "line",
    "load_model",
    "load_scene",
    "load_snapshot",
    "materials",
    "mesh_formats",
    "minimize",
    "model_names",
    "momentum_preserving_damping",
    "orders",
    "overhand_knot",
    "parse_scene",
    "penalty_laws",
    "points",
    "rayleigh_damping",
    "rayleigh_s0_damping",
    "read_mesh",
    "register_format",
    "register_material",
    "register_penalty_law",
    "register_solver",
    "rod",
    "run",
    "set_threads",
    "shapes",
    "sheet",
    "solver",
    "solvers",
    "sphere",
    "stability_limit",
    "sweep",
    "tetrahedralize",
    "threads",
    "torus",
    "variational_damping",
    "write_mesh",
]
