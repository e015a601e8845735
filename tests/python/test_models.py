"""Models without scenes: bodies by keywords of the field tables, energies and their derivatives, solvers."""

import inspect
import pickle

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg

import brio
from conftest import HELD, RUBBER, make_bar


def shaken(model, size=0.02, seed=1):
    return model.rest + size * np.random.default_rng(seed).standard_normal(model.rest.shape)


# Meshes.

GENERATORS = ["bar", "cactus", "cube", "cylinder", "helix", "line", "overhand_knot", "points", "rod"]
GENERATORS += ["sheet", "sphere", "torus"]


@pytest.mark.parametrize("name", GENERATORS)
def test_generators_make_sound_meshes_and_document_their_keywords(name):
    make = getattr(brio, name)
    mesh = make()
    assert mesh.problems() == [] and len(mesh.vertices) > 0
    signature = inspect.signature(make)
    assert set(signature.parameters) == {field.keyword for field in make.__fields__}
    for field in make.__fields__:
        assert field.default is not None and field.help in " ".join(make.__doc__.split())
    with pytest.raises(brio.InputError, match="unknown key"):
        make(colour=3)
    same = make(**{field.keyword: field.default for field in make.__fields__})
    assert np.array_equal(same.vertices, mesh.vertices)


def test_all_generators_of_the_engine_are_functions_of_brio():
    assert {facts["name"].replace("-", "_") for facts in brio._native.generator_facts()} == set(GENERATORS)


def test_meshes_are_written_read_moved_and_pickled(tmp_path):
    mesh = brio.cube(cells=2)
    brio.write_mesh(tmp_path / "cube.msh", mesh)
    for same in (brio.read_mesh(tmp_path / "cube.msh"), pickle.loads(pickle.dumps(mesh)), mesh.moved()):
        assert np.array_equal(same.vertices, mesh.vertices) and np.array_equal(same.tets, mesh.tets)
    moved = mesh.moved((1, 2, 3), scale=2)
    assert np.allclose(moved.vertices, 2 * mesh.vertices + [1, 2, 3])
    sheet = pickle.loads(pickle.dumps(brio.sheet(cells=(3, 4))))
    assert sheet.grid == [3, 4] and "20 vertices" in repr(sheet)
    with pytest.raises(brio.InputError):
        brio.read_mesh(tmp_path / "none.msh")


def test_vertices_are_chosen_by_place():
    mesh = brio.cube(size=1, cells=2)
    assert np.array_equal(mesh.in_box((-1, -1, -1), (-0.4, 1, 1)), np.flatnonzero(mesh.vertices[:, 0] < -0.4))
    assert len(mesh.in_sphere((0, 0, 0), 0.1)) == 1
    assert np.array_equal(mesh.beyond_plane((0.4, 0, 0), (1, 0, 0)), np.flatnonzero(mesh.vertices[:, 0] > 0.4))
    assert len(mesh.boundary()) == len(mesh.vertices) - 1
    assert set(np.unique(mesh.surface())) == set(mesh.boundary())


def test_wrong_meshes_are_refused_and_inverted_ones_turned():
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    for tets in ([[0, 1, 2, 4]], [[0, 1, 2]], [[-1, 1, 2, 3]], "x"):
        with pytest.raises(brio.InputError):
            brio.Mesh(points, tets)
    with pytest.raises(brio.InputError):
        brio.Mesh([[0, 0]], None)
    inverted = brio.Mesh(points, [[1, 0, 2, 3]])
    assert inverted.problems()
    inverted.orient()
    assert inverted.problems() == []


def test_fetched_models_are_refused_by_name_when_there_is_none():
    with pytest.raises(brio.InputError, match="bunny"):
        brio.load_model("buny")


# Bodies.


