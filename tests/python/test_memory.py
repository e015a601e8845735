"""Views never dangle: the address sanitizer watches over all memory of the process while they are read."""

import os
import subprocess
import sys

import pytest

import brio
from conftest import ROOT


def library(name):
    return subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()


RUNTIME = library("libasan.so")

READ = f"""
import ctypes, gc, sys
sys.path.insert(0, {str(ROOT / "tests/python")!r})
import numpy as np
import brio

def read(array):
    "By memcpy, which the sanitizer looks at; NumPy's own loops it does not."
    extent = (array.shape[0] - 1) * array.strides[0] + array.shape[1] * array.strides[1]
    return ctypes.string_at(array.ctypes.data, extent)
"""

VIEWS = """
from test_simulations import EDITS, make_bar

for name, edit in EDITS.items():
    sim = brio.Simulation(make_bar((8, 2, 2)), "avf", h=0.02)
    sim.step()
    views = [sim.x, sim.v]
    parts = [sim.x[2:7], sim.v[::2]]
    before = [read(view) for view in views + parts]
    edit(sim)
    for _ in range(3):
        sim.step()
        views[:0] = [sim.x]
        before[:0] = [read(views[0])]
    del sim
    gc.collect()
    assert [read(view) for view in views + parts] == before, name
frames = list(brio.Simulation(make_bar(), "bdf2", h=0.02).frames(5))
assert len({read(frame.x) for frame in frames}) == 5

@brio.integrator(order=1)
def my_euler(step):
    v = step.v + step.h * step.force(step.x, step.v) / step.mass
    return step.x + step.h * v, v

model = make_bar()
body = model.add_particles(brio.line(segments=2), position=(0, 3, 0))
sim = brio.Simulation(model, "my-euler", h=1e-3)
sim.step(5)
kept = sim.model, sim.snapshot(), sim.ledger, sim.surface(sim.bodies[0])
del sim, model
gc.collect()
kept[0].energy(kept[1].x), read(kept[1].x), kept[2].tobytes(), read(kept[3].positions)
print("all of it is there")
"""

GONE = """
array = np.ones((5000, 3))
place = array.ctypes.data
keeps = array[1:]
address, size = place, array.nbytes
del array, keeps
gc.collect()
ctypes.string_at(address, size)
print("nobody watches")
"""


def watched(program):
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}
    environment["LD_PRELOAD"] = f"{RUNTIME}:{library('libstdc++.so')}"  # which throws, and so must be there first
    return subprocess.run([sys.executable, "-c", READ + program], env=environment, capture_output=True, text=True)


@pytest.mark.skipif(not os.path.isabs(RUNTIME), reason="the compiler has no address sanitizer")
def test_what_is_gone_is_noticed():
    done = watched(GONE)
    assert done.returncode != 0 and "heap-use-after-free" in done.stderr


@pytest.mark.skipif(not os.path.isabs(RUNTIME), reason="the compiler has no address sanitizer")
def test_views_are_valid_whatever_becomes_of_their_simulation():
    done = watched(VIEWS)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout == "all of it is there\n"
