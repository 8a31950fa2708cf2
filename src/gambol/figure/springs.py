"""What pushes at a joint besides its motor: springs, damper, limits and bias, as data. [McKenna 1990, section 4.5]"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from gambol.errors import FigureError, did_you_mean
from gambol.figure.figure import Figure
from gambol.figure.link import PlacedLink

Scale: TypeAlias = Literal["none", "mass", "distal mass"]


@dataclass(frozen=True, slots=True)
class JointSpring:
    """Spring, damper, limits and bias of one joint that turns or slides.

    stiffness: k of the linear spring [N m/rad or N/m]; alpha, beta: linear strength [N m or N] and rise [1/rad or 1/m]
    of the exponential spring; damping: b [N m s/rad or N s/m]; rest: angle or place where both springs are slack;
    lower, upper: limits [rad or m] beyond which limit_stiffness and limit_damping act; bias: constant torque or force.
    scale: what stiffness, alpha, damping, limit_stiffness and limit_damping are multiplied by: "none", "mass" (the
    link's own mass [kg]) or "distal mass" (that of all that the joint carries, the link included); each number is
    then per kilogram. The bias is never scaled.
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
    scale: Scale = "none"


NEVER_NEGATIVE = ("stiffness", "alpha", "beta", "damping", "limit_stiffness", "limit_damping")


def resolve_springs(figure: Figure, springs: Mapping[str, JointSpring]) -> dict[str, JointSpring]:
    """The springs with their scales worked out for a figure: every one in N, m, rad, s and of scale "none".

    springs: by the name of the link whose joint they act on. Raises FigureError for a link that does not exist, a joint
    that is neither rotary nor sliding, and numbers that no spring can have.
    """
    return {name: _resolved(figure, figure.link(name), spring) for name, spring in springs.items()}


def _resolved(figure: Figure, link: PlacedLink, spring: JointSpring) -> JointSpring:
    _check(link, spring)
    factor = {
        "none": 1.0,
        "mass": link.mass_properties.mass,
        "distal mass": figure.distal_mass(link.index),
    }[spring.scale]
    return replace(
        spring,
        stiffness=factor * spring.stiffness,
        alpha=factor * spring.alpha,
        damping=factor * spring.damping,
        limit_stiffness=factor * spring.limit_stiffness,
        limit_damping=factor * spring.limit_damping,
        scale="none",
    )


def _check(link: PlacedLink, spring: JointSpring) -> None:
    of = f'the spring at "{link.name}"'
    if link.v.stop - link.v.start != 1:
        raise FigureError(f'{of} sits on a "{link.joint.kind}" joint; springs act on joints with one degree of freedom')
    if spring.scale not in get_args(Scale):
        raise FigureError(f'{of} is scaled by "{spring.scale}"; {did_you_mean(spring.scale, get_args(Scale))}')
    for name in NEVER_NEGATIVE:
        if not 0.0 <= getattr(spring, name) < math.inf:
            raise FigureError(f"{of} has {name} = {getattr(spring, name):g}; it must be 0 or more, and finite")
    if not (math.isfinite(spring.rest) and math.isfinite(spring.bias)):
        raise FigureError(f"{of} has rest = {spring.rest:g} and bias = {spring.bias:g}; both must be finite")
    if not spring.lower < spring.upper:
        raise FigureError(f"{of} has limits {spring.lower:g} to {spring.upper:g}; the lower must be below the upper")
