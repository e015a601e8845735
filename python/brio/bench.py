"""What a step costs from Python over C++, as rows of ``brio bench python``: JSON on standard output."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import brio


def least(rounds: int, count: int, *works: Callable[[int], None]) -> list[float]:
    """Least mean time of a call of each, in turns [ms]."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for k, work in enumerate(works):
            start = time.perf_counter()
            work(count)
            best[k] = min(best[k], 1e3 * (time.perf_counter() - start) / count)
    return best


def hanging_bar(cells: tuple[int, int, int], integrator: str, h: float) -> brio.Simulation:
    model = brio.Model(gravity=(0, -9.81, 0))
    held = {"select": {"plane": [[-0.49, 0, 0], [-1, 0, 0]]}}
    model.add_solid(brio.bar(size=(1, 0.25, 0.25), cells=cells), material={"young": 1e5, "poisson": 0.3}, pin=held)
    return brio.Simulation(model, integrator, h)


def rows(quick: bool) -> list[dict[str, Any]]:
    rounds = 100 if quick else 1000  # short ones: some of them nobody interrupts
    table = []
    cases = (
        ((1, 1, 1), "symplectic-euler", 1e-4, 50),
        ((8, 2, 2), "symplectic-euler", 1e-4, 50),
        ((8, 2, 2), "avf", 1e-2, 1),
    )
    for cells, integrator, h, count in cases:
        sim = hanging_bar(cells, integrator, h)

        def from_python(times: int) -> None:
            for _ in range(times):
                sim.step()

        ours, theirs = least(rounds, count, from_python, sim._core.repeat_steps)
        over = 1e3 * (ours - theirs)
        table.append(
            {
                "name": f"{integrator}, step",
                "size": f"{len(sim.x)} v",
                "baseline": "the same from C++",
                "detail": f"{over:.1f} us on top",
                "ms": ours,
                "baseline_ms": theirs,
            }
        )

    def look_at(name: str) -> Callable[[int], None]:
        def look(times: int) -> None:
            for _ in range(times):
                getattr(sim, name)

        return look

    for name in ("x", "row"):
        (ms,) = least(rounds, 100, look_at(name))
        table.append(
            {
                "name": f"looking at sim.{name}",
                "size": f"{len(sim.x)} v",
                "baseline": "",
                "detail": f"{1e3 * ms:.2f} us, whatever the size",
                "ms": ms,
                "baseline_ms": 0,
            }
        )
    return table


if __name__ == "__main__":
    print(json.dumps(rows("--quick" in sys.argv)))
