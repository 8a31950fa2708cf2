"""The penalty law: parameters of a soft ground and of sticky feet, and their forces at one point.

    spring       F = k d + alpha (e^(beta d) - 1)                         [McKenna 1990, eq. 8 and section 4.4]
    restitution  the spring's force is scaled by e while the point leaves the ground
    damper       -b v_n, limited so that the ground never pulls
    friction     a bristle: a spring from the place of first contact to the foot, within Coulomb's cone

In the thesis both restitution and friction switch at zero speed, which makes every resting foot chatter. Here
restitution has a transition over a speed, and friction over the bend of a bristle. (docs/decisions/004)
"""

from dataclasses import dataclass, fields, replace

from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, exp, maximum, minimum, sqrt, where
from gambol.spatial import Vector

MAX_EXPONENT = 50.0
"""Bound of beta d: e^50 times any strength stops a creature, and does not overflow even in float32."""

TINY = 1e-30
"""Added under a square root [N^2 or m^2]: far below any relevant force or length, but not 0."""


@dataclass(frozen=True, slots=True)
class ContactParameters:
    """Contact parameters of the ground, for one contact point.

    stiffness k [N/m], alpha [N], beta [1/m], damping b [N s/m]; deepest: depth beyond which the spring force is
    constant [m]; restitution e, with a transition over restitution_speed [m/s]; friction mu; bristle stiffness [N/m]
    and damping [N s/m] of feet; skid_damping of all other points, which have no bristle [N s/m].
    """

    stiffness: Scalar
    alpha: Scalar
    beta: Scalar
    damping: Scalar
    deepest: Scalar
    restitution: Scalar
    restitution_speed: Scalar
    friction: Scalar
    bristle_stiffness: Scalar
    bristle_damping: Scalar
    skid_damping: Scalar


@dataclass(frozen=True, slots=True)
class StickyFoot:
    """Parameters of a sticky foot at one contact point: an exponential spring that breaks. [McKenna 1990, 5.3]

    alpha [N], beta [1/m]; damping [N s/m]; restitution e while the point returns, with a transition over return_speed
    [m/s]; reach: stretch at which the spring breaks [m].
    """

    alpha: Scalar
    beta: Scalar
    damping: Scalar
    restitution: Scalar
    return_speed: Scalar
    reach: Scalar


SWITCH_SPEED = 1e-9
"""Width of the speed interval in which forces change, far below usual speeds [m/s]; in the thesis it is 0."""

SWITCHED_SKID = 1e12
"""Skid damping of friction that switches at zero speed [N s/m]: large enough for Coulomb's law at relevant speeds."""


def unsoftened(parameters: ContactParameters) -> ContactParameters:
    """Return the parameters of the thesis' own law: restitution and skidding friction switch at zero speed.

    Every point at rest chatters, so this law takes fixed steps, and it needs a surface without bristles, see
    SurfaceProperties.grip. [McKenna 1990, section 4.4]
    """
    return replace(parameters, restitution_speed=SWITCH_SPEED, skid_damping=SWITCHED_SKID)


def unsoftened_foot(foot: StickyFoot) -> StickyFoot:
    """Return the parameters of the sticky foot of the thesis: restitution switches at zero speed; no damper."""
    return replace(foot, return_speed=SWITCH_SPEED, damping=0.0)


def checked_parameters(parameters: ContactParameters) -> ContactParameters:
    """Return the parameters, with beta 1 and alpha 0 where beta is 0; raise WorldError if one of them is invalid."""
    for f in fields(parameters):
        value = getattr(parameters, f.name)
        if not 0.0 <= value < float("inf"):
            raise WorldError(f"the ground's {f.name} is {value}; it must be 0 or more, and finite")
    for name in ("deepest", "restitution_speed", "bristle_stiffness"):
        if getattr(parameters, name) == 0.0:
            raise WorldError(f"the ground's {name} is 0; it must be more than 0")
    return parameters if parameters.beta else replace(parameters, beta=1.0, alpha=0.0)


