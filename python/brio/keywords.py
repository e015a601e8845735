"""Functions and methods whose keywords are those of scene files: same names, defaults, units and bounds.

What they take beyond plain values (``pin``, ``attach``, ``deform``, ``push``, ``wind``, ``constrain``, ``rotate``) are
dicts, or lists of them, with the keys of docs/scene.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from brio import meshes
from brio.fields import Field, fields_of, keys_of, with_keywords

if TYPE_CHECKING:
    from brio.model import Body

globals().update(meshes.generators())

# The reference lists these by what is below them.
TABLES = [
    Field("constrain", "table", "", "", None, "kept exactly: dicts of kind, vertex, other, point, direction, length"),
    Field("wind", "table", "", "", None, "air that moves: a dict of velocity, density, gust, period"),
]
COMMON = [*fields_of("body[]", but=("kind", "material")), *TABLES]
MATERIAL = fields_of("body[]", but=tuple(f.name for f in COMMON) + ("kind",))
MOTION = [
    *fields_of("collider[]", but=("shape", "rotate")),
    Field(
        "explicit_step",
        "number",
        "s",
        "",
        0.0,
        "where stiffness is not given, the step of an explicit integrator, which allows less; 0: none. A simulation "
        "knows its own",
    ),
]


def _adder(kind: str) -> Callable[..., Body]:
    more = MATERIAL if kind == "solid" else []
    own = fields_of(f'body[] kind "{kind}"')

    @with_keywords(f"Adds a {kind} of that mesh, and returns it.", [*own, *more, *COMMON], "Body")
    def add(self: Any, mesh: Any, **keys: Any) -> Body:
        return self._add_body(kind, mesh, keys_of(keys))

    add.__name__ = f"add_{kind}"
    add.__qualname__ = f"BodyKeywords.add_{kind}"
    return add


class BodyKeywords:
    """How bodies come into a model."""

    add_solid = _adder("solid")
    add_cloth = _adder("cloth")
    add_wire = _adder("wire")
    add_particles = _adder("particles")


def _support(kind: str, sentence: str, returns: str) -> Callable[..., Any]:
    fields = [Field("select", "table", "", "", None, "which vertices: a dict as in scenes, or a list of numbers")]
    fields += [f for f in fields_of(f"body[].{kind}[]") if f.name != "select"]

    @with_keywords(sentence, fields, returns)
    def add(self: Any, body: Any, **keys: Any) -> Any:
        pins = self._add_support(body, kind, keys_of(keys))
        return pins[0] if pins else None

    add.__name__ = kind
    add.__qualname__ = f"SupportKeywords.{kind}"
    return add


class SupportKeywords:
    """What holds and pushes bodies that are there. The same can be said when they are added."""

    pin = _support("pin", "Vertices that never move, or only as told; returns their number, for move_pins.", "int")
    attach = _support("attach", "Vertices held by springs to where they are, or to points that move.", "None")
    push = _support("push", "A force that changes with time.", "None")
    constrain = _support("constrain", "A constraint, for integrators that keep some.", "None")


def _collider(shape: str) -> Callable[..., int]:
    own = fields_of(f'collider[] "{shape}"')
    turned = fields_of("collider[]", but=tuple(f.name for f in MOTION) + ("shape",)) if shape in ("box", "mesh") else []

    @with_keywords(f"Adds a {shape} that bodies cannot enter; returns its id.", [*own, *turned, *MOTION], "int")
    def add(self: Any, **keys: Any) -> int:
        return self._add_collider(shape, keys_of(keys))

    add.__name__ = f"add_{shape}_collider"
    add.__qualname__ = f"ColliderKeywords.add_{shape}_collider"
    return add


class ColliderKeywords:
    """What bodies run into; an id is good until its collider is removed."""

    add_plane_collider = _collider("plane")
    add_sphere_collider = _collider("sphere")
    add_box_collider = _collider("box")
    add_capsule_collider = _collider("capsule")
    add_mesh_collider = _collider("mesh")


class ContactKeywords:
    """What happens when bodies touch."""

    @with_keywords("From now on bodies touch each other, and themselves.", fields_of("contact"), "None")
    def set_contact(self: Any, **keys: Any) -> None:
        self._set_contact(keys_of(keys))


INTEGRATOR = fields_of("integrator", but=("name",))


class IntegratorKeywords:
    """How a simulation steps; which options an integrator knows, ``brio.integrators()`` tells."""

    @with_keywords(
        "Starts from the model's start, or from positions x [m] and velocities v [m/s] of that time [s].\n\n"
        "``integrator`` is any of ``brio.integrators()``, h the step [s], ``solver`` what ``brio.solver`` returns.",
        INTEGRATOR,
        "None",
    )
    def __init__(
        self,
        model: Any,
        integrator: str = "symplectic-euler",
        h: float = 1e-3,
        *,
        solver: Any = None,
        x: Any = None,
        v: Any = None,
        time: float = 0.0,
        **options: Any,
    ) -> None:
        self._start(model, integrator, h, solver, x, v, time, options)  # type: ignore[attr-defined]

    @with_keywords("Goes on from the present state with another integrator, or another step h [s].", INTEGRATOR, "None")
    def use(self: Any, integrator: str, h: float | None = None, *, solver: Any = None, **options: Any) -> None:
        self._use(integrator, h, solver, options)


@with_keywords(
    "How the equations of implicit steps are solved, for Simulation and others.", fields_of("solver"), "dict[str, Any]"
)
def solver(**keys: Any) -> dict[str, Any]:
    return keys_of(keys)


def _damping(name: str) -> Callable[..., dict[str, Any]]:
    @with_keywords(f"Damping by {name}, for set_damping.", fields_of(f'damping[] "{name}"'), "dict[str, Any]")
    def damping(**keys: Any) -> dict[str, Any]:
        return {"name": name, **keys_of(keys)}

    damping.__name__ = damping.__qualname__ = name.replace("-", "_") + "_damping"
    return damping


rayleigh_damping = _damping("rayleigh")
rayleigh_s0_damping = _damping("rayleigh-s0")
variational_damping = _damping("variational")
momentum_preserving_damping = _damping("momentum-preserving")
drag_damping = _damping("drag")
