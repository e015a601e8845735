"""Runs: folders as the program writes them, read back; progress; comparisons; exports."""

import json

import matplotlib
import numpy as np
import pandas
import pytest

import brio
from brio.runs import Progress
from conftest import SCENE, brio_program

matplotlib.use("agg")


@pytest.fixture
def made(scene, tmp_path):
    return brio.run(scene, tmp_path / "out", report=False)


def test_a_run_is_read_back(made):
    assert made.status == "ok" and made.summary["frames"] == 6 and len(made.hash) == 16
    assert len(made.ledger) == 7 and made.ledger["frame"][-1] == 6 and not made.ledger["failed"].any()
    assert made.scene["title"] == "A bar" and "ok" in repr(made)
    assert isinstance(made.plot(), matplotlib.axes.Axes) and "<svg" in made.svg(["residual"], log=True)
    assert "<svg" in made._repr_html_()  # there is no report


def test_a_report_is_shown_in_a_frame(scene, tmp_path):
    made = scene.run(tmp_path / "out")
    assert "<iframe" in made._repr_html_() and made.report.endswith("report.html")


def test_frames_are_mapped_as_the_state_was(scene, made):
    frames = made.frames
    assert isinstance(frames, brio.Frames) and len(frames) == 7 and "7 of 20" in repr(frames)
    sim = scene.simulation()
    assert np.array_equal(frames[0], sim.x.astype(np.float32))
    for frame in sim.frames(6):
        assert np.array_equal(frames.x[frame.index], frame.x.astype(np.float32))
        assert np.array_equal(frames.v[frame.index], frame.v.astype(np.float32))
    assert np.allclose(frames.times, 0.02 * np.arange(7)) and frames[2:4].shape == (2, 20, 3)
    assert len(list(frames)) == 7
    with pytest.raises(ValueError):
        frames.x[0, 0, 0] = 1


def test_damage_is_found_where_it_is(made, tmp_path):
    place = tmp_path / "out/frames.bin"
    whole = place.read_bytes()
    place.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    with pytest.raises(brio.InputError, match="frame 0 is damaged"):
        brio.Frames(tmp_path / "out")
    place.write_bytes(whole[:-9])
    assert len(brio.Frames(place)) == 6  # as a killed run leaves it
    with pytest.raises(brio.InputError):
        brio.Frames(tmp_path / "out/ledger.csv")


def test_ledgers_become_data_frames(made, tmp_path):
    table = brio.ledger(tmp_path / "out")
    assert isinstance(table, pandas.DataFrame) and table["time"].iloc[-1] == 0.12
    assert np.array_equal(table["kinetic"], made.ledger["kinetic"])
    assert isinstance(made.ledger, brio.Ledger)
    with pytest.raises(brio.InputError):
        brio.ledger(tmp_path)


def test_a_run_is_replaced_or_gone_on_with_only_when_asked(scene, made, tmp_path):
    with pytest.raises(brio.InputError, match="--force|earlier|resume"):
        brio.run(scene, tmp_path / "out")
    scene.set("time.frames", 10)
    more = brio.run(scene, tmp_path / "out", resume=True, report=False)
    assert more.summary["frames"] == 10
    scene.set("time.frames", 10)
    again = brio.run(scene, tmp_path / "out", force=True, report=False)
    assert again.hash == more.hash


def test_meshes_in_memory_are_recorded_so_that_the_run_can_go_on(scene, tmp_path):
    scene["body"][0]["mesh"] = brio.bar(size=(1, 0.25, 0.25), cells=(4, 1, 1))
    made = brio.run(scene, tmp_path / "out", report=False)
    brio_program("run", "out/scene.toml", "-o", "out", "--resume", "--set", "time.frames=9", cwd=tmp_path)
    assert made.summary["frames"] == 9


def test_animation_files_are_made_when_asked(scene, made, tmp_path):
    assert made.export("obj", "usda") == ["obj", "usda"]
    assert (tmp_path / "out/animation.usda").exists() and len(list((tmp_path / "out/obj").iterdir())) == 7
    other = brio.run(scene, tmp_path / "other", formats=["ply"], report=False)
    assert (tmp_path / "other/ply").exists() and other.status == "ok"
    with pytest.raises(brio.InputError, match="usda"):
        made.export("usd")


def test_folders_without_runs_say_so(tmp_path):
    nothing = brio.Run(tmp_path)
    assert nothing.status == "unfinished"
    for look in (lambda: nothing.summary, lambda: nothing.ledger, lambda: nothing.frames, lambda: nothing.scene):
        with pytest.raises((brio.InputError, OSError)):
            look()


def test_runs_without_a_folder_get_a_new_one(scene, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folders = [brio.run(scene, report=False).folder for _ in range(2)]
    assert [folder.rsplit("/", 1)[-1] for folder in folders] == ["bar", "bar-2"]
    assert brio.run(str(tmp_path / "bar.toml"), report=False).folder.endswith("bar-3")


def test_progress_is_shown_where_it_is_wanted(scene, tmp_path, capsys, monkeypatch):
    brio.run(scene, tmp_path / "shown", report=False, progress=True)
    assert "6/6" in capsys.readouterr().err
    brio.run(scene, tmp_path / "silent", report=False)
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    bar = Progress("plain", True)
    bar("started", 3, 0), bar("frame", 2, 1.0), bar("warning", "w", 0), bar.close()
    assert "frame 2 of 3" in capsys.readouterr().err and bar.warnings == ["w"]


def test_each_frame_is_told_and_an_error_there_ends_the_run_which_can_go_on(scene, tmp_path):
    seen = []
    made = brio.run(scene, tmp_path / "a", report=False, each=lambda frame, energy: seen.append((frame, energy)))
    assert [frame for frame, _ in seen] == list(range(1, 7))
    assert [energy for _, energy in seen] == list(made.ledger["total"][1:])

    def stop(frame, energy):
        if frame == 3:
            raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        brio.run(scene, tmp_path / "b", report=False, each=stop)
    again = brio.run(scene, tmp_path / "b", report=False, resume=True)
    assert again.hash == made.hash


def test_comparisons_tell_of_all_that_ran_and_of_those_that_were_refused(scene, tmp_path):
    scene["body"][0]["constrain"] = [{"kind": "point", "vertex": 19}]
    seen = []
    made = scene.compare(
        ["variational", "backward-euler", "avf"], tmp_path / "c", progress=False, each=lambda n, r: seen.append(n)
    )
    assert set(made.runs) | set(made.refused) == {"variational", "backward-euler", "avf"} and seen == list(made.runs)
    assert "variational" in made.runs and "backward-euler" in made.refused
    assert {row["integrator"]: row["status"] for row in made.table}["backward-euler"] == "refused"
    assert isinstance(made, brio.Comparison) and "variational" in repr(made)
    assert made.plot("residual").get_ylabel() == "residual [J]" and "iframe" in made._repr_html_()
    with pytest.raises(brio.InputError):
        brio.compare(scene, ["avff"], tmp_path / "d", progress=False)


def test_a_comparison_has_the_bits_of_the_programs(scene, tmp_path):
    brio_program("compare", "bar.toml", "--integrators", "bdf2,verlet", "-o", "cli", cwd=tmp_path)
    made = brio.compare(str(tmp_path / "bar.toml"), ["bdf2", "verlet"], tmp_path / "python", progress=False)
    for name, run in made.runs.items():
        assert run.hash == json.loads((tmp_path / "cli" / name / "run.json").read_text())["hash"]
