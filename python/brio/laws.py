"""Materials and penalty laws: those that there are, and those that users write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from brio import _native
from brio.integrators import first_line, name_of

Density = TypeVar("Density", bound=Callable[..., Any])


def register_material(
    name: str | None = None,
    *,
    keys: Sequence[str] = ("mu", "lambda"),
    lame: Callable[[dict[str, float]], Sequence[float]] | None = None,
    formula: str = "in Python",
    reference: str = "written in Python",
) -> Callable[[Density], Density]:
    """Registers a function as a material of solids, by its energy density psi [J/m^3]: a function of three invariants
    of Green's strain E = (F^T F - I) / 2, t = tr E, s = E : E, and J = det F.

        @brio.register_material()
        def my_stvk(moduli, t, s, J):
            psi = moduli["lambda"] / 2 * t**2 + moduli["mu"] * s
            first = (moduli["lambda"] * t, moduli["mu"], 0)        # by t, s, J
            second = (moduli["lambda"], 0, 0, 0, 0, 0)             # by tt, ts, tJ, ss, sJ, JJ
            return psi, first, second

    ``keys`` are the moduli that it takes, of mu, lambda, kappa, a, b; without mu and lambda among them ``lame`` gives
    those of small strains. It is called for every tetrahedron: some microseconds each.
    """

    def register(density: Density) -> Density:
        known = name_of(density, name)

        def flat(moduli: dict[str, float], t: float, s: float, J: float) -> list[float]:
            psi, first, second = density(moduli, t, s, J)
            return [psi, *first, *second]

        _native.register_material(known, list(keys), flat, lame, formula, first_line(density), reference)
        return density

    return register


Penalty = TypeVar("Penalty", bound=Callable[[float, float], Sequence[float]])


def register_penalty_law(
    name: str | None = None, *, formula: str = "in Python", reference: str = "written in Python"
) -> Callable[[Penalty], Penalty]:
    """Registers a function as a penalty: how hard colliders push. It takes the collider's stiffness [N/m] and a gap
    [m], which is negative, and returns the energy of a vertex [J], its slope [N] and its curvature [N/m] by the gap.

        @brio.register_penalty_law()
        def cubic(stiffness, gap):
            return -stiffness * gap**3 / 0.03, -stiffness * gap**2 / 0.01, -stiffness * gap / 0.005

    Colliders then know it: ``penalty="cubic"``. Derivatives that are not those of the value are refused.
    """

    def register(law: Penalty) -> Penalty:
        known = name_of(law, name)
        _native.register_penalty_law(known, law, formula, first_line(law), reference)
        return law

    return register


def materials() -> dict[str, str]:
    """All materials of solids, by name, with when to choose them."""
    return {facts["name"]: facts["sentence"] for facts in _native.material_facts()}




def penalty_laws() -> dict[str, str]:
    """All penalties of colliders, by name, with when to choose them."""
    return {facts["name"]: facts["sentence"] for facts in _native.penalty_facts()}


def lame(young: float, poisson: float) -> tuple[float, float]:
    """Lamé's moduli mu and lambda [Pa] of Young's modulus [Pa] and Poisson's ratio."""
    mu, second = _native.lame(young, poisson)
    return mu, second
