"""Models: bodies made of vertices with mass, and the energies and forces between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

from brio import _native
from brio.energies import Energy, Force
from brio.errors import InputError, StepFailed
from brio.keywords import BodyKeywords, ColliderKeywords, ContactKeywords, SupportKeywords
from brio.ledgers import Ledger
from brio.meshes import Mesh, wrapped

if TYPE_CHECKING:
    from brio.interactions import Interaction
    from brio.simulation import Simulation

Array = NDArray[np.float64]


def sparse(parts: tuple[tuple[Any, ...], tuple[Any, ...]], vertices: int) -> scipy.sparse.bsr_matrix:
    """A symmetric matrix of 3 x 3 blocks, one row of them per vertex."""
    (blocks, columns, starts), (values, rows, others) = parts
    shape = (3 * vertices, 3 * vertices)
    matrix = scipy.sparse.bsr_matrix((blocks, columns, starts), shape=shape)
    if len(values):
        matrix = matrix + scipy.sparse.coo_matrix((values, (rows, others)), shape=shape).tobsr((3, 3))
    return matrix


class Body:
    """A body of a model or simulation; its vertices are ``slice`` of theirs, as they are now."""

    number: int  # that it has among all bodies there ever were

    def __init__(self, owner: Model | Simulation, number: int) -> None:
        self._owner = owner
        self.number = number

    @property
    def model(self) -> Model:
        """That it is in; of a simulation's body a copy of its model, as it is now."""
        return self._owner if isinstance(self._owner, Model) else self._owner.model

    def __index__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        try:
            return f"<{self.kind} {self.name!r}: {self.count} vertices>"
        except InputError:
            return f"<body {self.number}, which is no more>"

    def _facts(self) -> dict[str, Any]:
        return self._owner._core.body_facts(self.number)

    @property
    def name(self) -> str:
        return str(self._facts()["name"])

    @property
    def kind(self) -> str:
        """solid, cloth, wire or particles."""
        return str(self._facts()["kind"])

    @property
    def count(self) -> int:
        """Of its vertices."""
        return int(self._facts()["vertices"])

    @property
    def slice(self) -> slice:
        """Its vertices among those of the model: ``sim.x[body.slice]``."""
        facts = self._facts()
        return slice(facts["first"], facts["first"] + facts["vertices"])

    @property
    def mesh(self) -> Mesh:
        """At rest, with its own indices; of wires the tetrahedra."""
        return wrapped(self._owner._core.body_mesh(self.number))

    @property
    def tets(self) -> NDArray[np.int32]:
        return self.mesh.tets

    @property
    def surface(self) -> NDArray[np.int32]:
        """Triangles, counter-clockwise seen from outside, over its own vertices."""
        return self._owner._core.body_surface(self.number)


