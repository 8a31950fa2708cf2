"""Families of contact sources, which differ in numbers only: two shapes, or a shape and the ground.

One program serves all sources of a family: it takes the numbers of one of them, an item.
"""

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from gambol.collide.broad import ball, near
from gambol.collide.broad.near import ROUND
from gambol.collide.convex import Geom, GeomTemplate
from gambol.collide.pairs import gaps, ground_gaps, smallest_gap
from gambol.contact.generation.ground_points import PointsBox
from gambol.contact.generation.hull_numbers import Template
from gambol.contact.generation.lookahead import LOOKAHEAD_STEPS, ball_motion, contact_distance
from gambol.contact.generation.scene import StepScene
from gambol.contact.stepping.anisotropy import ISOTROPIC, Anisotropy
from gambol.contact.stepping.contact import Candidate
from gambol.contact.stepping.rows import Axis
from gambol.lanes import Scalar, maximum
from gambol.spatial import Transform


@dataclass(frozen=True)
class Side:
    """The numbers of a part in a step.

    numbers: of its shape, see Geom.numbers [m]. pose: of the part in the world. motion: of its link. order: number of
    its link, see depth_first(). friction, restitution: of the part, or of the ground if the part has none.
    """

    numbers: tuple[Scalar, ...]
    pose: Transform
    motion: Axis
    order: Scalar
    friction: Scalar
    restitution: Scalar


@dataclass(frozen=True)
class PairItem:
    """The numbers of two parts in a step.

    first: index of their first contact among all possible ones. attached: 1, or up to 0.5 if a link is cut off.
    """

    first: Scalar
    attached: Scalar
    side: Side
    other: Side

    @property
    def orders(self) -> tuple[Scalar, Scalar]:
        """The fields link and other of its candidates."""
        return self.side.order, self.other.order

    @property
    def motions(self) -> list[Axis]:
        """The motions of its links."""
        return [self.side.motion, self.other.motion]


@dataclass(frozen=True)
class GroundItem:
    """The numbers of a part over the ground in a step.

    first, attached: see PairItem. link_pose: pose of its link; box: box of its contact points, in the link.
    anisotropy: of its friction; None if no part of the figure has one.
    """

    first: Scalar
    attached: Scalar
    side: Side
    link_pose: Transform
    box: PointsBox
    anisotropy: Anisotropy | None

    @property
    def orders(self) -> tuple[Scalar, Scalar]:
        """The fields link and other of its candidates."""
        return self.side.order, 0.0

    @property
    def motions(self) -> list[Axis]:
        """The motion of its link."""
        return [self.side.motion]


Item: TypeAlias = PairItem | GroundItem
"""The numbers of a contact source in a step."""


