"""Simulations: a model, its state, an integrator, and the account of every joule."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brio import _native
from brio._native import Snapshot, StepReport
from brio.errors import StepFailed
from brio.fields import keys_of
from brio.keywords import ColliderKeywords, IntegratorKeywords
from brio.ledgers import Ledger
from brio.model import Array, Body, Model

if TYPE_CHECKING:
    from brio.meshes import Mesh


class State(NamedTuple):
    """Positions [m], velocities [m/s], time [s] and number of steps: copies, which stay what they are."""

    x: Array
    v: Array
    time: float
    step: int


@dataclass(frozen=True)
class Frame:
    """What ``Simulation.frames`` gives: positions [m] and velocities [m/s] at that time [s]."""

    index: int
    time: float
    x: Array
    v: Array
    report: StepReport


class Hand:
    """Holds a point of a body by a spring until it lets go; ``with sim.grab(...) as hand:`` lets go at the end."""

    def __init__(self, simulation: Simulation, number: int) -> None:
        self._simulation = simulation
        self._number = number

    def __enter__(self) -> Hand:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.let_go()

    def move(self, to: ArrayLike) -> None:
        """The hand is there [m] after the next step."""
        self._simulation._core.move(self._number, to)

    def let_go(self) -> None:
        self._simulation._core.let_go(self._number)

    @property
    def place(self) -> Array:
        """Where the hand is [m]."""
        return self._simulation._core.held(self._number)[0]

    @property
    def point(self) -> Array:
        """Where the point is that it holds [m]."""
        return self._simulation._core.held(self._number)[1]


class Hit(NamedTuple):
    """Where a ray first meets a body: at the weighted mean of three vertices of it."""

    body: Body
    vertices: tuple[int, int, int]
    weights: Array
    place: Array


class Penetration(NamedTuple):
    """How deep the deepest vertex is in a collider [m], as a fraction of its body's size, in which collider, and which
    vertex of the model it is, of which body."""

    depth: float
    fraction: float
    collider: str
    body: Body | None
    vertex: int


class Surface(NamedTuple):
    """Positions [m], normals and triangles of a surface, and the body's vertex behind each of its vertices."""

    positions: NDArray[np.float32]
    normals: NDArray[np.float32]
    triangles: NDArray[np.uint32]
    vertices: NDArray[np.int32]


