"""Simulations: steps, looks at the state, edits that are booked, moments to return to."""

import copy
import gc
import pickle

import numpy as np
import pytest

import brio
from conftest import HELD, RUBBER, make_bar


def test_a_step_advances_time_and_books_a_row(sim):
    report = sim.step()
    assert report.ok and report.status == "ok" and report.iterations > 0
    assert (sim.time, sim.steps, sim.h, sim.integrator) == (0.02, 1, 0.02, "avf")
    assert len(sim.ledger) == 2 and sim.row["time"] == 0.02
    assert "avf" in repr(sim)


def test_a_report_tells_how_the_step_went(bar):
    bar.add_plane_collider(point=(0, -0.2, 0), friction=0.5, stiffness=1e3)
    report = brio.Simulation(bar, "stabilized", h=0.02).step(30)
    assert report.friction_loss > 0 and report.energy_error >= 0 and 0 <= report.alpha <= 1
    assert report.residual <= 1e-10 and report.halvings == 0
    assert (report.unconverged, report.out_of_time, report.message) == (False, False, "")


def test_a_report_tells_all_that_the_engine_does(sim):
    report = sim.step(2)
    assert (report.energy_halvings, report.strayed, report.strayed_by, report.strayed_body) == (0, 0, 0.0, -1)
    assert report.limited_drag == 0 and report.contact_loss == 0 and report.times["assembly"] > 0 and report.linear
    cloth = brio.Model()
    sheet = brio.sheet(cells=(4, 4))
    cloth.add_cloth(sheet, mass=1e-6, wind={"velocity": [0, 50, 0]}, stretch=1e-3, shear=1e-3, bend=1e-3)
    assert brio.Simulation(cloth, "backward-euler", 0.1).step(5, strict=False).limited_drag > 0


def test_avf_keeps_the_energy(sim):
    sim.step(50)
    assert sim.row["kinetic"] > 0
    assert abs(sim.row["residual"]) < 1e-6 * sim.row["kinetic"]


def test_frames_step_and_keep_what_they_show(sim):
    sim.steps_per_frame = 2
    kept = list(sim.frames(5))
    assert all(isinstance(frame, brio.Frame) and frame.report.ok for frame in kept)
    assert [frame.index for frame in kept] == [1, 2, 3, 4, 5]
    assert np.allclose([frame.time for frame in kept], 0.04 * np.arange(1, 6))
    tips = [frame.x[-1, 1] for frame in kept]
    assert len(set(tips)) == 5 and sim.steps == 10
    with pytest.raises(ValueError, match="count"):
        next(sim.frames(-1))


def test_the_ledger_is_a_structured_array_of_joules(sim):
    sim.step(), sim.step()
    rows = sim.ledger
    assert rows.dtype.names[:4] == ("time", "kinetic", "elastic", "gravity") and len(rows) == 3
    parts = rows["kinetic"] + rows["elastic"] + rows["gravity"] + rows["contact"]
    assert np.allclose(parts, rows["total"])
    assert rows.unit("kinetic") == "J" and "<svg" in rows._repr_html_() and "<svg" in sim._repr_html_()
    assert list(rows.frame()["time"]) == [0, 0.02, 0.04]


# Views.


def test_x_looks_at_the_state_without_a_copy(sim):
    assert sim.x.__array_interface__["data"][0] == sim.x.__array_interface__["data"][0]
    assert sim.x.shape == sim.v.shape == (len(sim.model.mass), 3)
    assert sim.x.strides == (32, 8)


def test_views_cannot_be_written_to(sim):
    with pytest.raises(ValueError):
        sim.x[0, 0] = 1
    with pytest.raises(ValueError):
        sim.v.flags.writeable = True


EDITS = {
    "step": lambda s: s.step(),
    "use": lambda s: s.use("bdf2", h=0.01),
    "set_state": lambda s: s.set_state(v=np.ones_like(s.v)),
    "restore": lambda s: s.restore(s.snapshot()),
    "set_gravity": lambda s: s.set_gravity((0, 1, 0)),
    "add": lambda s: s.add(brio.cube(cells=1), material=RUBBER),
    "let go": lambda s: s.grab(s.bodies[0], 40, 10).let_go() if len(s.x) > 40 else s.step(),
}


