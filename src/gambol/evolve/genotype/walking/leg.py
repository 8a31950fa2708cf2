"""The legs of a body as arrays: where a foot is at joint coordinates, and the coordinates at which it is at a place."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.evolve.genotype.anatomy import Muscle, muscles_of
from gambol.evolve.genotype.body import Body
from gambol.figure import Figure, Joint

Array = NDArray[np.float64]

ITERATIONS = 30
"""Number of steps of the inverse kinematics; from rest it converges in 10 to 20."""

DAMPING, POSTURE = 1e-4, 0.02
"""Weights of the step, and of the distance from rest, beside the distance from the wanted place over the height."""

LARGEST_STEP = 0.3
"""Largest change of a coordinate in a step of the inverse kinematics [rad or m]."""

DIFFERENCE = 1e-6
"""Step of numerical derivatives [rad or m]."""

LEVEL = 0.6
"""A last segment whose direction has a vertical part below this lies on the ground, as the foot of a bird does."""


@dataclass(frozen=True)
class Leg:
    """A limb with a foot; of a mirrored pair the left one.

    limb: its index in the body. muscles: its freedoms, from the trunk outward. joints: their joints. radius: of the
    contact at its end, and at the end of the segment above [m]. end: length of the last segment [m].
    """

    limb: int
    muscles: tuple[Muscle, ...]
    joints: tuple[Joint, ...]
    radius: tuple[float, float]
    end: float

    @property
    def middle(self) -> Array:
        """The coordinates at rest (n,) [rad or m]."""
        return np.array([float(m.unit * m.freedom.middle) for m in self.muscles])

    @property
    def reach(self) -> Array:
        """The largest distances of targets from rest (n,) [rad or m]."""
        return np.array([float(m.unit * m.freedom.reach) for m in self.muscles])

    @property
    def lies(self) -> bool:
        """True if the last segment lies on the ground at rest."""
        tip, heel = self.ends(self.middle[:, None])
        return abs(float(tip[2, 0] - heel[2, 0])) < LEVEL * self.end

    def ends(self, q: Array) -> tuple[Array, Array]:
        """Return the lowest points of the foot's contact and of the one above it, in the trunk's axes (3, N) [m].

        q: coordinates (n, N).
        """
        R, p = np.broadcast_to(np.eye(3), (q.shape[1], 3, 3)), np.zeros((q.shape[1], 3))
        for joint, x in zip(self.joints, q, strict=True):
            p = p + R @ np.array(joint.position)
            R = R @ np.array(joint.rotation)
            axis = np.array(joint.axis)
            if joint.kind == "prismatic":
                p = p + (R @ axis) * x[:, None]
            else:
                R = R @ _rotations(axis, x)
        tip = p - self.end * R[:, :, 2]
        down = np.array([[0.0], [0.0], [1.0]])
        return tip.T - self.radius[0] * down, p.T - self.radius[1] * down

    def slopes(self, q: Array) -> Array:
        """Return the derivatives of the foot's place with respect to each coordinate (n, 3, N); q: (n, N)."""
        place, _ = self.ends(q)
        return np.stack([(self.ends(_moved(q, k))[0] - place) / DIFFERENCE for k in range(len(q))])


def legs_of(body: Body, figure: Figure) -> tuple[Leg, ...]:
    """Return the legs of a body, of each pair the left one, from the hindmost to the foremost; figure: its figure."""
    legs = list[Leg]()
    numbers = {id(limb): n for n, limb in enumerate(body.limbs)}
    muscles = list(muscles_of(body))
    for chain, limb, side in body.chains():
        if not limb.foot or side == "right":
            continue
        own = tuple(m for m in muscles if m.chain == chain)
        joints = tuple(figure.link(m.link).joint for m in own)
        last = limb.segments[-1]
        above = limb.segments[-2].lower_radius if len(limb.segments) > 1 else 0.0
        radius = (float(last.lower_radius), float(max(last.upper_radius, above)))
        legs.append(Leg(numbers[id(limb)], own, joints, radius, float(last.length)))
    return tuple(sorted(legs, key=lambda leg: body.limbs[leg.limb].at[0]))


def inverse_kinematics(leg: Leg, places: Array, height: float) -> Array:
    """Return the coordinates at which the foot of a leg is nearest to places (n, N), within the range of its targets.

    places: lowest points of the foot in the trunk's axes (3, N) [m]. height: unit of distances [m]. A foot that lies on
    the ground is kept level. [Levenberg 1944]
    """
    q = np.repeat(leg.middle[:, None], places.shape[1], axis=1)
    lower, upper = (leg.middle - leg.reach)[:, None], (leg.middle + leg.reach)[:, None]
    lies = leg.lies
    for _ in range(ITERATIONS):
        error = _errors(leg, q, places, height, lies=lies)
        slopes = np.stack([(_errors(leg, _moved(q, k), places, height, lies=lies) - error) for k in range(len(q))])
        J = (slopes / DIFFERENCE).transpose(2, 1, 0)
        Jt = J.transpose(0, 2, 1)
        step = np.linalg.solve(Jt @ J + DAMPING * np.eye(len(q)), -(Jt @ error.T[:, :, None]))[:, :, 0].T
        q = np.clip(q + np.clip(step, -LARGEST_STEP, LARGEST_STEP), lower, upper)
    return q


def _errors(leg: Leg, q: Array, places: Array, height: float, *, lies: bool) -> Array:
    """Return the distances from the wanted places, and from rest (rows, N)."""
    tip, heel = leg.ends(q)
    rows: list[Array] = [*((tip - places) / height)]
    rows += [(heel[2] - tip[2]) / height] if lies else []
    return np.array([*rows, *(POSTURE * (q - leg.middle[:, None]))])


def _moved(q: Array, k: int) -> Array:
    """Return coordinates with the k-th moved by DIFFERENCE."""
    moved = q.copy()
    moved[k] += DIFFERENCE
    return moved


def _rotations(axis: Array, angles: Sequence[float] | Array) -> Array:
    """Return the rotations about an axis by angles (N, 3, 3). [Rodrigues 1840]"""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    s, c = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    return np.eye(3) + s * K + (1.0 - c) * (K @ K)
