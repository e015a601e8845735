"""Integrators: those that there are, and those that users write."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeVar, Union

from numpy.typing import ArrayLike, NDArray

from brio import _native
from brio.errors import InputError
from brio.model import Array, Model

Stepped = Union["tuple[ArrayLike, ArrayLike]", "tuple[ArrayLike, ArrayLike, Sequence[ArrayLike]]"]
Method = TypeVar("Method", bound=Callable[["Step"], Stepped])


class Integrator(NamedTuple):
    """What is known of a method: what it declares, and tests measure."""

    name: str
    order: int  # of the global error in h
    family: str  # explicit, implicit, variational, stabilized, comparison or static
    energy: str  # what becomes of that of an undamped, unforced system
    options: tuple[str, ...]
    sentence: str
    aliases: tuple[str, ...] = ()
    damped_order: tuple[int, int] = (1, 1)  # where drag, and where strain, is damped
    rayleigh_s0: bool = False  # knows rayleigh_s0_damping
    dynamic: bool = True  # else each step ends in an equilibrium
    symplectic: bool = False
    reversible: bool = False
    linear_momentum: bool = True
    angular_momentum: bool = False
    constraints: bool = False
    bounds_restitution: bool = True  # of contact; else stiff things may part faster
    resolves: float = math.inf  # h omega up to which large strains are promised to come to their end
    energy_unless: str = ""
    force_evaluations: int = 0  # per step; 0: as many as the solver needs
    reference: str = ""
    cost: str = ""


class OrderRow(NamedTuple):
    """The order of an integrator on one problem."""

    problem: str
    declared: int
    measured: float


class Step:
    """What one step of a method of one's own is made with. It is good until the step is over."""

    def __init__(self, core: _native.Step) -> None:
        self._core = core

    @property
    def x(self) -> Array:
        """Positions where it begins [m]: a copy."""
        return self._core.x

    @property
    def v(self) -> Array:
        """Velocities where it begins [m/s]: a copy."""
        return self._core.v

    @property
    def h(self) -> float:
        """Its length [s]; negative in the backward parts of some checks."""
        return self._core.h

    @property
    def time(self) -> float:
        """When it begins [s]."""
        return self._core.time

    @property
    def model(self) -> Model:
        return Model._lent(self._core.model)

    @property
    def memory(self) -> tuple[Array, ...]:
        """What the step before returned to be remembered; empty at the start, and after edits."""
        return self._core.memory

    @property
    def mass(self) -> NDArray[Any]:
        """Per vertex, of shape (vertices, 1) [kg]."""
        return self._core.model.mass[:, None]

    def force(self, x: ArrayLike, v: ArrayLike, fraction: float = 0.0, weight: float = 1.0) -> Array:
        """All forces at that fraction of the step [N], gravity included.

        ``weight`` is that of h f/m in v' - v; over a step weights add up to 1, so that what forces from outside do, and
        damping takes, is booked.
        """
        return self._core.force(x, v, fraction, weight)

    def place(self, x: ArrayLike, v: ArrayLike, fraction: float) -> tuple[Array, Array]:
        """The same, with pinned vertices where they are at that fraction of the step: before the next force."""
        return self._core.place(x, v, fraction)

    def minimize(self, y: ArrayLike, terms: Sequence[tuple[float, float]], guess: ArrayLike | None = None) -> Array:
        """The x that minimizes 1/(2 h^2) |x - y|_M^2 + sum of c E(theta x + (1 - theta) x_n) over the pairs
        (c, theta) of ``terms``, E with gravity: an implicit step, by the solver of the simulation."""
        return self._core.minimize(y, [(float(c), float(theta)) for c, theta in terms], guess)