def test_bodies_of_all_kinds_show_the_keywords_and_defaults_of_their_tables():
    model = brio.Model()
    solid = model.add_solid(brio.cube(cells=1), name="jelly", mass=3, material=RUBBER)
    cloth = model.add_cloth(brio.sheet(cells=(3, 3)), mass=0.2, stretch=50, position=(0, 2, 0))
    wire = model.add_wire(brio.line(segments=4), radius=0.02, position=(0, 4, 0))
    dots = model.add_particles(brio.line(segments=2), position=(0, 6, 0), velocity=(1, 0, 0))
    assert [b.kind for b in model.bodies] == ["solid", "cloth", "wire", "particles"]
    assert np.isclose(model.mass[solid.slice].sum(), 3) and np.isclose(model.mass[cloth.slice].sum(), 0.2)
    assert (
        solid.tets.shape[1] == 4 and solid.surface.shape[1] == 3 and "jelly" in repr(solid) and "jelly" in repr(model)
    )
    assert solid.mesh.problems() == [] and solid.count + cloth.count + wire.count + dots.count == model.vertices
    assert np.all(model.start()[1][dots.slice] == (1, 0, 0))
    parameters = inspect.signature(model.add_wire).parameters
    assert parameters["radius"].default == 0.01 and parameters["torsion_law"].default == "potential"
    assert "[N m^2]" in model.add_wire.__doc__
    with pytest.raises(brio.InputError, match="belongs to kind"):
        model.add_cloth(brio.sheet(), radius=1)
    with pytest.raises(TypeError):
        model.add_solid("bar")
    assert len(model.bodies) == 4


def test_a_body_that_is_refused_leaves_nothing_behind():
    model = make_bar()
    before = model.vertices
    with pytest.raises(brio.InputError):
        model.add_solid(brio.cube(), pin={"select": {"box": 3}})
    assert model.vertices == before and len(model.bodies) == 1


def test_colliders_hold_what_falls():
    for add, keys in (
        ("add_plane_collider", {"point": (0, -0.3, 0)}),
        ("add_sphere_collider", {"center": (0, -0.8, 0), "radius": 0.5}),
        ("add_box_collider", {"center": (0, -0.6, 0), "size": (2, 0.6, 2)}),
        ("add_capsule_collider", {"from_": (-1, -0.8, 0), "to": (1, -0.8, 0), "radius": 0.5}),
        ("add_mesh_collider", {"mesh": brio.cube(size=0.6, cells=1), "position": (0, -0.6, 0)}),
    ):
        model = brio.Model(gravity=(0, -9.81, 0))
        model.add_solid(brio.cube(size=0.2, cells=1), material=RUBBER)
        assert getattr(model, add)(friction=0.3, **keys) == 0
        sim = brio.Simulation(model, "backward-euler", h=1 / 60)
        sim.step(40)
        assert -0.5 < sim.x[:, 1].mean() < 0.1, add
        assert sim.row["contact"] >= 0


def test_contact_may_be_told_of_before_there_are_bodies():
    model = brio.Model(gravity=(0, -9.81, 0))
    model.set_contact(thickness=0.01)
    for k in range(2):
        model.add_solid(brio.cube(size=0.2, cells=1), material=RUBBER, position=(0, 0.25 * k, 0), pin=[] if k else {"select": {"sphere": [[0, 0, 0], 1]}})
    sim = brio.Simulation(model, "backward-euler", 0.01)
    sim.step(30)
    assert sim.row["contact"] > 0 and sim.x[8:, 1].min() > 0.1


def test_bodies_touch_when_they_are_told_to():
    def gap(contact):
        model = brio.Model(gravity=(0, -9.81, 0))
        model.add_solid(brio.cube(size=0.2, cells=1), material=RUBBER, pin={"select": {"all": True}})
        model.add_solid(brio.cube(size=0.2, cells=1), material=RUBBER, position=(0, 0.25, 0))
        if contact:
            model.set_contact(thickness=5e-3, friction=0.2)
        sim = brio.Simulation(model, "backward-euler", h=1 / 60)
        sim.step(30)
        return sim.x[8:, 1].min() - 0.1

    assert gap(True) > 0 > gap(False)


@pytest.mark.parametrize("name", ["rayleigh", "rayleigh_s0", "variational", "momentum_preserving", "drag"])
def test_damping_takes_energy(name):
    damping = getattr(brio, name + "_damping")
    key = next(iter(inspect.signature(damping).parameters))
    model = make_bar()
    model.set_damping(damping(**{key: 0.05}))
    sim = brio.Simulation(model, "backward-euler" if name == "rayleigh_s0" else "implicit-midpoint", h=0.01)
    sim.step(10)
    assert sim.row["damping_loss"] > 0
    with pytest.raises(brio.InputError):
        model.set_damping(damping(**{key: -1}))


# Energies and derivatives.


