"""What pushes at a joint besides its motor: springs, dampers, friction, limits, bias. [McKenna 1990, section 4.5]

Each place of a joint has a spring of its own: every angle and every slide, and the orientation of a spherical or free
joint, whose spring acts along its rotation vector.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np

from gambol.errors import FigureError, did_you_mean
from gambol.figure.composite import composites
from gambol.figure.figure import Figure
from gambol.figure.joint import JOINTS, subspace
from gambol.figure.link import PlacedLink
from gambol.figure.mass import MassProperties
from gambol.lanes import total

Scale: TypeAlias = Literal["none", "mass", "distal mass"]

CREEP = 0.01
"""Speed below which friction eases off [rad/s or m/s]: far below that of any limb that moves."""

STOP_HERTZ = 20.0
"""Frequency of a limit whose stiffness is not given: at 10 rad/s a joint goes 2 degrees beyond it, and the stop lasts
eight steps of 1 ms."""


@dataclass(frozen=True, slots=True)
class JointSpring:
    """Spring, damper, friction, limits and bias of one place of a joint.

    stiffness: k of the linear spring [N m/rad or N/m]; alpha, beta: linear strength [N m or N] and rise [1/rad or 1/m]
    of the exponential spring; damping: b [N m s/rad or N s/m]; rest: angle or place where both springs are slack;
    lower, upper: limits [rad or m] beyond which limit_stiffness and limit_damping act; bias: constant torque or force;
    friction: torque or force that opposes motion at any speed v [N m or N], eased off as v / sqrt(v^2 + creep^2)
    [rad/s or m/s]. At an orientation rest and bias are 0, lower does nothing, and upper, below pi, is how far it may
    turn from where it rests. scale: what stiffness, alpha, damping, friction, limit_stiffness and limit_damping are
    multiplied by: "none", "mass" (the link's own mass [kg]) or "distal mass" (that of all that the joint carries, the
    link included); each number is then per kilogram. The bias is never scaled.
    """

    stiffness: float = 0.0
    alpha: float = 0.0
    beta: float = 0.0
    damping: float = 0.0
    rest: float = 0.0
    lower: float = -math.inf
    upper: float = math.inf
    limit_stiffness: float = 0.0
    limit_damping: float = 0.0
    bias: float = 0.0
    friction: float = 0.0
    creep: float = CREEP
    scale: Scale = "none"


Springs: TypeAlias = JointSpring | tuple[JointSpring, ...]
"""What a joint has: one spring for each of its places, or the spring itself where there is only one."""

SCALED = ("stiffness", "alpha", "damping", "friction", "limit_stiffness", "limit_damping")


def spring_places(kind: str) -> tuple[slice, ...]:
    """The places of a joint of some kind where a spring can act, as parts of its coordinates: 4 for an orientation."""
    row = JOINTS[kind]
    turn = (slice(0, 4),) if row.turns else ()
    return (*turn, *(slice(k, k + 1) for k in range(4 if turn else 0, row.nq)))


def resolve_springs(figure: Figure, springs: Mapping[str, Springs]) -> dict[str, tuple[JointSpring, ...]]:
    """The springs of each joint, one for each of its places, with their scales worked out for a figure.

    springs: by the name of the link whose joint they act on. Every one comes back in N, m, rad, s and of scale "none".
    Raises FigureError for a link that does not exist, another number of springs than the joint has places, and numbers
    that no spring can have.
    """
    return {name: _resolved(figure, figure.link(name), given) for name, given in springs.items()}


def _resolved(figure: Figure, link: PlacedLink, given: Springs) -> tuple[JointSpring, ...]:
    springs = given if isinstance(given, tuple) else (given,)
    places = spring_places(link.joint.kind)
    if len(springs) != len(places):
        raise FigureError(
            f'"{link.name}" has {len(springs)} springs; its {link.joint.kind} joint takes {len(places)}, one for '
            "each angle and each slide, and one for an orientation"
        )
    for spring, place in zip(springs, places, strict=True):
        _check(link, spring, turns=place.stop - place.start > 1)
    return tuple(_scaled(figure, link, spring) for spring in springs)


def _scaled(figure: Figure, link: PlacedLink, spring: JointSpring) -> JointSpring:
    if spring.scale == "none":
        return spring
    factor = link.mass_properties.mass if spring.scale == "mass" else figure.distal_mass(link.index)
    return replace(spring, **{name: factor * getattr(spring, name) for name in SCALED}, scale="none")


def _check(link: PlacedLink, spring: JointSpring, *, turns: bool) -> None:
    of = f'the spring at "{link.name}"'
    if spring.scale not in get_args(Scale):
        raise FigureError(f'{of} is scaled by "{spring.scale}"; {did_you_mean(spring.scale, get_args(Scale))}')
    for name in (*SCALED, "beta"):
        if not 0.0 <= getattr(spring, name) < math.inf:
            raise FigureError(f"{of} has {name} = {getattr(spring, name):g}; it must be 0 or more, and finite")
    if not (math.isfinite(spring.rest) and math.isfinite(spring.bias)):
        raise FigureError(f"{of} has rest = {spring.rest:g} and bias = {spring.bias:g}; both must be finite")
    if not spring.lower < spring.upper:
        raise FigureError(f"{of} has limits {spring.lower:g} to {spring.upper:g}; the lower must be below the upper")
    if not 0.0 < spring.creep < math.inf:
        raise FigureError(f"{of} has creep = {spring.creep:g}; it must be more than 0, and finite")
    if turns and (spring.rest or spring.bias):
        raise FigureError(f"{of} acts on an orientation, whose rest and bias must be 0; turn the joint instead")
    if turns and spring.upper <= 0.0:
        raise FigureError(f"{of} lets an orientation turn by {spring.upper:g} rad; give a limit above 0")


def with_stops(figure: Figure, name: str, given: Springs, hertz: float = STOP_HERTZ) -> tuple[JointSpring, ...]:
    """The springs of a joint, resolved, with a critically damped stop at every limit that was given no stiffness.

    name: of the link. hertz: frequency f of the stop, k = I (2 pi f)^2 and b = 2 I (2 pi f), with I the inertia
    that the joint carries at rest along its place [kg m2 or kg], its rotor's included.
    """
    inertias = carried_inertias(figure, name)
    springs = _resolved(figure, figure.link(name), given)
    return tuple(_stopped(s, I, 2.0 * math.pi * hertz) for s, I in zip(springs, inertias, strict=True))


def _stopped(spring: JointSpring, I: float, w: float) -> JointSpring:
    limited = math.isfinite(spring.lower) or math.isfinite(spring.upper)
    if not limited or spring.limit_stiffness or spring.limit_damping:
        return spring
    return replace(spring, limit_stiffness=I * w * w, limit_damping=2.0 * I * w)


def carried_inertias(figure: Figure, name: str) -> tuple[float, ...]:
    """The inertia that a joint carries along each of its places, everything at rest [kg m2 or kg]; rotors included.

    An orientation has the mean of its three moments.
    """
    link = figure.link(name)
    body = composites(figure.links)[link.index]
    along = [_moment(body, [*S.w], [*S.v]) + link.joint.armature for S in subspace(link.joint)]
    return (total(along[:3]) / 3.0, *along[3:]) if JOINTS[link.joint.kind].turns else tuple(along)


def _moment(body: MassProperties, w: list[float], v: list[float]) -> float:
    """Twice the energy of a body that moves with angular velocity w and velocity v of its frame's origin."""
    moving = np.array(v) + np.cross(w, body.com)
    return float(body.mass * (moving @ moving) + np.array(w) @ np.array(body.inertia) @ np.array(w))
