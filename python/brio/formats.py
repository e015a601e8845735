"""Animation formats: those that there are, and those that users write."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from brio import _native
from brio.errors import InputError
from brio.frames import Frames
from brio.integrators import first_line, name_of
from brio.model import Model


class Shape(NamedTuple):
    """What is seen of a body, with the same numbering over all frames.

    ``vertices`` are those of the model that are seen; triangles, segments and curve count along them. ``curve`` are the
    points of a wire from end to end, ``segments`` the springs of particles, ``radius`` that of both [m]; ``color`` is
    linear red, green and blue in [0, 1], ``id`` the name as a word that no other body has.
    """

    name: str
    id: str
    kind: str
    vertices: NDArray[np.int32]
    triangles: NDArray[np.int32]
    segments: NDArray[np.int32]
    curve: NDArray[np.int32]
    radius: float
    color: tuple[float, float, float]


class Animation(NamedTuple):
    """What there is to write: a title, frames, the shapes of bodies and their model."""

    title: str
    frames: Frames
    shapes: list[Shape]
    model: Model


def shapes_from(facts: Sequence[dict[str, Any]]) -> list[Shape]:
    return [
        Shape(
            f["name"],
            f["id"],
            f["kind"],
            f["vertices"] + np.int32(f["first"]),
            f["triangles"],
            f["segments"],
            f["curve"],
            f["radius"],
            f["color"],
        )
        for f in facts
    ]


def shapes(model: Model) -> list[Shape]:
    """What is seen of the bodies of a model, one each."""
    return shapes_from(_native.shapes(model._core))


#: By which a function of shapes tells, when it is registered, the folders that it writes into.
_NONE: NDArray[np.int32] = np.zeros(0, np.int32)
_EXAMPLE = Shape("body", "body", "solid", _NONE, _NONE, _NONE, _NONE, 0.0, (0.0, 0.0, 0.0))

Writer = TypeVar("Writer", bound=Callable[[Animation, str], None])


def register_format(
    name: str | None = None,
    *,
    files: Sequence[str] | Callable[[list[Shape], int], Sequence[str]] = (),
    sequence: str = "",
) -> Callable[[Writer], Writer]:
    """Registers a function as an animation format: it takes an Animation and a folder, and writes its files there.

        @brio.register_format(files=["tips.csv"])
        def tips(animation, folder):
            np.savetxt(f"{folder}/tips.csv", animation.frames.x[:, -1])

    ``files`` are all that it writes, perhaps in a subfolder of its own, or a function of shapes and the number of
    frames that returns their names; those that depend on bodies must be in such a folder. With ``sequence`` it writes one per frame, ``sequence/frame_000000.sequence`` and
    so on. They appear under their names when all of them are complete, in place of earlier ones. Runs then know it:
    ``brio.run(scene, formats=["tips"])``, ``run.export("tips")``.
    """

    def register(write: Writer) -> Writer:
        known = name_of(write, name)

        def named(facts: Sequence[dict[str, Any]], frames: int) -> list[str]:
            names = [str(file) for file in (files(shapes_from(facts), frames) if callable(files) else files)]
            if any(file.partition("/")[0] not in own for file in names):
                raise _refused(known, min(names), "is neither always written nor in a folder that always is")
            return names

        def outputs(facts: Sequence[dict[str, Any]], frames: int) -> tuple[list[str], list[str]]:
            names = named(facts, frames) if facts or not callable(files) else list(files([_EXAMPLE], frames))
            return names, [sequence] if sequence else []

        def write_all(title: str, place: str, facts: Sequence[dict[str, Any]], core: _native.Model, folder: str) -> None:
            animation = Animation(title, Frames(place), shapes_from(facts), Model._lent(core))
            expected = named(facts, len(animation.frames))
            if sequence:
                expected += [f"{sequence}/frame_{k:06}.{sequence}" for k in range(len(animation.frames))]
            _written_whole(known, write, animation, expected, folder)

        own: set[str] = set()
        example = files([_EXAMPLE], 1) if callable(files) else files
        own.update(str(file).partition("/")[0] for file in example)
        told = sequence + "/" if sequence else "" if callable(files) else ", ".join(files)
        _native.register_format(known, told, first_line(write), outputs, write_all)
        return write

    return register


def _refused(name: str, file: str, what: str) -> InputError:
    error = InputError(f"format {name}: {file} {what}")
    error.key, error.value, error.bound = f"format {name}", file, what
    return error


def _written_whole(
    name: str, write: Callable[[Animation, str], None], animation: Animation, expected: list[str], folder: str
) -> None:
    """Into a folder beside, from where complete files are moved."""
    beside = tempfile.mkdtemp(prefix=f".{name}-", dir=folder)
    try:
        for file in expected:
            os.makedirs(os.path.dirname(os.path.join(beside, file)), exist_ok=True)
        write(animation, beside)
        made = {
            os.path.relpath(os.path.join(place, file), beside) for place, _, files in os.walk(beside) for file in files
        }
        for wrong, what in ((made - set(expected), "is no file that it said"), (set(expected) - made, "was not written")):
            if wrong:
                raise _refused(name, min(wrong), what)
        for file in expected:
            place = os.path.join(folder, os.path.dirname(file))
            if os.path.islink(place):
                raise _refused(name, place, "is a link")
            os.makedirs(place, exist_ok=True)
            os.replace(os.path.join(beside, file), os.path.join(folder, file))
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def formats() -> dict[str, str]:
    """All animation formats, by name, with what they are good for."""
    return {facts["name"]: facts["sentence"] for facts in _native.format_facts()}
