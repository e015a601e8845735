"""Wrong types, shapes and numbers, in 10^4 calls: exceptions, never a crash, never nonsense."""

import inspect
import math
import os
import random
import warnings

import numpy as np
import pytest

import brio
from brio import _native
from conftest import HELD, RUBBER, make_bar

CALLS = int(os.environ.get("BRIO_FUZZ_CALLS", 20_000))
ODD = [
    None,
    True,
    -1,
    0,
    1,
    7,
    2**31,
    2**63,
    2**200,
    -(2**63),
    0.0,
    -0.5,
    1e-300,
    1e308,
    math.inf,
    -math.inf,
    math.nan,
    1j,
    "",
    "avf",
    "x" * 1000,
    "\0",
    "ü",
    b"bytes",
    [],
    [1],
    [1, 2, 3],
    (0, 0, 0),
    [[]],
    [[1, 2, 3]],
    [1, "a"],
    [math.nan] * 3,
    {},
    {"name": "avf"},
    {"select": {"all": True}},
    {"a": {"b": []}},
    {1: 2},
    {"name": None},
    object(),
    int,
    len,
    np.zeros(3),
    np.zeros((4, 3)),
    np.zeros((20, 3)),
    np.full((20, 3), np.nan),
    np.zeros((0, 3)),
    np.zeros((2, 2, 2)),
    np.array("x"),
    np.array([None]),
    np.float32(1),
    np.int8(-3),
    np.zeros((20, 3), dtype=complex),
    np.arange(60.0)[::-3],
    range(3),
    iter([1]),
    slice(1),
    Ellipsis,
    lambda *_: None,
]

#: What writes files, starts processes, fetches, or may rightly take long, is left to tests of its own.
SKIPPED = {
    "run",
    "compare",
    "sweep",
    "save",
    "export",
    "write_mesh",
    "read_mesh",
    "load_model",
    "write",
    "load_snapshot",
    "load",
    "integrator",
    "register_integrator",
    "register_solver",
    "register_material",
    "set_threads",
    "threads",
    "Comparison",
    "plot",
    "copy",
    "start",
    "repeat_steps",
    "frames",
    "orders",
    "measured_orders",
    "set",
    "write_comparison",
    "export_run",
    "report_run",
    "max_stable_step",
    "Simulation",
    "Ledger",
    "StepFailed",
    "InputError",
    "generate",
    "take_simulation",
}


def targets():
    model = make_bar()
    sim = brio.Simulation(model, "avf", h=0.02)
    scene = brio.parse_scene('gravity = [0, 0, 0]\n[time]\nh = 0.1\n[[body]]\nmesh = { generate = "cube", cells = 1 }')
    objective = brio.StepObjective(model, 0.1, model.rest, model.rest)
    hand = sim.grab(sim.bodies[0], 19, 10.0)
    owners = [brio, _native, model, sim, scene, objective, hand, model.bodies[0], brio.cube(cells=1), sim.snapshot()]
    owners += [model._core, sim._core, objective._core]
    found = []
    for owner in owners:
        names = brio.__all__ if owner is brio else [n for n in dir(owner) if not n.startswith("_")]
        for name in names:
            if name not in SKIPPED and callable(getattr(owner, name)):
                found.append((owner, name))
    return found


def random_call(dice, owner, name):
    function = getattr(owner, name)
    try:
        words = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    except (TypeError, ValueError):
        words = []
    arguments = [dice.choice(ODD) for _ in range(dice.randrange(6))]
    keywords = {dice.choice(words).name: dice.choice(ODD) for _ in range(dice.randrange(3)) if words}
    if dice.random() < 0.3:
        arguments[:1] = [dice.choice([make_bar(), brio.cube(cells=1), brio.Model(), make_bar().bodies[0]])]
    if "count" in str(keywords) or name == "step":  # a long run is no mistake
        arguments[:1] = [dice.choice([-1, 0, 1, "x", None, 1.5, math.nan, 2**40 if len(arguments) > 40 else 2])]
    if name in (
        "bar",
        "cube",
        "sheet",
        "cylinder",
        "rod",
        "sphere",
        "torus",
        "cactus",
        "line",
        "helix",
        "overhand_knot",
    ):
        keywords = {k: v for k, v in keywords.items() if not isinstance(v, int) or v < 8}  # big meshes are none either
    return function(*arguments, **keywords)