def test_energy_gradient_and_hessian_are_each_others_derivatives():
    for material in brio.materials():
        moduli = {"name": material, "young": 2e4, "poisson": 0.3}
        if material == "stvk-volume":
            moduli["kappa"] = 1e4
        if material == "mooney-rivlin":
            moduli = {"name": material, "a": 3e3, "b": 3e3, "kappa": 2e4}
        model = make_bar(material=moduli)
        assert brio.check_derivatives(model, shaken(model, 0.005)).ok, material


def test_the_hessian_is_symmetric_and_semidefinite_when_projected():
    model = make_bar()
    x = shaken(model, 0.08)
    H, P = model.hessian(x), model.hessian(x, psd=True)
    assert scipy.sparse.issparse(H) and H.shape == (3 * model.vertices,) * 2
    assert abs(H - H.T).max() < 1e-14 * abs(H).max()
    assert np.linalg.eigvalsh(H.toarray())[0] < -1 < -1e-6 < np.linalg.eigvalsh(P.toarray())[0]


def test_the_force_is_the_negative_gradient_and_gravity_weighs():
    model = make_bar()
    x = shaken(model)
    assert np.allclose(model.force(x, 0 * x), -model.gradient(x))
    assert np.allclose(model.gradient(model.rest), 9.81 * model.mass[:, None] * [0, 1, 0], atol=1e-9)
    model.gravity = (0, 0, 0)
    assert model.energy(model.rest) == 0 and np.all(model.gravity == 0)


def test_energies_and_momenta_are_those_of_the_ledger(sim):
    sim.step(5)
    model, row = sim.model, sim.row
    assert np.isclose(model.energy(sim.x), row["elastic"] + row["gravity"])
    assert np.isclose(model.kinetic_energy(sim.v), row["kinetic"])
    assert np.allclose(model.linear_momentum(sim.v), (row["px"], row["py"], row["pz"]))
    assert np.allclose(model.angular_momentum(sim.x, sim.v), (row["lx"], row["ly"], row["lz"]))


def test_contact_counts_where_bodies_touch():
    model = brio.Model()
    model.add_solid(brio.cube(size=0.2, cells=1), material=RUBBER)
    model.add_plane_collider(point=(0, -0.09, 0), stiffness=100)
    four = 4 * 100 / 2 * 0.01**2
    assert np.isclose(model.energy(model.rest), four)
    assert np.isclose(np.abs(model.gradient(model.rest)).sum(), 4 * 100 * 0.01)
    assert np.isclose(model.hessian(model.rest).sum(), 400)


def test_the_highest_frequency_is_that_of_the_eigenvalues():
    model = make_bar()
    free = np.repeat(~model.pinned, 3)
    H = model.hessian(model.rest).toarray()[free][:, free]
    m = np.repeat(model.mass, 3)[free]
    omega = np.sqrt(np.linalg.eigvalsh(H / np.sqrt(np.outer(m, m)))[-1])
    assert np.isclose(model.highest_frequency(), omega, rtol=1e-4)


def test_the_equilibrium_is_where_forces_vanish(bar):
    x = bar.equilibrium()
    assert np.abs(bar.gradient(x)[~bar.pinned]).max() < 1e-8 * bar.mass.sum() * 9.81
    assert x[-1, 1] < bar.rest[-1, 1] - 0.01
    loose = brio.Model(gravity=(0, -9.81, 0))
    loose.add_solid(brio.cube(cells=1), material=RUBBER)
    with pytest.raises(brio.StepFailed):
        loose.equilibrium()


def test_limits_of_stability_are_those_of_textbooks():
    assert np.isclose(brio.stability_limit("verlet"), 2, rtol=1e-3)
    assert brio.stability_limit("avf") == np.inf
    assert np.isclose(brio.stability_limit("newmark", gamma=0.5, beta=1 / 12), np.sqrt(6), rtol=1e-3)


def test_lent_models_serve_evaluation_and_simulation_but_no_change(sim):
    with pytest.raises(TypeError, match="snapshot"):
        pickle.dumps(sim.model)
    assert brio.Simulation(sim.model, "avf", 0.02).step().ok


# The objective of a step.


def test_backward_euler_is_the_minimum_of_its_objective(bar):
    sim = brio.Simulation(bar, "backward-euler", h=0.02, solver=brio.solver(tolerance=1e-12))
    sim.step(3)
    x, v, h = sim.x.copy(), sim.v.copy(), 0.02
    objective = brio.StepObjective(bar, h, x, x + h * v)
    sim.step()
    free = ~bar.pinned
    found = objective.minimize(x, brio.solver(tolerance=1e-12))
    assert np.abs(found - sim.x).max() < 1e-9
    assert np.abs(objective.gradient(found)[free]).max() < 1e-6 * np.abs(objective.gradient(x)[free]).max()
    assert objective.value(found) < objective.value(x) and "StepObjective" in repr(objective)


