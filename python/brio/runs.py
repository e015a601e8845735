"""Runs: scenes simulated into folders, as ``brio run`` and ``brio compare`` do, and what is in them."""

from __future__ import annotations

import contextlib
import html
import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from brio import _native, ledgers
from brio.errors import InputError
from brio.frames import Frames
from brio.meshes import write_mesh
from brio.scenes import Scene, load_scene

Path = "str | os.PathLike[str]"


class Progress:
    """A bar that follows a run: tqdm's where it is installed, else a line on the terminal."""

    def __init__(self, title: str, show: bool | None, each: Callable[[int, float], None] | None = None) -> None:
        self._each = each
        self._title = title
        self._bar: Any = None
        self._wanted = sys.stderr.isatty() or "ipykernel" in sys.modules if show is None else show
        self._frames = 0
        self.warnings: list[str] = []

    def __call__(self, what: str, first: Any, second: Any) -> None:
        if what == "warning":
            self.warnings.append(first)
        if what == "frame" and self._each is not None:
            self._each(int(first), float(second))
        if not self._wanted:
            return
        if what == "started":
            self._frames = int(first)
            with contextlib.suppress(ImportError), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # in notebooks without widgets the bar is one of text
                from tqdm.auto import tqdm

                self._bar = tqdm(total=self._frames, initial=int(second), desc=self._title, unit="frame")
        elif what == "frame" and self._bar is not None:
            self._bar.set_postfix_str(f"{second:.4g} J", refresh=False)
            self._bar.update(int(first) - self._bar.n)
        elif what == "frame":
            print(f"\r{self._title}: frame {first} of {self._frames}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._wanted:
            print(file=sys.stderr)


class Run:
    """A run that is on the disk."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.path.abspath(os.fspath(folder))

    def __repr__(self) -> str:
        return f"<Run {self.folder!r}: {self.status}>"

    def _file(self, name: str) -> str:
        return os.path.join(self.folder, name)

    @property
    def summary(self) -> dict[str, Any]:
        """run.json."""
        try:
            with open(self._file("run.json"), encoding="utf-8") as file:
                return dict(json.load(file))
        except OSError:
            error = InputError(f"{self.folder}: holds no run that came to its end")
            error.file, error.bound = self.folder, "must hold run.json"
            raise error from None

    @property
    def status(self) -> str:
        """ok, exploded, failed or interrupted."""
        return str(self.summary["status"]) if os.path.exists(self._file("run.json")) else "unfinished"

    @property
    def hash(self) -> str:
        """Of the final state, as run.json has it."""
        return str(self.summary["hash"])

    @property
    def ledger(self) -> ledgers.Ledger:
        """One row per frame, as a structured array."""
        return ledgers.read(self._file("ledger.csv"))

    @property
    def frames(self) -> Frames:
        """Positions and velocities of every frame."""
        return Frames(self.folder)

    @property
    def scene(self) -> Scene:
        """As it was run; mesh files that have moved with the project since are found."""
        scene = load_scene(self._file("scene.toml"))
        scene._search = True
        return scene

    @property
    def report(self) -> str:
        """The path of report.html."""
        return self._file("report.html")

    def export(self, *formats: str) -> list[str]:
        """Makes animation files of its frames, in place of those that brio made before: ``run.export("usda")``."""
        return list(_native.export_run(self.folder, list(formats)))

    def svg(self, columns: Sequence[str] = ledgers.COLUMNS, *, log: bool = False) -> str:
        """Columns of the ledger as a chart that is fit for a paper."""
        return _native.ledger_svg(self._file("ledger.csv"), list(columns), log)

    def plot(self, columns: Sequence[str] = ledgers.COLUMNS, axes: Any = None) -> Any:
        """Columns of the ledger, by matplotlib."""
        return self.ledger.plot(columns, axes)

    def _repr_html_(self) -> str:
        if os.path.exists(self.report):
            return _framed(self.report)
        return self.ledger._repr_html_() if os.path.exists(self._file("ledger.csv")) else html.escape(repr(self))


def _framed(page: str) -> str:
    """The page in a frame of its own."""
    with open(page, encoding="utf-8") as file:
        content = html.escape(file.read())
    return f'<iframe srcdoc="{content}" width="100%" height="720" frameborder="0"></iframe>'


def _free_folder(scene: Scene, suffix: str = "") -> str:
    stem = os.path.splitext(os.path.basename(scene.file))[0] + suffix
    place, number = os.path.join("out", stem), 1
    while os.path.exists(place):
        number += 1
        place = os.path.join("out", f"{stem}-{number}")
    return place


def _with_files(scene: Scene, folder: str) -> Scene:
    """What is recorded can be read again: meshes in memory become files beside it."""
    other = scene.copy()
    for number, body in enumerate(other.get("body", [])):
        if isinstance(body, dict) and isinstance(body.get("mesh"), _native.Mesh):
            os.makedirs(folder, exist_ok=True)
            file = os.path.abspath(os.path.join(folder, f"mesh-{number}.msh"))
            write_mesh(file, body["mesh"])
            body["mesh"] = {"file": file}
    return other


def run(
    scene: Scene | str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    *,
    resume: bool = False,
    force: bool = False,
    report: bool = True,
    formats: Sequence[str] = (),
    progress: bool | None = None,
    each: Callable[[int, float], None] | None = None,
) -> Run:
    """Simulates a scene into a folder, ``out/SCENE`` unless one is named, as ``brio run`` does, to the same bits.

    ``resume`` goes on from the folder's checkpoint, ``force`` replaces an earlier run, ``formats`` are animation files
    to make. Progress is shown on terminals and in notebooks, unless told otherwise; ``each`` is called after every frame
    with its number and the total energy [J], and what it raises ends the run, which can then be gone on with.
    """
    given = scene if isinstance(scene, Scene) else load_scene(scene)
    place = os.fspath(folder) if folder is not None else _free_folder(given)
    ready = _with_files(given, place)
    ready["output"] = {"formats": list(formats)}
    native = ready._native()
    bar = Progress(native.title, progress, each)
    try:
        native.run(place, resume, force, report, bar)
    finally:
        bar.close()
    return Run(place)


class Comparison:
    """One scene with many integrators: ``runs`` by name, ``refused`` with what was said, and a page for all."""

    def __init__(self, folder: str, runs: dict[str, Run], refused: dict[str, str]) -> None:
        self.folder = folder
        self.runs = runs
        self.refused = refused

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(self.runs)}>"

    @property
    def table(self) -> list[dict[str, Any]]:
        """One row per integrator: order, status, cost, drifts."""
        with open(os.path.join(self.folder, "compare.json"), encoding="utf-8") as file:
            return list(json.load(file))

    @property
    def page(self) -> str:
        """The path of compare.html."""
        return os.path.join(self.folder, "compare.html")

    def plot(self, column: str = "total", axes: Any = None) -> Any:
        """A column of all ledgers, by matplotlib."""
        from matplotlib import pyplot

        axes = pyplot.gca() if axes is None else axes
        for name, made in self.runs.items():
            rows = made.ledger
            axes.plot(rows["time"], rows[column], label=name)
        axes.set_xlabel("time [s]")
        axes.set_ylabel(f"{column} [{ledgers.Ledger.unit(column)}]")
        axes.legend()
        return axes

    def _repr_html_(self) -> str:
        return _framed(self.page) if os.path.exists(self.page) else html.escape(repr(self))


def compare(
    scene: Scene | str | os.PathLike[str],
    integrators: Sequence[str],
    folder: str | os.PathLike[str] | None = None,
    *,
    force: bool = False,
    resume: bool = False,
    page: bool = True,
    progress: bool | None = None,
    each: Callable[[str, Run], None] | None = None,
) -> Comparison:
    """One scene with many integrators, each in a folder of its own; integrators of one's own among them.

    A run that explodes, or that its integrator refuses, is a result like any other. ``each`` is called after every run.
    """
    if isinstance(integrators, str) or not integrators:
        raise TypeError(f"integrators = {integrators!r}: must be a list of names")
    given = scene if isinstance(scene, Scene) else load_scene(scene)
    place = os.fspath(folder) if folder is not None else _free_folder(given, "-compare")
    made: dict[str, Run] = {}
    refused: dict[str, str] = {}
    rows: list[tuple[str, str, str, str]] = []
    for name in dict.fromkeys(integrators):
        where = os.path.join(place, name)
        try:
            one = run(given.with_integrator(name), where, force=force, resume=resume, report=False, progress=progress)
        except InputError as error:
            if name not in _known():
                raise
            refused[name] = str(error)
            rows.append((name, "", "refused", str(error)))
            continue
        made[name] = one
        summary = one.summary
        rows.append((name, where, summary["status"], summary.get("message", "")))
        if each is not None:
            each(name, one)
    if page and made:
        shown = _with_files(given.with_integrator(next(iter(made))), place)  # others may refuse the scene
        _native.write_comparison(place, shown._native(), rows)
    return Comparison(place, made, refused)


def _known() -> set[str]:
    return {facts["name"] for facts in _native.integrator_facts()}
