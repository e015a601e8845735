"""What is registered from Python, or hung into a model: penalties, formats, interactions, objectives, methods that
remember."""

import os
import pickle

import numpy as np
import pytest
import scipy.sparse

import brio
from conftest import HELD, RUBBER, make_bar

# Penalty laws.


@brio.register_penalty_law(formula="k q^2/2, in Python")
def my_quadratic(stiffness, gap):
    """A spring."""
    return stiffness * gap**2 / 2, stiffness * gap, stiffness


def fallen(penalty, integrator="backward-euler", h=0.01, steps=60, **keys):
    model = brio.Model(gravity=(0, -9.81, 0))
    model.add_solid(brio.cube(size=0.2, cells=2), material=RUBBER, position=(0, 0.11, 0))
    model.add_plane_collider(penalty=penalty, stiffness=200.0, **keys)
    model.add_sphere_collider(center=(0, -0.5, 0), radius=0.5, penalty=penalty, stiffness=200.0)
    sim = brio.Simulation(model, integrator, h)
    sim.step(steps)
    return sim


@pytest.mark.parametrize("integrator", ["backward-euler", "avf", "verlet"])
def test_a_penalty_in_python_pushes_as_the_built_in_one(integrator):
    h, steps = (5e-4, 300) if integrator == "verlet" else (0.01, 30)
    mine, theirs = (fallen(p, integrator, h, steps, friction=0.2) for p in ("my-quadratic", "quadratic"))
    # avf knows the mean force of quadratic penalties in closed form, that of others by quadrature
    assert np.abs(mine.x - theirs.x).max() < (1e-3 if integrator == "avf" else 1e-9)
    assert mine.row["contact"] > 0
    assert brio.penalty_laws()["my-quadratic"] == "A spring."


def test_penalties_are_checked_renewed_and_their_errors_reach_the_caller():
    for wrong in (
        lambda k, q: (k * q**2, k * q, k),
        lambda k, q: (k * q**2 / 2, k * q, 2 * k),
        lambda k, q: (-k * q**2 / 2, -k * q, -k),
        lambda k, q: (np.nan,) * 3,
    ):
        with pytest.raises(brio.InputError):
            brio.register_penalty_law("wrong-penalty")(wrong)
    with pytest.raises(ValueError, match="shape"):
        brio.register_penalty_law("wrong-penalty")(lambda k, q: (k, q))
    with pytest.raises(ZeroDivisionError):
        brio.register_penalty_law("wrong-penalty")(lambda k, q: 1 / 0)
    assert "wrong-penalty" not in brio.penalty_laws()
    with pytest.raises(brio.InputError, match="taken"):
        brio.register_penalty_law("quadratic")(my_quadratic)

    calls = []

    def counted(k, q):
        calls.append(q)
        return my_quadratic(k, q)

    brio.register_penalty_law("renewed")(my_quadratic)
    sim = fallen("renewed", steps=1)
    brio.register_penalty_law("renewed")(counted)
    with pytest.raises(brio.InputError):
        brio.register_penalty_law("renewed")(lambda k, q: (k * q**2, k * q, k))  # the last good one stays
    calls.clear()
    sim.step(40)
    assert calls and max(calls) < 0

    def broken(k, q):
        if len(calls) > 1000:
            raise KeyError("in the middle of a step")
        return counted(k, q)

    calls.clear()
    brio.register_penalty_law("renewed")(broken)
    before, hashed = sim.time, sim.hash
    with pytest.raises(KeyError):
        sim.step(10_000)
    assert (sim.time, sim.hash) == (before, hashed)


# Formats.