@pytest.mark.parametrize("edit", EDITS)
def test_views_keep_what_they_show_whatever_happens(edit):
    sim = brio.Simulation(make_bar((8, 2, 2)), "avf", h=0.02)
    sim.step()
    x, v, part = sim.x, sim.v, sim.x[3:9, 1]
    before = x.copy(), v.copy(), part.copy()
    EDITS[edit](sim)
    sim.step(3)
    assert all(map(np.array_equal, (x, v, part), before))
    assert not np.array_equal(sim.x[: len(x)], x)


def test_views_outlive_their_simulation():
    sim = brio.Simulation(make_bar(), "avf", h=0.02)
    sim.step(5)
    x, row = sim.x, sim.x[2]
    expected = x.copy()
    del sim
    gc.collect()
    for _ in range(20):  # whatever takes the memory that is free now
        brio.Simulation(make_bar(), "avf", h=0.02).step()
    assert np.array_equal(x, expected) and np.array_equal(row, expected[2])


def test_state_is_a_copy_that_can_be_pickled(sim):
    sim.step()
    state = pickle.loads(pickle.dumps(sim.state))
    sim.step()
    assert (
        isinstance(state, brio.State) and state.time == 0.02 and state.step == 1 and not np.array_equal(state.x, sim.x)
    )


# Edits.


def test_set_state_is_booked_as_work_of_the_user(sim):
    sim.step()
    v = np.array(sim.v)
    v[:, 0] += 1
    sim.set_state(v=v)
    assert sim.row["user_work"] > 0
    assert abs(sim.row["residual"]) < 1e-9
    free = ~sim.model.pinned
    assert np.array_equal(sim.v[free], v[free]) and np.all(sim.v[~free] == 0)
    sim.set_state(x=sim.x + [0, 1e-3, 0])
    sim.step(5)
    assert abs(sim.row["residual"]) < 1e-6
    for wrong in (np.zeros((3, 3)), np.full(sim.x.shape, np.nan), "x", 1, np.zeros((len(v), 2))):
        with pytest.raises(brio.InputError):
            sim.set_state(x=wrong)


def test_a_hand_drags_and_its_work_is_booked(sim):
    body = sim.bodies[0]
    tip = body.count - 1
    assert isinstance(body, brio.Body)
    with sim.grab(body, tip, stiffness=500) as hand:
        assert isinstance(hand, brio.Hand)
        start = hand.place.copy()
        for k in range(10):
            hand.move(start + [0, 0.01 * (k + 1), 0])
            sim.step()
        assert np.allclose(hand.place, start + [0, 0.1, 0])
        assert np.linalg.norm(hand.point - sim.x[tip]) < 1e-12
    assert sim.row["user_work"] != 0
    with pytest.raises(brio.InputError, match="let go"):
        hand.move(start)


def test_a_ray_meets_the_body_where_it_is(sim):
    hit = sim.pick((0.2, 5, 0.01), (0, -1, 0))
    assert (
        isinstance(hit, brio.Hit)
        and hit.body.name == "body0"
        and np.allclose(hit.place[1], 0.125)
        and abs(hit.weights.sum() - 1) < 1e-12
    )
    assert np.allclose(hit.weights @ sim.x[list(hit.vertices)], hit.place)
    assert sim.pick((9, 5, 0), (0, -1, 0)) is None
    sim.grab(hit.body, hit.vertices, 50, hit.weights).let_go()


def test_velocities_and_impulses_are_given_in_si_units(sim):
    body = sim.bodies[0]
    tip = body.count - 1
    sim.apply_impulse(body, tip, (0, 0, 0.5))
    assert np.isclose(sim.v[tip, 2] * sim.model.mass[tip], 0.5)
    sim.set_velocity(body, (1, 0, 0), [tip])
    assert np.array_equal(sim.v[tip], (1, 0, 0))
    sim.set_velocity(body, (0, 2, 0))
    assert np.all(sim.v[~sim.model.pinned, 1] == 2)


