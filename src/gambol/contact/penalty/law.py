"""What touching does: the numbers of a penalty ground, of sticky feet, and their forces at one point.

    spring       F = k d + alpha (e^(beta d) - 1)                         [McKenna 1990, eq. 8 and section 4.4]
    restitution  the spring's force is scaled by e while the point leaves the ground
    damper       -b v_n, never more than would make the ground pull
    friction     a bristle: a spring from where the foot first touched, held within the cone of Coulomb

The thesis switches at zero speed, for restitution and for friction alike, which makes every resting foot chatter. Here
restitution takes hold over a speed, and friction over the bend of a bristle. (docs/decisions/004)
"""

from dataclasses import dataclass, fields, replace

from gambol.errors import WorldError
from gambol.lanes import Scalar, clamp, exp, maximum, minimum, sqrt, where
from gambol.spatial import Vector

MOST_RISE = 50.0
"""beta d is held here: e^50 times any strength stops a creature, and is far from overflow even in float32."""

TINY = 1e-30
"""Added under a square root [N^2 or m^2]: far below any force or length that matters, and not 0."""


@dataclass(frozen=True, slots=True)
class Touch:
    """The numbers of a ground's touch, each for one contact point.

    stiffness k [N/m], alpha [N], beta [1/m], damping b [N s/m]; deepest: depth beyond which the springs grow no more
    [m]; restitution e, taking hold over restitution_speed [m/s]; friction mu; bristle stiffness [N/m] and damping
    [N s/m] of feet, skid_damping of all other points [N s/m].
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
class Stick:
    """The numbers of a sticky foot's hold at one contact point: an exponential spring that breaks. [McKenna 1990, 5.3]

    alpha [N], beta [1/m]; damping [N s/m]; restitution e while the point returns, over return_speed [m/s]; reach:
    stretch at which it breaks [m].
    """

    alpha: Scalar
    beta: Scalar
    damping: Scalar
    restitution: Scalar
    return_speed: Scalar
    reach: Scalar


def checked_touch(touch: Touch) -> Touch:
    """The same numbers; WorldError where one of them cannot be."""
    for f in fields(touch):
        value = getattr(touch, f.name)
        if not 0.0 <= value < float("inf"):
            raise WorldError(f"the ground's {f.name} is {value}; it must be 0 or more, and finite")
    for name in ("deepest", "restitution_speed", "bristle_stiffness"):
        if getattr(touch, name) == 0.0:
            raise WorldError(f"the ground's {name} is 0; it must be more")
    return touch if touch.beta else replace(touch, beta=1.0, alpha=0.0)


def checked_stick(stick: Stick) -> Stick:
    """The same hold; WorldError where one of its numbers cannot be."""
    for f in fields(stick):
        value = getattr(stick, f.name)
        if not 0.0 <= value < float("inf"):
            raise WorldError(f"the hold of sticky feet has {f.name} = {value}; it must be 0 or more, and finite")
    for name in ("beta", "return_speed", "reach"):
        if getattr(stick, name) == 0.0:
            raise WorldError(f"the hold of sticky feet has {name} = 0; it must be more")
    return stick


@dataclass(frozen=True, slots=True)
class Push:
    """A force along one direction, the energy stored behind it [J], and the power it takes out of the motion [W]."""

    force: Scalar
    energy: Scalar
    loss: Scalar


def eased(x: Scalar) -> Scalar:
    """0 below 0, 1 above 1, and 3 x^2 - 2 x^3 between: a switch without a corner."""
    t = clamp(x, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def normal_push(touch: Touch, depth: Scalar, leaving: Scalar) -> Push:
    """What the ground does along its normal.

    depth: of the point inside the ground [m], negative above it; leaving: speed out of the ground [m/s].
    """
    d = clamp(depth, 0.0, touch.deepest)
    rise = exp(minimum(touch.beta * d, MOST_RISE)) - 1.0
    spring = touch.stiffness * d + touch.alpha * rise
    energy = 0.5 * touch.stiffness * d * d + touch.alpha * (rise / touch.beta - d) + spring * (depth - d)
    scale = 1.0 - (1.0 - touch.restitution) * eased(leaving / touch.restitution_speed)
    damped = maximum(spring * scale - touch.damping * leaving, 0.0)
    force = where(depth > 0.0, damped, 0.0)
    return Push(force, energy, (spring - force) * leaving)


def friction_pull(touch: Touch, normal: Scalar, bend: Vector, slip: Vector) -> tuple[Vector, Scalar]:
    """What friction does in the plane of contact, and its loss [W].

    normal: the ground's push [N]; bend: of the bristle, from its root to the point [m]; slip: velocity [m/s].
    """
    held = bend * touch.bristle_stiffness
    wanted = held + slip * touch.bristle_damping
    size = sqrt(wanted.dot(wanted) + TINY)
    force = -wanted * minimum(touch.friction * normal / size, 1.0)
    return force, -(force + held).dot(slip)


def skid_pull(touch: Touch, normal: Scalar, slip: Vector) -> tuple[Vector, Scalar]:
    """Friction of a point without a bristle: viscous where it is slow, Coulomb's where it is fast; and its loss [W]."""
    wanted = slip * touch.skid_damping
    size = sqrt(wanted.dot(wanted) + TINY)
    force = -wanted * minimum(touch.friction * normal / size, 1.0)
    return force, -force.dot(slip)


def stick_pull(stick: Stick, stretch: Vector, velocity: Vector) -> tuple[Vector, Scalar, Scalar]:
    """What a hold does to its point: force, energy [J] and loss [W].

    stretch: from the hold's root to the point [m]; velocity: of the point [m/s].
    """
    length = sqrt(stretch.dot(stretch) + TINY)
    along = stretch * (1.0 / length)
    growing = along.dot(velocity)
    rise = exp(minimum(stick.beta * length, MOST_RISE)) - 1.0
    spring = stick.alpha * rise
    scale = 1.0 - (1.0 - stick.restitution) * eased(-growing / stick.return_speed)
    force = along * (-spring * scale) - velocity * stick.damping
    energy = stick.alpha * (rise / stick.beta - length)
    return force, energy, -force.dot(velocity) - spring * growing
