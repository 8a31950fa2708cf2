"""Masses of bodies of USD Physics: stated for the body, or computed from its colliders. [UsdPhysics, mass]

The mass of a body is the stated one, or the sum of its colliders' masses; the mass of a collider is stated, or its
volume times a density: that of the collider or, if it has none, of the body, of its material, or 1000 kg/m3. A stated
mass scales the inertia that follows from the colliders; a stated centre of mass moves it; a stated inertia replaces it.
"""

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from gambol.errors import GambolError
from gambol.figure import NO_MASS, MassProperties, Part, combine
from gambol.figure.rotation import matrix, triple
from gambol.formats.usd.stage import Array, Place, Prim, Stage, rotation_of

WATER = 1000.0  # kg/m3, the density of colliders without one
MOMENT_TOLERANCE = 1e-6
"""Relative error of moments of inertia: numbers of the file are float32, so the moments of a plate may seem
impossible."""


def body_mass(stage: Stage, body: Prim, place: Place, colliders: Iterable[tuple[Prim, Part]]) -> MassProperties | None:
    """Return the mass properties of a body in its own axes, about its own origin; None for a body without mass.

    place: pose and scale of the body. colliders: colliders of the body, with their parts in the body's frame. Raises
    GambolError for negative masses and densities.
    """
    stated, units = _positive(stage, body, "mass"), stage.units
    computed = combine(_collider_mass(stage, body, shape, part) for shape, part in colliders)
    moments = np.array(body.get("diagonalInertia", (0.0, 0.0, 0.0)), float)
    has_inertia = bool(np.isfinite(moments).all() and moments.any())
    mass = stated * units.mass or computed.mass
    if mass == 0.0 and not has_inertia:
        return None
    scaled = replace(computed, mass=mass, inertia=_scaled(computed, mass)) if computed.mass else MassProperties(mass)
    center = np.array(body.get("centerOfMass", (math.inf,) * 3), float)
    if np.isfinite(center).all():
        com = triple(place.scale @ center)
        scaled = MassProperties(mass, com, scaled.inertia_about(com))
    if has_inertia:
        axes = rotation_of(body.get("principalAxes", (1.0, 0.0, 0.0, 0.0)), body["path"])
        I = axes @ np.diag(_possible(units.torque * moments)) @ axes.T
        scaled = replace(scaled, inertia=matrix((I + I.T) / 2.0))
    return scaled


def _collider_mass(stage: Stage, body: Prim, shape: Prim, part: Part) -> MassProperties:
    """Return the mass properties of a collider in the body's frame."""
    units, stated = stage.units, _positive(stage, shape, "mass")
    densities = (_positive(stage, shape, "density"), _positive(stage, body, "density"), _material_density(stage, shape))
    density = next((rho for rho in densities if rho), 0.0) * units.mass / units.length**3 or WATER
    solid = part.shape.mass_properties(density).placed(part.rotation, part.position)
    if not stated:
        return solid
    return replace(solid, mass=stated * units.mass, inertia=_scaled(solid, stated * units.mass))


def _material_density(stage: Stage, shape: Prim) -> float:
    return _positive(stage, shape, "material:density")


def _positive(stage: Stage, prim: Prim, name: str) -> float:
    """Return a mass or density; 0 if the prim has none. Raises GambolError for a negative one."""
    value = float(prim.get(name, 0.0))
    if not 0.0 <= value < math.inf:
        raise GambolError(f'{stage.file}: "{prim["path"]}" has a {name} of {value:g}; give 0 or more, and finite')
    return value


def _scaled(body: MassProperties, mass: float) -> tuple[tuple[float, float, float], ...]:
    """Return the inertia of a body scaled to another mass."""
    return matrix(np.array(body.inertia) * (mass / body.mass)) if body.mass else NO_MASS.inertia


def _possible(moments: Array) -> Array:
    """Return principal moments, corrected so that none exceeds the sum of the others by rounding of float32."""
    order = np.argsort(moments)
    small, middle, large = moments[order]
    if small + middle < large <= (small + middle) * (1.0 + MOMENT_TOLERANCE):
        moments = moments.copy()
        moments[order[2]] = small + middle
    return moments
