"""Methods of one's own: integrators in NumPy, energies and forces as classes, checked derivatives."""

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

import brio
from conftest import HELD, RUBBER, make_bar


@brio.integrator(order=1, symplectic=True, energy="oscillates without drift")
def my_euler(step):
    """Symplectic Euler in NumPy."""
    v = step.v + step.h * step.force(step.x, step.v) / step.mass
    return step.x + step.h * v, v


@brio.integrator(order=2, name="my-verlet")
def verlet(step):
    v = step.v + step.h / 2 * step.force(step.x, step.v, 0, 0.5) / step.mass
    x = step.x + step.h * v
    x, v = step.place(x, v, 1)
    return x, v + step.h / 2 * step.force(x, v, 1, 0.5) / step.mass


@brio.integrator(order=2, accounts=False)
def my_avf(step):
    """AVF with Simpson's rule."""
    y = step.x + step.h * step.v - step.h**2 / 12 * step.model.gradient(step.x) / step.mass
    x = step.minimize(y, [(2 / 3, 1 / 2), (1 / 12, 1)])
    return x, 2 * (x - step.x) / step.h - step.v


PAIRS = [
    ("my-euler", "symplectic-euler", {}),
    ("my-verlet", "verlet", {}),
    ("my-avf", "avf", {"quadrature": "simpson"}),
]


@pytest.mark.parametrize("mine, theirs, options", PAIRS)
def test_an_integrator_in_numpy_does_what_the_built_in_one_does(mine, theirs, options):
    h = 1e-2 if mine == "my-avf" else 1e-3
    a = brio.Simulation(make_bar(), mine, h=h)
    b = brio.Simulation(make_bar(), theirs, h=h, **options)
    a.step(30), b.step(30)
    assert np.abs(a.x - b.x).max() < 1e-10 and np.abs(a.v - b.v).max() < 1e-8
    assert abs(a.row["residual"] - b.row["residual"]) < 1e-6


@pytest.mark.parametrize("mine", ["my-euler", "my-verlet", "my-avf"])
def test_its_order_is_measured_as_those_of_others(mine):
    rows = brio.orders(mine)
    assert {row.problem for row in rows} >= {"oscillator", "pendulum", "kepler", "solid"}
    for row in rows:
        assert isinstance(row, brio.OrderRow) and abs(row.measured - row.declared) < 0.15, row


def test_it_is_listed_and_runs_in_scenes_and_comparisons(scene, tmp_path):
    assert brio.integrators()["my-euler"].sentence == "Symplectic Euler in NumPy."
    scene.set("time.h", 0.001)
    made = brio.compare(scene, ["my-euler", "symplectic-euler"], tmp_path / "compare", progress=False)
    assert {row["integrator"] for row in made.table} == {"my-euler", "symplectic-euler"}
    mine, theirs = made.runs["my-euler"].frames.x, made.runs["symplectic-euler"].frames.x
    assert np.abs(mine - theirs).max() < 1e-6
    assert "my-euler" in open(made.page).read() and "iframe" in made._repr_html_()


def test_one_that_follows_paths_of_pins_books_their_work():
    lifted = {**HELD, "path": [[0, [-0.5, 0, 0]], [0.1, [-0.5, 0.1, 0]]]}
    a = brio.Simulation(make_bar(pin=lifted), "my-euler", h=1e-3)
    b = brio.Simulation(make_bar(pin=lifted), "symplectic-euler", h=1e-3)
    a.step(100), b.step(100)
    assert np.isclose(a.row["user_work"], b.row["user_work"]) and a.row["user_work"] != 0
    with pytest.raises(brio.InputError):  # nobody books what paths do in methods that do not say so
        brio.Simulation(make_bar(pin=lifted), "my-avf", h=1e-2)


def test_running_the_cell_again_replaces_the_function():
    def once(step):
        return step.x, step.v

    brio.integrator(order=1, name="again")(lambda step: (step.x + step.h, step.v))
    brio.integrator(order=1, name="again")(once)
    sim = brio.Simulation(make_bar(pin=[]), "again", h=0.1)
    before = sim.x.copy()
    sim.step()
    assert np.array_equal(sim.x, before)
    with pytest.raises(brio.InputError, match="order 1"):
        brio.integrator(order=2, name="again")(once)
    with pytest.raises(brio.InputError):
        brio.integrator(order=1, name="avf")(once)
    with pytest.raises(brio.InputError, match="no such behavior"):
        brio.integrator(order=1, name="strange", energy="vanishes")(once)