def integrator(
    *,
    order: int,
    name: str | None = None,
    accounts: bool = True,
    symplectic: bool = False,
    reversible: bool = False,
    linear_momentum: bool = True,
    angular_momentum: bool = False,
    bounds_restitution: bool = True,
    energy: str = "drifts slowly",
    energy_unless: str = "",
    resolves: float = math.inf,
    damped_order: tuple[int, int] = (1, 1),
    remembers: int = 0,
    stages: Literal["kicks", "rates"] = "kicks",
    family: str | None = None,
    force_evaluations: int = 0,
    reference: str = "written in Python",
    cost: str = "Python",
) -> Callable[[Method], Method]:
    """Registers a function as an integrator: it takes a Step and returns positions and velocities after it.

        @brio.integrator(order=1, symplectic=True)
        def my_euler(step):
            v = step.v + step.h * step.force(step.x, step.v) / step.mass
            return step.x + step.h * v, v

    It is then known everywhere as ``my-euler``: to Simulation, scenes, ``compare`` and ``orders``. Say
    ``accounts=False`` where forces are not all taken by ``step.force``: models that are driven or damped are then
    refused, since nobody could book what that does.

    A method of several steps says how many fields it ``remembers`` and returns them as a third, a sequence of arrays of
    shape (vertices, 3); the next step has them as ``step.memory``, which is empty at the start and after edits. What
    the function keeps elsewhere, snapshots know nothing of. ``stages="rates"`` is for methods whose stages have
    velocities of their own, as those of Runge and Kutta. The rest is what brio tells of a method, and tests measure.
    """

    def register(method: Method) -> Method:
        known = name_of(method, name)
        if int(order) < 1:
            raise ValueError(f"order = {order}: must be at least 1")

        def call(core: _native.Step) -> Stepped:
            return method(Step(core))

        if stages not in ("kicks", "rates"):
            raise ValueError(f"stages = {stages!r}: must be 'kicks' or 'rates'")
        facts = {
            "order": int(order),
            "accounts": bool(accounts),
            "symplectic": bool(symplectic),
            "reversible": bool(reversible),
            "linear_momentum": bool(linear_momentum),
            "angular_momentum": bool(angular_momentum),
            "bounds_restitution": bool(bounds_restitution),
            "energy": energy,
            "energy_unless": energy_unless,
            "resolves": float(resolves),
            "damped_order": damped_order,
            "remembers": int(remembers),
            "rates": stages == "rates",
            "family": family or ("explicit" if accounts else "implicit"),
            "force_evaluations": int(force_evaluations),
            "sentence": first_line(method),
            "reference": reference,
            "cost": cost,
        }
        _native.register_integrator(known, call, facts)
        return method

    return register


def name_of(function: Any, name: str | None) -> str:
    """Under which it is registered: files and folders are called after it."""
    known = getattr(function, "__name__", "").replace("_", "-") if name is None else name
    if not isinstance(known, str) or re.fullmatch(r"[A-Za-z][A-Za-z0-9_+-]{0,99}", known) is None:
        error = InputError(f"name = {known!r}: must be a word of letters, digits, - and _, such as name='my-method'")
        error.key, error.value, error.bound = "name", repr(known), "must be a word of letters, digits, - and _"
        raise error
    return known


def first_line(function: Any) -> str:
    """Of its docstring, which lists show."""
    return ((function.__doc__ or "").strip() or "written in Python").splitlines()[0]


def integrators() -> dict[str, Integrator]:
    """All that there are, by name."""
    made = {}
    for facts in _native.integrator_facts():
        known = {key: tuple(value) if isinstance(value, list) else value for key, value in facts.items()}
        made[known["name"]] = Integrator(**known)
    return made


def stability_limit(name: str, **options: Any) -> float:
    """The largest h omega for which the method does not amplify a linear oscillation; infinite for those without a
    limit."""
    return _native.stability_limit(name, options)


def orders(name: str) -> list[OrderRow]:
    """The order of an integrator as measured on problems with known answers, beside what it declares."""
    return [OrderRow(*row) for row in _native.measured_orders(name)]
