"""Sweeps: one scene with many values of its keys, on all cores or a cluster."""

from __future__ import annotations

import csv
import hashlib
import itertools
import json
import multiprocessing
import os
import pickle
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from brio import _native
from brio.errors import InputError
from brio.runs import Progress, Run, run
from brio.scenes import Scene, load_scene

#: What a table tells of each run, besides the values that were swept.
RESULTS = ("status", "frames", "initial", "final", "max_relative_error", "seconds", "hash", "folder", "message")

GUARD = "workers import the script that calls brio.sweep, so the call belongs below `if __name__ == \"__main__\":`"


def sweep(
    scene: Scene | str | os.PathLike[str],
    values: Mapping[str, Sequence[Any]],
    folder: str | os.PathLike[str] = "out/sweep",
    *,
    workers: int | None = None,
    client: Any = None,
    table: bool = True,
    progress: bool | None = None,
) -> Any:
    """Runs the scene with all combinations of values, and returns one table: a pandas DataFrame where pandas is
    installed, else a list of dicts; ``table.csv`` in the folder has the same.

        brio.sweep("scenes/hello.toml", {"integrator.name": ["avf", "bdf2"], "time.h": [0.01, 0.02]}, workers=2)

    Each run has a folder of its own, named after its values: what has ended is not run again, what was interrupted goes
    on. ``workers`` processes share the work, or those of ``client``: an Executor, or a Client of Dask, whose machines
    see the same folder. Workers import the script that calls: integrators written in Python are registered at its top
    level, and the call itself stands below ``if __name__ == "__main__":``. With ``workers=0`` there are none.
    """
    given = scene if isinstance(scene, Scene) else load_scene(scene)
    if not values:
        raise InputError("values: must name a key at least")
    for key, choices in values.items():
        if isinstance(choices, str) or len(choices) == 0:
            raise TypeError(f"values[{key!r}] = {choices!r}: must be a list of at least one value")
    place = os.path.abspath(os.fspath(folder))
    os.makedirs(place, exist_ok=True)
    names = list(values)
    cases = [dict(zip(names, chosen)) for chosen in itertools.product(*(list(values[name]) for name in names))]
    jobs = [(given.keys_, given.file, case, os.path.join(place, name_of(case, given))) for case in cases]
    bar = Progress("sweep", progress)
    bar("started", len(jobs), 0)
    rows: list[dict[str, Any]] = []
    try:
        if client is not None:
            pending = [client.submit(run_case, *job) for job in jobs]
            rows = _gathered(pending, bar)
        elif workers == 0:
            for job in jobs:
                rows.append(run_case(*job))
                bar("frame", len(rows), 0.0)
        else:
            if getattr(multiprocessing.current_process(), "_inheriting", False):
                raise RuntimeError(GUARD)  # a worker that imports the script of the user's
            fresh = multiprocessing.get_context("spawn")  # threads of this process are none of the workers'
            try:
                with ProcessPoolExecutor(workers, mp_context=fresh, initializer=_one_thread) as pool:
                    rows = _gathered(_submitted(pool, jobs), bar)
            except BrokenProcessPool as broken:
                raise RuntimeError(f"a worker ended before its time. If it could not begin: {GUARD}") from broken
    finally:
        bar.close()
    rows = [{**case, **row} for case, row in zip(cases, rows)]
    with open(os.path.join(place, "table.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*names, *RESULTS])
        writer.writeheader()
        writer.writerows(rows)
    return _framed(rows) if table else rows


def _one_thread() -> None:
    _native.set_threads(1)


def _submitted(pool: Executor, jobs: Sequence[tuple[Any, ...]]) -> list[Future[dict[str, Any]]]:
    return [pool.submit(run_case, *job) for job in jobs]


def _gathered(pending: Sequence[Any], bar: Progress) -> list[dict[str, Any]]:
    rows = []
    try:
        for future in pending:
            rows.append(future.result())
            bar("frame", len(rows), 0.0)
    except BaseException:
        for future in pending:
            future.cancel()
        raise
    return rows


def _framed(rows: list[dict[str, Any]]) -> Any:
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def name_of(case: Mapping[str, Any], scene: Scene) -> str:
    """Readable, and different for different values and scenes."""
    told = json.dumps(
        [case, scene.keys_], sort_keys=True, default=lambda mesh: hashlib.sha256(pickle.dumps(mesh)).hexdigest()
    )
    words = "_".join(f"{key.rsplit('.', 1)[-1]}={value}" for key, value in case.items())
    readable = "".join(c if c.isalnum() or c in "=.+-_" else "-" for c in words)[:80]
    return f"{readable}-{hashlib.sha256(told.encode()).hexdigest()[:8]}"


def run_case(keys: dict[str, Any], file: str, case: Mapping[str, Any], folder: str) -> dict[str, Any]:
    """One combination, in this process; what is wrong with it is a result like any other."""
    ended = Run(folder)
    if ended.status not in ("ok", "failed", "exploded"):
        scene = Scene(keys, file)
        # Options that the scene gives to its own integrator are none of another's.
        name = case.get("integrator.name")
        if name is not None and name != scene.integrator:
            scene["integrator"] = {}
        try:
            for key, value in case.items():
                scene.set(key, value)
            ended = run(scene, folder, resume=True, report=False, progress=False)
        except InputError as error:
            return {**dict.fromkeys(RESULTS, ""), "status": "refused", "folder": folder, "message": str(error)}
    summary = ended.summary
    energy = summary["energy"]
    return {
        "status": summary["status"],
        "frames": summary["frames"],
        "initial": energy["initial"],
        "final": energy["final"],
        "max_relative_error": energy["max_relative_error"],
        "seconds": summary["timings"]["run_s"],
        "hash": summary["hash"],
        "folder": folder,
        "message": summary.get("message", ""),
    }