@pytest.mark.parametrize(
    "wrong, error",
    [
        (lambda step: None, TypeError),
        (lambda step: (1, 2), ValueError),
        (lambda step: (step.x[:2], step.v), ValueError),
        (lambda step: step.nothing, AttributeError),
        (lambda step: 1 / 0, ZeroDivisionError),
        (lambda step: (step.x * np.nan, step.v), brio.StepFailed),
        (lambda step: (step.force(step.x, "v"), 0), brio.InputError),
        (lambda step: (step.force(step.x / 0, step.v), 0), brio.StepFailed),
        (lambda step: (step.minimize(step.x * np.inf, [(1, 1)]), 0), brio.StepFailed),
    ],
)
def test_mistakes_in_it_reach_the_caller_and_leave_the_state(wrong, error):
    brio.integrator(order=1, name="wrong")(wrong)
    sim = brio.Simulation(make_bar(), "wrong", h=0.01)
    before = sim.hash
    with pytest.raises(error):
        sim.step()
    assert sim.hash == before


def test_a_step_that_is_over_cannot_be_used():
    kept = []
    brio.integrator(order=1, name="keeper")(lambda step: (kept.append(step), (step.x, step.v))[1])
    sim = brio.Simulation(make_bar(), "keeper", h=0.01)
    sim.step()
    step = kept[0]
    assert isinstance(step, brio.Step) and step.h == 0.01 and step.time == 0
    for use in (
        lambda: step.x,
        lambda: step.force(sim.x, sim.v),
        lambda: step.model,
        lambda: step.minimize(sim.x, [(1, 1)]),
    ):
        with pytest.raises(RuntimeError, match="over"):
            use()


# Solvers and materials.


@brio.register_solver()
def my_newton(objective, x, tolerance, iterations):
    """Newton's method without a line search, in SciPy."""
    assert isinstance(objective, brio.Objective)
    for _ in range(iterations):
        if objective.is_solved(x, tolerance):
            break
        step = spsolve(objective.hessian(x, psd=True).tocsc(), objective.gradient(x).ravel())
        assert objective.value(x) < np.inf
        x = x - step.reshape(x.shape)
    return x


def test_a_solver_in_scipy_finds_what_the_built_in_one_finds():
    assert brio.solvers()["my-newton"].startswith("Newton's method without")
    sims = [
        brio.Simulation(make_bar(), "backward-euler", h=0.02, solver=brio.solver(name=name, tolerance=1e-11))
        for name in ("my-newton", "newton")
    ]
    for sim in sims:
        assert sim.step(10).iterations > 10
    assert np.abs(sims[0].x - sims[1].x).max() < 1e-9


def test_a_solver_that_fails_makes_steps_fail_in_words():
    brio.register_solver("lazy")(lambda objective, x, tolerance, iterations: x + 0.01)
    brio.register_solver("lost")(lambda objective, x, tolerance, iterations: x * np.nan)
    brio.register_solver("broken")(lambda objective, x, tolerance, iterations: 1 / 0)
    for name, error in (("lazy", brio.StepFailed), ("lost", brio.StepFailed), ("broken", ZeroDivisionError)):
        sim = brio.Simulation(make_bar(), "backward-euler", h=0.02, solver=brio.solver(name=name, unconverged="stop"))
        before = sim.hash
        with pytest.raises(error):
            sim.step()
        assert sim.hash == before
    with pytest.raises(brio.InputError):
        brio.register_solver("newton")(lambda *_: None)


@brio.register_material()
def my_stvk(moduli, t, s, J):
    """Saint Venant and Kirchhoff's, in Python."""
    return (
        moduli["lambda"] / 2 * t**2 + moduli["mu"] * s,
        (moduli["lambda"] * t, moduli["mu"], 0),
        (moduli["lambda"], 0, 0, 0, 0, 0),
    )