def test_a_format_in_python_is_written_by_runs_and_exports(scene, tmp_path):
    @brio.register_format(files=["tips.csv", "tips/about.txt"], sequence="dots")
    def tips(animation, folder):
        """The last vertex, frame by frame."""
        assert isinstance(animation, brio.Animation) and isinstance(animation.shapes[0], brio.Shape)
        shape = animation.shapes[0]
        assert shape.name == "bar" and shape.kind == "solid" and shape.triangles.max() < len(shape.vertices)
        assert len(animation.model.mass) == animation.frames.vertices
        np.savetxt(f"{folder}/tips.csv", animation.frames.x[:, -1])
        with open(f"{folder}/tips/about.txt", "w") as file:
            file.write(animation.title)
        for k, x in enumerate(animation.frames):
            np.savetxt(f"{folder}/dots/frame_{k:06}.dots", x[shape.vertices])

    assert brio.formats()["tips"] == "The last vertex, frame by frame."
    run = brio.run(scene, tmp_path / "run", formats=["tips", "usda"], report=False, progress=False)
    assert run.status == "ok"
    assert np.allclose(np.loadtxt(os.path.join(run.folder, "tips.csv")), run.frames.x[:, -1])
    assert open(os.path.join(run.folder, "tips/about.txt")).read() == "A bar"
    assert len(os.listdir(os.path.join(run.folder, "dots"))) == len(run.frames) == 7
    assert not [name for name in os.listdir(run.folder) if name.startswith(".")]
    os.remove(os.path.join(run.folder, "tips.csv"))
    assert run.export("tips") == ["tips"] and os.path.exists(os.path.join(run.folder, "tips.csv"))


def test_formats_that_go_wrong_leave_what_was_there(scene, tmp_path):
    content = ["first"]

    @brio.register_format("fickle", files=["fickle.txt"])
    def fickle(animation, folder):
        with open(f"{folder}/fickle.txt", "w") as file:
            file.write(content[0])

    run = brio.run(scene, tmp_path / "run", formats=["fickle"], report=False, progress=False)

    @brio.register_format("fickle", files=["fickle.txt"])
    def broken(animation, folder):
        fickle(animation, folder)
        raise KeyError("after writing")

    content[0] = "second"
    with pytest.raises(KeyError):
        run.export("fickle")
    assert open(os.path.join(run.folder, "fickle.txt")).read() == "first"
    for files, wrong in (("other.txt", "no file that it said"), (None, "was not written")):

        @brio.register_format("fickle", files=["fickle.txt"])
        def other(animation, folder):
            if files:
                open(f"{folder}/{files}", "w").close()

        with pytest.raises(brio.InputError, match=wrong):
            run.export("fickle")
    assert not os.path.exists(os.path.join(run.folder, "other.txt"))
    for wrong in ("../x.txt", "run.json", "a/b/c", "a/../../x", "/etc/x", "", ".", ".hidden", "ledger.csv", "obj/x"):
        with pytest.raises(brio.InputError):
            brio.register_format("bad", files=[wrong])(fickle)
    with pytest.raises(brio.InputError, match="taken"):
        brio.register_format("usda", files=["x.txt"])(fickle)
    with pytest.raises(brio.InputError, match="another name"):
        brio.register_format("fickle", files=["elsewhere.txt"])(fickle)


def test_files_may_be_called_after_bodies_in_a_folder_of_their_own(scene, tmp_path):
    def curves(shapes, frames):
        return [f"curves/{shape.id}.txt" for shape in shapes]

    @brio.register_format("curves", files=curves)
    def write(animation, folder):
        for name in curves(animation.shapes, len(animation.frames)):
            open(f"{folder}/{name}", "w").close()

    for _ in range(2):  # what brio wrote it may replace
        run = brio.run(scene, tmp_path / "run", formats=["curves"], force=True, report=False, progress=False)
        assert os.listdir(os.path.join(run.folder, "curves")) == ["bar.txt"]

    @brio.register_format("loose", files=lambda shapes, frames: [f"{shape.id}-x.txt" for shape in shapes])
    def loose(animation, folder):
        pass

    with pytest.raises(brio.InputError, match="folder"):
        run.export("loose")


def test_shapes_are_what_is_seen_of_bodies():
    model = make_bar()
    model.add_wire(brio.line(segments=4), radius=0.02, position=(0, 1, 0))
    solid, wire = brio.shapes(model)
    assert set(solid.vertices) <= set(range(20)) and min(wire.vertices) >= 20
    assert len(wire.curve) == 5 and np.isclose(wire.radius, 0.02) and len(wire.color) == 3


# Interactions.


class Brake(brio.Interaction):
    name = "brake"

    def __init__(self, rate, books="damping"):
        self.rate = rate
        self.books = books

    def end_step(self, now):
        assert isinstance(now, brio.Between)
        return now.v * np.exp(-self.rate * now.h)


