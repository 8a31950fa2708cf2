"""The ground's forces on the links of a figure in adaptive dynamics: the penalty law at each contact point."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, Plane
from gambol.collide.pairs import ROLLING_SLOTS
from gambol.contact.penalty.patch import GroundContact
from gambol.contact.surface import SurfaceProperties
from gambol.errors import WorldError
from gambol.figure import Figure, Triple
from gambol.lanes import Scalar
from gambol.spatial import Force, Motion, Transform, Vector


@dataclass(frozen=True)
class CompliantGround:
    """The forces of a compliant ground on the contact points of all links, without bristles.

    figure: the figure. surface: contact parameters; its feet do not stick. ground: the ground. points: link index (0 is
    the root), position in the link and radius of each contact point [m]. Raises WorldError for a surface without
    stiffness, for sticky feet, for a figure without contact points, and for shapes that roll, such as cylinders.
    """

    figure: Figure
    surface: SurfaceProperties
    ground: Ground = field(default_factory=Plane)
    points: tuple[tuple[int, Triple, float], ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        links = enumerate(self.figure.links)
        points = tuple((index, p.position, p.radius) for index, link in links for p in link.contact_points())
        object.__setattr__(self, "points", points)
        subject = f'ground forces on "{self.figure.name}"'
        if not self.surface.has_stiffness:
            raise WorldError(f"{subject}: the surface has no stiffness; give SurfaceProperties(ContactParameters(...))")
        if self.surface.sticky is not None:
            raise WorldError(f"{subject}: feet cannot stick in adaptive dynamics; take sticky=None")
        for link in self.figure.links:
            for part in link.parts:
                if part.shape.kind in ROLLING_SLOTS or part.anisotropic_friction is not None:
                    raise WorldError(
                        f'{subject}: the {part.shape.kind} of "{link.name}" rolls, or has a friction that depends on '
                        "the direction; take spheres, capsules, boxes or hulls with one coefficient of friction"
                    )
        if not self.points:
            raise WorldError(f"{subject}: no link has a shape that can touch; give links shapes, or leave contact out")

    @property
    def table(self) -> NDArray[np.float64] | None:
        """The heights of the ground."""
        return self.ground.table()

    def force(self, pose: Transform, velocity: Motion, position: Vector, radius: Scalar, table: Any) -> Force:
        """Return the force on a body at a ball, in body coordinates; see PointForces."""
        numbers = dict(self.ground.numbers())
        contact = GroundContact(self.ground, numbers, table, self.surface.parameters, None)
        return contact.link_force(pose, velocity, [(position, radius)]).force
