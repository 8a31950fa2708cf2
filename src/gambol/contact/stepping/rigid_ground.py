"""A rigid ground below the links of a figure in adaptive dynamics: gaps, normals and coefficients of contact points."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, Plane
from gambol.collide.pairs import ROLLING_SLOTS
from gambol.contact.penalty import ContactParameters
from gambol.contact.surface import SurfaceProperties
from gambol.errors import WorldError
from gambol.figure import Figure, Triple
from gambol.lanes import Scalar
from gambol.spatial import Motion, Transform, Vector

Array = NDArray[np.float64]

RELATIVE_COMPLIANCE = 0.01
"""Compliance of a contact, as a fraction of the inverse mass of its link: it divides the load of a rigid group of links
among its contacts. A link at rest sinks by this fraction of g h per step, which the correction of depths makes up."""


@dataclass(frozen=True)
class RigidGround:
    """A rigid ground below the contact points of all links, with Coulomb's friction.

    figure: the figure. surface: its friction and restitution, which parts may override; stiffness and damping are not
    used. ground: the ground. iterations: largest number of sweeps over the contacts in a step. tolerance: sweeps end
    when no speed at a contact changes by more [m/s]. points: link index (0 is the root), position in the link and
    radius of each contact point [m]. Raises WorldError for a surface that does not touch, sticky feet, a figure without
    contact points, shapes that roll, such as cylinders, and impossible numbers.
    """

    figure: Figure
    surface: SurfaceProperties
    ground: Ground = field(default_factory=Plane)
    iterations: int = 50
    tolerance: float = 1e-6
    points: tuple[tuple[int, Triple, float], ...] = field(init=False, repr=False)
    numbers: tuple[tuple[float, float, float], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        subject = f'a rigid ground below "{self.figure.name}"'
        parameters = self.surface.parameters
        if not isinstance(parameters, ContactParameters):
            raise WorldError(f"{subject}: HuntCrossley has no restitution; give ContactParameters(...)")
        if not self.surface.has_stiffness:
            raise WorldError(f"{subject}: the surface has no stiffness; give SurfaceProperties(ContactParameters(...))")
        if self.surface.sticky is not None:
            raise WorldError(f"{subject}: feet cannot stick in adaptive dynamics; take sticky=None")
        if self.iterations < 1 or not self.tolerance >= 0.0:
            raise WorldError(f"{subject}: {self.iterations} sweeps to {self.tolerance:g} m/s are impossible")
        points: list[tuple[int, Triple, float]] = []
        numbers: list[tuple[float, float, float]] = []
        for index, link in enumerate(self.figure.links):
            mass = link.mass_properties.mass or self.figure.mass
            for part in link.parts:
                if part.shape.kind in ROLLING_SLOTS or part.anisotropic_friction is not None:
                    raise WorldError(
                        f'{subject}: the {part.shape.kind} of "{link.name}" rolls, or has a friction that depends on '
                        "the direction; take spheres, capsules, boxes or hulls with one coefficient of friction"
                    )
                friction = parameters.friction if part.friction is None else part.friction
                restitution = parameters.restitution if part.restitution is None else part.restitution
                for point in part.contact_points():
                    points.append((index, point.position, point.radius))
                    numbers.append((float(friction), float(restitution), RELATIVE_COMPLIANCE / float(mass)))
        if not points:
            raise WorldError(f"{subject}: no link has a shape that can touch; give links shapes, or leave contact out")
        object.__setattr__(self, "points", tuple(points))
        object.__setattr__(self, "numbers", tuple(numbers))

    @property
    def restitution_speed(self) -> float:
        """Speed below which nothing rebounds [m/s]."""
        return float(self.surface.parameters.restitution_speed)  # type: ignore[union-attr]  # checked above

    @property
    def friction(self) -> Array:
        """Coefficient of friction of each point."""
        return np.array(self.numbers)[:, 0]

    @property
    def restitution(self) -> Array:
        """Coefficient of restitution of each point."""
        return np.array(self.numbers)[:, 1]

    @property
    def compliance(self) -> Array:
        """Speed of each point for an impulse on it [1/kg]."""
        return np.array(self.numbers)[:, 2]

    @property
    def table(self) -> Array | None:
        """The heights of the ground."""
        return self.ground.table()

    def touch(
        self, pose: Transform, velocity: Motion, position: Vector, radius: Scalar, table: Any
    ) -> tuple[Scalar, Scalar, Vector, Vector]:
        """Return gap, its rate, normal and contact point of a ball; see RigidContacts."""
        centre = pose @ position
        surface = self.ground.surface(dict(self.ground.numbers()), table, centre.x, centre.y)
        normal = pose.rotation.transpose @ surface.normal
        point = position - normal * radius
        rate = normal.dot(velocity.v + velocity.w.cross(point))
        return -(surface.depth(centre.z) + radius), rate, normal, point