def test_the_objectives_derivatives_fit_and_newton_in_numpy_converges(bar):
    h, x = 0.02, bar.rest
    objective = brio.StepObjective(bar, h, x, x, [(2 / 3, 1 / 2), (1 / 12, 1)])
    assert brio.check_derivatives(objective, shaken(bar, 0.005)).ok
    at = x.copy()
    for _ in range(8):
        H = objective.hessian(at, psd=True).tocsc()
        at = at - scipy.sparse.linalg.spsolve(H, objective.gradient(at).ravel()).reshape(at.shape)
    assert np.abs(objective.gradient(at)).max() < 1e-9
    for wrong in (dict(h=0), dict(h=float("nan")), dict(x_n=1), dict(y=np.zeros((2, 3)))):
        with pytest.raises(brio.InputError):
            brio.StepObjective(**{"model": bar, "h": h, "x_n": x, "y": x, **wrong})


def test_what_there_is_can_be_listed():
    assert brio.integrators()["avf"].order == 2 and "quadrature" in brio.integrators()["avf"].options
    assert isinstance(brio.integrators()["avf"], brio.Integrator) and brio.integrators()["avf"].family == "implicit"
    assert "newton" in brio.solvers() and "stvk" in brio.materials()
    assert brio.__version__.count(".") == 2


def test_meshes_are_checked_welded_and_filled(tmp_path):
    cube = brio.cube(size=2, cells=2)
    report = cube.check()
    assert isinstance(report, brio.MeshReport)
    assert np.isclose(report.volume, 8) and report.closed and report.manifold and report.components == 1
    assert (report.tets, report.vertices) == (len(cube.tets), 27) and np.allclose(report.high - report.low, 2)
    assert report.tet_quality["bins"].sum() == len(cube.tets) and 0 < report.tet_quality["min"] <= 1
    shell = brio.Mesh(cube.vertices, triangles=cube.surface())
    assert list(shell.check().unreferenced_vertices) == [13] and len(shell.without_unreferenced().vertices) == 26
    twice = brio.Mesh(np.vstack([cube.vertices, cube.vertices + 1e-9]), tets=np.vstack([cube.tets, cube.tets + 27]))
    assert twice.check().components == 2 and twice.welded(1e-6).check().components == 1
    try:
        filled = brio.tetrahedralize(shell.without_unreferenced(), max_volume=0.1)
    except brio.InputError as error:
        assert "BRIO_WITH_GPL" in str(error) or "TetGen" in str(error)
    else:
        assert np.isclose(filled.check().volume, 8) and np.array_equal(filled.vertices[:26], np.delete(cube.vertices, 13, 0))
        fine = brio.tetrahedralize(shell.without_unreferenced(), max_volume=0.01, quality=1.4, keep_surface=False)
        assert np.isclose(fine.check().volume, 8) and len(fine.tets) > 800
        with pytest.raises(brio.InputError):
            brio.tetrahedralize(brio.sheet())
    assert "bunny" in brio.model_names()
    known = {format.extension: format for format in brio.mesh_formats()}
    assert isinstance(known[".msh"], brio.MeshFormat) and known[".msh"].can_write
    for binary, version in ((True, "2.2"), (False, "4.1")):
        brio.write_mesh(tmp_path / "cube.msh", cube, binary=binary, version=version)
        assert np.allclose(brio.read_mesh(tmp_path / "cube.msh").vertices, cube.vertices)
        assert version.encode() in (tmp_path / "cube.msh").read_bytes()[:40]
    with pytest.raises(brio.InputError):
        brio.write_mesh(tmp_path / "cube.msh", cube, version="9")


