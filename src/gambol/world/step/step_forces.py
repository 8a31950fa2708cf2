"""Forces on a figure in a large step besides contact, and the energy that the step adds to the ledger.

In a step from velocity v to v+ an impulse h F does exactly the work h F . (v + v+) / 2; F is the force in mid-step:

    spring      F - h K_i (v+ - r)   r: rate of its rest angle; K_i, B_i: contact/stepping/implicit_part.py
                  - h K_m (v+ - v) / 4, with the midpoint rule
    damper      B v + B_i (v+ - v)
    actuator    F - B (v+ - v)       F: at the end of a step at constant v, since targets may move far in it;
                                     its state at the end follows from v+, see actuation/actuator.py. Servos may
                                     be explicit as far as that is stable, see actuation/implicit_force.py
    medium      drag in mid-step

Springs conserve energy: a moving rest angle does work against F - h K (v+ - v) / 4, the mean of the spring's force at
both ends of the step.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.actuation import ActuatorInput
from gambol.actuation.step_energy import StepEnergy
from gambol.contact.spring_damper import Tension
from gambol.contact.stepping import (
    CompliantRow,
    Constraints,
    Extrapolation,
    Forces,
    StepResult,
    compliant_rows,
)
from gambol.dynamics import Kinematics, kinematics, potential_energy, rnea
from gambol.dynamics.tangent import Numbers as Coordinates
from gambol.dynamics.tangent import displaced, normalised
from gambol.figure import Figure
from gambol.lanes import Scalar, Subprogram, when
from gambol.spatial import Force
from gambol.spatial.rotation import is_constant
from gambol.world.context import Ledger, Memory, StepContext, StepTime
from gambol.world.forces import add_attachment_forces, add_push, stored_energy, tensions, wrenches_and_buoyancy
from gambol.world.medium_forces import medium_drag
from gambol.world.step.actuator_step import ActuatorStep, actuator_energy, actuator_steps
from gambol.world.step.joint_springs import SpringForces, joint_springs, servo_gains
from gambol.world.step.saturation import ActiveSet, with_saturation


@dataclass(frozen=True, slots=True)
class StepForces:
    """Forces on a figure in a step.

    forces: for the velocity step. springs: springs and dampers of joints. actuators: all of them. push: joint-space
    forces of the external push, on the degrees of freedom of the first root, which come first in v. attachment_loss:
    power that attachments dissipate [W]. drag: forces of a medium (nv), empty without one. tensions: tensions of
    spring-dampers, each with the row of its direction. wrenches: forces of wrenches and buoyancy (nv), or empty.
    """

    forces: Forces
    springs: SpringForces
    actuators: Sequence[ActuatorStep]
    push: Sequence[Scalar]
    attachment_loss: Scalar
    drag: Sequence[Scalar]
    tensions: Sequence[tuple[Tension, CompliantRow]]
    wrenches: Sequence[Scalar] = ()


def step_forces(
    context: StepContext,
    state: Kinematics,
    places: Sequence[Coordinates],
    memory: Memory,
    moment: StepTime,
    h: Scalar,
    active: ActiveSet | None = None,
) -> StepForces:
    """Return all forces in a step of h [s].

    state: kinematics at q (nq). places: q, and q in the middle of the step, where springs keep their energy. memory:
    the state besides q and v. moment: time at which the forces act. active: actuators that are saturated in the step;
    None: none is.
    """
    world = context.world
    springs = joint_springs(context, state, places[1], memory, (moment, h), servo_gains(context))
    tau, implicit = springs.tau, springs.implicit
    actuators = actuator_steps(context, state, places, memory, (moment, h), springs.servos) if world.actuators else []
    if active is not None:
        actuators = with_saturation(actuators, active)
    total_damping = implicit.decrease(h)
    mean_damping = [2.0 * (B - damping) for B, damping in zip(springs.damping, implicit.damping, strict=True)]
    for step in actuators:
        for k, force, damping in zip(step.driven.dofs, step.force.tau, step.force.damping, strict=True):
            tau[k], total_damping[k] = tau[k] + force, total_damping[k] + damping
        for k, damping in zip(step.driven.dofs, step.force.mean_damping, strict=False):
            mean_damping[k] = mean_damping[k] + damping
    paths = [
        CompliantRow(dict(zip(step.driven.dofs, step.force.arms, strict=True)), 0.0, 0.0, step.force.path_damping)
        for step in actuators
        if step.force.arms
    ]
    drag_forces = _medium_forces(context, state, h)
    wrench_forces = _wrench_forces(context, state)
    for external in filter(None, (drag_forces, wrench_forces)):
        tau = [x + y for x, y in zip(tau, external, strict=True)]
    f_ext: dict[int, Force] = {}
    _, attachment_loss = add_attachment_forces(context, state, memory, f_ext)
    push_force, joint = add_push(context, state, moment, f_ext), state.joints[context.world.figure.roots[0].index]
    push = [S.dot(joint.to_joint(push_force)) for S in joint.columns]
    lines = [(tension, compliant_rows(state, a, b, tension)) for tension, a, b in tensions(context, state, h)]
    compliant = [*(row for _, rows in lines for row in rows), *paths]
    forces = Forces(tau, implicit.stiffness, total_damping, f_ext, context.numbers["gravity"], compliant, mean_damping)
    pulls = [(tension, rows[0]) for tension, rows in lines]
    return StepForces(forces, springs, actuators, push, attachment_loss, drag_forces, pulls, wrench_forces)


def _medium_forces(context: StepContext, state: Kinematics, h: Scalar) -> list[Scalar]:
    """Return the joint-space forces of the medium's drag in a step of h [s] (nv); empty without a medium."""
    if not context.world.drag_boxes:
        return []
    return _in_joint_space(context, state, medium_drag(context, state, h))


