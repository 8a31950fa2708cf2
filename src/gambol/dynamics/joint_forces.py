"""Passive forces of a joint: springs, dampers, friction, limits and a bias. [McKenna 1990, sections 3.3 and 4.5]

    linear spring       f = -k x                                 V = k x^2 / 2
    exponential spring  f = -sign(x) alpha (e^(beta |x|) - 1)    V = alpha ((e^(beta |x|) - 1) / beta - |x|)   [eq. 8]
    damper              f = -b v
    friction            f = -F v / sqrt(v^2 + s^2)                  Coulomb friction, smooth; s: stiction speed
with x the displacement from the rest angle. Limits are a linear spring and a damper that act beyond them only. At an
orientation x is the rotation vector from rest, and every force a couple: the gradient of V = k |x|^2 / 2 gives -k x,
since d|x|/dt is the angular velocity along x. Along the coordinates of a joint these are forces F; tau = N' F, since
q_dot = N(q) v and power is the same in both.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gambol.figure import JOINTS, JointSpring, spring_slices
from gambol.lanes import Scalar, atan2, exp, maximum, minimum, sqrt, where
from gambol.spatial.vector import Vector

STEEPEST = 50.0
"""Upper bound of beta |x|: e^50 is 5e21, above any realistic force, and far from overflow even in float32."""

TINY = 1e-30
"""Added to a squared half angle under its root, so that the axis of the zero rotation has a finite derivative."""


@dataclass(frozen=True, slots=True)
class JointForce:
    """The parts of the force or torque along one coordinate [N m or N], and the energy stored in its springs [J].

    spring: of the springs with a rest angle; moving the rest angle does work against it. limit: of the limits' springs.
    lost: dissipative force of dampers and friction. bias: constant. The power of each is its product with the velocity.
    """

    spring: Scalar
    limit: Scalar
    lost: Scalar
    bias: Scalar
    energy: Scalar

    @property
    def total(self) -> Scalar:
        """The sum of all parts [N m or N]."""
        return self.spring + self.limit + self.lost + self.bias


@dataclass(frozen=True, slots=True)
class JointForces:
    """The passive forces of one joint.

    tau: their sum (nv) [N m or N]. springs: JointForce.spring of each coordinate, 0 at an orientation.
    energy: stored [J]; driven, loss: power of the biases, and of all dampers and friction [W].
    """

    tau: list[Scalar]
    springs: list[Scalar]
    energy: Scalar
    driven: Scalar
    loss: Scalar


def spring_numbers(spring: JointSpring) -> dict[str, float]:
    """Return the numbers of a spring that its formulas need, without those of absent terms.

    spring: with its scale resolved. The rest angle is not included, since motor programs move it.
    """
    numbers: dict[str, float] = {}
    if spring.damping:
        numbers["damping"] = spring.damping
    if spring.bias:
        numbers["bias"] = spring.bias
    if spring.friction:
        numbers |= {"friction": spring.friction, "creep": spring.stiction_speed}
    if spring.stiffness:
        numbers["stiffness"] = spring.stiffness
    if spring.alpha and spring.beta:
        numbers |= {"alpha": spring.alpha, "beta": spring.beta}
    if spring.limit_stiffness or spring.limit_damping:
        numbers |= {n: getattr(spring, n) for n in ("lower", "upper", "limit_stiffness", "limit_damping")}
    return numbers


def joint_forces(
    kind: str,
    numbers: Sequence[Mapping[str, Scalar]],
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    rest: Sequence[Scalar],
) -> JointForces:
    """Return the passive forces of one joint.

    kind: of the joint. numbers: see spring_numbers(); rest: coordinates where the springs are without force [rad or m];
    both have one entry for each spring slice. q, v: coordinates and velocities of the joint.
    """
    q_dot = JOINTS[kind].q_dot(q, v)
    force: list[Scalar] = [0.0] * len(q)
    couple: Sequence[Scalar] = ()
    springs: list[Scalar] = []
    energy, driven, loss = 0.0, 0.0, 0.0
    for part, spring, x_0 in zip(spring_slices(kind), numbers, rest, strict=True):
        if part.stop - part.start > 1:
            couple, stored, lost = orientation_force(spring, q[part], v[:3])
            springs.append(0.0)
            energy, loss = energy + stored, loss + lost
            continue
        k = part.start
        parts = joint_force(spring, q[k], q_dot[k], x_0)
        force[k] = parts.total
        springs.append(parts.spring)
        energy, driven, loss = energy + parts.energy, driven + parts.bias * q_dot[k], loss - parts.lost * q_dot[k]
    return JointForces(_on_velocities(kind, q, force, couple), springs, energy, driven, loss)


def _on_velocities(kind: str, q: Sequence[Scalar], force: Sequence[Scalar], couple: Sequence[Scalar]) -> list[Scalar]:
    """Return N' F: forces along coordinates as joint forces; the force of an orientation is a couple already."""
    joint_kind, couple_size = JOINTS[kind], len(couple)
    first = 4 if couple_size else 0
    tau = list(couple)
    for k in range(couple_size, joint_kind.nv):
        column = joint_kind.q_dot(q, [1.0 if k == j else 0.0 for j in range(joint_kind.nv)])
        tau.append(sum((f * n for f, n in zip(force[first:], column[first:], strict=True)), 0.0))
    return tau


