"""Passive forces of a joint: springs, dampers, friction, limits and a bias. [McKenna 1990, sections 3.3 and 4.5]

    linear spring       f = -k x                                 V = k x^2 / 2
    exponential spring  f = -sign(x) alpha (e^(beta |x|) - 1)    V = alpha ((e^(beta |x|) - 1) / beta - |x|)   [eq. 8]
    damper              f = -b v
    friction            f = -F v / sqrt(v^2 + s^2)                  Coulomb friction, smooth; s: stiction speed
x is the displacement from the rest angle. A limit is a linear spring and a damper that act only beyond it. At an
orientation x is the rotation vector from rest, and every force is a couple: the gradient of V = k |x|^2 / 2 gives -k x,
since d|x|/dt is the angular velocity along x. All these forces F are along the coordinates of a joint; tau = N' F,
since q_dot = N(q) v and F . q_dot = tau . v.

Implicit steps need stiffness and damping along joint velocities: these are k, alpha beta e^(beta |x|) and b; beyond a
limit its stiffness and damping are added. At an orientation the stiffness is for small rotations: k about every axis.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from gambol.figure import JOINTS, JointSpring, spring_slices
from gambol.lanes import Scalar, atan2, exp, map_alike, maximum, minimum, sqrt, where
from gambol.spatial.vector import Vector

MAX_EXPONENT = 50.0
"""Upper bound of beta |x|: e^50 is 5e21, above any realistic force, and without overflow even in float32."""

SQUARED_SINE_EPSILON = 1e-30  # added to sin^2 of the half angle: the derivative of its root stays finite at 0


@dataclass(frozen=True, slots=True)
class JointForce:
    """The parts of the force or torque along one coordinate [N m or N], and the energy stored in its springs [J].

    spring: force of the springs with a rest angle; moving the rest angle does work against it. limit: force of the
    springs of limits. dissipative: force of dampers and friction. bias: constant force. The power of each part is its
    product with the velocity.
    """

    spring: Scalar
    limit: Scalar
    dissipative: Scalar
    bias: Scalar
    energy: Scalar

    @property
    def total(self) -> Scalar:
        """The sum of all parts [N m or N]."""
        return self.spring + self.limit + self.dissipative + self.bias


@dataclass(frozen=True, slots=True)
class JointForces:
    """The passive forces of one joint.

    tau: sum of all forces (nv) [N m or N]. springs: JointForce.spring of each coordinate, 0 at an orientation. energy:
    stored in springs [J]. bias_power: power of the biases [W]. dissipated_power: dissipated power of dampers and
    friction [W].
    """

    tau: list[Scalar]
    springs: list[Scalar]
    energy: Scalar
    bias_power: Scalar
    dissipated_power: Scalar


def spring_numbers(spring: JointSpring) -> dict[str, float]:
    """Return the numbers of a spring by name, without numbers of absent terms.

    spring: a spring with its scale resolved. The rest angle is left out, since motor programs change it during a run.
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

    kind: kind of the joint. numbers: see spring_numbers(), one mapping for each spring slice. q, v: coordinates and
    velocities of the joint. rest: coordinate at which the springs are without force [rad or m], one for each spring
    slice.
    """
    q_dot = JOINTS[kind].q_dot(q, v)
    force: list[Scalar] = [0.0] * len(q)
    couple: Sequence[Scalar] = ()
    springs: list[Scalar] = []
    energy, bias_power, dissipated_power = 0.0, 0.0, 0.0
    for indices, spring, x_0 in zip(spring_slices(kind), numbers, rest, strict=True):
        if indices.stop - indices.start > 1:
            couple, stored, dissipated = orientation_force(spring, q[indices], v[:3])
            springs.append(0.0)
            energy, dissipated_power = energy + stored, dissipated_power + dissipated
            continue
        k = indices.start
        result = joint_force(spring, q[k], q_dot[k], x_0)
        force[k] = result.total
        springs.append(result.spring)
        energy, bias_power, dissipated_power = (
            energy + result.energy,
            bias_power + result.bias * q_dot[k],
            dissipated_power - result.dissipative * q_dot[k],
        )
    return JointForces(_generalised_forces(kind, q, force, couple), springs, energy, bias_power, dissipated_power)


def spring_energy(
    kind: str, numbers: Sequence[Mapping[str, Scalar]], q: Sequence[Scalar], rest: Sequence[Scalar]
) -> Scalar:
    """Return the energy stored in the springs of one joint [J]; arguments: see joint_forces()."""
    return joint_forces(kind, numbers, q, [0.0] * JOINTS[kind].nv, rest).energy


def _generalised_forces(
    kind: str, q: Sequence[Scalar], force: Sequence[Scalar], couple: Sequence[Scalar]
) -> list[Scalar]:
    """Return N' F, the joint forces tau (nv).

    kind, q: kind and coordinates of the joint. force: F (nq), not used at an orientation. couple: couple at an
    orientation, else empty.
    """
    joint_kind, couple_size = JOINTS[kind], len(couple)
    start = 4 if couple_size else 0
    tau = list(couple)
    for k in range(couple_size, joint_kind.nv):
        column = joint_kind.q_dot(q, [1.0 if k == j else 0.0 for j in range(joint_kind.nv)])
        tau.append(sum((f * n for f, n in zip(force[start:], column[start:], strict=True)), 0.0))
    return tau


def orientation_force(
    numbers: Mapping[str, Scalar], q: Sequence[Scalar], w: Sequence[Scalar]
) -> tuple[list[Scalar], Scalar, Scalar]:
    """Return the couple at an orientation, in link coordinates [N m], its energy [J], and the dissipated power [W].

    numbers: see spring_numbers(). q: quaternion (w, x, y, z), at rest (1, 0, 0, 0); w: angular velocity in link
    coordinates [rad/s]. The angle from rest is 0 to pi; springs act along the shorter rotation, so their couple
    reverses at pi.
    """
    omega, axis = Vector(*w), Vector(*q[1:])
    s = sqrt(axis.dot(axis) + SQUARED_SINE_EPSILON)
    n = axis * (where(q[0] < 0.0, -1.0, 1.0) / s)
    radial = joint_force(
        {k: x for k, x in numbers.items() if k in RADIAL}, 2.0 * atan2(s, abs(q[0])), n.dot(omega), 0.0
    )
    drag = numbers.get("damping", 0.0)
    if "friction" in numbers:
        drag = drag + numbers["friction"] / sqrt(omega.dot(omega) + numbers["creep"] * numbers["creep"])
    couple = n * radial.total - omega * drag
    return [*couple], radial.energy, drag * omega.dot(omega) - radial.dissipative * n.dot(omega)


RADIAL = ("stiffness", "alpha", "beta", "lower", "upper", "limit_stiffness", "limit_damping")
"""Numbers of a spring that act along the rotation vector at an orientation. Damping and friction do not."""


def joint_force(numbers: Mapping[str, Scalar], q: Scalar, v: Scalar, rest: Scalar) -> JointForce:
    """Return the passive force along one coordinate.

    numbers: see spring_numbers(). q, v: coordinate and its rate [rad, rad/s or m, m/s]. rest: coordinate at which the
    springs are without force.
    """
    x = q - rest
    spring, limit, dissipative, energy = 0.0, 0.0, 0.0, 0.0
    if "stiffness" in numbers:
        spring, energy = numbers["stiffness"] * -x, numbers["stiffness"] * x * x * 0.5
    if "alpha" in numbers:
        force, stored = exponential_spring(x, numbers["alpha"], numbers["beta"])
        spring, energy = spring + force, energy + stored
    if "damping" in numbers:
        dissipative = -numbers["damping"] * v
    if "friction" in numbers:
        dissipative = dissipative - numbers["friction"] * v / sqrt(v * v + numbers["creep"] * numbers["creep"])
    if "limit_stiffness" in numbers:
        limit, stored, damping_force = _limit(numbers, q, v)
        energy, dissipative = energy + stored, dissipative + damping_force
    return JointForce(spring, limit, dissipative, numbers.get("bias", 0.0), energy)


def exponential_spring(x: Scalar, alpha: Scalar, beta: Scalar) -> tuple[Scalar, Scalar]:
    """Return the restoring force of a spring that stiffens exponentially, and its energy. [McKenna 1990, eq. 8]

    x: displacement from rest [m or rad]; alpha: linear strength [N or N m]; beta: rise [1/m or 1/rad].
    Returns the force or torque, opposite in sign to x [N or N m], and the energy stored [J]. The force is constant
    where beta |x| is above 50.
    """
    stretch = abs(x)
    exponent = minimum(beta * stretch, MAX_EXPONENT)
    expm1 = exp(exponent) - 1.0
    force = alpha * expm1
    energy = alpha * ((expm1 - exponent) / beta + expm1 * (stretch - exponent / beta))
    return where(x > 0.0, -force, force), energy


def _limit(numbers: Mapping[str, Scalar], q: Scalar, v: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Return spring force, energy and damping force of the limits at coordinate q and rate v."""
    beyond = maximum(q - numbers["upper"], 0.0) + minimum(q - numbers["lower"], 0.0)
    k, b = numbers["limit_stiffness"], numbers["limit_damping"]
    damping_force = where((q > numbers["upper"]) | (q < numbers["lower"]), -b * v, 0.0)
    return -k * beyond, k * beyond * beyond * 0.5, damping_force


