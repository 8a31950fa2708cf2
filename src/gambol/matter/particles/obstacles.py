"""Obstacles of particles: a ground, and the moving shapes of a figure's links."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, Plane
from gambol.figure import Figure
from gambol.spatial import Quaternion, Rotation, Transform, Vector
from gambol.world import Film

Array = NDArray[np.float64]

LINK_NUMBERS = 13
"""Number of values of a link's motion: position, quaternion (w, x, y, z), angular and linear velocity, world axes."""


@dataclass(frozen=True, slots=True)
class PlacedShape:
    """A shape of a link.

    shape: a shape with constant sizes. link: index of the link. pose: pose of the shape in the link.
    """

    shape: Any
    link: int
    pose: Transform


@dataclass(frozen=True)
class Obstacles:
    """Obstacles of particles: a ground, and the shapes of links. links: names of the links."""

    ground: Ground
    shapes: tuple[PlacedShape, ...] = ()
    links: tuple[str, ...] = ()

    @staticmethod
    def of(ground: Ground | None = None, figure: Figure | None = None) -> "Obstacles":
        """Return obstacles: a ground, level by default, and all colliding parts of a figure."""
        shapes = [
            PlacedShape(part.shape, index, Transform(Rotation(part.rotation), Vector(*part.position)))
            for index, link in enumerate(figure.links if figure else ())
            for part in link.parts
            if part.colliding
        ]
        names = tuple(link.name for link in figure.links) if figure else ()
        return Obstacles(ground or Plane(), tuple(shapes), names)

    def impulses(self, touches: Mapping[str, NDArray[Any]], motions: Array) -> Array:
        """Return the impulses of touches on links (links, 6): moment about the origin, and force [N m s, N s].

        touches: see ParticleStep. motions: motions of the links (links, 13), see LINK_NUMBERS. All are in world axes.
        """
        total = np.zeros((len(self.links), 6))
        shapes = np.array([shape.link for shape in self.shapes], np.intp)
        chosen = np.flatnonzero(touches["obstacle"] > 0)
        links = shapes[touches["obstacle"][chosen] - 1]
        impulse = touches["impulse"][chosen]
        moment = np.cross(touches["point"][chosen] - motions[links, :3], impulse)
        np.add.at(total, links, np.concatenate([moment, impulse], axis=1))
        return total

    def structure(self) -> tuple[Any, ...]:
        """Return the compiled structure."""
        kind = type(self.ground)
        return (kind.__module__, kind.__qualname__, self.shapes, len(self.links))


@dataclass(frozen=True, slots=True)
class LinkMotion:
    """The pose of a link at the start of a step, and its velocity in the step, in world axes.

    position [m]. orientation: rotation from body to world. angular [rad/s], linear [m/s]: angular velocity, and
    velocity of the point at position.
    """

    position: Vector
    orientation: Quaternion
    angular: Vector
    linear: Vector

    def pose(self) -> Transform:
        """Return the pose of the link."""
        return Transform(self.orientation.rotation(), self.position)

    def velocity_at(self, x: Vector) -> Vector:
        """Return the velocity of the link's material at a point x [m/s]."""
        return self.linear + self.angular.cross(x - self.position)


@dataclass(frozen=True, slots=True)
class ObstacleInputs:
    """Inputs of the obstacles of a program: numbers and table of the ground, and the motion of each link."""

    ground: dict[str, Any]
    table: Any
    motions: Sequence[LinkMotion]


def motion_between(film: Film, world: int, frame: int) -> Array:
    """Return the motion of all links from a frame of a film to the next (links, 13), see LINK_NUMBERS.

    world: index of the world. frame: index of the first of the two frames. Velocities between the frames are constant.
    """
    h = float(film.time[frame + 1] - film.time[frame])
    (p, p_end), (q, q_end) = film.position[frame : frame + 2, world], film.quaternion[frame : frame + 2, world]
    return np.concatenate([p, q, rotation_vector(q, q_end) / h, (p_end - p) / h], axis=1)


def rotation_vector(q: Array, q_end: Array) -> Array:
    """Return the rotation vectors (n, 3) [rad], in world axes, that take orientations q (n, 4) to q_end (n, 4)."""
    turn = (Quaternion(*q_end.T) @ Quaternion(*q.T).conjugate()).logarithm()
    return np.stack([turn.x, turn.y, turn.z], axis=1)