def test_pins_and_colliders_move_by_hand():
    model = make_bar()
    floor = model.add_plane_collider(point=(0, -1, 0), stiffness=1e3)
    sim = brio.Simulation(model, "stabilized", h=0.01)
    held = np.flatnonzero(sim.model.pinned)
    start = sim.x[held].copy()
    sim.move_pins(0, translate=(0, 0.01, 0))
    sim.move_collider(floor, translate=(0, 0.1, 0))
    sim.step()
    assert np.allclose(sim.x[held], start + [0, 0.01, 0])
    sim.remove_collider(floor)
    with pytest.raises(brio.InputError):
        sim.move_collider(floor)


@pytest.mark.parametrize("pivot", [(0, 0, 0), (1, 2, 3), None])
def test_pins_and_colliders_turn_about_the_pivot_that_is_given(pivot):
    model = make_bar()
    floor = model.add_box_collider(center=(0, -5, 0), law="potential", stiffness=10.0)
    sim = brio.Simulation(model, "backward-euler", h=0.01)
    held = np.flatnonzero(sim.model.pinned)
    start = sim.x[held].copy()
    sim.move_pins(0, turn=(0, 0, np.pi / 2), translate=(0, 0, 0.1), pivot=pivot)
    sim.move_collider(floor, turn=(0, 0, 0.1), pivot=pivot)
    sim.step()
    about = start.mean(axis=0) if pivot is None else np.asarray(pivot)
    arm = start - about
    turned = np.stack([-arm[:, 1], arm[:, 0], arm[:, 2] + 0.1], axis=1) + about
    assert np.allclose(sim.x[held], turned)
    with pytest.raises(brio.InputError):
        sim.move_pins(0, pivot=(0, 0, np.nan))
    with pytest.raises(brio.InputError):
        sim.move_collider(floor, pivot=(0, 0))


def test_gravity_wind_damping_and_material_can_change(sim):
    body = sim.bodies[0]
    sim.set_gravity((0, 0, -1))
    sim.set_wind(body, {"velocity": [10, 0, 0]})
    sim.use("implicit-midpoint", h=0.01)
    sim.set_damping(brio.rayleigh_damping(stiffness=0.01), brio.momentum_preserving_damping(rate=0.5))
    sim.step(5)
    assert sim.row["damping_loss"] > 0 and sim.row["user_work"] != 0
    sim.set_damping()
    sim.set_material(body, {"name": "stvk", "young": 4e4, "poisson": 0.3})
    sim.step()
    with pytest.raises(brio.InputError, match="must be > 0"):
        sim.set_material(body, {"young": -1, "poisson": 0.3})


def test_bodies_come_and_go(sim):
    before = len(sim.x)
    cube = sim.add(brio.cube(cells=1).moved((0, 3, 0)), velocity=(0, -1, 0), name="cube", material=RUBBER)
    assert len(sim.x) == before + cube.count and cube.name == "cube"
    assert np.all(sim.v[cube.slice, 1] == -1)
    sim.step()
    floor = sim.add_plane_collider(point=(0, -0.5, 0), friction=0.2)
    sim.step()
    sim.remove_collider(floor)
    with pytest.raises(brio.InputError, match="unknown key"):
        sim.add(brio.cube(cells=1).moved((0, 6, 0)), materiel=RUBBER)
    with pytest.raises(brio.InputError):
        sim.add_sphere_collider(radius=-1)
    sim.remove(cube)
    sim.step()
    assert len(sim.x) == before
    with pytest.raises(brio.InputError):
        sim.remove(cube)