def orientation_force(
    numbers: Mapping[str, Scalar], q: Sequence[Scalar], w: Sequence[Scalar]
) -> tuple[list[Scalar], Scalar, Scalar]:
    """Return the couple at an orientation, in link coordinates [N m], its stored energy [J], and the power lost [W].

    numbers: see spring_numbers(). q: quaternion (w, x, y, z), at rest (1, 0, 0, 0); w: angular velocity in link
    coordinates [rad/s]. The angle from rest is 0 to pi; springs act along the shorter rotation, so their couple
    reverses at pi.
    """
    omega, axis = Vector(*w), Vector(*q[1:])
    s = sqrt(axis.dot(axis) + TINY)
    n = axis * (where(q[0] < 0.0, -1.0, 1.0) / s)
    radial = joint_force(
        {k: x for k, x in numbers.items() if k in RADIAL}, 2.0 * atan2(s, abs(q[0])), n.dot(omega), 0.0
    )
    drag = numbers.get("damping", 0.0)
    if "friction" in numbers:
        drag = drag + numbers["friction"] / sqrt(omega.dot(omega) + numbers["creep"] * numbers["creep"])
    couple = n * radial.total - omega * drag
    return [*couple], radial.energy, drag * omega.dot(omega) - radial.lost * n.dot(omega)


RADIAL = ("stiffness", "alpha", "beta", "lower", "upper", "limit_stiffness", "limit_damping")
"""Numbers of a spring that act along the rotation vector at an orientation; dampers and friction oppose every turn."""


def joint_force(numbers: Mapping[str, Scalar], q: Scalar, v: Scalar, rest: Scalar) -> JointForce:
    """Return the passive force along one coordinate.

    numbers: see spring_numbers(). q, v: coordinate and its rate [rad or m]; rest: where the springs are without force.
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
    if "friction" in numbers:
        lost = lost - numbers["friction"] * v / sqrt(v * v + numbers["creep"] * numbers["creep"])
    if "limit_stiffness" in numbers:
        limit, stored, damped = _limit(numbers, q, v)
        energy, lost = energy + stored, lost + damped
    return JointForce(spring, limit, lost, numbers.get("bias", 0.0), energy)


def exponential_spring(x: Scalar, alpha: Scalar, beta: Scalar) -> tuple[Scalar, Scalar]:
    """Return the restoring force of a spring that stiffens exponentially, and its energy. [McKenna 1990, eq. 8]

    x: displacement from rest [m or rad]; alpha: linear strength [N or N m]; beta: rise [1/m or 1/rad].
    Returns the force or torque, opposite in sign to x [N or N m], and the energy stored [J]. beta |x| is limited
    to 50, beyond which the force stays constant.
    """
    stretch = abs(x)
    exponent = minimum(beta * stretch, STEEPEST)
    rise = exp(exponent) - 1.0
    force = alpha * rise
    energy = alpha * ((rise - exponent) / beta + rise * (stretch - exponent / beta))
    return where(x > 0.0, -force, force), energy


def _limit(numbers: Mapping[str, Scalar], q: Scalar, v: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Return force, energy and damping force of the spring and damper beyond either limit."""
    beyond = maximum(q - numbers["upper"], 0.0) + minimum(q - numbers["lower"], 0.0)
    k, b = numbers["limit_stiffness"], numbers["limit_damping"]
    damped = where((q > numbers["upper"]) | (q < numbers["lower"]), -b * v, 0.0)
    return -k * beyond, k * beyond * beyond * 0.5, damped