class Simulation(IntegratorKeywords, ColliderKeywords):
    """Steps a model through time. One thread at a time may use it; while it computes, other threads of Python run."""

    _core: _native.Simulation
    steps_per_frame: int = 1

    def _start(
        self, model: Model, integrator: str, h: float, solver: Any, x: Any, v: Any, time: float, options: dict[str, Any]
    ) -> None:
        if not isinstance(model, Model):
            raise TypeError(f"model must be a brio.Model, not {type(model).__name__}")
        self._core = _native.Simulation(model._core, integrator, h, options, dict(solver or {}), x, v, time)

    @classmethod
    def _of(cls, core: _native.Simulation, steps_per_frame: int) -> Simulation:
        simulation = cls.__new__(cls)
        simulation._core = core
        simulation.steps_per_frame = steps_per_frame
        return simulation

    def _use(self, integrator: str, h: float | None, solver: Any, options: dict[str, Any]) -> None:
        self._core.use(integrator, self.h if h is None else h, options, dict(solver or {}))

    def __repr__(self) -> str:
        return (
            f"<Simulation at {self.time:.6g} s after {self.steps} steps of {self.h:.6g} s with {self.integrator}: "
            f"{len(self.x)} vertices>"
        )

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("a simulation cannot be copied or pickled; restore a snapshot of it in one that is made alike")

    def _repr_html_(self) -> str:
        return self.ledger._repr_html_()

    def step(
        self,
        count: int = 1,
        *,
        strict: bool = True,
        milliseconds: float = math.inf,
        finish_with_best: bool = False,
    ) -> StepReport:
        """All or nothing: so many steps, then a row in the ledger.

        A step that fails raises StepFailed, unless ``strict`` is false: then the report says so. With a budget of
        ``milliseconds`` the call is given up when they are over, or ends with the best that solvers have.
        """
        report = self._core.step(count, milliseconds, finish_with_best)
        if strict and not report.ok:
            raise StepFailed(report)
        return report

    def cancel(self) -> None:
        """Ends the call of ``step`` that another thread is in: its report is canceled, the simulation where it was."""
        self._core.cancel()

    def time_of(self, step: int) -> float:
        """When that step begins [s]."""
        return self._core.time_of(step)

    def frames(self, count: int, *, strict: bool = True) -> Iterator[Frame]:
        """Steps from frame to frame, ``steps_per_frame`` each: ``for frame in sim.frames(100)``.

        The arrays of a frame keep what they show when the simulation goes on.
        """
        if count < 0:
            raise ValueError(f"count = {count}: must be >= 0")
        for index in range(1, count + 1):
            report = self.step(self.steps_per_frame, strict=strict)
            yield Frame(index, self.time, self.x, self.v, report)
            if not report.ok:
                return

    @property
    def x(self) -> Array:
        """Positions [m], of shape (vertices, 3): a view of the state itself, which cannot be written to.

        When the simulation goes on, views that are still held keep what they show.
        """
        return self._core.x

    @property
    def v(self) -> Array:
        """Velocities [m/s]; otherwise as x."""
        return self._core.v

    @property
    def state(self) -> State:
        """A copy of it."""
        return State(self.x.copy(), self.v.copy(), self.time, self.steps)

    @property
    def time(self) -> float:
        """[s]"""
        return self._core.time

    @property
    def steps(self) -> int:
        """That were taken."""
        return self._core.steps

    @property
    def h(self) -> float:
        """Integration step [s]."""
        return self._core.h

    @property
    def integrator(self) -> str:
        return self._core.integrator

    @property
    def hash(self) -> int:
        """Of the state's bits; that of ``run.json`` where the state is the same."""
        return self._core.hash

    @property
    def ledger(self) -> Ledger:
        """One row per call of ``step``, the start first: a structured array, ``sim.ledger["kinetic"]`` in joules."""
        return self._core.ledger().view(Ledger)

    @property
    def row(self) -> np.void:
        """The balance of the present state: ``sim.row["residual"]`` [J]."""
        return self._core.row()[0]

    @property
    def model(self) -> Model:
        """A copy of its model, as it is now."""
        return Model._lent(self._core.model())

    @property
    def bodies(self) -> list[Body]:
        return [Body(self, number) for number in self._core.bodies()]

    def snapshot(self) -> Snapshot:
        """A moment to return to: what follows is bit for bit what followed before. Can be pickled, and saved."""
        return self._core.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Of this simulation, or of one made alike."""
        self._core.restore(snapshot)

    def set_state(self, x: ArrayLike | None = None, v: ArrayLike | None = None) -> None:
        """Positions [m] and velocities [m/s] of all vertices; pinned ones stay. Booked as work of the user."""
        self._core.set_state(x, v)

    def set_velocity(self, body: Body, velocity: ArrayLike, vertices: ArrayLike | None = None) -> None:
        """Of a body [m/s], or of some vertices of it. Booked as work of the user."""
        chosen = np.arange(body.count) if vertices is None else vertices
        self._core.set_velocity(body.number, chosen, velocity)

    def apply_impulse(self, body: Body, vertex: int, impulse: ArrayLike) -> None:
        """At a vertex of the body [N s]."""
        self._core.apply_impulse(body.number, vertex, impulse)

    def grab(self, body: Body, vertex: int | Sequence[int], stiffness: float, weights: ArrayLike = (1, 0, 0)) -> Hand:
        """Holds a vertex, or a point of a triangle by three vertices and their weights, by a spring [N/m]."""
        corners = (vertex,) * 3 if isinstance(vertex, (int, np.integer)) else tuple(int(v) for v in vertex)
        return Hand(self, self._core.grab(body.number, corners, weights, stiffness))

    def pick(self, origin: ArrayLike, direction: ArrayLike) -> Hit | None:
        """Where a ray first meets the surface of a body."""
        hit = self._core.pick(origin, direction)
        if hit is None:
            return None
        number, vertices, weights, place = hit
        return Hit(Body(self, number), (vertices[0], vertices[1], vertices[2]), weights, place)

    def move_pins(
        self, pins: int, translate: ArrayLike = (0, 0, 0), turn: ArrayLike = (0, 0, 0), pivot: ArrayLike | None = None
    ) -> None:
        """Places pins, counted from 0 in the order of the model, by hand: moved [m] and turned (axis times angle, rad)
        from where they began, after the next step.

        They turn about the pivot [m]; where none is given about that of the move before, at first about the center of
        their path, or their middle.
        """
        self._core.move_pins(pins, translate, turn, pivot)

    def move_collider(
        self,
        collider: int,
        translate: ArrayLike = (0, 0, 0),
        turn: ArrayLike = (0, 0, 0),
        pivot: ArrayLike | None = None,
    ) -> None:
        """A collider, likewise."""
        self._core.move_collider(collider, translate, turn, pivot)

    def set_gravity(self, acceleration: ArrayLike) -> None:
        """[m/s^2]"""
        self._core.set_gravity(acceleration)

    def set_wind(self, body: Body, wind: Mapping[str, Any]) -> None:
        """In place of what blew on the body: a dict of velocity, density, gust, period."""
        self._core.set_wind(body.number, dict(wind))

    def set_damping(self, *kinds: Mapping[str, Any]) -> None:
        """In place of what damped motion: ``brio.rayleigh_damping(...)`` and others."""
        self._core.set_damping([dict(kind) for kind in kinds])

    def set_material(self, body: Body, material: Mapping[str, Any]) -> None:
        """Of a solid: a dict of name and moduli."""
        self._core.set_material(body.number, dict(material))

    def add(self, mesh: Mesh, kind: str | None = None, **keys: Any) -> Body:
        """A body comes, with the keywords that it has in Model.add_solid and its like: where it is, how it moves
        (``velocity``, ``spin``), its pins and all else. The energy that it brings is the user's work. Of its copies the
        first is returned."""
        if "name" not in keys:
            taken = {body.name for body in self.bodies}
            keys["name"] = next(name for name in (f"body{k}" for k in range(len(taken) + 1)) if name not in taken)
        number = self._core.add_body({"mesh": mesh, "kind": kind, **keys_of(keys)})
        return Body(self, number)

    def _add_collider(self, shape: str, keys: dict[str, Any]) -> int:
        keys.pop("explicit_step", None)
        return self._core.add_collider({"shape": shape, **keys})

    def remove(self, body: Body) -> None:
        """A body goes; never the last one."""
        self._core.remove_body(body.number)

    def remove_collider(self, collider: int) -> None:
        self._core.remove_collider(collider)

    def surface(self, body: Body) -> Surface:
        """What is seen of a body, for renderers."""
        return Surface(*self._core.surface(body.number))

    @property
    def penetration(self) -> Penetration:
        """How deep the deepest vertex is in a collider."""
        depth, fraction, collider, body, vertex = self._core.penetration()
        return Penetration(depth, fraction, collider, None if body is None else Body(self, body), vertex)

    @property
    def solve_times(self) -> dict[str, float]:
        """Where the time of solvers went, over all steps [ms]."""
        return dict(self._core.solve_times())

    @property
    def linear_solvers(self) -> dict[str, int]:
        """Which linear solvers were used, and why, with the number of steps that each ended."""
        return dict(self._core.linear_solvers())

    def max_stable_step(
        self,
        integrator: str | None = None,
        *,
        solver: Any = None,
        steps: int = 200,
        duration: float = 0.0,
        growth: float = 1.0,
        longest: float = 1.0,
        resolution: float = 0.01,
        **options: Any,
    ) -> float:
        """The largest step [s] with which so many steps from here, or as many as that duration [s] takes, do not
        explode; infinite where even ``longest`` does not.

        An explosion is a step that fails, or energy drift beyond ``growth`` times the energy in play; the answer is
        found to a relative ``resolution``.
        """
        name = self.integrator if integrator is None else integrator
        run = {"duration": duration, "growth": growth, "longest": longest, "resolution": resolution}
        return self._core.max_stable_step(name, options, dict(solver or {}), steps, {k: float(v) for k, v in run.items()})


def load_snapshot(path: str) -> Snapshot:
    """From a file that ``Snapshot.save`` wrote."""
    return Snapshot.load(path)
