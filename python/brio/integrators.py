"""Integrators: those that there are, and those that users write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from numpy.typing import ArrayLike, NDArray

from brio import _native
from brio.model import Array, Model, sparse

Method = TypeVar("Method", bound=Callable[["Step"], tuple[ArrayLike, ArrayLike]])


class Integrator(NamedTuple):
    """What is known of a method."""

    name: str
    order: int
    family: str
    energy: str
    options: tuple[str, ...]
    sentence: str


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
    angular_momentum: bool = False,
    energy: str = "drifts slowly",
) -> Callable[[Method], Method]:
    """Registers a function as an integrator: it takes a Step and returns positions and velocities after it.

        @brio.integrator(order=1, symplectic=True)
        def my_euler(step):
            v = step.v + step.h * step.force(step.x, step.v) / step.mass
            return step.x + step.h * v, v

    It is then known everywhere as ``my-euler``: to Simulation, scenes, ``compare`` and ``orders``. Say
    ``accounts=False`` where forces are not all taken by ``step.force``: models that are driven or damped are then
    refused, since nobody could book what that does.
    """

    def register(method: Method) -> Method:
        known = name or getattr(method, "__name__", "method").replace("_", "-")
        sentence = (method.__doc__ or "written in Python").strip().splitlines()[0]

        def call(core: _native.Step) -> tuple[ArrayLike, ArrayLike]:
            return method(Step(core))

        _native.register_integrator(
            known, int(order), call, accounts, symplectic, reversible, angular_momentum, energy, sentence
        )
        return method

    return register


def integrators() -> dict[str, Integrator]:
    """All that there are, by name."""
    return {
        f["name"]: Integrator(f["name"], f["order"], f["family"], f["energy"], tuple(f["options"]), f["sentence"])
        for f in _native.integrator_facts()
    }


def stability_limit(name: str, **options: Any) -> float:
    """The largest h omega for which the method does not amplify a linear oscillation; infinite for those without a
    limit."""
    return _native.stability_limit(name, options)


class Objective:
    """What a solver of one's own minimizes: a function of positions x, of shape (vertices, 3). Good until it returns."""

    def __init__(self, core: _native.ObjectiveView, vertices: int) -> None:
        self._core = core
        self._vertices = vertices

    def value(self, x: ArrayLike) -> float:
        """[J]; infinite outside of the domain."""
        return self._core.value(x)

    def gradient(self, x: ArrayLike) -> Array:
        """Zero where vertices do not move [N]."""
        return self._core.gradient(x)

    def hessian(self, x: ArrayLike, *, psd: bool = False) -> Any:
        """Sparse [N/m]; counted as an iteration."""
        return sparse(self._core.hessian(x, psd), self._vertices)

    def is_solved(self, x: ArrayLike, tolerance: float) -> bool:
        """Whether the unbalanced force is at most that fraction of the forces in play."""
        return self._core.is_solved(x, tolerance)


Solve = TypeVar("Solve", bound=Callable[[Objective, Array, float, int], ArrayLike])


def register_solver(name: str | None = None) -> Callable[[Solve], Solve]:
    """Registers a function as a solver of implicit steps: it takes an Objective, a guess, the tolerance and the most
    iterations, and returns the minimum.

        @brio.register_solver()
        def my_newton(objective, x, tolerance, iterations):
            for _ in range(iterations):
                if objective.is_solved(x, tolerance):
                    break
                step = spsolve(objective.hessian(x, psd=True).tocsc(), objective.gradient(x).ravel())
                x = x - step.reshape(x.shape)
            return x

    It is then known as ``my-newton``: ``brio.solver(name="my-newton")``.
    """

    def register(solve: Solve) -> Solve:
        known = name or getattr(solve, "__name__", "solver").replace("_", "-")
        sentence = (solve.__doc__ or "written in Python").strip().splitlines()[0]

        def call(core: _native.ObjectiveView, x: Array, tolerance: float, iterations: int) -> ArrayLike:
            return solve(Objective(core, len(x)), x, tolerance, iterations)

        _native.register_solver(known, call, sentence)
        return solve

    return register


Density = TypeVar("Density", bound=Callable[..., Any])


def register_material(
    name: str | None = None,
    *,
    keys: Sequence[str] = ("mu", "lambda"),
    lame: Callable[[dict[str, float]], Sequence[float]] | None = None,
) -> Callable[[Density], Density]:
    """Registers a function as a material of solids, by its energy density psi [J/m^3]: a function of three invariants
    of Green's strain E = (F^T F - I) / 2, t = tr E, s = E : E, and J = det F.

        @brio.register_material()
        def my_stvk(moduli, t, s, J):
            psi = moduli["lambda"] / 2 * t**2 + moduli["mu"] * s
            first = (moduli["lambda"] * t, moduli["mu"], 0)        # by t, s, J
            second = (moduli["lambda"], 0, 0, 0, 0, 0)             # by tt, ts, tJ, ss, sJ, JJ
            return psi, first, second

    ``keys`` are the moduli that it takes, of mu, lambda, kappa, a, b; without mu and lambda among them ``lame`` gives
    those of small strains. It is called for every tetrahedron: some microseconds each.
    """

    def register(density: Density) -> Density:
        known = name or getattr(density, "__name__", "material").replace("_", "-")
        sentence = (density.__doc__ or "written in Python").strip().splitlines()[0]

        def flat(moduli: dict[str, float], t: float, s: float, J: float) -> list[float]:
            psi, first, second = density(moduli, t, s, J)
            return [psi, *first, *second]

        _native.register_material(known, list(keys), flat, lame, sentence)
        return density

    return register


def solvers() -> dict[str, str]:
    """All solvers of implicit steps, by name, with what they are."""
    return {facts["name"]: facts["sentence"] for facts in _native.solver_facts()}


def materials() -> dict[str, str]:
    """All materials of solids, by name, with when to choose them."""
    return {facts["name"]: facts["sentence"] for facts in _native.material_facts()}


def orders(name: str) -> list[OrderRow]:
    """The order of an integrator as measured on problems with known answers, beside what it declares."""
    return [OrderRow(*row) for row in _native.measured_orders(name)]