def test_a_material_in_python_is_the_built_in_one_on_many_threads():
    assert brio.materials()["my-stvk"].startswith("Saint Venant")
    sims = []
    for name in ("my-stvk", "stvk"):
        model = make_bar(material={**RUBBER, "name": name})
        assert brio.check_derivatives(model, model.rest + 0.01 * np.random.default_rng(0).random(model.rest.shape)).ok
        sims.append(brio.Simulation(model, "avf", h=0.02, quadrature="simpson"))
        sims[-1].step(3)
        sims[-1].set_gravity((0, -1, 0))
        sims[-1].step(2)
    assert np.abs(sims[0].x - sims[1].x).max() < 1e-9


def test_materials_whose_derivatives_are_wrong_are_refused():
    for wrong in (
        lambda m, t, s, J: (s, (0, 2, 0), (0,) * 6),
        lambda m, t, s, J: (1 + s, (0, 1, 0), (0,) * 6),
        lambda m, t, s, J: (s, (0, 1, 0), ()),
        lambda m, t, s, J: None,
    ):
        with pytest.raises((brio.InputError, ValueError, TypeError)):
            brio.register_material("wrong-stvk")(wrong)
    assert "wrong-stvk" not in brio.materials()
    with pytest.raises(brio.InputError):
        brio.register_material("stvk")(my_stvk)


# Energies.


class Springs(brio.Energy):
    """Between the ends of rows of vertices, with a rest length."""

    name = "springs"
    anchored = False

    def __init__(self, elements, stiffness=100.0, rest=0.2):
        self.elements, self.stiffness, self.length = elements, stiffness, rest

    def value(self, x):
        return self.stiffness / 2 * (np.linalg.norm(x[:, 1] - x[:, 0], axis=1) - self.length) ** 2

    def gradient(self, x):
        arm = x[:, 1] - x[:, 0]
        size = np.linalg.norm(arm, axis=1, keepdims=True)
        pull = self.stiffness * (size - self.length) * arm / size
        return np.stack([-pull, pull], axis=1)


class Well(brio.Energy):
    name = "well"
    degree = 1

    def __init__(self, count, k=100.0):
        self.elements, self.k = np.arange(count)[:, None], k

    def value(self, x):
        return self.k / 2 * (x**2).sum(axis=(1, 2))

    def gradient(self, x):
        return self.k * x

    def hessian(self, x):
        return np.broadcast_to(self.k * np.eye(3), (len(x), 3, 3))


def with_springs():
    model = brio.Model()
    body = model.add_solid(brio.cube(size=0.2, cells=1), material=RUBBER)
    model.add_energy(body, Springs([[0, 7], [1, 6]]))
    return model


def test_an_energy_in_numpy_moves_bodies_and_is_booked():
    sims = [brio.Simulation(with_springs(), name, h=1e-2) for name in ("avf", "backward-euler", "stabilized")]
    for sim in sims:
        start = sim.row["total"]
        assert start > 0
        sim.step(20)
        assert sim.row["kinetic"] > 0
    assert abs(sims[0].row["residual"]) < 1e-6 * start  # avf keeps it
    assert sims[1].row["residual"] < 0  # which backward Euler does not


def test_a_well_draws_as_springs_that_are_attached_do():
    def swinging(own):
        model = brio.Model()
        held = [] if own else [{"select": {"all": True}, "stiffness": 100}]
        body = model.add_particles(brio.line(length=1, segments=1), stiffness=1e-3, position=(0, 0, 0))
        if own:
            model.add_energy(body, Well(2))
        return model

    sim = brio.Simulation(swinging(True), "avf", h=1e-2, solver=brio.solver(name="local-global", iterations=30))
    sim.step(10)
    omega = np.sqrt(100.0)
    assert np.allclose(sim.x[1, 0], 0.5 * np.cos(omega * sim.time), atol=2e-3)