def _wrench_forces(context: StepContext, state: Kinematics) -> list[Scalar]:
    """Return the joint-space forces of external wrenches and of buoyancy (nv); empty without both."""
    return _in_joint_space(context, state, acting) if (acting := wrenches_and_buoyancy(context, state)) else []


def _in_joint_space(context: StepContext, state: Kinematics, f_ext: dict[int, Force]) -> list[Scalar]:
    """Return the joint-space forces of external forces on links, by index of the link (nv)."""
    tau, _ = rnea(state.at_rest(), [0.0] * context.world.figure.nv, f_ext=f_ext, gravity=0.0)
    return [-x for x in tau]


def position_energy(context: StepContext, memory: Memory, moment: StepTime, q: list[Scalar]) -> Scalar:
    """Return the potential energy and the energy stored in springs and others, at positions q (nq) [J].

    memory, moment: memory and time, from which the rest angles of springs follow.
    """
    state = kinematics(context.world.figure, q, [0.0] * context.world.figure.nv)
    return potential_energy(state, context.numbers["gravity"]) + stored_energy(context, state, q, memory, moment)


def event_loss(
    figure: Figure,
    energy: Subprogram,
    solved: StepResult,
    q: list[Scalar],
    v: list[Scalar],
    times: tuple[Scalar, Scalar],
    extrapolation: Extrapolation | None,
) -> Scalar:
    """Return the energy that impulses dissipate because they act at the time of a landing or bounce [J].

    energy: potential energy of positions; solved: the result of the step; q, v: positions at its evaluation (nq), and
    velocities at its start (nv); times: its length, and the time of evaluation [s]; extrapolation: that of the step.
    Impulses in the middle of the step give a displacement of h (v + v+) / 2, and their work follows from mean
    velocities. An event at another time gives another displacement. The difference of the potential energies after
    these two displacements is the loss.
    """
    h, evaluated = times

    def loss(v_end: list[Scalar], increment: list[Scalar]) -> Scalar:
        change = [0.5 * h * x + (0.5 * h - evaluated) * y for x, y in zip(v_end, v, strict=True)]
        if extrapolation is not None:
            change = [x - y for x, y in zip(change, extrapolation.shift, strict=True)]
        usual = normalised(figure, displaced(figure, q, change))
        return energy(usual) - energy(normalised(figure, displaced(figure, q, increment)))

    if is_constant(solved.has_event, 0.0):
        return 0.0
    return when(solved.has_event > 0.5, Subprogram(loss), solved.v, solved.increment, otherwise=0.0)


def step_ledger(
    applied: StepForces,
    constraints: Constraints,
    solved: StepResult,
    v_start: Sequence[Scalar],
    h: Scalar,
    ends: Sequence[ActuatorInput],
) -> Ledger:
    """Return the entries that a step adds to the ledger [J].

    applied: forces of the step. solved: result of the step. v_start: velocities at its start (nv). h: its length [s].
    ends: result of actuator_ends().
    """
    v_mean = [0.5 * (a + b) for a, b in zip(v_start, solved.v, strict=True)]
    given = applied.actuators
    actuators = actuator_energy(given, v_start, solved.v, h, ends) if given else StepEnergy(0.0, 0.0)
    motors, damping = actuators.source, actuators.heat
    for motor in applied.springs.motors:
        k = motor.dof
        mean_force = motor.force - 0.25 * h * motor.stiffness * (solved.v[k] - v_start[k])
        motors = motors + motor.rate * h * mean_force
    rates = {motor.dof: motor.rate for motor in applied.springs.motors}
    for force, v in zip(applied.springs.biases, v_mean, strict=True):
        motors = motors + h * force * v
    dampers = applied.springs.damping, applied.springs.implicit.damping
    for B, B_implicit, v_0, v_end in zip(*dampers, v_start, solved.v, strict=True):
        damping = damping + h * (B * v_0 + B_implicit * (v_end - v_0)) * (0.5 * (v_0 + v_end))
    for force, v in zip(applied.drag, v_mean[: len(applied.drag)], strict=True):
        damping = damping - h * force * v
    numerical = applied.springs.implicit.numerical_damping(rates, solved.v, v_mean, h) + actuators.numerical
    for tension, row in applied.tensions:
        rate = row.speed(v_mean)
        kept, lost = tension.cord_losses(rate, h)
        damping, numerical = damping + h * row.damping * row.speed(solved.v) * rate + kept, numerical + lost
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
        numerical_damping=numerical,
    )


def _outside_work(applied: StepForces, v_mean: Sequence[Scalar], h: Scalar) -> Scalar:
    """Return the work of the push and of external wrenches in a step of h [s] [J]."""
    work = h * sum((f * v for f, v in zip(applied.push, v_mean[: len(applied.push)], strict=True)), 0.0)
    return sum((h * f * v for f, v in zip(applied.wrenches, v_mean, strict=False)), work)


def _sum_of_works(works: Sequence[Sequence[Scalar]]) -> Scalar:
    return sum((x for work in works for x in work), 0.0)
