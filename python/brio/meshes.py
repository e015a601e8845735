"""Meshes: made, read, written, and chosen from."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from brio import _native
from brio._native import MeshReport
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

    def check(self) -> MeshReport:
        """What it is and what is wrong with it; ``problems()`` says the same in sentences."""
        return super().check()

    def welded(self, tolerance: float = 0.0) -> Mesh:
        """With each vertex merged into the first one within that distance [m], without cells that collapse."""
        return wrapped(super().welded(float(tolerance)))

    def without_unreferenced(self) -> Mesh:
        """Without the vertices that no cell uses."""
        return wrapped(super().without_unreferenced())

    def write(self, file: Path, binary: bool | None = None, version: str = "") -> None:
        """To a file, as ``write_mesh``."""
        super().write(os.fspath(file), binary, version)

    def boundary(self) -> NDArray[np.int32]:
        """Vertices of the surface of tets, the rim of triangles, the ends of segments, by index."""
        return self.select("boundary")


def wrapped(mesh: _native.Mesh) -> Mesh:
    return Mesh(mesh.vertices, mesh.tets, mesh.triangles, mesh.segments, mesh.grid)


def read_mesh(file: Path) -> Mesh:
    """A mesh from a file, in the format that its extension names."""
    return wrapped(_native.read_mesh(os.fspath(file)))


def write_mesh(file: Path, mesh: _native.Mesh, *, binary: bool | None = None, version: str = "") -> None:
    """To a file, in the format that its extension names, whole or not at all.

    ``binary``: what is usual for the format, unless told; ``version`` of .msh: 2.2 or 4.1, the newest if none is named.
    """
    _native.Mesh.write(mesh, os.fspath(file), binary, version)


class MeshFormat(NamedTuple):
    """A kind of mesh file."""

    extension: str
    name: str
    can_read: bool
    can_write: bool


def mesh_formats() -> list[MeshFormat]:
    """All kinds of mesh files that there are."""
    return [MeshFormat(*facts) for facts in _native.mesh_formats()]


def tetrahedralize(
    surface: _native.Mesh, *, quality: float = 0.0, max_volume: float = 0.0, keep_surface: bool = True
) -> Mesh:
    """Fills a closed surface with tets; the surface's vertices come first.

    ``quality`` bounds circumradius over shortest edge, at least 1.1; ``max_volume`` the tets [m^3]; 0: no demand. With
    ``keep_surface`` new vertices lie inside only. Needs TetGen.
    """
    return wrapped(_native.tetrahedralize(surface, float(quality), float(max_volume), bool(keep_surface)))


def model_names() -> list[str]:
    """Those that ``load_model`` knows."""
    return list(_native.model_names())


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