def checked_sticky_foot(foot: StickyFoot) -> StickyFoot:
    """Return the same parameters; raise WorldError if one of them is invalid."""
    for f in fields(foot):
        value = getattr(foot, f.name)
        if not 0.0 <= value < float("inf"):
            raise WorldError(f"the sticky feet's {f.name} is {value}; it must be 0 or more, and finite")
    for name in ("beta", "return_speed", "reach"):
        if getattr(foot, name) == 0.0:
            raise WorldError(f"the sticky feet's {name} is 0; it must be more than 0")
    return foot


@dataclass(frozen=True, slots=True)
class NormalForce:
    """A force along one direction, the energy stored in its spring [J], and its power loss [W]."""

    force: Scalar
    energy: Scalar
    loss: Scalar


def smoothstep(x: Scalar) -> Scalar:
    """Return 0 below 0, 1 above 1, and 3 x^2 - 2 x^3 between: a smooth switch."""
    t = clamp(x, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def spring_damper_force(parameters: ContactParameters, depth: Scalar, separation_speed: Scalar) -> NormalForce:
    """Return the normal force of the ground.

    parameters: parameters of the contact; depth: depth of the point inside the ground [m], negative above it;
    separation_speed: speed out of the ground [m/s].
    """
    d = clamp(depth, 0.0, parameters.deepest)
    rise = exp(minimum(parameters.beta * d, MAX_EXPONENT)) - 1.0
    spring = parameters.stiffness * d + parameters.alpha * rise
    energy = 0.5 * parameters.stiffness * d * d + parameters.alpha * (rise / parameters.beta - d) + spring * (depth - d)
    scale = 1.0 - (1.0 - parameters.restitution) * smoothstep(separation_speed / parameters.restitution_speed)
    damped = maximum(spring * scale - parameters.damping * separation_speed, 0.0)
    force = where(depth > 0.0, damped, 0.0)
    return NormalForce(force, energy, (spring - force) * separation_speed)


def bristle_friction(
    parameters: ContactParameters, normal_force: Scalar, bend: Vector, slip: Vector
) -> tuple[Vector, Scalar]:
    """Return friction in the plane of contact, and its power loss [W].

    parameters: parameters of the contact; normal_force [N]; bend: bend of the bristle, from its root to the point [m];
    slip: velocity along the ground [m/s].
    """
    elastic = bend * parameters.bristle_stiffness
    unlimited = elastic + slip * parameters.bristle_damping
    size = sqrt(unlimited.dot(unlimited) + TINY)
    force = -unlimited * minimum(parameters.friction * normal_force / size, 1.0)
    return force, -(force + elastic).dot(slip)


def regularised_friction(parameters: ContactParameters, normal_force: Scalar, slip: Vector) -> tuple[Vector, Scalar]:
    """Return the friction of a point without a bristle, and its power loss [W]: viscous if slow, Coulomb's if fast.

    parameters: parameters of the contact; normal_force [N]; slip: velocity along the ground [m/s].
    """
    unlimited = slip * parameters.skid_damping
    size = sqrt(unlimited.dot(unlimited) + TINY)
    force = -unlimited * minimum(parameters.friction * normal_force / size, 1.0)
    return force, -force.dot(slip)


def sticky_force(foot: StickyFoot, stretch: Vector, velocity: Vector) -> tuple[Vector, Scalar, Scalar]:
    """Return force, energy [J] and power loss [W] of a sticky foot's point.

    foot: parameters of the sticky foot; stretch: from the anchor to the point [m]; velocity: velocity of the point
    [m/s].
    """
    length = sqrt(stretch.dot(stretch) + TINY)
    direction = stretch * (1.0 / length)
    stretch_rate = direction.dot(velocity)
    rise = exp(minimum(foot.beta * length, MAX_EXPONENT)) - 1.0
    spring = foot.alpha * rise
    scale = 1.0 - (1.0 - foot.restitution) * smoothstep(-stretch_rate / foot.return_speed)
    force = direction * (-spring * scale) - velocity * foot.damping
    energy = foot.alpha * (rise / foot.beta - length)
    return force, energy, -force.dot(velocity) - spring * stretch_rate