def test_every_defect_of_a_mesh_is_listed_by_index():
    line = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [2, 0, 0], [0, 0, 1]]
    mesh = brio.Mesh(
        [*line, [5, 5, 5]],
        tets=[[0, 1, 2, 3], [3, 2, 1, 0], [0, 2, 1, 3], [0, 1, 4, 2]],
        triangles=[[0, 1, 2], [2, 0, 1], [0, 1, 4]],
        segments=[[0, 1], [1, 0], [3, 5]],
    )
    report = mesh.check()
    assert list(report.inverted_tets) == [2] and list(report.flat_tets) == [3]
    assert list(report.duplicate_tets) == [1, 2] and list(report.duplicate_triangles) == [1]
    assert list(report.flat_triangles) == [2] and list(report.empty_segments) == [2]
    assert list(report.duplicate_vertices) == [5] and list(report.unreferenced_vertices) == [6]
    assert list(report.duplicate_segments) == [1] and len(report.crowded_faces) > 0 and not report.manifold
    fan = brio.Mesh([*line[:4], [0, -1, 0]], triangles=[[0, 1, 2], [0, 1, 3], [0, 1, 4]])
    assert [sorted(edge) for edge in fan.check().crowded_edges] == [[0, 1]]
    assert not brio.Mesh(line[:4], triangles=[[0, 1, 2], [0, 1, 3]]).check().oriented
    sheet = brio.sheet(size=(2, 3), cells=(4, 4)).check()
    assert np.isclose(sheet.area, 6) and sheet.oriented and sheet.triangle_quality["bins"].sum() == 32
    assert len(report.problems()) >= 8 and {format.can_read for format in brio.mesh_formats()} <= {True, False}


def test_what_methods_declare_is_told():
    known = brio.integrators()
    avf = known["avf"]
    assert avf.reversible and avf.dynamic and not avf.constraints and avf.resolves == np.inf and avf.reference
    assert known["newmark"].resolves == 1 and known["variational"].constraints and not known["quasi-static"].dynamic
    assert avf.bounds_restitution and not known["newmark"].bounds_restitution
    assert all(method.energy_unless.startswith("unless") or not method.energy_unless for method in known.values())
    names = [alias for method in known.values() for alias in method.aliases]
    assert names and brio.Simulation(make_bar(), names[0], 1e-3).integrator not in names


def test_bodies_are_held_pushed_changed_and_removed_after_they_were_added():
    whole = brio.Model(gravity=(0, -9.81, 0))
    keys = {"select": {"vertices": [0, 1]}}
    push = {"select": {"vertices": [3]}, "force": [[0, [0, 0, 0]], [1, [0, 0, 1]]]}
    attach = {"select": {"vertices": [2]}, "stiffness": 50.0, "release": 0.5}
    whole.add_solid(brio.cube(cells=1), material=RUBBER, pin=keys, attach=attach, push=push, wind={"velocity": [1, 0, 0]})
    later = brio.Model(gravity=(0, -9.81, 0))
    body = later.add_solid(brio.cube(cells=1), material={"young": 1.0, "poisson": 0.1})
    assert later.pin(body, select=[0, 1]) == 0
    assert later.attach(body, select=np.array([2]), stiffness=50.0, release=0.5) is None
    later.push(body, **push)
    later.set_wind(body, {"velocity": [1, 0, 0]})
    later.set_material(body, RUBBER)
    hashes = set()
    for model in (whole, later, later.copy(), pickle.loads(pickle.dumps(later))):
        sim = brio.Simulation(model, "avf", 0.02)
        sim.step(40)
        hashes.add(sim.hash)
    assert len(hashes) == 1
    gone = later.add_cloth(brio.sheet(cells=(2, 2)), position=(0, 3, 0))
    floor = later.add_plane_collider(point=(0, -9, 0))
    later.remove(gone)
    assert repr(gone) == "<body 1, which is no more>"
    later.remove_collider(floor)
    for again in (lambda: later.remove(gone), lambda: later.remove_collider(floor), lambda: later.pin(gone, select=[0])):
        with pytest.raises(brio.InputError):
            again()
    assert brio.Simulation(later, "avf", 0.02).step(40).ok
    assert later.add_cloth(brio.sheet(cells=(2, 2)), name="body1").name == "body1"  # its name is free again
    with pytest.raises(brio.InputError):
        later.pin(body, select=[99])
    with pytest.raises(brio.InputError, match="unknown key"):
        later.pin(body, select=[0], stifness=3)


def test_constraints_come_later_too():
    model = brio.Model(gravity=(0, -9.81, 0))
    dots = model.add_particles(brio.line(segments=1), stiffness=1e-6)
    model.constrain(dots, kind="point", vertex=0)
    model.constrain(dots, kind="distance", vertex=0, other=1)
    sim = brio.Simulation(model, "variational", 0.01)
    sim.step(50)
    assert np.isclose(np.linalg.norm(sim.x[1] - sim.x[0]), 1) and np.allclose(sim.x[0], model.rest[0])


