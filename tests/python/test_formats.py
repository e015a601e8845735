"""docs/formats.md: every byte of what a run leaves is where the page says, read with nothing of brio."""

import json
import re
import struct

import numpy as np
import pytest
import xxhash

import brio
from conftest import ROOT, SCENE

PAGE = (ROOT / "docs/formats.md").read_text()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Of a run with contact and warnings, so that there are memories to be read."""
    place = tmp_path_factory.mktemp("run")
    scene = brio.parse_scene(SCENE.replace('"avf"', '"bdf2"'))
    scene["collider"] = [{"shape": "plane", "point": [0, -0.15, 0], "friction": 0.5, "stiffness": 1e3}]
    brio.run(scene, place / "out", report=False)
    return place / "out"


def xxh3(data, seed=0):
    return xxhash.xxh3_64_intdigest(data, seed)


def test_frames_bin(folder):
    data = (folder / "frames.bin").read_bytes()
    magic, n, fps, digest, checksum = struct.unpack_from("<8sQdQQ", data)
    assert (magic, n, fps, checksum) == (b"BRIOFRM1", 20, 50.0, xxh3(data[:32]))
    assert len(data) == 40 + 7 * (24 * n + 8)
    frames = brio.Frames(folder)
    assert digest == frames.digest
    for k in range(7):
        begin = 40 + k * (24 * n + 8)
        x, v = data[begin : begin + 12 * n], data[begin + 12 * n : begin + 24 * n]
        assert np.array_equal(np.frombuffer(x, "<f4").reshape(-1, 3), frames.x[k])
        assert np.array_equal(np.frombuffer(v, "<f4").reshape(-1, 3), frames.v[k])
        assert struct.unpack_from("<Q", data, begin + 24 * n)[0] == xxh3(v, xxh3(x, k))


def test_the_two_lines_of_numpy_read_it(folder, monkeypatch):
    monkeypatch.chdir(folder)
    names = {}
    exec(re.search(r"```python\n(.*?)```", PAGE, re.S)[1], names)
    assert names["fps"] == 50 and np.array_equal(names["frames"]["v"], brio.Frames(folder).v)


def test_ledger_csv(folder):
    lines = (folder / "ledger.csv").read_text().split("\n")
    names = lines[0].split(",")
    section = PAGE[PAGE.index("## ledger.csv") : PAGE.index("## run.json")]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert names == re.findall(r"`(\w+)`", "".join(rows))
    assert len(lines) == 9 and lines[-1] == ""
    assert [line.split(",")[0] for line in lines[1:-1]] == [str(k) for k in range(7)]
    assert all(line.split(",")[names.index("status")] == "ok" for line in lines[1:-1])


def test_run_json(folder):
    summary = json.loads((folder / "run.json").read_text())
    section = PAGE[PAGE.index("## run.json") : PAGE.index("## checkpoint.brio")]
    told = set(re.findall(r"`(\w+)`", "".join(l.split("|")[1] for l in section.splitlines() if l.startswith("| `"))))
    assert set(summary) <= told and told - set(summary) <= {"exploded_frame", "message", "linear_solvers"}
    for part in ("energy", "momentum", "timings"):
        assert all(f"`{key}`" in section for key in summary[part]), summary[part]


class Reader:
    """Parts one after the other without gaps."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, kind):
        (value,) = struct.unpack_from("<" + kind, self.data, self.place)
        self.place += struct.calcsize("<" + kind)
        return value

    def text(self):
        length = self.take("Q")
        self.place += length
        return self.data[self.place - length : self.place].decode()

    def list(self, item):
        return [item() for _ in range(self.take("Q"))]

    def field(self):
        rows = self.take("Q")
        self.place += 24 * rows
        return np.frombuffer(self.data, "<f8", 3 * rows, self.place - 24 * rows).reshape(-1, 3)

    def memory(self):
        return self.list(self.field), self.list(lambda: self.take("d"))

    def state(self):
        return {
            "x": self.field(),
            "v": self.field(),
            "time": self.take("d"),
            "step": self.take("q"),
            "memory": self.memory(),
            "histories": self.list(self.memory),
        }

    def row(self):
        return [self.take("d") for _ in range(17)] + [self.take("i"), self.take("B"), self.take("d")]


def state_hash(state):
    padded = [np.hstack([part, np.zeros((len(part), 1))]).tobytes() for part in (state["x"], state["v"])]
    return xxh3(struct.pack("<dd", state["time"], state["step"]), xxh3(padded[1], xxh3(padded[0])))


def test_checkpoint_brio(folder):
    data = (folder / "checkpoint.brio").read_bytes()
    assert data[:8] == b"BRIOCHK5" and struct.unpack_from("<Q", data, 8)[0] == xxh3(data[16:])
    reader = Reader(data[16:])
    assert reader.take("Q") == brio.Frames(folder).digest
    platform = dict(reader.list(lambda: (reader.text(), reader.text())))
    assert platform["brio"] == brio.__version__ and reader.take("q") == 6
    state = reader.state()
    assert np.array_equal(state["x"].astype("f4"), brio.Frames(folder).x[-1]) and state["step"] == 6
    assert len(state["memory"][0]) > 0  # bdf2 remembers the step before
    last = reader.row()
    table = brio.ledger(folder)
    assert last[0] == table["time"].iloc[-1] and last[9] == table["residual"].iloc[-1]
    first, again = reader.row(), reader.row()
    assert first[1] == 0 and again[:17] == last[:17] and reader.take("q") == 7
    assert all(reader.take("d") >= 0 for _ in range(6))
    reader.list(lambda: (reader.text(), reader.text(), reader.take("q"), reader.take("d"), reader.text()))
    assert reader.take("d") > 0
    assert "assembly" in dict(reader.list(lambda: (reader.text(), reader.take("d"))))
    assert reader.place == len(reader.data)
    assert f"{state_hash(state):016x}" == json.loads((folder / "run.json").read_text())["hash"]


def test_snapshots(sim, tmp_path):
    sim.step(2)
    sim.snapshot().save(str(tmp_path / "s.brio"))
    data = (tmp_path / "s.brio").read_bytes()
    assert data[:8] == b"BRIOSNP2" and struct.unpack_from("<Q", data, 8)[0] == xxh3(data[16:])
    reader = Reader(data[16:])
    state = reader.state()
    assert np.array_equal(state["x"], sim.x) and state_hash(state) == sim.hash
    assert reader.row()[0] == sim.time and (reader.take("d"), reader.take("q"), reader.take("d")) == (0, 0, 0.02)
    reader.take("d")
    assert reader.text() == "avf"
    reader.take("Q"), reader.take("Q")
    assert reader.place == len(reader.data)
