"""The four notebooks, run as scripts from start to end, as a user would: ./brio python python/examples/NAME.py."""

import os
import subprocess
import sys

import pytest

from conftest import ROOT

EXAMPLES = sorted(file.stem for file in (ROOT / "python/examples").glob("*.py"))


def test_there_are_four():
    assert EXAMPLES == ["energy_momentum_map", "first_steps", "fit_stiffness", "your_own_integrator"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_notebooks_come_to_their_end_and_leave_a_picture(name, tmp_path):
    file = ROOT / f"python/examples/{name}.py"
    done = subprocess.run(
        [sys.executable, str(file)],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout and (tmp_path / f"{name}.png").stat().st_size > 5000