@dataclass(frozen=True, slots=True)
class ImplicitSprings:
    """The springs and dampers of one joint in an implicit step, without dry friction, which acts as an impulse.

    forces: forces at the start of the step. stiffness [N m/rad or N/m], damping [N m s/rad or N s/m]: along each
    velocity of the joint (nv). bias: constant force along each velocity [N m or N], 0 where velocities are not rates of
    coordinates.
    """

    forces: JointForces
    stiffness: list[Scalar]
    damping: list[Scalar]
    bias: list[Scalar]


def implicit_springs(
    kind: str,
    numbers: Sequence[Mapping[str, Scalar]],
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    rest: Sequence[Scalar],
) -> ImplicitSprings:
    """Return the springs and dampers of one joint in an implicit step; arguments: see joint_forces()."""
    springs = [{name: x for name, x in spring.items() if name != "friction"} for spring in numbers]
    forces = joint_forces(kind, springs, q, v, rest)
    stiffness, damping = stiffness_and_damping(kind, springs, q, rest)
    return ImplicitSprings(forces, stiffness, damping, biases(kind, numbers))


def biases(kind: str, numbers: Sequence[Mapping[str, Scalar]]) -> list[Scalar]:
    """Return ImplicitSprings.bias of a joint; kind, numbers: see joint_forces()."""
    nv = JOINTS[kind].nv
    return [spring.get("bias", 0.0) for spring in numbers] if len(numbers) == nv else [0.0] * nv


