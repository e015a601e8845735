"""Solvers and what they minimize: those that there are, and those that users write."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray

from brio import _native
from brio.energies import Energy, differences
from brio.errors import InputError
from brio.integrators import first_line, name_of
from brio.model import Array, sparse


class Objective:
    """A function of positions x, of shape (vertices, 3), for ``minimize``. Subclass it:

        class Valley(brio.Objective):
            def value(self, x):                       # [J], may be infinite
                return np.sum((x - 1) ** 4)
            def gradient(self, x):                    # of the shape of x
                return 4 * (x - 1) ** 3
            def hessian(self, x):                     # SciPy's sparse, or an array, of shape (3 n, 3 n)
                return scipy.sparse.diags(12 * (x - 1).ravel() ** 2)

    Without ``hessian`` differences of the gradient are taken: 6 gradients per vertex, and a full matrix. Blocks that the
    Hessian does not have at the guess may come later. Where ``potential`` is false there is no value, ``gradient`` is
    an equation's left side, and ``solver(name="root")`` looks for its root.
    """

    potential: bool = True

    def value(self, x: ArrayLike) -> float:
        """[J]; infinite outside of the domain."""
        raise NotImplementedError(f"{type(self).__name__} has no value(x)")

    def gradient(self, x: ArrayLike) -> Array:
        """[N]"""
        raise NotImplementedError(f"{type(self).__name__} has no gradient(x)")

    def hessian(self, x: ArrayLike, *, psd: bool = False) -> Any:
        """[N/m]; may leave ``psd`` out: what is not definite is then shifted."""
        at = np.asarray(x, float)
        step = 1e-6 * max(float(np.abs(at).max(initial=0)), 1e-3)
        return differences(lambda places: np.asarray(self.gradient(places[0]), float)[None], at[None], step)[0]

    def multiply(self, x: ArrayLike, v: ArrayLike) -> Array:
        """Where there is no potential: the derivative of ``gradient`` at x times v. The Hessian stands for it unless
        told otherwise."""
        speeds = np.asarray(v, float)
        return np.asarray(self.hessian(x) @ speeds.ravel()).reshape(speeds.shape)

    def _blocks(self, x: Array, psd: bool) -> tuple[NDArray[np.intc], NDArray[np.intc], Array]:
        """Of the lower triangle: rows, columns, and 3 x 3 blocks."""
        knows = any(p.name == "psd" or p.kind is p.VAR_KEYWORD for p in inspect.signature(self.hessian).parameters.values())
        given = self.hessian(x, psd=psd) if knows else self.hessian(x)
        if scipy.sparse.issparse(given):
            matrix = scipy.sparse.csr_matrix(given, dtype=float)
        else:
            matrix = scipy.sparse.csr_matrix(np.atleast_2d(np.asarray(given, float)))
        if matrix.shape != (x.size, x.size):
            raise ValueError(f"hessian must return a matrix of shape ({x.size}, {x.size}), not {matrix.shape}")
        blocks = ((matrix + matrix.T) / 2).tobsr((3, 3))
        rows = np.repeat(np.arange(len(x)), np.diff(blocks.indptr))
        lower = rows >= blocks.indices
        return rows[lower], blocks.indices[lower], np.ascontiguousarray(blocks.data[lower])


class Problem(Objective):
    """The objective that a solver of one's own is given: a step, or what ``minimize`` was asked. Good until it returns."""

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


Solve = TypeVar("Solve", bound=Callable[["Problem", Array, float, int], ArrayLike])


def register_solver(name: str | None = None) -> Callable[[Solve], Solve]:
    """Registers a function as a solver of implicit steps: it takes a Problem, a guess, the tolerance and the most
    iterations, and returns the minimum.

        @brio.register_solver()
        def my_newton(problem, x, tolerance, iterations):
            for _ in range(iterations):
                if problem.is_solved(x, tolerance):
                    break
                step = spsolve(problem.hessian(x, psd=True).tocsc(), problem.gradient(x).ravel())
                x = x - step.reshape(x.shape)
            return x

    It is then known as ``my-newton``: ``brio.solver(name="my-newton")``.
    """

    def register(solve: Solve) -> Solve:
        known = name_of(solve, name)

        def call(core: _native.ObjectiveView, x: Array, tolerance: float, iterations: int) -> ArrayLike:
            return solve(Problem(core, len(x)), x, tolerance, iterations)

        _native.register_solver(known, call, first_line(solve))
        return solve

    return register


class Minimum(NamedTuple):
    """Where ``minimize`` ended: places x [m], whether it is the minimum, and what it took."""

    x: Array
    converged: bool
    iterations: int
    message: str


def minimize(
    objective: Energy | Objective,
    x: ArrayLike,
    *,
    fixed: Sequence[int] = (),
    solver: Mapping[str, Any] | None = None,
) -> Minimum:
    """The minimum of an energy alone, or of any objective, near the guess x of shape (vertices, 3), by any solver:
    ``brio.solver(...)``.

    Vertices that are ``fixed`` stay where they are. Objectives without a potential are solved by ``root``.
    """
    options = dict(solver or {})
    guess = np.asarray(x)
    if isinstance(objective, Energy):
        elements = objective._checked_elements()
        return Minimum(
            *_native.minimize_energy(objective, objective.name, elements, guess, list(fixed), options)
        )
    if not isinstance(objective, Objective):
        raise TypeError(f"objective must be a brio.Energy or a brio.Objective, not {type(objective).__name__}")
    if not objective.potential and options.setdefault("name", "root") != "root":
        error = InputError(f"solver.name = {options['name']}: minimizes, but the objective has no potential")
        error.key, error.value, error.bound = "solver.name", str(options["name"]), "must be root: there is no potential"
        raise error
    return Minimum(
        *_native.minimize_objective(objective, guess, list(fixed), bool(objective.potential), options)
    )


def solvers() -> dict[str, str]:
    """All solvers of implicit steps, by name, with what they are."""
    return {facts["name"]: facts["sentence"] for facts in _native.solver_facts()}
