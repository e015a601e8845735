"""Meshes: made, read, written, and chosen from."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brio import _native
from brio.fields import Field, keys_of, whole, with_keywords

Path = Union[str, "os.PathLike[str]"]


class Mesh(_native.Mesh):
    """Vertices [m] and the cells over them: of a solid tets, of a sheet triangles, of a curve segments."""

    def __init__(
        self,
        vertices: ArrayLike,
        tets: ArrayLike | None = None,
        triangles: ArrayLike | None = None,
        segments: ArrayLike | None = None,
        grid: Sequence[int] = (0, 0),
    ) -> None:
        super().__init__(vertices, tets, triangles, segments)
        if any(grid):
            self.grid = [int(count) for count in grid]

    def __repr__(self) -> str:
        parts = [f"{len(self.vertices)} vertices"]
        parts += [f"{len(c)} {n}" for n, c in self._cells().items() if len(c)]
        return f"<Mesh: {', '.join(parts)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Mesh, (self.vertices, *self._cells().values(), tuple(self.grid))

    def _cells(self) -> dict[str, NDArray[np.int32]]:
        return {"tets": self.tets, "triangles": self.triangles, "segments": self.segments}

    def moved(self, translate: ArrayLike = (0, 0, 0), scale: float = 1.0) -> Mesh:
        """The same, scaled about the origin, then moved [m]."""
        places = float(scale) * self.vertices + np.asarray(translate, float)
        return Mesh(places, self.tets, self.triangles, self.segments, self.grid)

    def in_box(self, low: ArrayLike, high: ArrayLike) -> NDArray[np.int32]:
        """Vertices in a box [m], by index."""
        return self.select("box", low, high)

    def in_sphere(self, center: ArrayLike, radius: float) -> NDArray[np.int32]:
        """Vertices in a sphere [m], by index."""
        return self.select("sphere", center, float(radius))

    def beyond_plane(self, point: ArrayLike, normal: ArrayLike) -> NDArray[np.int32]:
        """Vertices on the side of a plane that its normal points to, by index."""
        return self.select("plane", point, normal)

    def boundary(self) -> NDArray[np.int32]:
        """Vertices of the surface of tets, the rim of triangles, the ends of segments, by index."""
        return self.select("boundary")


def wrapped(mesh: _native.Mesh) -> Mesh:
    return Mesh(mesh.vertices, mesh.tets, mesh.triangles, mesh.segments, mesh.grid)


def read_mesh(file: Path) -> Mesh:
    """A mesh from a file, in the format that its extension names."""
    return wrapped(_native.read_mesh(os.fspath(file)))


def write_mesh(file: Path, mesh: _native.Mesh) -> None:
    """To a file, in the format that its extension names."""
    mesh.write(os.fspath(file))


def load_model(name: str, vertices: int = 0) -> Mesh:
    """A model that is fetched by name: bunny, dragon. About so many vertices; 0: as usual."""
    return wrapped(_native.load_model(name, int(vertices)))


def _generator(name: str, sentence: str, fields: list[Field]) -> Callable[..., Mesh]:
    @with_keywords(sentence[:1].upper() + sentence[1:] + ".", fields, "Mesh")
    def generate(**keys: Any) -> Mesh:
        return wrapped(_native.generate(name, keys_of(keys)))

    generate.__name__ = generate.__qualname__ = name.replace("-", "_")
    return generate


def generators() -> dict[str, Callable[..., Mesh]]:
    """All of them, by the names that they have as functions of brio."""
    made = {}
    for facts in _native.generator_facts():
        fields = [
            Field(
                f["key"],
                f["type"],
                f["unit"],
                "one of " + ", ".join(f["choices"]) if f["choices"] else f["bound"],
                whole(f["default"], f["type"]),
                f["help"],
            )
            for f in facts["fields"]
        ]
        made[facts["name"].replace("-", "_")] = _generator(facts["name"], facts["sentence"], fields)
    return made