class Model(BodyKeywords, SupportKeywords, ColliderKeywords, ContactKeywords):
    """Bodies, masses, energies, colliders. A simulation works on a copy of its own."""

    def __init__(self, gravity: ArrayLike = (0, 0, 0)) -> None:
        self._core = _native.Model()
        self._made: list[tuple[str, tuple[Any, ...]]] | None = []  # to make it again from; None: it was lent
        self._colliders = 0
        self._set_gravity(gravity)

    @classmethod
    def _lent(cls, core: _native.Model) -> Model:
        model = cls.__new__(cls)
        model._core = core
        model._made = None
        model._colliders = 0
        return model

    def _do(self, name: str, *arguments: Any) -> Any:
        result = getattr(self._core, name)(*arguments)
        if self._made is not None:
            self._made.append((name, arguments))
        return result

    def _add_body(self, kind: str, mesh: _native.Mesh, keys: dict[str, Any]) -> Body:
        if not isinstance(mesh, _native.Mesh):
            raise TypeError(f"mesh must be a brio.Mesh, not {type(mesh).__name__}")
        return Body(self, self._do("add_body", {"mesh": mesh, "kind": kind, **keys})[0])

    def _add_collider(self, shape: str, keys: dict[str, Any]) -> int:
        explicit_step = float(keys.pop("explicit_step", 0.0))
        self._do("add_collider", {"shape": shape, **keys}, explicit_step)
        self._colliders += 1
        return self._colliders - 1

    def _add_support(self, body: Body, kind: str, keys: dict[str, Any]) -> list[int]:
        if isinstance(keys.get("select"), (Sequence, np.ndarray)) and not isinstance(keys["select"], str):
            keys["select"] = {"vertices": keys["select"]}
        return list(self._do("add_support", body.number, kind, keys))

    def attach_to(
        self,
        body: Body,
        vertices: ArrayLike,
        points: ArrayLike,
        *,
        stiffness: float = 1e4,
        rest_length: float = 0.0,
        release: float | None = None,
        **motion: Any,
    ) -> None:
        """Vertices of a body joined by springs [N/m] to points anywhere, of shape (vertices, 3) [m], which the keys of
        Motion may move, about their middle; ``release`` is when they let go [s]."""
        keys = {"release": None if release is None else float(release), **motion}
        self._do("attach_points", body.number, np.asarray(vertices), points, float(stiffness), float(rest_length), keys)

    def set_wind(self, body: Body, wind: Mapping[str, Any]) -> None:
        """In place of what blew on the body: a dict of velocity, density, gust, period."""
        self._do("set_wind", body.number, dict(wind))

    def set_material(self, body: Body, material: Mapping[str, Any]) -> None:
        """Of a solid, whose mass stays: a dict of name and moduli."""
        self._do("set_material", body.number, dict(material))

    def remove(self, body: Body) -> None:
        """A body goes, with all that holds and pushes it; vertices of others move up."""
        self._do("remove_body", body.number)

    def remove_collider(self, collider: int) -> None:
        """A collider goes; ids of others stay good."""
        self._do("remove_collider", collider)

    def _set_contact(self, keys: dict[str, Any]) -> None:
        self._do("set_contact", keys)

    def set_damping(self, *kinds: Mapping[str, Any]) -> None:
        """How motion is damped: ``brio.rayleigh_damping(...)`` and others, which add up. Without any: not at all."""
        self._do("set_damping", [dict(kind) for kind in kinds])

    def add_energy(self, body: Body | None, energy: Energy) -> None:
        """An energy of one's own, over vertices of that body; without a body over those of the model, such as between
        bodies."""
        if not isinstance(energy, Energy):
            raise TypeError(f"energy must be a brio.Energy, not {type(energy).__name__}")
        if energy.role not in ("elastic", "contact"):
            error = InputError(f"role = {energy.role}: must be elastic or contact")
            error.key, error.value, error.bound = "role", str(energy.role), "must be elastic or contact"
            raise error
        elements, is_contact = energy._checked_elements(), energy.role == "contact"
        self._own("add_energy", body, energy, energy.name, elements, energy.degree, energy.anchored, is_contact)

    def add_force(self, body: Body | None, force: Force) -> None:
        """A force of one's own on that body, or without one on all vertices, which may take or give energy."""
        if not isinstance(force, Force):
            raise TypeError(f"force must be a brio.Force, not {type(force).__name__}")
        self._own("add_force", body, force, force.name, bool(force.external))

    def add_interaction(self, interaction: Interaction, body: Body | None = None) -> None:
        """What happens between steps to that body, or to all vertices: a brio.Interaction."""
        from brio.interactions import Interaction

        if not isinstance(interaction, Interaction):
            raise TypeError(f"interaction must be a brio.Interaction, not {type(interaction).__name__}")
        memory = int(type(interaction).memory)
        self._own("add_interaction", body, interaction, interaction.name, memory, interaction.books)

    def _own(self, name: str, body: Body | None, *rest: Any) -> None:
        arguments = (None if body is None else body.number, *rest)
        getattr(_native, name)(self._core, *arguments)
        if self._made is not None:
            self._made.append((name, arguments))

    def __getstate__(self) -> dict[str, Any]:
        if self._made is None:
            raise TypeError("a model that a simulation gave away cannot be pickled; take a snapshot of the simulation")
        return {"made": list(self._made), "gravity": self.gravity}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._core = _native.Model()
        self._made = list(state["made"])
        for name, arguments in self._made:
            if name in ("add_energy", "add_force", "add_interaction"):
                getattr(_native, name)(self._core, *arguments)
            else:
                getattr(self._core, name)(*arguments)
        self._colliders = sum(name == "add_collider" for name, _ in self._made)
        self._core.gravity = state["gravity"]

    def copy(self) -> Model:
        """Sharing nothing that changes."""
        other = Model.__new__(Model)
        other.__setstate__(self.__getstate__())
        return other

    def __repr__(self) -> str:
        return f"<Model: {self.vertices} vertices, bodies {[body.name for body in self.bodies]}>"

    @property
    def gravity(self) -> Array:
        """Acceleration [m/s^2]."""
        return self._core.gravity

    @gravity.setter
    def gravity(self, acceleration: ArrayLike) -> None:
        self._set_gravity(acceleration)

    def _set_gravity(self, acceleration: ArrayLike) -> None:
        self._core.gravity = acceleration

    @property
    def bodies(self) -> list[Body]:
        return [Body(self, number) for number in self._core.bodies()]

    @property
    def vertices(self) -> int:
        """How many there are."""
        return self._core.vertices

    @property
    def mass(self) -> Array:
        """Per vertex [kg]."""
        return self._core.mass

    @property
    def pinned(self) -> NDArray[np.bool_]:
        """Per vertex: whether nothing but its pins moves it."""
        return self._core.pinned

    @property
    def rest(self) -> Array:
        """Positions at rest [m]."""
        return self._core.rest

    def start(self) -> tuple[Array, Array]:
        """Positions [m] and velocities [m/s] that simulations start from."""
        return self._core.start()

    def energy(self, x: ArrayLike, time: float = 0.0) -> float:
        """Potential energy at x: elastic, of contact, and of gravity [J]."""
        return self._core.energy(x, time)

    def elastic_energy(self, x: ArrayLike, body: Body | None = None, time: float = 0.0) -> float:
        """Of one body, what is attached to it included, or of all [J]."""
        return self._core.elastic_energy(x, None if body is None else body.number, time)

    def contact_energy(self, x: ArrayLike, time: float = 0.0) -> float:
        """[J]"""
        return self._core.contact_energy(x, time)

    def gravity_energy(self, x: ArrayLike) -> float:
        """Zero at height zero [J]."""
        return self._core.gravity_energy(x)

    def measure(self, x: ArrayLike, v: ArrayLike, time: float = 0.0) -> np.void:
        """Energies [J] and momenta there, as a row of a ledger: ``model.measure(x, v)["kinetic"]``. What a history
        tells is zero."""
        return self._core.measure(x, v, time).view(Ledger)[0]

    def gradient(self, x: ArrayLike, time: float = 0.0) -> Array:
        """Of the energy by x, at pinned vertices too [N]."""
        return self._core.gradient(x, time)

    def hessian(self, x: ArrayLike, *, psd: bool = False, time: float = 0.0) -> scipy.sparse.bsr_matrix:
        """Of the energy by x [N/m], of shape (3 n, 3 n); with ``psd`` projected, element by element."""
        return sparse(self._core.hessian(x, psd, time), self.vertices)

    def force(self, x: ArrayLike, v: ArrayLike, time: float = 0.0) -> Array:
        """The negative gradient, and forces that have no potential [N]."""
        return self._core.force(x, v, time)

    def kinetic_energy(self, v: ArrayLike) -> float:
        """[J]"""
        return self._core.kinetic_energy(v)

    def linear_momentum(self, v: ArrayLike) -> Array:
        """[kg m/s]"""
        return self._core.linear_momentum(v)

    def angular_momentum(self, x: ArrayLike, v: ArrayLike) -> Array:
        """About the origin [kg m^2/s]."""
        return self._core.angular_momentum(x, v)

    def equilibrium(self, x: ArrayLike | None = None, *, solver: Mapping[str, Any] | None = None) -> Array:
        """The nearest to x, or to the start, under gravity and other loads [m]. StepFailed where there is none."""
        start = self.start()[0] if x is None else x
        found, report = self._core.equilibrium(start, dict(solver or {"tolerance": 1e-12}))
        if not report.ok:
            raise StepFailed(report)
        return found

    def highest_frequency(self, x: ArrayLike | None = None) -> float:
        """Of small motions around x, or around rest [rad/s]; explicit methods need h below 2 over it."""
        return self._core.highest_frequency(self.rest if x is None else x)

    def max_stable_step(self, integrator: str, x: ArrayLike | None = None, **options: Any) -> float:
        """Of small motions around x, or around rest [s]: ``stability_limit`` over ``highest_frequency``."""
        return self._core.max_stable_step(self.rest if x is None else x, integrator, options)

    def recommended_stiffness(
        self, bodies: Sequence[Body] = (), *, drop_height: float = 0.0, explicit_step: float = 0.0
    ) -> float:
        """Of a collider [N/m], with which a fall from that height [m] ends within 1 % of the body's size; of all bodies
        unless some are named. ``explicit_step`` is that of an explicit integrator [s], which allows less; 0: none."""
        numbers = [body.number for body in bodies]
        return self._core.recommended_stiffness(numbers, float(drop_height), float(explicit_step))


