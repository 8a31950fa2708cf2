"""Springs and dampers of joints in a large step: their forces, and how much of them and of servos is implicit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from gambol.actuation.implicit_force import Gains, ImplicitShares
from gambol.contact.method import TIME_STEPPING, TimeSteppingMethod
from gambol.contact.stepping import ImplicitPart, implicit_part, midpoint_part
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import mass_diagonal, mass_rows
from gambol.dynamics.forward.crba import has_long_paths
from gambol.dynamics.joint_forces import biases as joint_biases
from gambol.dynamics.joint_forces import implicit_springs, map_joints
from gambol.figure import Figure
from gambol.lanes import Scalar, where
from gambol.world.context import Memory, StepContext, StepTime


@dataclass(frozen=True, slots=True)
class Motor:
    """A driven spring of a joint.

    dof: index of the degree of freedom. force: force in mid-step [N m or N]. rate: rate of the rest angle [rad/s or
    m/s]. stiffness [N m/rad or N/m].
    """

    dof: int
    force: Scalar
    rate: Scalar
    stiffness: Scalar


@dataclass(frozen=True, slots=True)
class SpringForces:
    """Springs and dampers of all joints in a step.

    tau: their forces in mid-step (nv) [N m or N]. damping: B (nv); implicit: the implicit part of B and K. biases:
    constant joint forces (nv). motors: motors of all driven springs. servos: the implicit shares of servos that may be
    explicit, by degree of freedom.
    """

    tau: list[Scalar]
    damping: Sequence[Scalar]
    implicit: ImplicitPart
    biases: Sequence[Scalar]
    motors: Sequence[Motor]
    servos: Mapping[int, ImplicitShares] = field(default_factory=dict[int, ImplicitShares])


def servo_gains(context: StepContext) -> dict[int, Gains]:
    """Return the gains of servos that may be explicit, by degree of freedom; empty if the contact method has none."""
    world, method, result = context.world, context.world.method, dict[int, Gains]()
    if method.scheme is not TIME_STEPPING or not cast("TimeSteppingMethod", method).explicit_servos:
        return result  # scenes with matter also ask for the step forces of figures with other contact methods
    for name, actuator in world.actuators.items():
        gains = actuator.gains(context.numbers["actuators"][name])
        if gains is None:
            continue
        (link,) = (world.figure.link(joint) for joint in actuator.joint_names(name))
        k, fraction, others = link.v.start, context.fraction([link]), result.get(link.v.start, Gains(0.0, 0.0))
        result[k] = Gains(others.stiffness + fraction * gains.stiffness, others.damping + fraction * gains.damping)
    return result


def joint_springs(
    context: StepContext,
    state: Kinematics,
    q: Sequence[Scalar],
    memory: Memory,
    step: tuple[StepTime, Scalar],
    gains: Mapping[int, Gains],
) -> SpringForces:
    """Return the springs and dampers of all joints in a step.

    state: kinematics. q: coordinates in the middle of the step (nq). memory: the state besides q and v. step: time of
    its middle, and its length [s]. gains: gains of servos that may be explicit, by degree of freedom.
    """
    moment, h = step
    n = context.world.figure.nv
    tau, K, B, biases = ([0.0] * n for _ in range(4))
    motors: list[Motor] = []
    links, numbers = context.world.sprung, context.numbers["springs"]
    rests = [context.rest_angle(memory, link.name, moment.elapsed) for link in links]
    items = [(numbers[x.name], q[x.q], state.v[x.v], rest) for x, (rest, _) in zip(links, rests, strict=True)]
    found = map_joints(_forces, [link.joint.kind for link in links], items)
    for link, (_, rate), (forces, springs, stiffness, damping, _) in zip(links, rests, found, strict=True):
        K[link.v], B[link.v], biases[link.v] = stiffness, damping, joint_biases(link.joint.kind, numbers[link.name])
        tau[link.v] = forces
        if link.name in context.world.driven:
            k = link.v.start
            motors.append(Motor(k, springs[0], rate, K[k]))
    implicit, servos, is_midpoint = ImplicitPart(K, B), dict[int, ImplicitShares](), _is_midpoint(context)
    if (context.world.sprung or gains) and (is_midpoint or not has_long_paths(context.world.figure)):
        K_total, B_total = list(K), list(B)
        for k, servo in gains.items():
            K_total[k], B_total[k] = K[k] + servo.stiffness, B[k] + servo.damping
        implicit = (
            midpoint_part(mass_diagonal(state), K_total, B_total, h)
            if is_midpoint
            else implicit_part(mass_rows(state), _rotors(state.figure), K_total, B_total, h)
        )
        for k in gains:  # springs and servos of a joint have the same shares
            a, b = _share(implicit.stiffness[k], K_total[k]), _share(implicit.damping[k], B_total[k])
            m = _share(implicit.midpoint[k], K_total[k]) if is_midpoint else 0.0
            implicit.stiffness[k], implicit.damping[k], servos[k] = a * K[k], b * B[k], ImplicitShares(a, b, m)
            if is_midpoint:
                implicit.midpoint[k] = m * K[k]
    for motor in motors:
        tau[motor.dof] = tau[motor.dof] + h * implicit.stiffness[motor.dof] * motor.rate
    return SpringForces(tau, B, implicit, biases, motors, servos)


def _is_midpoint(context: StepContext) -> bool:
    """Return True if the contact method takes springs by the midpoint rule."""
    method = context.world.method
    return method.scheme is TIME_STEPPING and cast("TimeSteppingMethod", method).midpoint_springs


def _share(part: Scalar, total: Scalar) -> Scalar:
    return part / where(total > 0.0, total, 1.0)


def _rotors(figure: Figure) -> list[Scalar]:
    """Return the armatures of all degrees of freedom (nv) [kg m2 or kg]."""
    rotors: list[Scalar] = [0.0] * figure.nv
    for link in figure.links:
        rotors[link.v] = [link.joint.armature] * (link.v.stop - link.v.start)
    return rotors


def _forces(kind: str, *item: Any) -> tuple[Any, ...]:
    """Return the sum of forces, forces of springs, stiffness, damping, and dissipated power of a joint.

    item: arguments of joint_forces(). The last result has no use but one: the force of a damper is rounded before it is
    added to others, in a loop and outside.
    """
    springs = implicit_springs(kind, *item)
    forces = springs.forces
    return forces.tau, forces.springs, springs.stiffness, springs.damping, forces.dissipated_power