def drifting(*interactions, integrator="avf", bodies=1):
    model = brio.Model()
    for k in range(bodies):
        cube = brio.cube(size=0.2, cells=1)
        model.add_solid(cube, name=f"cube{k}", material=RUBBER, velocity=(1, 0, 0), position=(0, k, 0))
    for interaction, body in interactions:
        model.add_interaction(interaction, None if body is None else model.bodies[body])
    return brio.Simulation(model, integrator, 0.01)


@pytest.mark.parametrize(
    "books, column, sign", [("damping", "damping_loss", 1), ("friction", "friction_loss", 1), ("user", "user_work", -1)]
)
def test_an_interaction_brakes_and_is_booked_where_it_says(books, column, sign):
    sim = drifting((Brake(2.0, books), None))
    start = sim.row["kinetic"]
    sim.step(50)
    assert np.allclose(sim.v, [np.exp(-1.0), 0, 0], atol=1e-9)
    assert np.isclose(sim.row[column], sign * start * (1 - np.exp(-2.0)))
    assert abs(sim.row["residual"]) < 1e-10 * start


def test_an_interaction_of_one_body_leaves_others_alone_and_goes_with_it():
    sim = drifting((Brake(2.0), 1), bodies=2)
    sim.step(50)
    first, second = sim.bodies
    assert np.allclose(sim.v[first.slice], [1, 0, 0]) and np.allclose(sim.v[second.slice], [np.exp(-1.0), 0, 0])
    sim.remove(first)
    sim.step(50)
    assert np.allclose(sim.v, [np.exp(-2.0), 0, 0])
    sim.add(brio.cube(size=0.2, cells=1), material=RUBBER, velocity=(0, 0, 3))
    sim.remove(second)
    sim.step(10)
    assert np.allclose(sim.v, [0, 0, 3])


class Counter(brio.Interaction):
    """Kicks at every third step, of which its memory knows."""

    memory = 2
    books = "user"

    def end_step(self, now):
        steps, kicks = now.memory
        now.memory = steps + 1, kicks + (steps % 3 == 2)
        return now.v + [0.1, 0, 0] if steps % 3 == 2 else None


def test_what_an_interaction_remembers_is_part_of_snapshots_and_failed_steps(tmp_path):
    sim = drifting((Counter(), None))
    sim.step(4)
    moment = pickle.loads(pickle.dumps(sim.snapshot()))
    sim.step(7)
    first = sim.hash
    sim.restore(moment)
    sim.step(7)
    assert sim.hash == first and np.allclose(sim.v[:, 0], 1 + 0.1 * 3)
    other = drifting((Brake(1.0), None))
    with pytest.raises(brio.InputError):
        other.restore(moment)  # its history is of another


def test_interactions_are_told_before_steps_and_of_returns():
    heard = []

    class Listener(brio.Interaction):
        def begin_step(self, now):
            heard.append(("begin", now.time, now.h, len(now.mass)))

        def end_step(self, now):
            heard.append(("end", round(now.time, 9), now.h, now.model.vertices))

        def recall(self, now):
            heard.append(("recall", now.time))

    sim = drifting((Listener(), None))
    assert heard == [("recall", 0.0)]
    moment = sim.snapshot()
    sim.step(2)
    steps = [("begin", 0.0), ("end", 0.01), ("begin", 0.01), ("end", 0.02)]
    assert heard[1:] == [(*step, 0.01, 8) for step in steps]
    sim.restore(moment)
    assert heard[-1] == ("recall", 0.0)


