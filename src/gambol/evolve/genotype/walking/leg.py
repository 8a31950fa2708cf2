"""A leg of a body: forward and inverse kinematics of its foot.

Damped least squares with bounds [Levenberg 1944]:

    q := q + (J^T J + d)^-1 J^T (desired - position)

All quantities may be arrays, with one entry for each creature; the result for a creature does not depend on the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from gambol.dynamics.forward.systems import factorised, lower
from gambol.evolve.genotype.anatomy import PlacedFreedom, placed_freedoms
from gambol.evolve.genotype.body import Body, Limb, spine_of
from gambol.evolve.genotype.growth import joint_transform
from gambol.evolve.genotype.walking.spine import NO_SPINE, Spine
from gambol.figure import Figure, Joint
from gambol.lanes import Scalar, clamp
from gambol.spatial import Vector
from gambol.spatial.dense import dot
from gambol.spatial.motion import IDENTITY_TRANSFORM

ITERATIONS = 8
"""Number of steps of the inverse kinematics: after 8, feet of animals move by less than 1 % of the height."""

DAMPING = 1e-4
"""Weight of the squared size of a step; the squared distance from the desired position, divided by h^2, has weight
1."""

REST_WEIGHT = 4e-4
"""Weight of the squared distance of each coordinate from rest: it decides between coordinates with the same position of
the foot."""

MAX_STEP = 0.3
"""Maximum change of a coordinate in a step of the inverse kinematics [rad or m]."""

MAX_FLAT_FOOT_SINE = 0.6
"""Maximum sine of the angle between the last segment and the ground for a flat foot, such as that of a bird."""


@dataclass(frozen=True)
class Leg:
    """A limb with a foot; of a mirrored pair the left one.

    limb: its index in the body. freedoms, joints: its freedoms and their joints, from the trunk outward. toe, heel:
    radius of the contact ball at the lower end and at the upper end of its last segment [m]. foot_length: length of
    this segment [m]. has_flat_foot: True if this segment lies on the ground at rest. spine: the part of the spine from
    the trunk to the segment that carries the leg; without joints if the leg is on the trunk.
    """

    limb: int
    freedoms: tuple[PlacedFreedom, ...]
    joints: tuple[Joint, ...]
    toe: float
    heel: float
    foot_length: float
    has_flat_foot: bool = False
    spine: Spine = NO_SPINE

    @property
    def hip(self) -> Scalar:
        """The forward position of the hip in the trunk's axes at rest [m]."""
        joints = [*zip(self.spine.joints, self.spine.straight, strict=True), (self.joints[0], self.middle[0])]
        return reduce(lambda pose, pair: pose @ joint_transform(*pair), joints, IDENTITY_TRANSFORM).position.x

    @property
    def middle(self) -> list[float]:
        """The coordinates at rest [rad or m]."""
        return [float(p.unit * p.freedom.middle) for p in self.freedoms]

    @property
    def reach(self) -> list[float]:
        """The maximum distance of each target from rest [rad or m]."""
        return [float(p.unit * p.freedom.reach) for p in self.freedoms]

    def foot(self, q: Sequence[Scalar], bend: Sequence[Scalar] | None = None) -> "FootKinematics":
        """Return the position of the foot at joint coordinates q [rad or m], and its derivatives with respect to q.

        bend: coordinates of the spine [rad or m]; None: those at rest.
        """
        pose, axes, origins = IDENTITY_TRANSFORM, list[Vector](), list[Vector]()
        for joint, x in zip(self.spine.joints, self.spine.straight if bend is None else bend, strict=True):
            pose = pose @ joint_transform(joint, x)
        for joint, x in zip(self.joints, q, strict=True):
            pose = pose @ joint_transform(joint, x)
            axes.append(pose.rotation @ Vector(*joint.axis))
            origins.append(pose.position)
        end = pose @ Vector(0.0, 0.0, -self.foot_length)
        jacobian = [
            axis if joint.kind == "prismatic" else axis.cross(end - origin)
            for joint, axis, origin in zip(self.joints, axes, origins, strict=True)
        ]
        toe_height_gradient = [
            0.0 if joint.kind == "prismatic" else axis.cross(end - pose.position).z
            for joint, axis in zip(self.joints, axes, strict=True)
        ]
        toe_height = end.z - self.toe - pose.position.z + self.heel
        return FootKinematics(Vector(end.x, end.y, end.z - self.toe), jacobian, toe_height, toe_height_gradient)