def test_springs_reach_to_any_point_and_their_points_move():
    model = brio.Model()
    body = model.add_solid(brio.cube(size=0.2, cells=1), material=RUBBER)
    points = model.rest[:2] + [0, 1, 0]
    middle = points.mean(axis=0)
    path = [[0, middle], [1, middle + [0, 0, 1]]]
    model.attach_to(body, [0, 1], points, stiffness=20.0, rest_length=0.25, path=path)
    gap = np.linalg.norm(points - model.rest[:2], axis=1) - 0.25
    assert np.isclose(model.elastic_energy(model.rest, body), 10 * (gap**2).sum())
    sim = brio.Simulation(model, "avf", 0.01)
    sim.step(100)
    assert sim.row["user_work"] != 0 and abs(sim.row["residual"]) < 1e-6
    for wrong in (dict(vertices=[0], points=points), dict(vertices=[99, 1], points=points), dict(stiffness=-1.0)):
        with pytest.raises(brio.InputError):
            model.attach_to(**{"body": body, "vertices": [0, 1], "points": points, **wrong})


def test_parts_of_the_energy_add_up_and_are_those_of_the_ledger(sim):
    sim.step(7)
    model = sim.model
    (body,) = model.bodies
    row = model.measure(sim.x, sim.v, sim.time)
    for column in ("kinetic", "elastic", "gravity", "contact", "total", "px", "lz"):
        assert np.isclose(row[column], sim.row[column], atol=1e-12), column
    assert np.isclose(model.elastic_energy(sim.x, body), row["elastic"])
    assert model.contact_energy(sim.x) == 0 and np.isclose(model.gravity_energy(sim.x), row["gravity"])


def test_stiffness_and_steps_are_recommended():
    model = make_bar()
    (body,) = model.bodies
    soft, hard = (model.recommended_stiffness([body], drop_height=height) for height in (0.5, 2.0))
    assert hard > soft > 0 and model.recommended_stiffness() > 0
    assert model.recommended_stiffness(explicit_step=1e-3) <= model.mass.min() / (4 * 1e-6) * 1.001
    floor = dict(point=(0, -0.5, 0), law="potential", drop_height=0.1)
    stiff, gentle = make_bar(pin=[]), make_bar(pin=[])
    stiff.add_plane_collider(**floor)
    gentle.add_plane_collider(**floor, explicit_step=2e-3)
    x = stiff.rest - [0, 0.5, 0]
    assert gentle.contact_energy(x) < stiff.contact_energy(x)
    limit = model.max_stable_step("verlet")
    assert np.isclose(limit, brio.stability_limit("verlet") / model.highest_frequency(), rtol=1e-3)
    mu, second = brio.lame(2.5, 0.25)
    assert np.isclose(mu, 1) and np.isclose(second, 1)
    with pytest.raises(brio.InputError):
        brio.lame(1.0, 0.5)


def test_motions_tell_where_they_lead():
    motion = brio.Motion(path=[[0, [0, 0, 0]], [2, [0, 4, 0]]], turn=[[0, 0], [2, 90]], axis=(0, 0, 1))
    pose = motion.at(2)
    assert isinstance(pose, brio.Pose) and np.allclose(pose.rotation @ pose.rotation.T, np.eye(3)) and np.allclose(pose.apply([[1, 0, 0]]), [[0, 5, 0]])
    assert np.allclose(pose.undo(pose.apply([[1, 2, 3]])), [[1, 2, 3]])
    rate = motion.rate(1)
    assert isinstance(rate, brio.PoseRate) and np.allclose(rate.linear, [0, 2, 0])
    assert np.allclose(rate.angular, [0, 0, np.pi / 4]) and np.allclose(motion.rate(2).linear, 0)
    assert np.allclose(motion.rate(2, before=True).linear, [0, 2, 0])
    translate, turn = motion.key_at(1)
    assert np.allclose(translate, [0, 2, 0]) and np.allclose(turn, [0, 0, np.pi / 4])
    assert motion.times == [0, 2] and not motion.empty and brio.Motion().empty
    for wrong in ({"path": [[1, [0, 0, 0]], [0, [0, 0, 0]]]}, {"way": []}, {"turn": [[0, "x"]]}):
        with pytest.raises(brio.InputError):
            brio.Motion(**wrong)
    with pytest.raises(brio.InputError):
        motion.at(np.nan)