def test_interactions_that_go_wrong_raise_and_leave_the_state():
    class Wrong(brio.Interaction):
        memory = 2
        answer = None
        kept = None

        def end_step(self, now):
            Wrong.kept = now
            return self.answer(now)

    wrong = Wrong()
    sim = drifting((wrong, None))
    before = sim.hash

    def remember(numbers):
        def set_memory(now):
            now.memory = numbers

        return set_memory

    for answer, error in (
        (lambda now: now.v[:2], ValueError),
        (lambda now: "fast", ValueError),
        (lambda now: 1 / 0, ZeroDivisionError),
        (lambda now: now.v * np.nan, brio.StepFailed),
        (remember([1, 2, 3]), ValueError),
        (remember([np.inf, 0]), brio.InputError),
        (lambda now: sim.step(), RuntimeError),
        (lambda now: now.model.add_plane_collider(), RuntimeError),
    ):
        wrong.answer = answer
        with pytest.raises(error):
            sim.step()
        assert sim.hash == before
    wrong.answer = lambda now: None
    assert sim.step().ok
    for use in (lambda: Wrong.kept.x, lambda: Wrong.kept.memory, lambda: Wrong.kept.model.mass):
        with pytest.raises(RuntimeError, match="over"):
            use()
    with pytest.raises(brio.InputError, match="no such column"):
        drifting((Brake(1.0, "nowhere"), None))
    with pytest.raises(TypeError):
        make_bar().add_interaction(object())


def test_interactions_are_copied_and_pickled_with_their_model():
    model = brio.Model()
    model.add_solid(brio.cube(cells=1), material=RUBBER, velocity=(1, 0, 0))
    model.add_interaction(Brake(2.0))
    hashes = set()
    for one in (model, model.copy(), pickle.loads(pickle.dumps(model))):
        sim = brio.Simulation(one, "verlet", 1e-3)
        sim.step(20)
        hashes.add(sim.hash)
    assert len(hashes) == 1 and sim.row["damping_loss"] > 0


# Objectives.


class Rosenbrock(brio.Objective):
    """Of each vertex by x and y; z is drawn to 2."""

    def value(self, x):
        return np.sum(100 * (x[:, 1] - x[:, 0] ** 2) ** 2 + (1 - x[:, 0]) ** 2 + (x[:, 2] - 2) ** 2)

    def gradient(self, x):
        low = x[:, 1] - x[:, 0] ** 2
        return np.stack([-400 * x[:, 0] * low - 2 * (1 - x[:, 0]), 200 * low, 2 * (x[:, 2] - 2)], axis=1)

    def hessian(self, x):
        blocks = np.zeros((len(x), 3, 3))
        blocks[:, 0, 0] = 1200 * x[:, 0] ** 2 - 400 * x[:, 1] + 2
        blocks[:, 0, 1] = blocks[:, 1, 0] = -400 * x[:, 0]
        blocks[:, 1, 1], blocks[:, 2, 2] = 200, 2
        return scipy.sparse.block_diag(blocks)


@pytest.mark.parametrize("name, options", [("newton", {}), ("newton", {"definite": "tikhonov"}), ("lbfgs", {})])
def test_any_objective_is_minimized_by_any_solver(name, options):
    x = np.tile([-1.2, 1.0, 0.0], (4, 1))
    assert brio.check_derivatives(Rosenbrock(), x).ok
    found = brio.minimize(Rosenbrock(), x, fixed=[2], solver=brio.solver(name=name, iterations=1000, **options))
    assert isinstance(found, brio.Minimum) and found.converged, found.message
    assert np.allclose(np.delete(found.x, 2, 0), [1, 1, 2], atol=1e-6) and np.array_equal(found.x[2], x[2])


def test_an_objective_without_hessian_is_differentiated_and_a_solver_in_python_is_given_it():
    class Plain(brio.Objective):
        value, gradient = Rosenbrock.value, Rosenbrock.gradient

    x = np.tile([-1.2, 1.0, 0.0], (2, 1))
    assert np.allclose(Plain().hessian(x), Rosenbrock().hessian(x).toarray(), atol=1e-4)
    assert np.allclose(brio.minimize(Plain(), x).x, [1, 1, 2], atol=1e-6)

    @brio.register_solver("descent")
    def descent(problem, x, tolerance, iterations):
        assert isinstance(problem, brio.Problem) and isinstance(problem, brio.Objective)
        for _ in range(200):
            if problem.is_solved(x, tolerance):
                break
            step = np.linalg.solve(problem.hessian(x).toarray() + 1e-3 * np.eye(x.size), problem.gradient(x).ravel())
            x = x - step.reshape(x.shape)
        return x

    assert brio.minimize(Rosenbrock(), x, solver={"name": "descent"}).converged


