"""frames.bin: positions and velocities of every frame of a run, mapped into memory. docs/formats.md has every byte."""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Iterator
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from brio import _native
from brio.errors import InputError

HEADER = struct.Struct("<8sQdQQ")


class Frames:
    """``frames.x[k]`` are positions [m], ``frames.v[k]`` velocities [m/s] of frame k, as float32 of shape (vertices, 3).

    Nothing is read before it is looked at. ``len`` counts complete frames, the initial one included; of a run that goes
    on, open it again for more.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        place = os.fspath(path)
        self.path = os.path.join(place, "frames.bin") if os.path.isdir(place) else place
        count = _native.check_frames(self.path)
        with open(self.path, "rb") as file:
            header = file.read(HEADER.size)
            _, self.vertices, self.frames_per_second, self.digest, _ = HEADER.unpack(header)
            record = np.dtype([("x", "<f4", (self.vertices, 3)), ("v", "<f4", (self.vertices, 3)), ("checksum", "<u8")])
            if count == 0:
                raise InputError(f"{self.path}: holds no complete frame")
            mapped = mmap.mmap(file.fileno(), HEADER.size + count * record.itemsize, access=mmap.ACCESS_READ)
        self._records: NDArray[Any] = np.frombuffer(mapped, record, count, HEADER.size)

    def __reduce__(self) -> tuple[Any, ...]:
        return Frames, (self.path,)

    def __repr__(self) -> str:
        return f"<Frames: {len(self)} of {self.vertices} vertices, {self.frames_per_second:.6g} per second>"

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[NDArray[np.float32]]:
        return iter(self.x)

    @overload
    def __getitem__(self, frame: int) -> NDArray[np.float32]:
        ...

    @overload
    def __getitem__(self, frame: slice) -> NDArray[np.float32]:
        ...

    def __getitem__(self, frame: int | slice) -> NDArray[np.float32]:
        """Positions."""
        return self.x[frame]

    @property
    def x(self) -> NDArray[np.float32]:
        """Of shape (frames, vertices, 3) [m]."""
        return self._records["x"]

    @property
    def v(self) -> NDArray[np.float32]:
        """Of shape (frames, vertices, 3) [m/s]."""
        return self._records["v"]

    @property
    def times(self) -> NDArray[np.float64]:
        """Of every frame [s]."""
        return np.arange(len(self)) / self.frames_per_second
