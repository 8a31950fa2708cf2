"""A leg of a body: where its foot is at joint coordinates, and the coordinates at which the foot is at a place.

Damped least squares with bounds [Levenberg 1944]:

    q := q + (J^T J + d)^-1 J^T (wanted - place)

All quantities may be arrays, and a creature's numbers have the same bits whatever other creatures are in them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gambol.evolve.genotype.anatomy import Muscle, muscles_of
from gambol.evolve.genotype.body import Body
from gambol.evolve.genotype.growth import joint_transform
from gambol.figure import Figure, Joint
from gambol.lanes import Scalar, clamp, total
from gambol.spatial import Vector
from gambol.spatial.motion import IDENTITY_TRANSFORM

ITERATIONS = 8
"""Number of steps of the inverse kinematics: from rest, feet of animals move by less than 1 % of the height after 8."""

DAMPING = 1e-4
"""Weight of a step, beside that of the squared distance over the height."""

POSTURE = 4e-4
"""Weight of the squared distance of a coordinate from rest: it decides between coordinates for the same place."""

LARGEST_STEP = 0.3
"""Largest change of a coordinate in a step of the inverse kinematics [rad or m]."""

LEVEL = 0.6
"""A last segment whose direction has a vertical part below this lies on the ground, as the foot of a bird does."""


@dataclass(frozen=True)
class Leg:
    """A limb with a foot; of a mirrored pair the left one.

    limb: its index in the body. muscles: its freedoms, from the trunk outward; joints: their joints. tip, heel: radius
    of the contact at its end, and of the one at the upper end of its last segment [m]. end: length of the last segment
    [m]. lies: True if the last segment lies on the ground at rest.
    """

    limb: int
    muscles: tuple[Muscle, ...]
    joints: tuple[Joint, ...]
    tip: float
    heel: float
    end: float
    lies: bool = False

    @property
    def middle(self) -> list[float]:
        """The coordinates at rest [rad or m]."""
        return [float(m.unit * m.freedom.middle) for m in self.muscles]

    @property
    def reach(self) -> list[float]:
        """The largest distances of targets from rest [rad or m]."""
        return [float(m.unit * m.freedom.reach) for m in self.muscles]

    def place(self, q: Sequence[Scalar]) -> "Place":
        """Return the place of the foot at joint coordinates q [rad or m]."""
        pose, axes, origins = IDENTITY_TRANSFORM, list[Vector](), list[Vector]()
        for joint, x in zip(self.joints, q, strict=True):
            pose = pose @ joint_transform(joint, x)
            axes.append(pose.rotation @ Vector(*joint.axis))
            origins.append(pose.position)
        end = pose @ Vector(0.0, 0.0, -self.end)
        slopes = [
            axis if joint.kind == "prismatic" else axis.cross(end - origin)
            for joint, axis, origin in zip(self.joints, axes, origins, strict=True)
        ]
        turns = [
            0.0 if joint.kind == "prismatic" else axis.cross(end - pose.position).z
            for joint, axis in zip(self.joints, axes, strict=True)
        ]
        return Place(
            Vector(end.x, end.y, end.z - self.tip), end.z - self.tip - pose.position.z + self.heel, slopes, turns
        )


@dataclass(frozen=True)
class Place:
    """The place of a foot.

    lowest: lowest point of its end, in the trunk's axes [m]; slopes: its derivatives with respect to each coordinate.
    rise: by how much this point is higher than the lowest point of the heel [m]; turns: derivatives of the rise.
    """

    lowest: Vector
    rise: Scalar
    slopes: Sequence[Vector]
    turns: Sequence[Scalar]


def legs_of(body: Body, figure: Figure) -> tuple[Leg, ...]:
    """Return the legs of a body, of each pair the left one, from the hindmost to the foremost; figure: its figure."""
    numbers = {id(limb): n for n, limb in enumerate(body.limbs)}
    muscles = list(muscles_of(body))
    legs = list[Leg]()
    for chain, limb, side in body.chains():
        if limb.foot and side != "right":
            own = tuple(m for m in muscles if m.chain == chain)
            last = limb.segments[-1]
            above = limb.segments[-2].lower_radius if len(limb.segments) > 1 else 0.0
            heel = float(max(last.upper_radius, above))
            joints = tuple(figure.link(m.link).joint for m in own)
            legs.append(_leg(Leg(numbers[id(limb)], own, joints, float(last.lower_radius), heel, float(last.length))))
    return tuple(sorted(legs, key=lambda leg: body.limbs[leg.limb].at[0]))


def _leg(leg: Leg) -> Leg:
    """Return a leg that knows if its foot lies on the ground."""
    place = leg.place(leg.middle)
    return replace(leg, lies=bool(abs(place.rise + leg.tip - leg.heel) < LEVEL * leg.end))


def inverse_kinematics(leg: Leg, wanted: Vector, rise: Scalar, height: float) -> list[Scalar]:
    """Return the coordinates at which the foot of a leg is nearest to a wanted place, within the range of its targets.

    wanted: lowest point of the foot's end in the trunk's axes; rise: of it above the heel, for a foot that lies on the
    ground [m]. height: unit of distances [m].
    """
    q: list[Scalar] = [x + 0.0 * wanted.z for x in leg.middle]
    for _ in range(ITERATIONS):
        place = leg.place(q)
        error = wanted - place.lowest
        rows = [[slope.x / height, slope.y / height, slope.z / height] for slope in place.slopes]
        errors = [error.x / height, error.y / height, error.z / height]
        if leg.lies:
            rows = [[*row, turn / height] for row, turn in zip(rows, place.turns, strict=True)]
            errors.append((rise - place.rise) / height)
        q = _step(leg, q, rows, errors)
    return q


def _step(leg: Leg, q: list[Scalar], rows: list[list[Scalar]], errors: list[Scalar]) -> list[Scalar]:
    """Return coordinates after a step. rows: derivatives of the place by coordinate; errors: wanted less actual."""
    A = [[total(a * b for a, b in zip(one, other, strict=True)) for other in rows] for one in rows]
    b = [total(a * e for a, e in zip(row, errors, strict=True)) for row in rows]
    for k, (x, middle) in enumerate(zip(q, leg.middle, strict=True)):
        A[k][k] = A[k][k] + (DAMPING + POSTURE)
        b[k] = b[k] + POSTURE * (middle - x)
    steps = solved(A, b)
    bounds = zip(leg.middle, leg.reach, strict=True)
    return [
        clamp(x + clamp(dx, -LARGEST_STEP, LARGEST_STEP), middle - reach, middle + reach)
        for x, dx, (middle, reach) in zip(q, steps, bounds, strict=True)
    ]


def solved(matrix: Sequence[Sequence[Scalar]], vector: Sequence[Scalar]) -> list[Scalar]:
    """Return x with A x = b, for a symmetric positive definite A = matrix, by Gaussian elimination; b = vector."""
    A, b, n = [list(row) for row in matrix], list(vector), len(vector)
    for k in range(n):
        for i in range(k + 1, n):
            factor = A[i][k] / A[k][k]
            A[i] = [x - factor * y for x, y in zip(A[i], A[k], strict=True)]
            b[i] = b[i] - factor * b[k]
    x: list[Scalar] = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (b[k] - total(A[k][i] * x[i] for i in range(k + 1, n))) / A[k][k]
    return x
