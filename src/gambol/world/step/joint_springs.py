"""Springs and dampers of joints in a large step: their forces, and how much of them is implicit."""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.stepping import ImplicitPart, implicit_part
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import mass_rows
from gambol.dynamics.forward.crba import has_long_paths
from gambol.dynamics.joint_forces import implicit_springs
from gambol.lanes import Scalar
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
    constant joint forces (nv). motors: motors of all driven springs.
    """

    tau: list[Scalar]
    damping: Sequence[Scalar]
    implicit: ImplicitPart
    biases: Sequence[Scalar]
    motors: Sequence[Motor]


def joint_springs(
    context: StepContext, state: Kinematics, q: Sequence[Scalar], memory: Memory, moment: StepTime, h: Scalar
) -> SpringForces:
    """Return the springs and dampers of all joints in a step of h [s].

    state: kinematics. q: coordinates in the middle of the step (nq). memory: the state besides q and v. moment: time at
    which the forces act.
    """
    n = context.world.figure.nv
    tau, K, B, biases = ([0.0] * n for _ in range(4))
    motors: list[Motor] = []
    for link in context.world.sprung:
        rest, rate = context.rest_angle(memory, link.name, moment.elapsed)
        springs = implicit_springs(
            link.joint.kind, context.numbers["springs"][link.name], q[link.q], state.v[link.v], rest
        )
        K[link.v], B[link.v], biases[link.v] = springs.stiffness, springs.damping, springs.bias
        tau[link.v] = springs.forces.tau
        if link.name in context.world.driven:
            k = link.v.start
            motors.append(Motor(k, springs.forces.springs[0], rate, K[k]))
    all_implicit = has_long_paths(context.world.figure) or not context.world.sprung
    implicit = ImplicitPart(K, B) if all_implicit else implicit_part(mass_rows(state), K, B, h)
    for motor in motors:
        tau[motor.dof] = tau[motor.dof] + h * implicit.stiffness[motor.dof] * motor.rate
    return SpringForces(tau, B, implicit, biases, motors)
