"""Passive forces of joints: springs, dampers, friction, limits, bias. [McKenna 1990, section 4.5]

Each angle and each slide of a joint has one spring. The orientation of a spherical or free joint has one spring, which
acts along the rotation vector.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np

from gambol.errors import FigureError, did_you_mean
from gambol.figure.composite import composite_bodies
from gambol.figure.figure import Figure
from gambol.figure.joint import JOINTS, subspace
from gambol.figure.link import PlacedLink
from gambol.figure.mass import MassProperties
from gambol.lanes import total

Scale: TypeAlias = Literal["none", "mass", "distal mass"]

STICTION_SPEED = 0.01
"""Default stiction speed [rad/s or m/s]: below it friction decreases to 0. Moving limbs are much faster."""

STOP_HERTZ = 20.0
"""Natural frequency of the stop at a limit without given stiffness [Hz]. A joint that reaches it at 10 rad/s overshoots
the limit by 2 degrees, in eight steps of 1 ms."""


@dataclass(frozen=True, slots=True)
class JointSpring:
    """Spring, damper, friction, limits and bias of one coordinate of a joint.

    stiffness: k of the linear spring [N m/rad or N/m]; alpha, beta: linear strength [N m or N] and rise [1/rad or 1/m]
    of the exponential spring; damping: b [N m s/rad or N s/m]; rest: angle or position without spring force;
    lower, upper: limits [rad or m] beyond which limit_stiffness and limit_damping act; bias: constant torque or force;
    friction: Coulomb torque or force [N m or N], regularised as v / sqrt(v^2 + s^2) with the stiction_speed s [rad/s or
    m/s]. At an orientation rest and bias are 0, lower has no effect, and upper, below pi, is the maximum angle
    from rest. scale: factor of stiffness, alpha, damping, friction, limit_stiffness and limit_damping: "none", "mass"
    (of the link [kg]) or "distal mass" (of its whole subtree); each number is then per kilogram. The bias is never
    scaled.
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
    stiction_speed: float = STICTION_SPEED
    scale: Scale = "none"


Springs: TypeAlias = JointSpring | tuple[JointSpring, ...]
"""Springs of a joint: a tuple with one for each coordinate or orientation; a single spring needs no tuple."""

SCALED = ("stiffness", "alpha", "damping", "friction", "limit_stiffness", "limit_damping")


def spring_slices(kind: str) -> tuple[slice, ...]:
    """Return the slice of a joint's coordinates for each spring: 4 numbers for an orientation, else 1."""
    return JOINTS[kind].spring_slices


def resolve_springs(figure: Figure, springs: Mapping[str, Springs]) -> dict[str, tuple[JointSpring, ...]]:
    """Return the springs of each joint with their scales resolved: in SI units and with the scale "none".

    figure: the figure, for its masses. springs: springs by the name of the joint's link. Raises FigureError for an
    unknown link, a wrong number of springs, and invalid numbers.
    """
    return {name: _resolved(figure, figure.link(name), joint_springs) for name, joint_springs in springs.items()}


def _resolved(figure: Figure, link: PlacedLink, joint_springs: Springs) -> tuple[JointSpring, ...]:
    springs = joint_springs if isinstance(joint_springs, tuple) else (joint_springs,)
    slices = spring_slices(link.joint.kind)
    if len(springs) != len(slices):
        raise FigureError(
            f'"{link.name}" has {len(springs)} springs; its {link.joint.kind} joint takes {len(slices)}, one for '
            "each angle and each slide, and one for an orientation"
        )
    for spring, indices in zip(springs, slices, strict=True):
        _check(link, spring, is_orientation=indices.stop - indices.start > 1)
    return tuple(_scaled(figure, link, spring) for spring in springs)


def _scaled(figure: Figure, link: PlacedLink, spring: JointSpring) -> JointSpring:
    if spring.scale == "none":
        return spring
    factor = link.mass_properties.mass if spring.scale == "mass" else figure.distal_mass(link.index)
    return replace(spring, **{name: factor * getattr(spring, name) for name in SCALED}, scale="none")


def _check(link: PlacedLink, spring: JointSpring, *, is_orientation: bool) -> None:
    label = f'the spring at "{link.name}"'
    if spring.scale not in get_args(Scale):
        raise FigureError(f'{label} is scaled by "{spring.scale}"; {did_you_mean(spring.scale, get_args(Scale))}')
    for name in (*SCALED, "beta"):
        if not 0.0 <= getattr(spring, name) < math.inf:
            raise FigureError(f"{label} has {name} = {getattr(spring, name):g}; it must be 0 or more, and finite")
    if not (math.isfinite(spring.rest) and math.isfinite(spring.bias)):
        raise FigureError(f"{label} has rest = {spring.rest:g} and bias = {spring.bias:g}; both must be finite")
    if not spring.lower < spring.upper:
        raise FigureError(f"{label} has limits {spring.lower:g} to {spring.upper:g}; the lower must be below the upper")
    if not 0.0 < spring.stiction_speed < math.inf:
        raise FigureError(
            f"{label} has stiction_speed (in files: creep) = {spring.stiction_speed:g}; it must be more than 0, and "
            "finite"
        )
    if is_orientation and (spring.rest or spring.bias):
        raise FigureError(
            f"{label} acts on an orientation, whose rest and bias must be 0; change the joint's rotation instead"
        )
    if is_orientation and spring.upper <= 0.0:
        raise FigureError(f"{label} lets an orientation turn by {spring.upper:g} rad; give a limit above 0")


def with_stops(figure: Figure, name: str, springs: Springs, hertz: float = STOP_HERTZ) -> tuple[JointSpring, ...]:
    """Return the resolved springs of a joint, with a critically damped stop at every limit without a stiffness.

    figure: the figure, for its inertias. name: name of the link. springs: springs of its joint. hertz: frequency f of
    the stop: k = I (2 pi f)^2 and b = 2 I (2 pi f), with I the inertia of the subtree at rest along the coordinate [kg
    m2 or kg], rotor included.
    """
    inertias = subtree_inertias(figure, name)
    resolved = _resolved(figure, figure.link(name), springs)
    return tuple(_with_stop(s, I, 2.0 * math.pi * hertz) for s, I in zip(resolved, inertias, strict=True))


def _with_stop(spring: JointSpring, I: float, w: float) -> JointSpring:
    limited = math.isfinite(spring.lower) or math.isfinite(spring.upper)
    if not limited or spring.limit_stiffness or spring.limit_damping:
        return spring
    return replace(spring, limit_stiffness=I * w * w, limit_damping=2.0 * I * w)


def subtree_inertias(figure: Figure, name: str) -> tuple[float, ...]:
    """Return the inertia of a joint's subtree along each of its coordinates, at rest [kg m2 or kg]; rotor included.

    figure: the figure. name: name of the joint's link. An orientation has the mean of the three moments.
    """
    link = figure.link(name)
    body = composite_bodies(figure.links)[link.index]
    inertias = [_inertia_along(body, [*S.w], [*S.v]) + link.joint.armature for S in subspace(link.joint)]
    return (total(inertias[:3]) / 3.0, *inertias[3:]) if JOINTS[link.joint.kind].has_quaternion else tuple(inertias)


def _inertia_along(body: MassProperties, w: list[float], v: list[float]) -> float:
    """Return a body's inertia along a motion, which is twice its kinetic energy.

    w, v: angular velocity and velocity of the origin of its frame.
    """
    v_com = np.array(v) + np.cross(w, body.com)
    return float(body.mass * (v_com @ v_com) + np.array(w) @ np.array(body.inertia) @ np.array(w))
