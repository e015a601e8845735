"""Sweeps: all combinations, on processes or a cluster of Dask, resumable, in one table."""

import subprocess
import sys

import pandas
import pytest

import brio
from brio.sweeps import RESULTS

VALUES = {"integrator.name": ["avf", "backward-euler"], "time.h": [0.01, 0.02]}


def test_all_combinations_are_run_and_none_twice(scene, tmp_path):
    table = brio.sweep(scene, VALUES, tmp_path / "sweep", workers=2, progress=False)
    assert isinstance(table, pandas.DataFrame) and list(table.columns) == [*VALUES, *RESULTS]
    assert (
        len(table) == 4
        and set(table["status"]) == {"ok"}
        and (table["seconds"] > 0).all()
        and table["hash"].nunique() == 4
    )
    lost = table.set_index(["integrator.name", "time.h"])["max_relative_error"]
    assert lost["avf", 0.02] < 1e-6 < lost["backward-euler", 0.02]
    stamps = {file: file.stat().st_mtime_ns for file in (tmp_path / "sweep").glob("*/run.json")}
    again = brio.sweep(scene, VALUES, tmp_path / "sweep", workers=2, progress=False)
    assert again.equals(table) and all(file.stat().st_mtime_ns == stamp for file, stamp in stamps.items())
    assert len((tmp_path / "sweep/table.csv").read_text().splitlines()) == 5
    alone = brio.sweep(scene, VALUES, tmp_path / "alone", workers=0, progress=False)
    assert list(alone["hash"]) == list(table["hash"])


def test_what_was_interrupted_goes_on(scene, tmp_path):
    values = {"time.h": [0.01]}
    whole = brio.sweep(scene, values, tmp_path / "a", workers=0, progress=False)
    folder = tmp_path / "a" / whole["folder"][0]
    (folder / "run.json").unlink()  # as a killed process leaves it
    again = brio.sweep(scene, values, tmp_path / "a", workers=0, progress=False)
    assert list(again["hash"]) == list(whole["hash"])


def test_values_that_are_refused_are_rows_like_any_other(scene, tmp_path):
    rows = brio.sweep(scene, {"body[0].material.poisson": [0.3, 0.7]}, tmp_path, workers=0, progress=False, table=False)
    assert [row["status"] for row in rows] == ["ok", "refused"] and "0.7" in rows[1]["message"]
    with pytest.raises(brio.InputError):
        brio.sweep(scene, {}, tmp_path)


def test_integrators_of_ones_own_and_other_options_do_not_mix(scene, tmp_path):
    scene["integrator"]["quadrature"] = "gauss2"
    table = brio.sweep(scene, {"integrator.name": ["avf", "bdf2"]}, tmp_path, workers=0, progress=False)
    assert list(table["status"]) == ["ok", "ok"]


SCRIPT = """
import brio

@brio.integrator(order=1)
def of_the_script(step):
    v = step.v + step.h * step.force(step.x, step.v) / step.mass
    return step.x + step.h * v, v

def main():
    names = ["avf", "of-the-script"]
    print(list(brio.sweep({scene!r}, {{"integrator.name": names, "time.h": [1e-3]}}, {folder!r}, workers=2)["status"]))

{guard}
"""


@pytest.mark.parametrize("guard", ['if __name__ == "__main__": main()', "main()"])
def test_a_script_that_sweeps_is_imported_by_its_workers(guard, scene, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(scene=scene.file, folder=str(tmp_path / "out"), guard=guard))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    if "if" in guard:
        assert done.stdout == "['ok', 'ok']\n", done.stderr
    else:
        assert done.returncode == 1 and "below `if __name__" in done.stderr.splitlines()[-1]


def test_the_same_call_runs_on_a_cluster_of_dask(scene, tmp_path):
    distributed = pytest.importorskip("distributed")
    import dask

    dask.config.set({"distributed.worker.daemon": True})
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path / "dask")
    ) as cluster, distributed.Client(cluster) as client:
        table = brio.sweep(scene, VALUES, tmp_path / "sweep", client=client, progress=False)
        assert len(client.scheduler_info()["workers"]) == 2
    alone = brio.sweep(scene, VALUES, tmp_path / "alone", workers=0, progress=False)
    assert list(table["hash"]) == list(alone["hash"])
