"""What springs, dampers, limits and a bias do at a joint. [McKenna 1990, sections 3.3 and 4.5]

    linear spring       f = -k x                                 V = k x^2 / 2
    exponential spring  f = -sign(x) alpha (e^(beta |x|) - 1)    V = alpha ((e^(beta |x|) - 1) / beta - |x|)   [eq. 8]
    damper              f = -b v
with x the displacement from the rest angle. Limits are a linear spring and a damper that act beyond them only.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from gambol.figure import JointSpring
from gambol.lanes import Scalar, exp, maximum, minimum, where

STEEPEST = 50.0
"""beta |x| is held here: e^50 is 5e21, more than any joint bears, and far from overflow even in float32."""


@dataclass(frozen=True, slots=True)
class JointForce:
    """The parts of the force or torque at one joint [N m or N], and the energy stored in its springs [J].

    spring: of the springs that have a rest angle; whoever moves the rest angle works against it. limit: of the limits'
    springs. lost: of all dampers. bias: constant. The power of each is its product with the joint's velocity.
    """

    spring: Scalar
    limit: Scalar
    lost: Scalar
    bias: Scalar
    energy: Scalar

    @property
    def total(self) -> Scalar:
        """What acts on the joint [N m or N]."""
        return self.spring + self.limit + self.lost + self.bias


def spring_numbers(spring: JointSpring) -> dict[str, float]:
    """The numbers of a spring that its formulas need: terms that are absent leave nothing behind.

    spring: with its scale worked out. The rest angle is not among them, for motor programs move it.
    """
    numbers: dict[str, float] = {}
    if spring.damping:
        numbers["damping"] = spring.damping
    if spring.bias:
        numbers["bias"] = spring.bias
    if spring.stiffness:
        numbers["stiffness"] = spring.stiffness
    if spring.alpha and spring.beta:
        numbers |= {"alpha": spring.alpha, "beta": spring.beta}
    if spring.limit_stiffness or spring.limit_damping:
        numbers |= {n: getattr(spring, n) for n in ("lower", "upper", "limit_stiffness", "limit_damping")}
    return numbers


def joint_force(numbers: Mapping[str, Scalar], q: Scalar, v: Scalar, rest: Scalar) -> JointForce:
    """All that acts at one joint.

    numbers: see spring_numbers. q, v: position and velocity [rad or m]; rest: where the springs are slack.
    """
    x = q - rest
    spring, limit, lost, energy = 0.0, 0.0, 0.0, 0.0
    if "stiffness" in numbers:
        spring, energy = numbers["stiffness"] * -x, numbers["stiffness"] * x * x * 0.5
    if "alpha" in numbers:
        force, stored = exponential_spring(x, numbers["alpha"], numbers["beta"])
        spring, energy = spring + force, energy + stored
    if "damping" in numbers:
        lost = -numbers["damping"] * v
    if "limit_stiffness" in numbers:
        limit, stored, damped = _limit(numbers, q, v)
        energy, lost = energy + stored, lost + damped
    return JointForce(spring, limit, lost, numbers.get("bias", 0.0), energy)


def exponential_spring(x: Scalar, alpha: Scalar, beta: Scalar) -> tuple[Scalar, Scalar]:
    """Restoring force of a spring that stiffens exponentially, and its energy. [McKenna 1990, eq. 8]

    x: displacement from rest [m or rad]; alpha: linear strength [N or N m]; beta: rise [1/m or 1/rad].
    Returns the force or torque, opposite in sign to x [N or N m], and the energy stored [J]. Steep: beta |x| is held
    at 50, beyond which the force grows no more.
    """
    stretch = abs(x)
    held = minimum(beta * stretch, STEEPEST)
    rise = exp(held) - 1.0
    pull = alpha * rise
    energy = alpha * ((rise - held) / beta + rise * (stretch - held / beta))
    return where(x > 0.0, -pull, pull), energy


def _limit(numbers: Mapping[str, Scalar], q: Scalar, v: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """A spring and damper that act beyond either limit: force, energy, damping force."""
    beyond = maximum(q - numbers["upper"], 0.0) + minimum(q - numbers["lower"], 0.0)
    k, b = numbers["limit_stiffness"], numbers["limit_damping"]
    damped = where((q > numbers["upper"]) | (q < numbers["lower"]), -b * v, 0.0)
    return -k * beyond, k * beyond * beyond * 0.5, damped