class Couple(brio.Objective):
    """Vertices that are joined only once they are near: blocks that the first Hessian has not."""

    def __init__(self):
        self.joined = 0

    def value(self, x):
        gap = min(0.0, x[1, 0] - x[0, 0] - 1)
        return 0.5 * ((x - [[0, 0, 0], [0.2, 0, 0]]) ** 2).sum() + 50 * gap**2

    def gradient(self, x):
        g = x - [[0, 0, 0], [0.2, 0, 0]]
        gap = min(0.0, x[1, 0] - x[0, 0] - 1)
        g[1, 0] += 100 * gap
        g[0, 0] -= 100 * gap
        return g

    def hessian(self, x):
        H = np.eye(6)
        if x[1, 0] - x[0, 0] < 1:
            self.joined += 1
            H[np.ix_([0, 3], [0, 3])] += [[100, -100], [-100, 100]]
        return H


def test_blocks_may_come_after_the_first_hessian():
    couple = Couple()
    found = brio.minimize(couple, [[-1.0, 0, 0], [1.0, 0, 0]])
    assert found.converged and couple.joined > 0
    assert np.isclose(found.x[1, 0] - found.x[0, 0], 1 - 0.8 / 201, atol=1e-8)


class Swirl(brio.Objective):
    """A force that no potential has: toward a point, and around it."""

    potential = False
    matrix = np.array([[2.0, -1.5, 0], [1.5, 2.0, 0], [0, 0, 1.0]])
    goal = np.array([1.0, 2.0, 3.0])

    def gradient(self, x):
        return (x - self.goal) @ self.matrix.T + 0.1 * (x - self.goal) ** 3

    def hessian(self, x):
        return scipy.sparse.block_diag([self.matrix + np.diag(0.3 * (row - self.goal) ** 2) for row in x])

    def multiply(self, x, v):
        return v @ self.matrix.T + 0.3 * (x - self.goal) ** 2 * v


def test_equations_without_a_potential_are_solved_by_their_roots():
    found = brio.minimize(Swirl(), np.zeros((3, 3)))
    assert found.converged, found.message
    assert np.allclose(found.x, Swirl.goal, atol=1e-8)
    with pytest.raises(brio.InputError, match="no potential"):
        brio.minimize(Swirl(), np.zeros((3, 3)), solver=brio.solver(name="newton"))


def test_objectives_that_go_wrong_raise():
    class Wrong(Rosenbrock):
        pass

    x = np.zeros((2, 3))
    for method, answer, error in (
        ("value", lambda x: "high", ValueError),
        ("value", lambda x: 1 / 0, ZeroDivisionError),
        ("gradient", lambda x: x[:1], ValueError),
        ("hessian", lambda x: np.eye(5), ValueError),
        ("hessian", lambda x: None, (ValueError, TypeError)),
    ):
        wrong = Wrong()
        setattr(wrong, method, answer)
        with pytest.raises(error):
            brio.minimize(wrong, x)
    for method in ("gradient", "hessian"):
        wrong = Wrong()
        setattr(wrong, method, lambda x, of=getattr(wrong, method): of(x) * np.nan)
        assert not brio.minimize(wrong, x).converged
    with pytest.raises(NotImplementedError):
        brio.minimize(brio.Objective(), x)
    with pytest.raises(TypeError):
        brio.minimize(object(), x)
    with pytest.raises(brio.InputError):
        brio.minimize(Rosenbrock(), x, fixed=[2])


# Methods of several steps, and of stages.


def bdf2(step):
    """BDF2, which remembers the step before."""
    model, h = step.model, step.h
    if not step.memory:
        x = step.minimize(step.x + h * step.v, [(1, 1)])
        return x, (x - step.x) / h, [step.x, step.v]
    x0, v0 = step.memory
    # x' = 4/3 x - 1/3 x0 + 2/3 h v', v' = 4/3 v - 1/3 v0 + 2/3 h f(x')/m, written as a minimum over x' of a step 2/3 h
    y = (4 * step.x - x0) / 3 + 2 / 3 * h * (4 * step.v - v0) / 3
    x = step.minimize(y, [(4 / 9, 1)])
    assert len(model.mass) == len(x)
    return x, (x - (4 * step.x - x0) / 3) / (2 / 3 * h), [step.x, step.v]