def test_bodies_come_with_pins_and_shapes_as_those_of_scenes(sim):
    sim.step(5)
    bar = sim.bodies[0]
    shown = sim.x[bar.slice].copy()
    held = {"select": {"plane": [[0, 3.09, 0], [0, 1, 0]]}}
    cube = sim.add(
        brio.cube(size=0.2, cells=2),
        position=(0, 3, 0),
        rotate={"axis": [0, 1, 0], "degrees": 30},
        velocity=(0, 0, 1),
        spin=(0, 2, 0),
        material=RUBBER,
        pin=held,
        deform={"select": {"sphere": [[0, 3, 0], 9]}, "scale": 1.1},
        wind={"velocity": [1, 0, 0]},
    )
    assert cube.name == "body1" and np.array_equal(sim.x[bar.slice], shown)
    pinned = sim.model.pinned[cube.slice]
    assert pinned.sum() == 9 and np.all(sim.v[cube.slice][pinned] == 0)
    assert np.isclose(np.ptp(sim.x[cube.slice][:, 1]), 0.22)
    free = sim.v[cube.slice][~pinned]
    assert np.allclose(free[:, 1], 0) and free[:, 2].max() > 1
    sim.step(20)
    assert np.isclose(sim.x[cube.slice][:, 1].max(), 3.11) and abs(sim.row["residual"]) < 1e-6
    small = brio.cube(size=0.2, cells=1)
    first = sim.add(small, position=(0, 5, 0), copies=[3, 1, 1], spacing=[1, 1, 1], material=RUBBER)
    assert [body.name for body in sim.bodies] == ["body0", "body1", "body2-1", "body2-2", "body2-3"]
    assert first.name == "body2-1"
    with pytest.raises(brio.InputError, match="is taken"):
        sim.add(small, name="body0", position=(9, 9, 9))
    sim.remove(cube)
    assert sim.add(small, position=(9, 9, 9), material=RUBBER).name == "body1"
    assert sim.step().ok


# Moments to return to.


def test_what_follows_a_restored_moment_has_the_same_bits(sim, tmp_path):
    sim.step(3)
    moment = sim.snapshot()
    assert (moment.time, moment.step, moment.integrator) == (sim.time, 3, "avf")
    assert np.array_equal(moment.x, sim.x) and np.array_equal(moment.v, sim.v)
    sim.step(5)
    first = sim.hash
    moment.save(str(tmp_path / "moment.brio"))
    for other in (moment, pickle.loads(pickle.dumps(moment)), brio.load_snapshot(str(tmp_path / "moment.brio"))):
        sim.restore(other)
        sim.step(5)
        assert sim.hash == first
    fresh = brio.Simulation(make_bar(), "avf", h=0.02)
    fresh.restore(pickle.loads(pickle.dumps(moment)))
    fresh.step(5)
    assert fresh.hash == first


def test_damaged_snapshots_are_refused(sim):
    moment = sim.snapshot()
    state = moment.__reduce_ex__(2)
    assert isinstance(moment, brio.Snapshot) and state
    bytes_ = pickle.dumps(moment)
    place = bytes_.index(b"BRIOSNP") + 40
    with pytest.raises(brio.InputError, match="damaged"):
        pickle.loads(bytes_[:place] + bytes([bytes_[place] ^ 1]) + bytes_[place + 1 :])


def test_models_can_be_pickled_and_copied(bar):
    bar.set_contact(thickness=1e-3)
    bar.add_sphere_collider(center=(0, -2, 0), radius=0.5)
    bar.set_damping(brio.rayleigh_damping(stiffness=1e-3))
    sims = [
        brio.Simulation(m, "avf", h=0.02) for m in (bar, pickle.loads(pickle.dumps(bar)), bar.copy(), copy.copy(bar))
    ]
    for one in sims:
        one.step(5)
    assert len({one.hash for one in sims}) == 1


# What is seen, and what it cost.


