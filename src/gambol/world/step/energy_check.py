"""Rejection of adaptive steps whose energy does not balance: the error estimate may miss such an error.

    unaccounted = change of (kinetic + potential + stored) - change of (motors + outside - damping - impact - sliding)
    allowed     = tolerance (K_0 + K_1) + m s^2 / 2        s = tolerance size / control step

K_0, K_1: kinetic energy before and after the step; m: mass of the figure; s: allowed error of a velocity. An embedded
pair of methods estimates the error from a few stages. If a contact begins within a step, the force of one stage may
push the body off the ground before the next stage. If this stage has no weight in either result, like the second stage
of Fehlberg's method, the estimate is 0 although the body has fallen through the ground. The energy of the springs at
the end of the step shows this error.
"""

from typing import TypeAlias

from gambol.contact.impulse.friction import EPSILON
from gambol.dynamics import kinematics, kinetic_energy, potential_energy
from gambol.dynamics.bodies import world_acceleration
from gambol.integrate import MotionState
from gambol.lanes import Scalar, Subprogram, maximum, sqrt, when, where, working_precision
from gambol.world.context import LEDGER_SIGNS, Ledger, Memory, StepContext, StepState, StepTime, ledger_entries
from gambol.world.forces import applied_forces

MIN_CHECKED_STEP = 0.01
"""Length of the shortest step that is checked, as a fraction of a control step. A contact force that jumps when the
position changes, as when a disc falls flat on the ground, changes the energy in steps of any length."""

MAX_ROUNDINGS = 64.0
"""Rounding errors of the energies of a step, in units of the precision: some for each of its stages."""

Energies: TypeAlias = tuple[Scalar, Scalar, Scalar]
"""Kinetic energy, potential energy, and the energy stored in springs and contacts [J]."""


def energies(context: StepContext, moment: StepTime, q: list[Scalar], v: list[Scalar], memory: Memory) -> Energies:
    """Return the energies of a state.

    moment, q (nq), v (nv), memory: time, coordinates, velocities and memory of the state.
    """
    state = kinematics(context.world.figure, q, v)
    stored = applied_forces(context, state, q, v, memory, moment).energy
    return kinetic_energy(state), potential_energy(state, context.numbers["gravity"]), stored


def energy_ratio(
    context: StepContext, h: Scalar, ledgers: tuple[Ledger, Ledger], before: Energies, after: Energies
) -> Scalar:
    """Return the energy error of a step divided by the allowed error.

    The error is the larger of two energies: the change that the ledger does not explain, and the energy that contacts
    added. Normal forces cannot add energy, unless their restitution is above 1. h: length of the step [s]; the result
    is 0 where it is shorter than MIN_CHECKED_STEP. ledgers, before, after: ledger and energies() at the start and the
    end of the step.
    """
    entries = [ledger_entries(ledger) for ledger in ledgers]
    signs = LEDGER_SIGNS.values()
    explained = sum((sign * (b - a) for sign, a, b in zip(signs, *entries, strict=True)), 0.0)
    change = sum((b - a for a, b in zip(before, after, strict=True)), 0.0)
    added = ledgers[0].impact - ledgers[1].impact
    for restitution in _restitutions(context):
        added = where(restitution > 1.0, 0.0, added)
    size, mass = context.world.size, sum(link.mass_properties.mass for link in context.world.figure.links)
    speed = context.numbers["tolerance"] * (size / context.world.timing.control_step)
    g = world_acceleration(context.numbers["gravity"]).v
    largest = sum((abs(x) for x in (*before, *after, *entries[1])), mass * size * sqrt(g.dot(g)))
    slow, rounding = 0.5 * mass * speed * speed, MAX_ROUNDINGS * EPSILON[working_precision()] * largest
    allowed = context.numbers["tolerance"] * (before[0] + after[0]) + slow + rounding
    ratio = maximum(abs(change - explained), added) / (_error_scale(context) * allowed)
    return where(h >= MIN_CHECKED_STEP * context.world.timing.control_step, ratio, 0.0)


def _restitutions(context: StepContext) -> list[Scalar]:
    """Return the restitution of the ground and, if parts have their own, between parts."""
    parts = context.scene.inputs.method.get("parts")
    return [context.numbers["touch"].restitution, *([] if parts is None else [parts.restitution])]


def damper_ratio(context: StepContext, now: StepState, after: MotionState) -> Scalar:
    """Return the energy added by dampers of joint limits in a step divided by the allowed energy; 0 if none was added.

    now: the state before the step; after: the motion after it. The allowed energy is the tolerance times the kinetic
    energy after the step. Adaptive methods have stages of negative weight. If a limit is exceeded in such a stage only,
    its damper acts in the wrong direction, and the estimated error is hardly affected. A shorter step ends before the
    limit.
    """
    springs = (spring for of_joint in context.numbers["springs"].values() for spring in of_joint)
    if not any("limit_damping" in spring for spring in springs):
        return 0.0
    added, nv = now.ledger.damping - Ledger(*after.w).damping, context.world.figure.nv

    def ratio(added: Scalar, q: list[Scalar], v: list[Scalar]) -> Scalar:
        tolerance = context.numbers["tolerance"] * _error_scale(context)
        allowed = tolerance * kinetic_energy(kinematics(context.world.figure, q, v))
        return where(allowed > 0.0, added / where(allowed > 0.0, allowed, 1.0), 0.0)

    return when(added > 0.0, Subprogram(ratio), added, after.q, after.v[:nv], otherwise=0.0)


def _error_scale(context: StepContext) -> Scalar:
    """Return the factor of the tolerance; it disables the check in partial_step(), whose whole step was accepted."""
    return context.numbers.get("error_scale", 1.0)