def test_a_method_of_two_steps_is_that_of_the_engine_and_keeps_its_memory_in_snapshots():
    brio.integrator(order=2, name="my-bdf2", accounts=False, remembers=2)(bdf2)
    mine, theirs = (brio.Simulation(make_bar(), name, h=0.01) for name in ("my-bdf2", "bdf2"))
    mine.step(), theirs.step()
    assert brio.integrators()["my-bdf2"].order == 2
    for row in brio.orders("my-bdf2"):
        assert abs(row.measured - 2) < 0.2, row
    mine.step(5)
    moment = pickle.loads(pickle.dumps(mine.snapshot()))
    mine.step(10)
    first = mine.hash
    mine.restore(moment)
    mine.step(10)
    assert mine.hash == first
    fresh = brio.Simulation(make_bar(), "my-bdf2", h=0.01)
    fresh.restore(moment)
    fresh.step(10)
    assert fresh.hash == first
    fresh.set_velocity(fresh.bodies[0], (0, 0, 0))  # starts afresh after an edit
    fresh.step(3)
    lost = brio.Simulation(make_bar(), "bdf2", h=0.01)
    lost.restore(moment)  # another method, which cannot make sense of it
    lost.step()
    assert np.abs(theirs.x - mine.x).max() < 1


@pytest.mark.parametrize(
    "wrong, error",
    [
        (lambda step: (step.x, step.v), TypeError),
        (lambda step: (step.x, step.v, []), ValueError),
        (lambda step: (step.x, step.v, [step.x[:1]]), ValueError),
        (lambda step: (step.x, step.v, 3), TypeError),
        (lambda step: (step.x, step.v, [step.x, step.v]), ValueError),
    ],
)
def test_what_is_remembered_must_be_what_was_said(wrong, error):
    brio.integrator(order=1, name="forgetful", remembers=1)(wrong)
    sim = brio.Simulation(make_bar(), "forgetful", h=0.01)
    before = sim.hash
    with pytest.raises(error):
        sim.step()
    assert sim.hash == before


def rk4(step):
    """Runge-Kutta."""
    h, x, v, m = step.h, step.x, step.v, step.mass
    a1 = step.force(x, v, 0, 1 / 6) / m
    x2, v2 = step.place(x + h / 2 * v, v + h / 2 * a1, 0.5)
    a2 = step.force(x2, v2, 0.5, 1 / 3) / m
    x3, v3 = step.place(x + h / 2 * v2, v + h / 2 * a2, 0.5)
    a3 = step.force(x3, v3, 0.5, 1 / 3) / m
    x4, v4 = step.place(x + h * v3, v + h * a3, 1)
    a4 = step.force(x4, v4, 1, 1 / 6) / m
    return x + h / 6 * (v + 2 * v2 + 2 * v3 + v4), v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)


def test_stages_with_velocities_of_their_own_book_what_rk4_books():
    brio.integrator(order=4, name="my-rk4", stages="rates", force_evaluations=4, damped_order=(1, 4))(rk4)
    lifted = {**HELD, "path": [[0, [-0.5, 0, 0]], [0.1, [-0.5, 0.1, 0]]]}
    rows = []
    for name in ("my-rk4", "rk4"):
        sim = brio.Simulation(make_bar(pin=lifted), name, h=1e-3)
        sim.step(50)
        rows.append(sim.row)
    assert np.isclose(rows[0]["user_work"], rows[1]["user_work"], rtol=1e-9)
    assert abs(rows[0]["residual"] - rows[1]["residual"]) < 1e-9
    known = brio.integrators()["my-rk4"]
    assert (known.force_evaluations, known.damped_order, known.cost) == (4, (1, 4), "Python")
    with pytest.raises(ValueError, match="stages"):
        brio.integrator(order=4, name="no-such", stages="springs")(rk4)


# Energies and forces of no body.


class Bond(brio.Energy):
    """Springs between vertices of two bodies."""

    name = "bond"
    anchored = False
    role = "contact"

    def __init__(self, elements):
        self.elements = elements

    def value(self, x):
        return 50 * ((x[:, 1] - x[:, 0]) ** 2).sum(axis=1)

    def gradient(self, x):
        pull = 100 * (x[:, 1] - x[:, 0])
        return np.stack([-pull, pull], axis=1)