@pytest.mark.parametrize("name", ["newton", "lbfgs", "local-global", "my-newton"])
def test_any_solver_minimizes_an_energy_that_is_no_step_at_all(name):
    """A chain between two fixed ends, whose springs are shorter than the way: equal links on a straight line."""
    n = 8
    chain = Springs([[k, k + 1] for k in range(n - 1)], stiffness=100, rest=0.05)
    x = np.linspace([0, 0, 0], [1, 0, 0], n) + 0.02 * np.random.default_rng(0).random((n, 3))
    x[0], x[-1] = (0, 0, 0), (1, 0, 0)
    options = brio.solver(name=name, tolerance=1e-6, iterations=2000)
    found = brio.minimize(chain, x, fixed=[0, n - 1], solver=options)
    assert isinstance(found, brio.Minimum) and found.converged and found.iterations > 0, found.message
    assert np.abs(found.x - np.linspace([0, 0, 0], [1, 0, 0], n)).max() < 1e-5
    with pytest.raises(brio.InputError):
        brio.minimize(chain, x[:3])
    with pytest.raises(brio.InputError):
        brio.minimize(chain, x, fixed=[n])
    with pytest.raises(TypeError):
        brio.minimize(chain.value, x)


def test_derivatives_are_checked_against_differences():
    x = np.random.default_rng(0).standard_normal((2, 2, 3))
    check = brio.check_derivatives(Springs([[0, 1], [2, 3]]), x)
    assert isinstance(check, brio.DerivativeCheck) and check.ok

    class Wrong(Springs):
        def gradient(self, x):
            return 1.01 * super().gradient(x)

    assert not brio.check_derivatives(Wrong([[0, 1]]), x[:1]).ok

    class WrongHessian(Well):
        def hessian(self, x):
            return 1.01 * super().hessian(x)

    check = brio.check_derivatives(WrongHessian(3), x.reshape(-1, 1, 3)[:3])
    assert check["gradient"] < 1e-6 < 1e-3 < check["hessian"]
    assert brio.check_derivatives(with_springs(), with_springs().rest + 0.01).ok


def test_a_simulation_cannot_be_used_by_what_it_calls():
    class Curious(Springs):
        def gradient(self, x):
            if self.elements and hasattr(self, "sim"):
                self.sim.step()
            return super().gradient(x)

    energy = Curious([[0, 7]])
    model = brio.Model()
    model.add_energy(model.add_solid(brio.cube(size=0.2, cells=1), material=RUBBER), energy)
    sim = energy.sim = brio.Simulation(model, "avf", h=0.01)
    before = sim.hash
    with pytest.raises(RuntimeError, match="part of"):
        sim.step()
    assert sim.hash == before


def test_energies_that_are_wrong_raise_where_they_are_used():
    model = brio.Model()
    body = model.add_solid(brio.cube(cells=1), material=RUBBER)
    for elements in ([], [[0, 99]], [[0, 0]], [[0.5, 1]], [[-1, 0]], 3, "ab"):
        with pytest.raises((brio.InputError, TypeError)):
            model.add_energy(body, Springs(elements))
    with pytest.raises(TypeError):
        model.add_energy(body, object())
    empty = type("Empty", (brio.Energy,), {"elements": [[0, 1]]})()
    model.add_energy(body, empty)
    with pytest.raises(NotImplementedError, match="value"):
        brio.Simulation(model, "avf", h=0.01)

    class Short(Springs):
        def value(self, x):
            return [1.0]

    model = brio.Model()
    model.add_energy(model.add_solid(brio.cube(cells=1), material=RUBBER), Short([[0, 1], [2, 3]]))
    with pytest.raises(ValueError, match="springs.value"):
        model.energy(model.rest)


class Swirl(brio.Force):
    name = "swirl"
    external = True

    def force(self, x, v, time):
        return 0.1 * np.cross([0, 1, 0], x)


def test_a_force_in_numpy_pushes_and_its_work_is_booked():
    model = brio.Model()
    body = model.add_solid(brio.cube(size=0.2, cells=1), material=RUBBER)
    model.add_force(body, Swirl())
    assert np.allclose(model.force(model.rest, 0 * model.rest), 0.1 * np.cross([0, 1, 0], model.rest))
    sim = brio.Simulation(model, "symplectic-euler", h=1e-4)
    sim.step(200)
    assert sim.row["ly"] > 0 and sim.row["user_work"] > 0
    with pytest.raises(TypeError):
        model.add_force(body, 3)
    with pytest.raises(NotImplementedError):
        model.add_force(body, brio.Force())
        model.force(model.rest, model.rest)


def test_models_with_energies_of_ones_own_are_copied_with_them():
    model = with_springs()
    assert model.copy().energy(model.rest) == model.energy(model.rest) > 0