@pytest.mark.parametrize("seed", range(4))
def test_wrong_calls_raise_and_nothing_crashes(seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    warnings.simplefilter("ignore")
    dice = random.Random(seed)
    known = targets()
    refused = accepted = 0
    kinds = set()
    for call in range(CALLS // 4):
        if call % 500 == 0:
            known = targets()
        owner, name = known[dice.randrange(len(known))]
        try:
            random_call(dice, owner, name)
            accepted += 1
        except (SystemError, MemoryError, RecursionError):
            raise
        except Exception as error:
            refused += 1
            kinds.add(type(error).__name__)
    assert refused > accepted and {"InputError", "TypeError"} <= kinds
    sim = brio.Simulation(make_bar(), "avf", h=0.02)  # and all is as it was
    sim.step(2)
    assert np.isfinite(sim.x).all()


@pytest.mark.parametrize("seed", range(3))
def test_scenes_with_odd_values_raise(seed):
    dice = random.Random(seed)
    scene = brio.parse_scene(
        '[time]\nh = 0.1\nframes = 3\n[integrator]\nname = "avf"\n[[body]]\nmesh = { generate = "cube", cells = 1 }\n'
        "material = { young = 1e4, poisson = 0.3 }\nposition = [0, 1, 0]\n[[collider]]\nshape = 'plane'\nstiffness = 10.0"
    )
    paths = [
        "time.h",
        "time",
        "integrator",
        "integrator.name",
        "body",
        "body[0]",
        "body[0].mesh",
        "body[0].mesh.generate",
    ]
    paths += [
        "body[0].material",
        "body[0].material.young",
        "body[0].position",
        "collider",
        "collider[0].shape",
        "gravity",
    ]
    paths += ["body[0].pin", "body[0].attach", "body[0].deform", "contact", "damping", "solver", "output", "title"]
    refused = 0
    for _ in range(700):
        other = scene.copy() if dice.random() < 0.5 else brio.Scene(scene)
        try:
            other.set(dice.choice(paths), dice.choice(ODD))
            other.simulation()
        except (SystemError, MemoryError, RecursionError):
            raise
        except Exception as error:
            assert isinstance(error, (brio.InputError, TypeError, ValueError, OverflowError)), repr(error)
            refused += 1
    assert refused > 400


def test_values_that_hold_themselves_are_refused():
    scene = brio.parse_scene("[time]\nh = 0.1")
    loop = {}
    loop["loop"] = loop
    deep = []
    for _ in range(100_000):
        deep = [deep]
    for value in (loop, deep):
        with pytest.raises((brio.InputError, RecursionError)):
            brio.Model().add_solid(brio.cube(cells=1), material=value)


def test_keys_of_every_table_refuse_values_of_other_types():
    for method in ("add_solid", "add_cloth", "add_wire", "add_particles"):
        mesh = {"add_solid": brio.cube(cells=1), "add_cloth": brio.sheet(cells=(1, 1))}.get(
            method, brio.line(segments=2)
        )
        for field in getattr(brio.Model, method).__fields__:
            wrong = 3.5 if field.type == "text" else "wrong"
            with pytest.raises(brio.InputError) as error:
                getattr(brio.Model(), method)(mesh, **{field.keyword: wrong})
            assert field.name in error.value.key, (method, field.name, error.value)


def test_pins_colliders_and_forces_of_one_model_do_not_reach_another():
    model, other = make_bar(), make_bar(pin=HELD, material=RUBBER)
    body = brio.Model().add_solid(brio.cube(cells=1))
    with pytest.raises(brio.InputError):
        brio.Simulation(other, "avf", h=0.1).apply_impulse(body, 99, (0, 0, 1))
    with pytest.raises(brio.InputError):
        brio.Simulation(model, "avf", h=0.1).move_pins(4)
