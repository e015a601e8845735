"""What the tests of the Python module share."""

import os
import pathlib
import subprocess

import pytest

import brio

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("BRIO_PROGRAM", str(ROOT / "build/release/apps/brio/brio"))

#: Sanitizers make all of it slower.
PATIENCE = float(os.environ.get("BRIO_PATIENCE", 1))

HELD = {"select": {"plane": [[-0.49, 0, 0], [-1, 0, 0]]}}
RUBBER = {"name": "stvk", "young": 2e4, "poisson": 0.3}
SCENE = """
title = "A bar"
gravity = [0, -9.81, 0]
[time]
h = 0.02
frames = 6
[integrator]
name = "avf"
[[body]]
name = "bar"
mesh = { generate = "bar", size = [1, 0.25, 0.25], cells = [4, 1, 1] }
material = { name = "stvk", young = 2e4, poisson = 0.3 }
pin = { select = { plane = [[-0.49, 0, 0], [-1, 0, 0]] } }
"""


def brio_program(*arguments, cwd):
    """The command line program, as users run it."""
    own = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}  # it brings what it needs
    return subprocess.run([PROGRAM, *arguments], cwd=cwd, env=own, check=True, capture_output=True, text=True)


def make_bar(cells=(4, 1, 1), **keys):
    model = brio.Model(gravity=(0, -9.81, 0))
    keys = {"material": RUBBER, "pin": HELD, **keys}
    model.add_solid(brio.bar(size=(1, 0.25, 0.25), cells=cells), **keys)
    return model


@pytest.fixture
def bar():
    """A bar of rubber, held at its left end."""
    return make_bar()


@pytest.fixture
def sim(bar):
    return brio.Simulation(bar, "avf", h=0.02)


@pytest.fixture
def scene(tmp_path):
    file = tmp_path / "bar.toml"
    file.write_text(SCENE)
    return brio.load_scene(file)
