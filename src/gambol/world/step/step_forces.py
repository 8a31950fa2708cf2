"""Forces on a figure in a large step besides contact, and the energy that the step adds to the ledger.

In a step from velocity v to v+ an impulse h F does exactly the work h F . (v + v+) / 2; F is the force in mid-step:

    spring      F - h K (v+ - r)     r: rate of its rest angle
    damper      B v+
    actuator    F - B (v+ - v)       F: at the end of free motion at v, since targets may move far in a step
    medium      its drag in mid-step

Springs conserve energy: a moving rest angle does work against F - h K (v+ - v) / 4, the mean of the spring's force at
both ends of the step.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gambol.actuation.actuator import ImplicitForce, implicit_servo
from gambol.contact.stepping import Constraints, Forces, StepResult
from gambol.dynamics import Kinematics, rnea
from gambol.dynamics.forward import mass_rows
from gambol.dynamics.joint_forces import implicit_springs
from gambol.lanes import Scalar
from gambol.spatial import Force
from gambol.world.context import Ledger, Memory, Moment, StepContext
from gambol.world.forces import actuator_errors, add_attachment_forces, add_push, medium_drag, wrenches


@dataclass(frozen=True, slots=True)
class Motor:
    """A driven spring of a joint.

    dof: number of its degree of freedom. force: in mid-step [N m or N]. rate: of the rest angle [rad/s or m/s].
    stiffness [N m/rad or N/m].
    """

    dof: int
    force: Scalar
    rate: Scalar
    stiffness: Scalar


@dataclass(frozen=True, slots=True)
class Servo:
    """An actuator in a step; dof: number of its degree of freedom."""

    dof: int
    force: ImplicitForce


@dataclass(frozen=True, slots=True)
class StepForces:
    """Forces on a figure in a step.

    forces: for the velocity step. motors: of all driven springs. servos: of all actuators. biases: constant joint
    forces (nv). damping: B of springs (nv). push: forces of an external push along the root's velocities, which are the
    first. attachment_loss: power that attachments dissipate [W]. drag: forces of a medium (nv), empty without one.
    """

    forces: Forces
    motors: Sequence[Motor]
    servos: Sequence[Servo]
    biases: Sequence[Scalar]
    damping: Sequence[Scalar]
    push: Sequence[Scalar]
    attachment_loss: Scalar
    drag: Sequence[Scalar]
    wrenches: Sequence[Scalar] = ()


def step_forces(
    context: StepContext, state: Kinematics, q: Sequence[Scalar], memory: Memory, moment: Moment, h: Scalar
) -> StepForces:
    """Return all forces in a step of h [s].

    state: kinematics at q (nq). memory: discrete state. moment: at which the forces act.
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
            tau[k] = tau[k] + h * K[k] * rate
    servos, total_damping = list(_actuators(context, state, q, memory, moment, h)), list(B)
    for servo in servos:
        k = servo.dof
        tau[k], total_damping[k] = tau[k] + servo.force.tau, total_damping[k] + servo.force.damping
    drag_forces = _medium_forces(context, state, h)
    wrench_forces = _wrench_forces(context, state)
    for external in filter(None, (drag_forces, wrench_forces)):
        tau = [x + y for x, y in zip(tau, external, strict=True)]
    f_ext: dict[int, Force] = {}
    _, attachment_loss = add_attachment_forces(context, state, memory, f_ext)
    push_force, joint = add_push(context, state, moment, f_ext), state.joints[context.world.figure.roots[0].index]
    push = [S.dot(joint.to_joint(push_force)) for S in joint.columns]
    forces = Forces(tau, K, total_damping, f_ext, context.numbers["gravity"])
    return StepForces(forces, motors, servos, biases, B, push, attachment_loss, drag_forces, wrench_forces)


def _actuators(
    context: StepContext, state: Kinematics, q: Sequence[Scalar], memory: Memory, moment: Moment, h: Scalar
) -> Iterator[Servo]:
    """Yield all actuators in a step of h [s] that begins at a moment."""
    inertias = mass_rows(state) if context.world.actuators else []  # the step computes them anyway
    for k, numbers, error in actuator_errors(context, q, memory, moment.elapsed + h):
        yield Servo(k, implicit_servo(numbers, error - h * state.v[k], state.v[k], inertias[k][k], h))


def _medium_forces(context: StepContext, state: Kinematics, h: Scalar) -> list[Scalar]:
    """Return the joint-space forces of the medium's drag in a step of h [s] (nv); empty without a medium."""
    if not context.world.drag_boxes:
        return []
    return _in_joint_space(context, state, medium_drag(context, state, h))


def _wrench_forces(context: StepContext, state: Kinematics) -> list[Scalar]:
    """Return the joint-space forces of external wrenches (nv); empty without them."""
    return _in_joint_space(context, state, wrenches(context, state)) if context.world.wrenches else []


def _in_joint_space(context: StepContext, state: Kinematics, f_ext: dict[int, Force]) -> list[Scalar]:
    """Return the joint-space forces of external forces on links, by index of the link (nv)."""
    tau, _ = rnea(state.at_rest(), [0.0] * context.world.figure.nv, f_ext=f_ext, gravity=0.0)
    return [-x for x in tau]


def step_ledger(
    applied: StepForces, constraints: Constraints, solved: StepResult, v_start: Sequence[Scalar], h: Scalar
) -> Ledger:
    """Return the entries that a step adds to the ledger [J].

    applied: forces of the step. solved: its result. v_start: velocities at its start (nv). h: its length [s].
    """
    v_mean = [0.5 * (a + b) for a, b in zip(v_start, solved.v, strict=True)]
    motors: Scalar = 0.0
    for motor in applied.motors:
        k = motor.dof
        mean = motor.force - 0.25 * h * motor.stiffness * (solved.v[k] - v_start[k])
        motors = motors + motor.rate * h * mean
    for servo in applied.servos:
        k = servo.dof
        motors = motors + h * servo.force.at_end(v_start[k], solved.v[k]) * v_mean[k]
    for force, v in zip(applied.biases, v_mean, strict=True):
        motors = motors + h * force * v
    damping: Scalar = 0.0
    for B, v_end, v in zip(applied.damping, solved.v, v_mean, strict=True):
        damping = damping + h * B * v_end * v
    for force, v in zip(applied.drag, v_mean[: len(applied.drag)], strict=True):
        damping = damping - h * force * v
    contacts_end, limits_end = len(constraints.contacts), len(constraints.contacts) + len(constraints.limits)
    frictions_end, works = limits_end + len(constraints.dry_frictions), solved.work
    return Ledger(
        motors,
        _outside_work(applied, v_mean, h),
        damping - _sum_of_works(works[limits_end:frictions_end]),
        h * applied.attachment_loss
        - _sum_of_works([work[:1] for work in works[:contacts_end]])
        - _sum_of_works(works[contacts_end:limits_end]),
        -_sum_of_works([work[1:] for work in works[:contacts_end]]),
    )


def _outside_work(applied: StepForces, v_mean: Sequence[Scalar], h: Scalar) -> Scalar:
    """Return the work of the push and of external wrenches in a step of h [s] [J]."""
    work = h * sum((f * v for f, v in zip(applied.push, v_mean[: len(applied.push)], strict=True)), 0.0)
    return sum((h * f * v for f, v in zip(applied.wrenches, v_mean, strict=False)), work)


def _sum_of_works(works: Sequence[Sequence[Scalar]]) -> Scalar:
    return sum((x for work in works for x in work), 0.0)