class StepObjective:
    """What an implicit step minimizes [J]:
    1/(2 h^2) |x - y|_M^2 + sum of c E(theta x + (1 - theta) x_n) over ``terms``, pairs (c, theta).

    y is the inertia target: x_n + h v for backward Euler, with terms [(1, 1)].
    """

    def __init__(
        self, model: Model, h: float, x_n: ArrayLike, y: ArrayLike, terms: Sequence[tuple[float, float]] = ((1, 1),)
    ) -> None:
        pairs = [(float(c), float(theta)) for c, theta in terms]
        self._core = _native.StepObjective(model._core, h, x_n, y, pairs)
        self._vertices = model.vertices

    def __repr__(self) -> str:
        return f"<StepObjective of {self._vertices} vertices>"

    def value(self, x: ArrayLike) -> float:
        """[J]"""
        return self._core.value(x)

    def gradient(self, x: ArrayLike) -> Array:
        """Zero at pinned vertices [N]."""
        return self._core.gradient(x)

    def hessian(self, x: ArrayLike, *, psd: bool = False) -> scipy.sparse.bsr_matrix:
        """[N/m]; of pinned vertices the rows hold a positive diagonal and nothing else."""
        return sparse(self._core.hessian(x, psd), self._vertices)

    def minimize(self, x: ArrayLike, solver: Mapping[str, Any] | None = None) -> Array:
        """The minimum, from the guess x, by ``brio.solver(...)``."""
        return self._core.minimize(x, dict(solver or {}))[0]
