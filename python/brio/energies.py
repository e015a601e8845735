"""Energies and forces of one's own, and how to check their derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brio.errors import InputError

Array = NDArray[np.float64]


class Energy:
    """A potential that is a sum over elements, each of a few vertices. Subclass it:

        class Spring(brio.Energy):
            elements = [[0, 1], [1, 2]]                            # vertices of the body
            def value(self, x):                                    # x: (elements, corners, 3) [m]
                return 50 * ((x[:, 1] - x[:, 0]) ** 2).sum(axis=1)  # (elements,) [J]
            def gradient(self, x):                                 # (elements, corners, 3) [N]
                pull = 100 * (x[:, 1] - x[:, 0])
                return np.stack([-pull, pull], axis=1)

    Without ``hessian`` differences of the gradient are taken, which costs 6 gradients per corner. A value may be
    infinite, outside of the domain. ``brio.check_derivatives`` tells whether they fit together.
    """

    elements: ArrayLike = ()
    name: str = "energy"
    degree: int = 0  # of the polynomial in x that forces are; 0: they are none
    anchored: bool = True  # holds vertices to places of the world, not only to each other
    role: str = "elastic"  # or "contact": the column of the ledger that it is in

    def value(self, x: Array) -> ArrayLike:
        """Of each element [J]."""
        raise NotImplementedError(f"{type(self).__name__} has no value(x)")

    def gradient(self, x: Array) -> ArrayLike:
        """Of each element by its corners [N]."""
        raise NotImplementedError(f"{type(self).__name__} has no gradient(x)")

    def hessian(self, x: Array) -> ArrayLike:
        """Of each element [N/m], of shape (elements, 3 corners, 3 corners)."""
        size = np.abs(x).max(initial=1e-3)
        return differences(lambda at: np.asarray(self.gradient(at), float), x, 1e-6 * size)

    def _checked_elements(self) -> NDArray[np.int32]:
        """As an array, one row of vertices per element."""
        rows = np.asarray(self.elements)
        if rows.ndim != 2 or rows.size == 0 or not np.issubdtype(rows.dtype, np.integer):
            error = InputError(f"elements of shape {rows.shape}: must be whole numbers of shape (elements, corners)")
            error.key, error.value, error.bound = "elements", str(rows.shape), "must have the shape (elements, corners)"
            raise error
        if rows.max() >= 2**31 or rows.min() < 0:
            error = InputError("elements: must be numbers of vertices")
            error.key, error.bound = "elements", "must be numbers of vertices"
            raise error
        return np.ascontiguousarray(rows, dtype=np.int32)


class Force:
    """A force that no potential gives, on the vertices of a body, or of all. Subclass it and write ``force``."""

    name: str = "force"
    external: bool = False  # acts from outside: its work is booked as the user's

    def force(self, x: Array, v: Array, time: float) -> ArrayLike:
        """At positions x [m], with velocities v [m/s], at that time [s]: of shape (vertices, 3) [N]."""
        raise NotImplementedError(f"{type(self).__name__} has no force(x, v, time)")


def differences(gradient: Any, x: Array, step: float) -> Array:
    """Central differences of the gradient of each element by each of its numbers."""
    elements, numbers = x.shape[0], int(np.prod(x.shape[1:]))
    result = np.empty((elements, numbers, numbers))
    for k in range(numbers):
        away = np.zeros(numbers)
        away[k] = step
        shift = away.reshape(x.shape[1:])
        result[:, :, k] = ((gradient(x + shift) - gradient(x - shift)) / (2 * step)).reshape(elements, numbers)
    return (result + result.transpose(0, 2, 1)) / 2


class DerivativeCheck(dict[str, float]):
    """By how much gradient and Hessian differ from differences, relative to their size."""

    @property
    def ok(self) -> bool:
        """Whether both are the derivatives that they should be."""
        return all(error < 1e-5 for error in self.values())


def check_derivatives(thing: Any, x: ArrayLike, *, seed: int = 0) -> DerivativeCheck:
    """Compares gradient and Hessian with finite differences, along random directions through x [m].

    ``thing`` is a Model, a StepObjective or an Objective, with x of shape (vertices, 3), or an Energy, with x of shape
    (elements, corners, 3).
    """
    at = np.array(x, dtype=float)
    random = np.random.default_rng(seed)
    worst = DerivativeCheck(gradient=0.0)
    whole = not isinstance(thing, Energy)

    def value(places: Array) -> float:
        return float(np.sum(thing.energy(places) if hasattr(thing, "energy") else thing.value(places)))

    def gradient(places: Array) -> Array:
        return np.asarray(thing.gradient(places), float)

    def along(places: Array, direction: Array) -> Array:
        matrix = thing.hessian(places)
        if whole:
            return (matrix @ direction.ravel()).reshape(places.shape)
        return np.einsum("eij,ej->ei", np.asarray(matrix), direction.reshape(len(places), -1)).reshape(places.shape)

    worst["hessian"] = 0.0
    free = np.any(gradient(at + 1e-3 * random.standard_normal(at.shape)) != 0, axis=-1, keepdims=True)
    for _ in range(4):
        direction = random.standard_normal(at.shape) * free
        step = 1e-5 * max(float(np.abs(at).max()), 1e-3)
        ahead, behind = at + step * direction, at - step * direction
        slope = float((gradient(at) * direction).sum())
        difference = (value(ahead) - value(behind)) / (2 * step)
        scale = float(np.abs(gradient(at) * direction).sum()) + 1e-9 * abs(value(at)) / step + 1e-300
        worst["gradient"] = max(worst["gradient"], abs(slope - difference) / scale)
        turn = (gradient(ahead) - gradient(behind)) / (2 * step)
        product = along(at, direction)
        size = float(np.abs(product).max()) + 1e-9 * float(np.abs(gradient(at)).max()) / step + 1e-300
        worst["hessian"] = max(worst["hessian"], float(np.abs((turn - product) * free).max()) / size)
    return worst
