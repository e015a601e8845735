"""Made by `./brio python -m brio.stubs`."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike

from brio.fields import Field
from brio.meshes import Mesh
from brio.model import Body, Model

_Vector = ArrayLike

TABLES: list[Field]
COMMON: list[Field]
MATERIAL: list[Field]
MOTION: list[Field]
INTEGRATOR: list[Field]

def bar(
    *,
    size: _Vector = ...,
    cells: Sequence[int] = ...,
    split: Literal['five', 'six'] = ...,
) -> Mesh: ...

def cube(
    *,
    size: float = ...,
    cells: int = ...,
    split: Literal['five', 'six'] = ...,
) -> Mesh: ...

def sheet(
    *,
    size: Sequence[float] = ...,
    cells: Sequence[int] = ...,
) -> Mesh: ...

def cylinder(
    *,
    radius: float = ...,
    length: float = ...,
    rings: int = ...,
    layers: int = ...,
) -> Mesh: ...

def rod(
    *,
    radius: float = ...,
    length: float = ...,
    rings: int = ...,
    layers: int = ...,
) -> Mesh: ...

def sphere(
    *,
    radius: float = ...,
    rings: int = ...,
) -> Mesh: ...

def torus(
    *,
    radius: float = ...,
    tube: float = ...,
    rings: int = ...,
    slices: int = ...,
) -> Mesh: ...

def points(
    *,
    count: int = ...,
    spacing: float = ...,
) -> Mesh: ...

def line(
    *,
    length: float = ...,
    segments: int = ...,
) -> Mesh: ...

def helix(
    *,
    radius: float = ...,
    pitch: float = ...,
    turns: float = ...,
    segments: int = ...,
) -> Mesh: ...

def overhand_knot(
    *,
    size: float = ...,
    tail: float = ...,
    segments: int = ...,
) -> Mesh: ...

def cactus(
    *,
    height: float = ...,
    cells: int = ...,
) -> Mesh: ...

class BodyKeywords:
    def add_solid(
        self,
        mesh: Mesh,
        *,
        mass: float | None = ...,
        density: float = ...,
        material: Any = ...,
        name: str | None = ...,
        position: _Vector = ...,
        scale: float = ...,
        velocity: _Vector = ...,
        spin: _Vector = ...,
        color: Sequence[float] | None = ...,
        copies: Sequence[int] = ...,
        spacing: _Vector = ...,
        rotate: Any = ...,
        deform: Any = ...,
        pin: Any = ...,
        attach: Any = ...,
        push: Any = ...,
        constrain: Any = ...,
        wind: Any = ...,
    ) -> Body: ...
    def add_cloth(
        self,
        mesh: Mesh,
        *,
        mass: float = ...,
        law: Literal['hookean', 'stvk'] = ...,
        stretch: float = ...,
        shear: float = ...,
        bend: float = ...,
        name: str | None = ...,
        position: _Vector = ...,
        scale: float = ...,
        velocity: _Vector = ...,
        spin: _Vector = ...,
        color: Sequence[float] | None = ...,
        copies: Sequence[int] = ...,
        spacing: _Vector = ...,
        rotate: Any = ...,
        deform: Any = ...,
        pin: Any = ...,
        attach: Any = ...,
        push: Any = ...,
        constrain: Any = ...,
        wind: Any = ...,
    ) -> Body: ...
    def add_wire(
        self,
        mesh: Mesh,
        *,
        mass: float = ...,
        radius: float = ...,
        law: Literal['hookean', 'stvk'] = ...,
        stiffness: float = ...,
        volume: float = ...,
        torsion: float = ...,
        torsion_law: Literal['potential', 's2'] = ...,
        improved: bool = ...,
        collapse: float = ...,
        straight: bool = ...,
        name: str | None = ...,
        position: _Vector = ...,
        scale: float = ...,
        velocity: _Vector = ...,
        spin: _Vector = ...,
        color: Sequence[float] | None = ...,
        copies: Sequence[int] = ...,
        spacing: _Vector = ...,
        rotate: Any = ...,
        deform: Any = ...,
        pin: Any = ...,
        attach: Any = ...,
        push: Any = ...,
        constrain: Any = ...,
        wind: Any = ...,
    ) -> Body: ...
    def add_particles(
        self,
        mesh: Mesh,
        *,
        mass: float = ...,
        law: Literal['hookean', 'stvk'] = ...,
        stiffness: float = ...,
        potential: Literal['none', 'pendulum', 'quartic', 'double-well', 'kepler'] = ...,
        strength: float = ...,
        name: str | None = ...,
        position: _Vector = ...,
        scale: float = ...,
        velocity: _Vector = ...,
        spin: _Vector = ...,
        color: Sequence[float] | None = ...,
        copies: Sequence[int] = ...,
        spacing: _Vector = ...,
        rotate: Any = ...,
        deform: Any = ...,
        pin: Any = ...,
        attach: Any = ...,
        push: Any = ...,
        constrain: Any = ...,
        wind: Any = ...,
    ) -> Body: ...

class SupportKeywords:
    def pin(
        self,
        body: Body,
        *,
        select: Any = ...,
        path: Any = ...,
        turn: Any = ...,
        axis: _Vector = ...,
        pivot: _Vector | None = ...,
        interpolate: Literal['linear', 'smooth'] = ...,
    ) -> int: ...
    def attach(
        self,
        body: Body,
        *,
        select: Any = ...,
        stiffness: float = ...,
        release: float | None = ...,
        forcing: Literal['path', 's1'] = ...,
        path: Any = ...,
        turn: Any = ...,
        axis: _Vector = ...,
        pivot: _Vector | None = ...,
        interpolate: Literal['linear', 'smooth'] = ...,
    ) -> None: ...
    def push(
        self,
        body: Body,
        *,
        select: Any = ...,
        force: Any = ...,
    ) -> None: ...
    def constrain(
        self,
        body: Body,
        *,
        select: Any = ...,
        kind: str | None = ...,
        vertex: int = ...,
        other: int = ...,
        point: _Vector = ...,
        direction: _Vector = ...,
        length: float | None = ...,
    ) -> None: ...

class ColliderKeywords:
    def add_plane_collider(
        self,
        *,
        point: _Vector = ...,
        normal: _Vector = ...,
        path: Any = ...,
        turn: Any = ...,
        axis: _Vector = ...,
        pivot: _Vector | None = ...,
        interpolate: Literal['linear', 'smooth'] = ...,
        name: str = ...,
        stiffness: float | None = ...,
        friction: float = ...,
        thickness: float = ...,
        drop_height: float = ...,
        penalty: str = ...,
        law: Literal['potential', 'spring', 'held-spring', 'barrier'] = ...,
        bodies: Sequence[str] | None = ...,
        explicit_step: float = ...,
    ) -> int: ...
    def add_sphere_collider(
        self,
        *,
        center: _Vector = ...,
        radius: float = ...,
        path: Any = ...,
        turn: Any = ...,
        axis: _Vector = ...,
        pivot: _Vector | None = ...,
        interpolate: Literal['linear', 'smooth'] = ...,
        name: str = ...,
        stiffness: float | None = ...,
        friction: float = ...,
        thickness: float = ...,
        drop_height: float = ...,
        penalty: str = ...,
        law: Literal['potential', 'spring', 'held-spring', 'barrier'] = ...,
        bodies: Sequence[str] | None = ...,
        explicit_step: float = ...,
    ) -> int: ...
    def add_box_collider(
        self,
        *,
        center: _Vector = ...,
        size: _Vector = ...,
        rotate: Any = ...,
        path: Any = ...,
        turn: Any = ...,
        axis: _Vector = ...,
        pivot: _Vector | None = ...,
        interpolate: Literal['linear', 'smooth'] = ...,
        name: str = ...,
        stiffness: float | None = ...,
        friction: float = ...,
        thickness: float = ...,
        drop_height: float = ...,
        penalty: str = ...,
        law: Literal['potential', 'spring', 'held-spring', 'barrier'] = ...,
        bodies: Sequence[str] | None = ...,
        explicit_step: float = ...,
    ) -> int: ...
    def add_capsule_collider(
        self,
        *,
        from_: _Vector = ...,
        to: _Vector = ...,
        radius: float = ...,
        path: Any = ...,
        turn: Any = ...,
        axis: _Vector = ...,
        pivot: _Vector | None = ...,
        interpolate: Literal['linear', 'smooth'] = ...,
        name: str = ...,
        stiffness: float | None = ...,
        friction: float = ...,
        thickness: float = ...,
        drop_height: float = ...,
        penalty: str = ...,
        law: Literal['potential', 'spring', 'held-spring', 'barrier'] = ...,
        bodies: Sequence[str] | None = ...,
        explicit_step: float = ...,
    ) -> int: ...
    def add_mesh_collider(
        self,
        *,
        position: _Vector = ...,
        scale: float = ...,
        mesh: Any = ...,
        frames: Any = ...,
        rotate: Any = ...,
        path: Any = ...,
        turn: Any = ...,
        axis: _Vector = ...,
        pivot: _Vector | None = ...,
        interpolate: Literal['linear', 'smooth'] = ...,
        name: str = ...,
        stiffness: float | None = ...,
        friction: float = ...,
        thickness: float = ...,
        drop_height: float = ...,
        penalty: str = ...,
        law: Literal['potential', 'spring', 'held-spring', 'barrier'] = ...,
        bodies: Sequence[str] | None = ...,
        explicit_step: float = ...,
    ) -> int: ...

class ContactKeywords:
    def set_contact(
        self,
        *,
        thickness: float = ...,
        stiffness: float | None = ...,
        speed: float = ...,
        friction: float = ...,
        damper: float = ...,
        restitution: float = ...,
        between: bool = ...,
        resolve: bool = ...,
        bodies: Sequence[str] | None = ...,
    ) -> None: ...

class IntegratorKeywords:
    def __init__(
        self,
        model: Model,
        integrator: str = ...,
        h: float = ...,
        *,
        solver: Mapping[str, Any] | None = ...,
        x: ArrayLike | None = ...,
        v: ArrayLike | None = ...,
        time: float = ...,
        beta: float = ...,
        gamma: float = ...,
        quadrature: Literal['auto', 'adaptive', 'simpson', 'gauss1', 'gauss2', 'gauss3', 'gauss4', 'gauss5', 'rule'] = ...,
        nodes: Sequence[float] | None = ...,
        weights: Sequence[float] | None = ...,
        alpha: float = ...,
        order: int = ...,
        damping: float = ...,
        epsilon: float = ...,
        start: Literal['implicit-midpoint', 'symplectic-euler'] = ...,
        form: Literal['elastodynamic', 'potential', 'phase-space'] = ...,
        half_life: float = ...,
        contact_energy: bool = ...,
    ) -> None: ...
    def use(
        self,
        integrator: str,
        h: float | None = ...,
        *,
        solver: Mapping[str, Any] | None = ...,
        beta: float = ...,
        gamma: float = ...,
        quadrature: Literal['auto', 'adaptive', 'simpson', 'gauss1', 'gauss2', 'gauss3', 'gauss4', 'gauss5', 'rule'] = ...,
        nodes: Sequence[float] | None = ...,
        weights: Sequence[float] | None = ...,
        alpha: float = ...,
        order: int = ...,
        damping: float = ...,
        epsilon: float = ...,
        start: Literal['implicit-midpoint', 'symplectic-euler'] = ...,
        form: Literal['elastodynamic', 'potential', 'phase-space'] = ...,
        half_life: float = ...,
        contact_energy: bool = ...,
    ) -> None: ...

def solver(
    *,
    name: str = ...,
    tolerance: float = ...,
    iterations: int = ...,
    definite: Literal['project', 'tikhonov'] = ...,
    linear: Literal['auto', 'direct', 'pcg'] = ...,
    acceleration: Literal['none', 'chebyshev', 'anderson'] = ...,
    rho: float = ...,
    window: int = ...,
    guess: Literal['inertia', 'start'] = ...,
    unconverged: Literal['auto', 'stop', 'accept', 'substep'] = ...,
) -> dict[str, Any]: ...

def rayleigh_damping(
    *,
    stiffness: float = ...,
    mass: float = ...,
) -> dict[str, Any]: ...

def rayleigh_s0_damping(
    *,
    stiffness: float = ...,
    mass: float = ...,
) -> dict[str, Any]: ...

def variational_damping(
    *,
    stiffness: float = ...,
) -> dict[str, Any]: ...

def momentum_preserving_damping(
    *,
    rate: float = ...,
    per_step: float = ...,
) -> dict[str, Any]: ...

def drag_damping(
    *,
    coefficient: float = ...,
) -> dict[str, Any]: ...
