"""Interactions of one's own: what happens to bodies between steps."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from brio import _native
from brio.model import Array, Model


class Between:
    """The moment between two steps, as an interaction sees it: of its body, or of all vertices. Good until the call is
    over."""

    def __init__(self, core: _native.Between) -> None:
        self._core = core

    @property
    def x(self) -> Array:
        """Positions [m]: a copy."""
        return self._core.x

    @property
    def v(self) -> Array:
        """Velocities [m/s]: a copy."""
        return self._core.v

    @property
    def time(self) -> float:
        """[s]"""
        return self._core.time

    @property
    def h(self) -> float:
        """Length of a step [s]."""
        return self._core.h

    @property
    def model(self) -> Model:
        return Model._lent(self._core.model)

    @property
    def mass(self) -> NDArray[Any]:
        """Of these vertices, of shape (vertices, 1) [kg]."""
        first = self._core.first
        return self._core.model.mass[first : first + len(self._core.x), None]

    @property
    def memory(self) -> Array:
        """All that the interaction's future depends on: as many numbers as it says, 0 at the start. Setting it writes
        it into the state, so that snapshots have it."""
        return self._core.memory

    @memory.setter
    def memory(self, numbers: ArrayLike) -> None:
        self._core.memory = numbers


class Interaction:
    """Something that happens between steps, for ``model.add_interaction``. Subclass it:

        class Brake(brio.Interaction):
            def end_step(self, now):                    # returns velocities (vertices, 3) [m/s], or None
                return now.v * np.exp(-2 * now.h)

    By how much that changes the kinetic energy is booked: as loss to ``damping`` or ``friction``, or as work of the
    ``user``. What is to be remembered from step to step belongs into ``now.memory``, ``memory`` numbers, or else
    snapshots and failed steps know nothing of it. Pinned vertices keep their velocities.
    """

    name: str = "interaction"
    memory: int = 0
    books: str = "damping"

    def begin_step(self, now: Between) -> ArrayLike | None:
        """Before a step."""
        return None

    def end_step(self, now: Between) -> ArrayLike | None:
        """After a step."""
        return None

    def recall(self, now: Between) -> None:
        """At the start, after a return to an earlier moment, and after a step that failed: what is kept outside of the
        memory is to be made anew."""

    def _call(self, method: str, core: _native.Between) -> ArrayLike | None:
        answer: ArrayLike | None = getattr(self, method)(Between(core))
        return answer