def test_a_surface_is_what_renderers_want(sim):
    sim.step(3)
    body = sim.bodies[0]
    seen = sim.surface(body)
    assert isinstance(seen, brio.Surface) and seen.triangles.dtype == np.uint32 and seen.normals.dtype == np.float32
    assert np.array_equal(seen.positions, sim.x[body.slice][seen.vertices].astype(np.float32))
    assert np.allclose(np.linalg.norm(seen.normals, axis=1), 1, atol=1e-6)
    corners = seen.positions[seen.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert ((across * seen.normals[seen.triangles].sum(axis=1)).sum(axis=1) > 0).all()  # outward


def test_penetration_and_cost_are_told(bar):
    bar.add_plane_collider(name="floor", point=(0, -0.15, 0), stiffness=50)
    sim = brio.Simulation(bar, "backward-euler", h=0.02)
    sim.step(20)
    depth, fraction, collider, body, vertex = sim.penetration
    assert isinstance(sim.penetration, brio.Penetration) and body.name == "body0" and sim.x[vertex, 1] == sim.x[:, 1].min()
    assert np.isclose(depth, -0.15 - sim.x[:, 1].min()) and 0 < fraction < 1 and collider == "floor"
    assert sim.solve_times["assembly"] > 0 and sum(sim.linear_solvers.values()) == 20


# Failures.


def test_a_failed_step_raises_and_changes_nothing():
    sim = brio.Simulation(make_bar(), "symplectic-euler", h=1e3)
    x = sim.x.copy()
    with pytest.raises(brio.StepFailed, match="choose a smaller h") as error:
        sim.step(200)
    assert error.value.report.status == "failed"
    assert np.array_equal(sim.x, x) and sim.steps == 0
    report = sim.step(200, strict=False)
    assert isinstance(report, brio.StepReport) and not report.ok and "smaller h" in report.message
    assert [frame.report.ok for frame in sim.frames(2000, strict=False)][-1] is False


def test_a_budget_of_time_ends_a_call(bar):
    sim = brio.Simulation(make_bar((16, 4, 4)), "avf", h=0.05)
    report = sim.step(100000, milliseconds=50, strict=False)
    assert report.status == "canceled" and sim.steps == 0
    assert sim.step(milliseconds=0, finish_with_best=True, strict=False).status in ("ok", "failed", "canceled")


def test_other_integrators_and_their_options_are_checked(sim):
    sim.use("newmark", gamma=0.6, beta=0.31, solver=brio.solver(tolerance=1e-8))
    sim.step()
    assert sim.integrator == "newmark" and sim.h == 0.02
    for wrong in (
        lambda: sim.use("avff"),
        lambda: sim.use("avf", gamma=0.6),
        lambda: sim.use("newmark", gamma=7),
        lambda: sim.use("avf", h=-1),
        lambda: sim.use("avf", solver={"name": "newtonn"}),
        lambda: brio.Simulation(brio.Model(), "avf"),
        lambda: brio.Simulation(make_bar(), "avf", h=float("nan")),
    ):
        with pytest.raises(brio.InputError):
            wrong()
    assert sim.step().ok
    with pytest.raises(TypeError):
        brio.Simulation(3)


def test_a_simulation_starts_from_given_places_velocities_and_time(bar):
    x, v = bar.start()
    sim = brio.Simulation(bar, "avf", 0.02, x=x + [0, 0.001, 0], v=v, time=2.0)
    assert sim.time == 2.0 and np.allclose(sim.x[:, 1] - x[:, 1], np.where(bar.pinned, sim.x[:, 1] - x[:, 1], 0.001))


def test_what_is_asked_of_the_largest_stable_step_is_checked(bar):
    sim = brio.Simulation(bar, "verlet", h=1e-3)
    before = sim.hash
    for keys in ({"steps": 0}, {"resolution": 0}, {"resolution": np.nan}, {"longest": -1}, {"duration": -1}, {"growth": 0}):
        with pytest.raises(brio.InputError):
            sim.max_stable_step(**keys)
    assert (sim.integrator, sim.h, sim.hash) == ("verlet", 1e-3, before)
    rough = sim.max_stable_step(steps=50, resolution=0.5)
    fine = sim.max_stable_step(duration=0.2, growth=2.0)
    assert 0.3 < rough / fine < 3 and sim.time_of(sim.steps) == sim.time


def test_the_largest_stable_step_is_below_the_linear_limit(bar):
    sim = brio.Simulation(bar, "symplectic-euler", h=1e-4)
    limit = 2 / bar.highest_frequency()
    assert 0.2 * limit < sim.max_stable_step(steps=50) < 1.5 * limit
    assert sim.max_stable_step("backward-euler", steps=3, longest=0.1) == float("inf")