MIN_ROLLED_JOINTS = 24  # with alike springs, for a loop in a short program; the roach's 32 save 2,300 operations


def map_joints(function: Callable[..., Any], kinds: Sequence[str], items: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Return function(kind, *item) for all joints, in short programs by loops over joints of a kind, see map_alike().

    kinds: kinds of the joints. items: their other arguments.
    """
    results: list[Any] = []
    for kind, run in groupby(zip(kinds, items, strict=True), key=lambda pair: pair[0]):
        results += map_alike(lambda item, k=kind: function(k, *item), [x for _, x in run], MIN_ROLLED_JOINTS)
    return results


def stiffness_and_damping(
    kind: str, numbers: Sequence[Mapping[str, Scalar]], q: Sequence[Scalar], rest: Sequence[Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """Return stiffness and damping along all velocities of a joint (nv each), 0 or more.

    kind, numbers, q, rest: as for joint_forces(). Friction is left out: its force jumps at zero speed.
    """
    stiffness: list[Scalar] = []
    damping: list[Scalar] = []
    for indices, spring, x_0 in zip(spring_slices(kind), numbers, rest, strict=True):
        if indices.stop - indices.start > 1:
            stiffness += [spring.get("stiffness", 0.0)] * 3
            damping += [spring.get("damping", 0.0)] * 3
            continue
        k, b = _along_coordinate(spring, q[indices.start], x_0)
        stiffness.append(k)
        damping.append(b)
    return stiffness, damping


def _along_coordinate(numbers: Mapping[str, Scalar], q: Scalar, rest: Scalar) -> tuple[Scalar, Scalar]:
    """Return stiffness and damping along one coordinate."""
    k, b = numbers.get("stiffness", 0.0), numbers.get("damping", 0.0)
    if "alpha" in numbers:
        beta = numbers["beta"]
        k = k + numbers["alpha"] * beta * exp(minimum(beta * abs(q - rest), MAX_EXPONENT))
    if "limit_stiffness" in numbers:
        beyond = (q > numbers["upper"]) | (q < numbers["lower"])
        k = k + where(beyond, numbers["limit_stiffness"], 0.0)
        b = b + where(beyond, numbers["limit_damping"], 0.0)
    return k, b