@dataclass(frozen=True)
class PairFamily:
    """Pairs of parts that differ in numbers only, see PairItem. shape, other: their shapes, without numbers."""

    shape: Template
    other: Template
    is_anisotropic: bool

    @property
    def templates(self) -> tuple[Template, ...]:
        """The shapes of its sides."""
        return self.shape, self.other

    def may_close(self, scene: StepScene, item: PairItem, h: Scalar) -> Scalar:
        """Return True if a contact may close in a step of h [s]."""
        (shape, pose), (other, other_pose) = self._solids(item)
        return near(shape, pose, other, other_pose, self._distance(scene, item, h)) & (item.attached > 0.5)

    @property
    def is_round(self) -> bool:
        """True for capsules and spheres, of which the smallest gap is known before their contacts are."""
        return all(isinstance(x, GeomTemplate) and x.kind in ROUND for x in self.templates)

    def reaches(self, scene: StepScene, item: PairItem, h: Scalar) -> Scalar:
        """Return True if a contact of two round parts may close in a step of h [s], by their smallest gap.

        The point of a contact is up to half of its gap outside of both bounding balls. So its speed is at most that of
        may_close(), and half of the gap times both angular speeds.
        """
        (shape, pose), (other, other_pose) = self._solids(item)
        gap = smallest_gap(shape, pose, other, other_pose)
        turn = sum((abs(x) for motion in item.motions for x in motion.w), 0.0) * (0.5 * LOOKAHEAD_STEPS * h)
        return (gap <= self._distance(scene, item, h) + gap * turn) | (gap <= 0.0)

    def _solids(self, item: PairItem) -> list[tuple[Geom, Transform]]:
        """Return both shapes with their poses."""
        sides = ((self.shape, item.side), (self.other, item.other))
        return [(template.geom(side.numbers), side.pose) for template, side in sides]

    def _distance(self, scene: StepScene, item: PairItem, h: Scalar) -> Scalar:
        """Return the largest gap at which a contact counts [m], see contact_distance()."""
        (first, second), (motion, other_motion) = self._solids(item), item.motions
        motion, other_motion = ball_motion(motion, ball(*first)), ball_motion(other_motion, ball(*second))
        return contact_distance(scene.size, motion.relative_to(other_motion), h)

    def contacts(self, scene: StepScene, item: PairItem) -> list[Candidate]:
        """Return the contact candidates of a pair. Between two parts the larger friction and restitution count."""
        a, b = item.side, item.other
        surfaces = ((a.friction, b.friction), (a.restitution, b.restitution))
        mu, e = (x if x is y else maximum(x, y) for x, y in surfaces)
        anisotropy = ISOTROPIC if self.is_anisotropic else None
        shape, other = self.shape.geom(a.numbers), self.other.geom(b.numbers)
        return [
            Candidate(
                item.first + float(k),
                a.order,
                gap.size,
                (gap.point_a + gap.point_b) * 0.5,
                gap.normal,
                mu,
                e,
                b.order,
                anisotropy=anisotropy,
            )
            for k, gap in enumerate(gaps(shape, a.pose, other, b.pose))
        ]


@dataclass(frozen=True)
class GroundFamily:
    """Parts over the ground that differ in numbers only, see GroundItem.

    shape: their shape, without its numbers. contact_shape: its geom for contact with the ground.
    """

    shape: Template
    contact_shape: Template

    @property
    def templates(self) -> tuple[Template, ...]:
        """The shape of its side."""
        return (self.shape,)

    @property
    def is_round(self) -> bool:
        """False: the test of may_close() is that of its points."""
        return False

    def reaches(self, scene: StepScene, item: GroundItem, h: Scalar) -> Scalar:
        """Return may_close(), see PairFamily."""
        return self.may_close(scene, item, h)

    def may_close(self, scene: StepScene, item: GroundItem, h: Scalar) -> Scalar:
        """Return True if a contact may close in a step of h [s]."""
        side = item.side
        motion = ball_motion(side.motion, ball(self.shape.geom(side.numbers), side.pose))
        distance = contact_distance(scene.size, motion, h)
        return item.box.near_ground(scene.inputs.ground_contact, item.link_pose, distance) & (item.attached > 0.5)

    def contacts(self, scene: StepScene, item: GroundItem) -> list[Candidate]:
        """Return the contact candidates of a part with the ground."""
        contact, side = scene.inputs.ground_contact, item.side
        shape = self.contact_shape.geom(side.numbers)
        return [
            Candidate(
                item.first + float(k),
                side.order,
                g.size,
                g.point_a,
                g.normal,
                side.friction,
                side.restitution,
                anisotropy=item.anisotropy,
            )
            for k, g in enumerate(ground_gaps(shape, side.pose, contact.ground, contact.numbers, contact.table))
        ]


class Family(Protocol):
    """Contact sources that differ in numbers only, see PairItem and GroundItem."""

    @property
    def templates(self) -> tuple[Template, ...]:
        """The shapes of its sides, without numbers."""
        ...

    def may_close(self, scene: StepScene, item: Any, h: Scalar) -> Scalar:
        """Return True if a contact may close in a step of h [s]. item: the numbers of a source."""
        ...

    @property
    def is_round(self) -> bool:
        """True if reaches() is a closer test than may_close()."""
        ...

    def reaches(self, scene: StepScene, item: Any, h: Scalar) -> Scalar:
        """Return True if a contact may close in a step of h [s], by a closer test. item: the numbers of a source."""
        ...

    def contacts(self, scene: StepScene, item: Any) -> list[Candidate]:
        """Return the contact candidates of a source. item: its numbers."""
        ...
