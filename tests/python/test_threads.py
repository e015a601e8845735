"""Threads: Python goes on while brio computes, simulations run side by side, Ctrl-C is answered."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import brio
from conftest import PATIENCE, make_bar


def advanced(count):
    sim = brio.Simulation(make_bar((10, 3, 3)), "avf", h=0.02)
    sim.step(count)
    return sim.hash


def test_four_simulations_in_four_threads_give_the_bits_of_one():
    with ThreadPoolExecutor(4) as pool:
        hashes = set(pool.map(advanced, [20] * 4))
    assert hashes == {advanced(20)}


def test_threads_start_simulations_from_one_model():
    model = make_bar((10, 3, 3))

    def hash_of(_):
        sim = brio.Simulation(model, "avf", h=0.02)
        sim.step(3)
        return sim.hash

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(hash_of, range(40)))) == 1


def test_four_simulations_compute_at_the_same_time():
    """Calls of four threads are under way together, on however many cores: one after the other, their times would add
    up to the time on the wall."""
    sims = [brio.Simulation(make_bar((16, 5, 5)), "avf", h=0.02) for _ in range(4)]
    spent = [0.0] * 4
    together = threading.Barrier(4)

    def step(k):
        together.wait()
        start = time.perf_counter()
        sims[k].step(10)
        spent[k] = time.perf_counter() - start

    with brio.threads(1):
        start = time.perf_counter()
        workers = [threading.Thread(target=step, args=(k,)) for k in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        whole = time.perf_counter() - start
    assert sum(spent) > 2 * whole


def test_python_goes_on_while_a_long_call_computes():
    sim = brio.Simulation(make_bar((16, 5, 5)), "avf", h=0.02)
    counted, over = 0, threading.Event()

    def compute():
        sim.step(15)
        over.set()

    worker = threading.Thread(target=compute)
    worker.start()
    while not over.is_set():
        counted += 1
        time.sleep(1e-3)
    worker.join()
    assert counted > 20


def test_a_simulation_that_computes_refuses_other_threads():
    sim = brio.Simulation(make_bar((16, 5, 5)), "avf", h=0.02)
    worker = threading.Thread(target=lambda: sim.step(15))
    worker.start()
    refused = 0
    while worker.is_alive():
        for look in (
            lambda: sim.x,
            lambda: sim.time,
            lambda: sim.step(),
            lambda: sim.snapshot(),
            lambda: sim.use("bdf2"),
        ):
            try:
                look()
            except RuntimeError as error:
                refused += "computing" in str(error)
        time.sleep(1e-3)
    worker.join()
    assert refused > 0
    assert sim.step().ok


def test_threads_can_be_chosen_for_a_while():
    brio.set_threads(2)
    with brio.threads(1):
        one = advanced(5)
    brio.set_threads(0)
    assert advanced(5) == one
    with pytest.raises(brio.InputError):
        brio.set_threads(-1)


LONG = {
    "step": "sim.step(10**6)",
    "frames": "list(sim.frames(10**6))",
    "run": "brio.run(scene, folder, report=False)",
    "custom": "slow.step(10**6)",
    "stable": "sim.max_stable_step('backward-euler', steps=10**6)",
    "stable custom": "slow.max_stable_step('slow-euler', steps=10**9, longest=1e-5)",
}
PROGRAM = """
import os, sys, time, brio
sys.path.insert(0, {tests!r})
from conftest import SCENE, make_bar
sim = brio.Simulation(make_bar((20, 6, 6)), "avf", h=0.02)
scene = brio.parse_scene(SCENE.replace("[4, 1, 1]", "[20, 6, 6]").replace("frames = 6", "frames = 100000"))
folder = {folder!r}

@brio.integrator(order=1)
def slow_euler(step):
    v = step.v + step.h * step.force(step.x, step.v) / step.mass
    return step.x + step.h * v, v

slow = brio.Simulation(make_bar(), "slow-euler", h=1e-5)
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", time.time(), flush=True)
    assert sim.step().ok  # and all is as it was
"""


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_is_answered_within_a_second(name, tmp_path):
    text = PROGRAM.format(call=LONG[name], folder=str(tmp_path / "out"), tests=os.path.dirname(__file__))
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        words = process.stdout.readline().split()
        assert words and words[0] == "interrupted"
        assert float(words[1]) - sent < PATIENCE
        assert process.wait(timeout=20 * PATIENCE) == 0
    if name == "run":
        assert brio.Run(tmp_path / "out").status == "interrupted"


def test_another_thread_cancels_a_step():
    sim = brio.Simulation(make_bar((16, 5, 5)), "avf", h=0.02)
    sim.step()
    before = sim.hash
    said = []

    def step():
        report = sim.step(10**6, strict=False)
        said.append((report.ok, report.status))
        with pytest.raises(brio.StepFailed, match="canceled"):
            sim.step(10**6)
        said.append("raised")

    worker = threading.Thread(target=step)
    worker.start()
    for count in (1, 2):
        start = time.perf_counter()
        while len(said) < count and time.perf_counter() - start < 20 * PATIENCE:
            time.sleep(0.05)
            sim.cancel()
    worker.join()
    assert said == [(False, "canceled"), "raised"] and sim.hash == before
    sim.cancel()  # of nothing
    assert sim.step().ok


def test_a_handler_of_the_users_own_that_raises_nothing_lets_the_call_go_on():
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        sim = brio.Simulation(make_bar((12, 4, 4)), "avf", h=0.02)
        alarm = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
        alarm.start()
        assert sim.step(20).ok
        alarm.join()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard and sim.steps == 20
    other = brio.Simulation(make_bar((12, 4, 4)), "avf", h=0.02)
    other.step(20)
    assert other.hash == sim.hash
