"""The wheel is built offline, and what is installed works by itself, with whatever interpreter is first in PATH."""

import os
import shutil
import subprocess
import sys
import zipfile

import pytest

import brio
from conftest import PROGRAM, ROOT

TRY = "import brio; m = brio.Model(); m.add_solid(brio.cube(cells=1)); print(brio.Simulation(m, 'avf', 0.1).step().ok)"


def output(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def clean(**more):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {**kept, **more}


def test_a_wheel_is_built_offline_and_works(tmp_path):
    source = tmp_path / "checkout/python"
    source.parent.mkdir()
    shutil.copytree(ROOT / "python", source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    (source.parent / "CMakeLists.txt").symlink_to(ROOT / "CMakeLists.txt")
    (source.parent / "build").mkdir()
    (source.parent / "build/release").symlink_to(os.path.dirname(os.path.dirname(os.path.dirname(PROGRAM))))
    output(
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(tmp_path),
        cwd=source,
        env=clean(http_proxy="http://nowhere.invalid", https_proxy="http://nowhere.invalid"),
    )
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith(f"brio-{brio.__version__}-cp311-cp311-linux")
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    names = {file.name for file in (tmp_path / "site/brio").iterdir()}
    assert {"py.typed", "keywords.pyi", "_native.pyi", "simulation.py"} <= names
    assert output(sys.executable, "-c", TRY, env=clean(PYTHONPATH=str(tmp_path / "site")), cwd=tmp_path) == "True\n"


def test_another_interpreter_in_path_does_not_matter(tmp_path):
    for name in ("python", "python3", "python3.11"):
        (tmp_path / name).write_text("#!/bin/sh\necho wrong interpreter\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    environment = clean(PATH=f"{tmp_path}:{os.environ['PATH']}", PYTHONHOME=str(tmp_path))
    assert output(PROGRAM, "python", "-c", TRY, env=environment) == "True\n"
    script = tmp_path / "script.py"
    script.write_text("import sys, brio\nprint(sys.argv[1:])\n")
    assert output(PROGRAM, "python", str(script), "a b", "python", env=environment) == "['a b', 'python']\n"


@pytest.mark.skipif("BRIO_INSTALLED" not in os.environ, reason="nothing was installed")
def test_what_was_installed_is_found_by_the_program_and_by_the_path():
    prefix = os.environ["BRIO_INSTALLED"]
    assert output(f"{prefix}/bin/brio", "python", "-c", TRY, env=clean()) == "True\n"
    site = f"{prefix}/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    where = output("/usr/bin/python3", "-c", "import brio; print(brio.__file__)", env=clean(PYTHONPATH=site))
    assert where == f"{site}/brio/__init__.py\n"
