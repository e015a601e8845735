"""Ledgers: where each joule went."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from brio import _native

COLUMNS = ("kinetic", "elastic", "gravity", "total")


class Ledger(np.ndarray[Any, Any]):
    """A structured array: ``ledger["kinetic"]`` is a column, ``ledger[-1]`` a row, ``ledger.unit("kinetic")`` is J."""

    def __getitem__(self, key: Any) -> Any:
        """Rows are a ledger again, unless a column is missing that belongs to one; columns are plain arrays."""
        part = super().__getitem__(key)
        if isinstance(part, Ledger) and not set(COLUMNS) <= set(part.dtype.names or ()):
            return part.view(np.ndarray)
        return part

    @staticmethod
    def unit(column: str) -> str:
        return _native.ledger_unit(column)

    def frame(self) -> Any:
        """As a pandas DataFrame."""
        import pandas

        return pandas.DataFrame({name: np.asarray(self[name]) for name in self.dtype.names or ()})

    def plot(self, columns: Sequence[str] = COLUMNS, axes: Any = None) -> Any:
        """Columns over time, by matplotlib; returns the axes."""
        from matplotlib import pyplot

        unknown = [name for name in columns if name not in (self.dtype.names or ())]
        if unknown or not columns:
            raise ValueError(f"columns = {list(columns)!r}: must be some of {', '.join(self.dtype.names or ())}")
        axes = pyplot.gca() if axes is None else axes
        for name in columns:
            axes.plot(self["time"], self[name], label=name)
        axes.set_xlabel("time [s]")
        axes.set_ylabel(f"[{self.unit(columns[0])}]")
        axes.legend()
        return axes

    def _repr_html_(self) -> str:
        if len(self) == 0:
            return "<p>no rows</p>"
        return chart(np.asarray(self["time"]), {name: np.asarray(self[name]) for name in COLUMNS})


def read(path: str | os.PathLike[str]) -> Ledger:
    """ledger.csv of a run, or of its folder, as a structured array."""
    place = os.fspath(path)
    file = os.path.join(place, "ledger.csv") if os.path.isdir(place) else place
    columns = _native.read_ledger(file)
    names = [name for name in columns if name != "status"]
    whole = ("frame", "iterations")
    kinds = [(name, np.int64 if name in whole else np.float64) for name in names] + [("failed", np.bool_)]
    rows = np.zeros(len(columns["time"]), dtype=kinds)
    for name in names:
        rows[name] = columns[name]
    rows["failed"] = columns["status"]
    return rows.view(Ledger)


def ledger(path: str | os.PathLike[str]) -> Any:
    """ledger.csv of a run, or of its folder: a pandas DataFrame where pandas is installed, else a structured array."""
    rows = read(path)
    try:
        return rows.frame()
    except ImportError:
        return rows


def chart(times: Any, columns: dict[str, Any]) -> str:
    """Lines over time as a small SVG, for cells of notebooks."""
    wide, high, colors = 640, 240, ("#0072b2", "#d55e00", "#009e73", "#000000")
    low = min(float(values.min()) for values in columns.values())
    top = max(float(values.max()) for values in columns.values())
    start, span = float(times[0]), max(float(times[-1] - times[0]), 1e-300)
    size = max(top - low, 1e-300)
    stride = max(1, len(times) // 2000)
    lines, words = [], []
    for k, (name, values) in enumerate(columns.items()):
        points = " ".join(
            f"{60 + (wide - 70) * (t - start) / span:.1f},{10 + (high - 40) * (top - y) / size:.1f}"
            for t, y in zip(times[::stride], values[::stride])
        )
        lines.append(f'<polyline fill="none" stroke="{colors[k % 4]}" points="{points}"/>')
        words.append(f'<text x="{70 + 90 * k}" y="{high - 6}" fill="{colors[k % 4]}">{name}</text>')
    scale = (
        f'<text x="2" y="16">{top:.3g} J</text><text x="2" y="{high - 28}">{low:.3g} J</text>'
        f'<text x="{wide - 90}" y="{high - 6}">{start + span:.3g} s</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" font-size="11" '
        f'font-family="sans-serif">{scale}{"".join(lines)}{"".join(words)}</svg>'
    )