class Wind(brio.Force):
    external = True

    def force(self, x, v, time):
        return np.tile([0.0, 0.0, 0.01], (len(x), 1))


def two_cubes():
    model = brio.Model()
    for k in range(2):
        model.add_solid(brio.cube(size=0.2, cells=1), name=f"cube{k}", material=RUBBER, position=(0.5 * k, 0, 0))
    return model


def test_an_energy_joins_bodies_and_is_booked_as_contact():
    model = two_cubes()
    model.add_energy(None, Bond([[0, 8], [1, 9]]))
    x = model.rest + 0.01 * np.random.default_rng(3).standard_normal(model.rest.shape)
    assert brio.check_derivatives(model, x).ok
    assert np.isclose(model.contact_energy(x) + model.elastic_energy(x) + model.gravity_energy(x), model.energy(x))
    assert model.contact_energy(model.rest) > 1
    sim = brio.Simulation(model, "avf", 0.01)
    start = sim.row["total"]
    sim.step(50)
    assert np.allclose(model.linear_momentum(sim.v), 0, atol=1e-9) and abs(sim.row["total"] - start) < 1e-6 * start
    with pytest.raises(brio.InputError, match="bond joins"):
        sim.remove(sim.bodies[0])
    assert sim.step().ok and len(sim.bodies) == 2


def test_bodies_with_forces_in_python_come_and_go():
    model = two_cubes()
    first, second = model.bodies
    model.add_force(second, Wind())
    sim = brio.Simulation(model, "symplectic-euler", 1e-3)
    sim.step(10)
    pushed = (model.mass[:, None] * sim.v)[second.slice, 2].sum()
    assert pushed > 0 and np.allclose(sim.v[first.slice, 2], 0)
    sim.remove(first)  # the force goes on, on vertices that have moved up
    sim.step(10)
    assert np.isclose(sim.model.linear_momentum(sim.v)[2], 2 * pushed, rtol=1e-9)
    sim.add(brio.cube(size=0.2, cells=1), material=RUBBER, position=(0, 2, 0))
    sim.remove(second)  # and goes with its body
    sim.step(10)
    assert np.allclose(sim.v[:, 2], 0)


def test_a_force_on_all_vertices_takes_in_those_that_come():
    model = two_cubes()
    model.add_force(None, Wind())
    sim = brio.Simulation(model, "avf", 1e-3)
    sim.step(10)
    sim.add(brio.cube(size=0.2, cells=1), material=RUBBER, position=(0, 2, 0))
    sim.step(10)
    assert (sim.v[:, 2] > 0).all() and len(sim.v) == 24
    assert abs(sim.row["residual"]) < 1e-6 * sim.row["user_work"]


# Materials.


def test_running_the_cell_of_a_material_again_replaces_it():
    def stvk(factor):
        def density(moduli, t, s, J):
            mu, second = factor * moduli["mu"], factor * moduli["lambda"]
            return second / 2 * t**2 + mu * s, (second * t, mu, 0), (second, 0, 0, 0, 0, 0)

        return density

    def lame_of(factor):
        return lambda moduli: (factor * moduli["mu"], factor * moduli["lambda"])

    frequencies = []
    for factor in (1, 4):
        brio.register_material("again-material", lame=lame_of(factor))(stvk(factor))
        model = make_bar(material={"name": "again-material", "mu": 1e4, "lambda": 1e4})
        frequencies.append(model.highest_frequency())
    assert np.isclose(frequencies[1], 2 * frequencies[0], rtol=1e-3)
    with pytest.raises(brio.InputError, match="others"):
        brio.register_material("again-material", keys=("mu",))(stvk(1))
    with pytest.raises(brio.InputError):
        brio.register_material("again-material", lame=lame_of(4))(lambda m, t, s, J: (t, (0, 0, 0), (0,) * 6))
    assert np.isclose(make_bar(material={"name": "again-material", "mu": 1e4, "lambda": 1e4}).highest_frequency(), frequencies[1])
