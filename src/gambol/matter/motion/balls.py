"""Rigid balls among the points of a mesh, for steps by points."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gambol.errors import WorldError
from gambol.matter.elements.contact import Touch
from gambol.matter.mesh import SpringMesh

GROUND_STIFFNESS, GROUND_DAMPING = 2e4, 0.15
"""Stiffness of a ball's contact with the ground [N/m], and its damping as a fraction of the critical one: it bounces to
0.4 times the height from which it falls."""

GROUND_FRICTION = 0.6


@dataclass(frozen=True)
class Ball:
    """A solid ball of even density. radius [m]; mass [kg]; position [m]; velocity [m/s]; name, and colour "#rrggbb".

    It touches triangles by the law of the mesh, and the ground by its own one, see touch. Raises WorldError for a
    radius or a mass that is not above 0, and for a position or a velocity that is not finite.
    """

    radius: float
    mass: float
    position: tuple[float, float, float]
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    name: str = "ball"
    color: str = "#d08a2e"

    def __post_init__(self) -> None:
        if not (0.0 < self.radius < math.inf and 0.0 < self.mass < math.inf):
            raise WorldError(f'"{self.name}": a radius of {self.radius} m and a mass of {self.mass} kg are impossible')
        if not all(map(math.isfinite, (*self.position, *self.velocity))):
            raise WorldError(f'"{self.name}": position and velocity must be finite')

    @property
    def inertia(self) -> float:
        """The moment of inertia about the centre [kg m2]."""
        return 0.4 * self.mass * self.radius * self.radius

    @property
    def touch(self) -> Touch:
        """The law of contact with the ground; its thickness is the diameter."""
        damping = 2.0 * GROUND_DAMPING * math.sqrt(GROUND_STIFFNESS * self.mass)
        return Touch(GROUND_STIFFNESS, damping, GROUND_FRICTION, 2.0 * self.radius)


def with_balls(mesh: SpringMesh, balls: Sequence[Ball]) -> SpringMesh:
    """Return a mesh with the centres of balls as its last points."""
    if not balls:
        return mesh
    points = np.concatenate([mesh.points, [ball.position for ball in balls]])
    return replace(mesh, points=points, masses=np.concatenate([mesh.masses, [ball.mass for ball in balls]]))