@dataclass(frozen=True)
class FootKinematics:
    """The position of a foot and its derivatives.

    position: of the lowest point of the toe, in the trunk's axes [m]; jacobian: the columns of its Jacobian, one for
    each coordinate. toe_height: height of this point above the lowest point of the heel [m]; toe_height_gradient: its
    derivatives with respect to the coordinates.
    """

    position: Vector
    jacobian: Sequence[Vector]
    toe_height: Scalar
    toe_height_gradient: Sequence[Scalar]


def legs_of(body: Body, figure: Figure) -> tuple[Leg, ...]:
    """Return the legs of a body from the hindmost to the foremost; of each pair the left one. figure: its figure."""
    numbers = {id(limb): n for n, limb in enumerate(body.limbs)}
    all_freedoms = list(placed_freedoms(body))
    legs = list[Leg]()
    for chain, limb, side in body.chains():
        if limb.foot and side != "right":
            freedoms = tuple(p for p in all_freedoms if p.chain == chain)
            last = limb.segments[-1]
            above = limb.segments[-2].lower_radius if len(limb.segments) > 1 else 0.0
            heel = float(max(last.upper_radius, above))
            spine = _freedoms_of_spine(body, limb, all_freedoms)
            joints, vertebrae = (tuple(figure.link(p.link).joint for p in row) for row in (freedoms, spine))
            sizes = float(last.lower_radius), heel, float(last.length)
            leg = Leg(numbers[id(limb)], freedoms, joints, *sizes, spine=Spine(spine, vertebrae))
            legs.append(replace(leg, has_flat_foot=_has_flat_foot(leg)))
    return tuple(sorted(legs, key=lambda leg: float(leg.hip)))


def _freedoms_of_spine(body: Body, limb: Limb, freedoms: Sequence[PlacedFreedom]) -> tuple[PlacedFreedom, ...]:
    """Return the freedoms between the trunk and the segment that carries a limb; freedoms: all of the body."""
    if (found := spine_of(body, limb)) is None:
        return ()
    spine, number = body.limbs[found[0]], found[1]
    return tuple(p for p in freedoms if p.limb is spine and p.number <= number)


def _has_flat_foot(leg: Leg) -> bool:
    toe_height = leg.foot(leg.middle).toe_height
    return bool(abs(toe_height + leg.toe - leg.heel) < MAX_FLAT_FOOT_SINE * leg.foot_length)


def inverse_kinematics(
    leg: Leg, desired: Vector, toe_height: Scalar, height: float, bend: Sequence[Scalar] | None = None
) -> list[Scalar]:
    """Return the joint coordinates, within the range of the targets, at which the foot is nearest to a position.

    desired: of the lowest point of the toe, in the trunk's axes [m]. toe_height: desired height of this point above the
    lowest point of the heel, for a flat foot [m]. height: h, the unit of distances [m]. bend: see Leg.foot().
    """
    q: list[Scalar] = [x + 0.0 * desired.z for x in leg.middle]
    for _ in range(ITERATIONS):
        foot = leg.foot(q, bend)
        error = desired - foot.position
        Jt = [[column.x / height, column.y / height, column.z / height] for column in foot.jacobian]
        errors = [error.x / height, error.y / height, error.z / height]
        if leg.has_flat_foot:
            Jt = [[*row, x / height] for row, x in zip(Jt, foot.toe_height_gradient, strict=True)]
            errors.append((toe_height - foot.toe_height) / height)
        q = _step(leg, q, Jt, errors)
    return q


def _step(leg: Leg, q: list[Scalar], Jt: list[list[Scalar]], errors: list[Scalar]) -> list[Scalar]:
    """Return the coordinates after a step. Jt: transposed Jacobian; errors: desired minus actual values."""
    A = [[dot(row, other) for other in Jt] for row in Jt]
    b = [dot(row, errors) for row in Jt]
    for k, (x, middle) in enumerate(zip(q, leg.middle, strict=True)):
        A[k][k] = A[k][k] + (DAMPING + REST_WEIGHT)
        b[k] = b[k] + REST_WEIGHT * (middle - x)
    steps = factorised(lower(A)).solve(b)
    bounds = zip(leg.middle, leg.reach, strict=True)
    return [
        clamp(x + clamp(dx, -MAX_STEP, MAX_STEP), middle - reach, middle + reach)
        for x, dx, (middle, reach) in zip(q, steps, bounds, strict=True)
    ]
