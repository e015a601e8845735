"""Scenes: what a scene file says, as dicts and lists whose keys can be changed."""

from __future__ import annotations

import copy
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from brio import _native
from brio.errors import InputError
from brio.model import Array
from brio.motions import Pose
from brio.simulation import Simulation

if TYPE_CHECKING:
    from brio.runs import Comparison, Run

Path = "str | os.PathLike[str]"


class Obstacle:
    """A thing that bodies run into, as it is seen: triangles that move. An endless one is a plane: everything below
    y = 0 of its frame."""

    def __init__(self, core: _native.Obstacle) -> None:
        self._core = core

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def endless(self) -> bool:
        """Whether it is a plane, and has no triangles."""
        return self._core.endless

    @property
    def triangles(self) -> NDArray[np.int32]:
        """Over its vertices."""
        return self._core.triangles

    def at(self, time: float) -> Array:
        """Where its vertices are at that time [m]."""
        return self._core.at(time)

    def pose(self, time: float) -> Pose:
        """Where its frame is at that time."""
        return Pose(*self._core.pose(time))


class Examined(NamedTuple):
    """What a scene comes to: ``resolved`` is it as TOML with absolute paths, ``inputs`` all files that it read,
    ``digest`` tells scenes of different motion apart."""

    title: str
    frames: int
    steps_per_frame: int
    frames_per_second: float
    integrator: str
    h: float
    formats: list[str]
    warnings: list[str]
    inputs: list[str]
    resolved: str
    digest: int
    obstacles: list[Obstacle]


class Scene(MutableMapping[str, Any]):
    """What a scene file says: ``scene["body"][0]["material"]["young"] = 2e5``. docs/scene.md has all keys.

    A mesh may also be a brio.Mesh: ``scene["body"][0]["mesh"] = brio.bar(cells=(8, 2, 2))``.
    """

    def __init__(self, keys: Mapping[str, Any], file: str | os.PathLike[str] = "scene.toml", text: str = "") -> None:
        self.keys_: dict[str, Any] = copy.deepcopy(dict(keys))
        self.file = os.path.abspath(os.fspath(file))
        self._text = text
        self._search = False  # for mesh files that have moved since

    def __getitem__(self, key: str) -> Any:
        return self.keys_[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.keys_[key] = value

    def __delitem__(self, key: str) -> None:
        del self.keys_[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys_)

    def __len__(self) -> int:
        return len(self.keys_)

    def __repr__(self) -> str:
        title = self.keys_.get("title", os.path.basename(self.file))
        return f"<Scene {title!r}: {len(self.keys_.get('body', []))} bodies, {self.integrator}>"

    @property
    def integrator(self) -> str:
        return str(self.keys_.get("integrator", {}).get("name", "symplectic-euler"))

    def set(self, path: str, value: Any) -> Scene:
        """Sets a key by its path, ``"body[0].material.young"``; tables on the way are made. Returns the scene."""
        place: Any = self.keys_
        words = re.findall(r"([^.\[\]]+)|\[(\d+)\]", path)
        if not words or re.sub(r"[^.\[\]]+|\[\d+\]|\.", "", path):
            raise _refused(path, value, "is no path of keys such as body[0].material.mu")
        steps: list[str | int] = [word if word else int(index) for word, index in words]
        for step, following in zip(steps, steps[1:]):
            if isinstance(step, str) and isinstance(place, dict) and step not in place and isinstance(following, str):
                place[step] = {}
            place = _below(place, step, path, value)
        if isinstance(steps[-1], int):
            _below(place, steps[-1], path, value)
        elif not isinstance(place, dict):
            raise _refused(path, value, "lies below what is no table")
        place[steps[-1]] = value
        return self

    def copy(self) -> Scene:
        other = Scene(self.keys_, self.file, self._text)
        other._search = self._search
        return other

    def with_integrator(self, name: str) -> Scene:
        """The same with another integrator; one of the scene's own keeps its options."""
        other = self.copy()
        if name != self.integrator:
            other["integrator"] = {"name": name}
        return other

    def _native(self) -> _native.Scene:
        return _native.Scene(self.keys_, self.file, self._text, self._search)

    def examine(self) -> Examined:
        """Reads it without running: what it comes to."""
        read = self._native()
        return Examined(
            read.title,
            read.frames,
            read.steps_per_frame,
            read.frames_per_second,
            read.integrator,
            read.h,
            list(read.formats),
            list(read.warnings),
            list(read.inputs),
            read.resolved,
            read.digest,
            [Obstacle(one) for one in read.obstacles],
        )

    def check(self) -> list[str]:
        """Reads it without running; returns warnings. Raises InputError where something is not understood."""
        return list(self._native().warnings)

    @property
    def text(self) -> str:
        """As TOML."""
        return _native.scene_text(self.keys_)

    def save(self, file: str | os.PathLike[str]) -> None:
        """As a scene file."""
        if any(isinstance(body.get("mesh"), _native.Mesh) for body in self.keys_.get("body", [])):
            raise _refused("body.mesh", "a brio.Mesh", "cannot be written into a scene file")
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.text)

    def simulation(self) -> Simulation:
        """At the scene's start; ``sim.frames(n)`` steps as many steps per frame as the scene says."""
        scene = self._native()
        return Simulation._of(scene.take_simulation(), scene.steps_per_frame)

    def run(self, folder: str | os.PathLike[str] | None = None, **options: Any) -> Run:
        """Into a folder, as ``brio run`` does; see brio.run."""
        from brio.runs import run

        return run(self, folder, **options)

    def compare(
        self, integrators: Sequence[str], folder: str | os.PathLike[str] | None = None, **options: Any
    ) -> Comparison:
        """With many integrators; see brio.compare."""
        from brio.runs import compare

        return compare(self, integrators, folder, **options)


def _refused(path: str, value: Any, bound: str) -> InputError:
    error = InputError(f"{path} = {value!r}: {bound}")
    error.key, error.value, error.bound = path, repr(value), bound
    return error


def _below(place: Any, step: str | int, path: str, value: Any) -> Any:
    try:
        return place[step]
    except (KeyError, IndexError, TypeError):
        raise _refused(path, value, f"there is no {step!r} on its way") from None


def load_scene(file: str | os.PathLike[str]) -> Scene:
    """A scene file. Relative paths in it start from its folder."""
    place = os.fspath(file)
    try:
        with open(place, "rb") as source:
            text = source.read().decode("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        error = InputError(f"{place}: cannot be read: {problem}")
        error.file, error.bound = place, "cannot be read"
        raise error from None
    return parse_scene(text, place)


def parse_scene(text: str, name: str | os.PathLike[str] = "scene.toml") -> Scene:
    """From what such a file would say. Complaints call it ``name``; relative paths start from its folder."""
    place = os.fspath(name)
    keys = _native.parse_scene_text(text, place)
    try:
        keys = tomllib.loads(text)  # the same, with whole numbers kept whole in lists
    except tomllib.TOMLDecodeError:
        pass
    return Scene(keys, place, text)
