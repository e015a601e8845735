"""What a call costs: a step from Python takes at most 20 us more than from C++, and looking at x costs nothing."""

from brio import bench


def test_python_costs_little_on_top():
    rows = bench.rows(quick=True)
    steps = [row for row in rows if row["baseline_ms"] > 0 and "euler" in row["name"]]
    assert len(steps) == 2
    for row in steps:
        assert row["ms"] - row["baseline_ms"] < 20e-3, row
    looks = [row for row in rows if "looking" in row["name"]]
    assert len(looks) == 2 and all(row["ms"] < 10e-3 for row in looks)
