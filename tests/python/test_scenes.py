"""Scenes: keys are those of the file, errors name place, value, bound and remedy, results have the program's bits."""

import json

import numpy as np
import pytest

import brio
from conftest import SCENE, brio_program


def test_keys_can_be_read_and_set_as_in_the_file(scene):
    assert scene["body"][0]["material"]["young"] == 2e4
    before = scene.simulation().row["elastic"]
    scene["body"][0]["material"]["young"] = 2e5
    scene["gravity"] = [0, 0, 0]
    assert scene.integrator == "avf" and before == 0
    sim = scene.simulation()
    sim.step()
    assert np.abs(sim.v).max() == 0  # nothing falls


def test_paths_set_keys_and_make_tables_on_the_way(scene):
    scene.set("body[0].material.young", 5e4).set("solver.tolerance", 1e-8).set("time.h", 0.01)
    assert scene["solver"] == {"tolerance": 1e-8}
    assert scene.simulation().h == 0.01
    for path in ("body[3].name", "body[0].name.x", "body[[0]]", "", "gravity.x"):
        with pytest.raises(brio.InputError):
            scene.set(path, 1)


def test_a_mistake_in_a_file_is_named_with_its_line_value_bound_and_remedy(tmp_path):
    file = tmp_path / "wrong.toml"
    file.write_text(SCENE.replace("poisson = 0.3", "poisson = 0.7"))
    line = SCENE.split("poisson")[0].count("\n") + 1
    with pytest.raises(brio.InputError, match=rf"wrong.toml:{line}: body\[0\].material.poisson = 0.7") as error:
        brio.load_scene(file).simulation()
    assert error.value.key == "body[0].material.poisson"
    assert error.value.value == "0.7"
    assert error.value.bound == "must be in (-1, 0.5)"
    assert error.value.line == line
    file.write_text(SCENE.replace("frames", "framse"))
    with pytest.raises(brio.InputError) as error:
        brio.load_scene(file).check()
    assert error.value.remedy == "did you mean 'frames'?"


def test_a_mistake_made_in_python_is_named_without_a_line(scene):
    scene["body"][0]["material"]["young"] = -1.0
    with pytest.raises(brio.InputError, match="must be > 0") as error:
        scene.simulation()
    assert (error.value.line, error.value.value) == (0, "-1")


def test_text_that_is_no_toml_and_files_that_are_not_there_are_input_errors(tmp_path):
    with pytest.raises(brio.InputError, match="not TOML"):
        brio.parse_scene("a = = 3")
    with pytest.raises(brio.InputError, match="cannot be read"):
        brio.load_scene(tmp_path / "nothing.toml")
    with pytest.raises(brio.InputError, match="at least one"):
        brio.parse_scene("[time]\nh = 0.1").simulation()


def test_text_file_and_copy_are_the_same_scene(scene, tmp_path):
    scene.save(tmp_path / "saved.toml")
    saved = brio.load_scene(tmp_path / "saved.toml")
    assert dict(saved) == dict(scene) == dict(scene.copy()) == dict(brio.parse_scene(scene.text))
    hashes = set()
    for one in (scene, saved, scene.copy()):
        sim = one.simulation()
        sim.step(3)
        hashes.add(sim.hash)
    assert len(hashes) == 1
    assert "bar" in repr(scene) or "A bar" in repr(scene)


def test_a_scene_behaves_as_a_dict(scene):
    assert "time" in scene and len(scene) == 5 and set(scene) == {"title", "gravity", "time", "integrator", "body"}
    del scene["title"]
    assert scene.get("title") is None


def test_a_mesh_in_memory_stands_in_for_one_that_is_described(scene):
    sim = scene.simulation()
    scene["body"][0]["mesh"] = brio.bar(size=(1, 0.25, 0.25), cells=(4, 1, 1))
    other = scene.simulation()
    sim.step(3), other.step(3)
    assert sim.hash == other.hash
    with pytest.raises(brio.InputError, match="scene file"):
        scene.save("never.toml")


def test_stepping_and_running_from_python_give_the_bits_of_the_program(scene, tmp_path):
    brio_program("run", "bar.toml", "-o", "cli", cwd=tmp_path)
    summary = json.loads((tmp_path / "cli/run.json").read_text())
    sim = scene.simulation()
    for _ in sim.frames(6):
        pass
    assert f"{sim.hash:016x}" == summary["hash"]
    made = scene.run(tmp_path / "python", report=False)
    assert made.hash == summary["hash"]
    assert (tmp_path / "cli/frames.bin").read_bytes() == (tmp_path / "python/frames.bin").read_bytes()
    model = brio.Model(gravity=(0, -9.81, 0))
    model.add_solid(
        brio.bar(size=(1, 0.25, 0.25), cells=(4, 1, 1)),
        material={"name": "stvk", "young": 2e4, "poisson": 0.3},
        pin={"select": {"plane": [[-0.49, 0, 0], [-1, 0, 0]]}},
    )
    built = brio.Simulation(model, "avf", h=0.02)
    built.step(6)
    assert built.hash == sim.hash


def test_other_integrators_leave_the_options_of_the_first_behind(scene):
    scene["integrator"]["quadrature"] = "gauss3"
    assert scene.with_integrator("bdf2").simulation().integrator == "bdf2"
    assert scene.with_integrator("avf")["integrator"]["quadrature"] == "gauss3"


def test_a_scene_tells_what_it_comes_to(scene, tmp_path):
    scene["collider"] = [{"shape": "box", "center": [0, -2, 0], "size": [1, 1, 1], "path": [[0, [0, -2, 0]], [1, [0, -3, 0]]]}]
    scene["collider"].append({"shape": "plane", "name": "floor", "point": [0, -5, 0]})
    examined = scene.examine()
    assert isinstance(examined, brio.Examined)
    assert (examined.title, examined.frames, examined.integrator, examined.h) == ("A bar", 6, "avf", 0.02)
    assert np.isclose(examined.frames_per_second * examined.h * examined.steps_per_frame, 1)
    assert examined.inputs == [scene.file] and "[[body]]" in examined.resolved and examined.warnings == scene.check()
    assert examined.digest != scene.set("time.h", 0.01).examine().digest
    box, floor = examined.obstacles
    assert isinstance(box, brio.Obstacle) and not box.endless and floor.endless and floor.name == "floor"
    low, high = box.at(0), box.at(1)
    assert np.allclose(low - high, [0, 1, 0]) and len(box.triangles) == 12 and np.isclose(low[:, 1].max(), -1.5)
    assert np.allclose(floor.pose(0).translation, [0, -5, 0])


def test_a_run_is_found_with_its_meshes_when_the_project_has_moved(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    brio.write_mesh(old / "cube.msh", brio.cube(cells=1))
    (old / "cube.toml").write_text(
        "[time]\nh = 0.01\nframes = 2\n[[body]]\nmesh = { file = 'cube.msh' }\nmaterial = { young = 1e4, poisson = 0.3 }\n"
    )
    brio.run(old / "cube.toml", old / "out", report=False, progress=False)
    old.rename(new)
    run = brio.Run(new / "out")
    assert run.scene.simulation().step().ok and run.scene.copy().check() == []
