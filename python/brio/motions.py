"""Keyframes: how what is driven from outside moves."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from brio import _native
from brio.model import Array


class Pose(NamedTuple):
    """A rigid displacement: turned by a 3 x 3 matrix, then moved [m]."""

    rotation: Array
    translation: Array

    def apply(self, points: ArrayLike) -> Array:
        """Where points [m] go."""
        moved: Array = np.asarray(points, float) @ self.rotation.T + self.translation
        return moved

    def undo(self, points: ArrayLike) -> Array:
        """From where they came [m]."""
        came: Array = (np.asarray(points, float) - self.translation) @ self.rotation
        return came


class PoseRate(NamedTuple):
    """How fast the points of something rigid move: its pivot [m/s], the angular velocity [rad/s], the pivot [m]."""

    linear: Array
    angular: Array
    pivot: Array


class Motion:
    """What ``path``, ``turn``, ``axis``, ``pivot`` and ``interpolate`` of a pin, an attachment or a collider mean.

        brio.Motion(path=[[0, [0, 0, 0]], [1, [0, 2, 0]]], turn=[[0, 0], [1, 90]], axis=(0, 1, 0)).at(0.5)

    ``middle`` is the pivot where none is given [m].
    """

    def __init__(self, *, middle: ArrayLike = (0, 0, 0), **keys: Any) -> None:
        self._core = _native.Motion(keys, middle)

    def at(self, time: float) -> Pose:
        """Where it has come to from where it began, at that time [s]."""
        return Pose(*self._core.at(time))

    def key_at(self, time: float) -> tuple[Array, Array]:
        """The same as a displacement [m] and axis times angle [rad]."""
        translate, turn = self._core.key_at(time)
        return translate, turn

    def rate(self, time: float, *, before: bool = False) -> PoseRate:
        """How fast it moves; at kinks after them, unless ``before``."""
        return PoseRate(*self._core.rate(time, before))

    @property
    def times(self) -> list[float]:
        """Of all keys [s]."""
        return list(self._core.times)

    @property
    def empty(self) -> bool:
        """Whether it stands still."""
        return bool(self._core.empty)
