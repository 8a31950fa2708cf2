"""The bodies of a pile, their materials, and friction and restitution between materials."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Ground, Plane
from gambol.errors import WorldError, did_you_mean
from gambol.figure import PlacedLink
from gambol.figure.shapes import Shape
from gambol.rigid.body_frame import BodyFrame, body_frame
from gambol.rigid.pile_joints import NO_JOINTS, PileJoints

Array = NDArray[np.float64]

GROUND = "ground"
"""The material of the ground."""

KINDS = ("sphere", "box", "capsule", "cylinder", "ellipsoid", "frustum", "hull")
"""Kinds of shapes that bodies can have."""

MAX_FEATURES = 64
"""Upper bound of the number of gaps of a pair of shapes, and of vertices of a shape."""


@dataclass(frozen=True, slots=True)
class Body:
    """A rigid body of uniform density: its shape, its mass [kg], and the name of its material.

    Its frame is at its centre of mass, along its principal axes. This is the frame of most shapes; for a frustum and a
    hull see body_frame().
    """

    shape: Shape
    mass: float
    material: str = "body"

    @property
    def frame(self) -> BodyFrame:
        """Its shape in its frame."""
        return body_frame(self.shape)

    @property
    def shapes(self) -> tuple[BodyFrame, ...]:
        """Its shape in its frame, as the only one."""
        return (self.frame,)


@dataclass(frozen=True)
class LinkBody:
    """A link as a body of a pile.

    link: the link; frame: its frame, without a shape; shapes: those of its parts, in this frame; material: name of its
    material; figure: name of its figure. self_contact: True if it may touch bodies of its figure that have no joint
    with it.
    """

    link: PlacedLink
    frame: BodyFrame
    shapes: tuple[BodyFrame, ...]
    material: str
    figure: str
    self_contact: bool = False

    @property
    def mass(self) -> float:
        """Its mass [kg]."""
        return float(self.link.mass_properties.mass)


@dataclass(frozen=True, slots=True)
class SurfaceMaterial:
    """Contact properties of a pair of materials: friction mu, and restitution e from 0 to 1 (Newton's hypothesis).

    Raises WorldError for invalid numbers.
    """

    friction: float = 0.5
    restitution: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.friction < math.inf:
            raise WorldError(f"a friction of {self.friction} is not valid; it must be 0 or more, and finite")
        if not 0.0 <= self.restitution <= 1.0:
            raise WorldError(f"a restitution of {self.restitution} is not valid; it must lie between 0 and 1")


@dataclass(frozen=True, eq=False)
class Pile:
    """Many free bodies in one world.

    bodies: number k + 1 is bodies[k]; the world is number 0. ground: the ground, or None. surface: contact properties
    of any two materials, except the pairs in surface_pairs, which may be in either order; the ground's material is
    "ground". gravity [m/s2]. step [s]. joints: joints of bodies, see linked_bodies(). witness_planes: True to keep a
    separating plane of each pair whose gaps are found by a search, and to search only where it does not separate the
    pair; the results are the same to the last bit (docs/decisions/021). Raises WorldError if there are no bodies, a
    mass or the step is not positive, a shape is none of KINDS or has more than MAX_FEATURES vertices, a material is
    unknown, or a joint has a body that does not exist.
    """

    bodies: Sequence[Body | LinkBody]
    ground: Ground | None = field(default_factory=Plane)
    surface: SurfaceMaterial = field(default_factory=SurfaceMaterial)
    surface_pairs: Mapping[tuple[str, str], SurfaceMaterial] = field(
        default_factory=dict[tuple[str, str], SurfaceMaterial]
    )
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    step: float = 1e-3
    joints: PileJoints = NO_JOINTS
    witness_planes: bool = True

    def __post_init__(self) -> None:
        if not self.bodies:
            raise WorldError("a pile needs at least one body")
        if not 0.0 < self.step < math.inf:
            raise WorldError(f"a step of {self.step} s is not valid; it must be more than 0")
        if not all(map(math.isfinite, self.gravity)):
            raise WorldError(f"gravity is {self.gravity}; it must be finite")
        for number, body in enumerate(self.bodies, 1):
            if not 0.0 < body.mass < math.inf:
                raise WorldError(f"body {number} has a mass of {body.mass} kg; it must be more than 0, and finite")
            kinds = [body.shape.kind] if isinstance(body, Body) else [shape.kind for shape in body.shapes]
            if unknown := [kind for kind in kinds if kind not in KINDS]:
                raise WorldError(f"body {number} is a {unknown[0]}; shapes of a pile are {', '.join(KINDS)}")
            if (vertices := max((len(shape.points) for shape in body.shapes), default=0)) > MAX_FEATURES:
                raise WorldError(f"body {number} is a hull with {vertices} vertices; {MAX_FEATURES} are possible")
        ends = np.concatenate([self.joints.first, self.joints.second])
        if len(ends) and ends.max() > len(self.bodies):
            raise WorldError(f"a joint is of body {ends.max()}; the pile has {len(self.bodies)} bodies")
        known = self.materials
        for name in (name for pair in self.surface_pairs for name in pair):
            if name not in known:
                raise WorldError(f'no body has the material "{name}"; {did_you_mean(name, known)}')

    @property
    def materials(self) -> list[str]:
        """The names of all materials, the ground's first."""
        return list(dict.fromkeys([GROUND, *(body.material for body in self.bodies)]))

    @property
    def features(self) -> int:
        """Upper bound of the number of gaps between two bodies: of all pairs of their shapes."""
        return MAX_FEATURES * max(1, *(len(body.shapes) for body in self.bodies)) ** 2

    def masses(self) -> Array:
        """Return the masses of the world, which is infinite, and of the bodies [kg]."""
        return np.array([math.inf, *(body.mass for body in self.bodies)])

    def moments(self) -> Array:
        """Return principal moments of inertia about the centres of mass (3, bodies + 1) [kg m2]; 1 for the world."""
        return np.array([np.ones(3), *(body.mass * body.frame.moments for body in self.bodies)]).T

    def surface_tables(self) -> tuple[Array, Array]:
        """Return tables of friction and restitution (materials, materials), by the two materials of a contact."""
        names = self.materials
        tables = [np.full((len(names), len(names)), x) for x in (self.surface.friction, self.surface.restitution)]
        for (name_a, name_b), pair in self.surface_pairs.items():
            a, b = names.index(name_a), names.index(name_b)
            for table, x in zip(tables, (pair.friction, pair.restitution), strict=True):
                table[a, b] = table[b, a] = x
        return tables[0], tables[1]
