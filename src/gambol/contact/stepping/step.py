"""A velocity step with contact: forces change velocities, impulses keep bodies apart, velocities change positions.

    A = M + h B + h^2 K         A (v_f - v) = h (tau - C - h K v)           linearly implicit in springs and dampers
    A (v+ - v_f) = J^T p        the laws of every block (blocks.py)         one problem with friction
    q+ = q + h (v + v+) / 2         all else is evaluated at q + h v / 2    a leapfrog: second order in free motion

B and K: decrease of the joint forces per velocity and position, or the implicit part of it (implicit_part.py). If a
contact bounces or lands within the step, q moves at the old velocities until then. [Stewart and Trinkle 1996; Moreau
1999; Baraff and Witkin 1998]

The impulse of a contact with relative velocity w does the work p . (w + w+) / 2. If rebounds would add energy, all are
reduced by the same factor. Blocks and solvers use the coordinates u = R v, with A = R^T R, in which A is the identity
(rows.py): factors.multiply() returns u from v, outward() v from u, and inward() u from momenta.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from gambol.contact.stepping.block_list import active_row_speeds, map_blocks, no_impulses, normal_speeds, same_item
from gambol.contact.stepping.blocks import Block, Impulses
from gambol.contact.stepping.bounce import (
    HORIZON,
    Arrival,
    TreeSplit,
    any_event,
    find_arrival,
    first_event,
    first_events,
    ordered_landings,
    tree_split,
    trees,
)
from gambol.contact.stepping.compliance import CompliantRow, add_compliance, compliant_forces
from gambol.contact.stepping.constraints import Constraints
from gambol.contact.stepping.corrections import VelocityBias, velocity_bias
from gambol.contact.stepping.problem import ImpulseProblem, SolverOptions, sweep_impulses
from gambol.contact.stepping.softness import soft_bias
from gambol.contact.stepping.sweep import ImpulseSolution, block_gauss_seidel
from gambol.dynamics import Kinematics, kinematics, rnea
from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward import Factorisation, RootFactors, factorised, mass_rows
from gambol.dynamics.forward.crba import has_long_paths
from gambol.dynamics.quantities.articulated_factors import ArticulatedFactors
from gambol.dynamics.tangent import Numbers, fixed_axis_acceleration
from gambol.figure import Figure
from gambol.lanes import UNDEFINED, Scalar, maximum, where
from gambol.spatial import Force
from gambol.spatial.rotation import is_constant


@dataclass(frozen=True, slots=True)
class Forces:
    """Forces on a figure in a step, without contact forces.

    tau: joint forces (nv), in the middle of the step [N m or N]. stiffness K, damping B: decrease of tau per position
    and velocity (nv), 0 or more. f_ext, gravity: as for aba(). compliant: springs and dampers along other directions.
    """

    tau: Sequence[Scalar]
    stiffness: Sequence[Scalar]
    damping: Sequence[Scalar]
    f_ext: Mapping[int, Force] = field(default_factory=lambda: NOTHING)
    gravity: Gravity = STANDARD_GRAVITY
    compliant: Sequence[CompliantRow] = ()


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step.

    blocks: blocks of all constraints. factors: Cholesky factors of A. v: joint velocities (nv), along axes fixed in the
    step. increment: displacement from the middle of the step to its end (nv), along the same axes; h v / 2 unless
    has_event is 1, where a contact or limit bounces or lands. gaps: gaps of contacts and limits, after the increment [m
    or rad]. impulses: impulses of each block by row [N s or N m s]. work: their work on the figure, at the mean of the
    velocities before and after the step [J]. residual, limited: see ImpulseSolution. contact_speeds: speeds of the
    contacts' rows after the step [m/s].
    """

    blocks: Sequence[Block]
    factors: Factorisation
    v: list[Scalar]
    increment: list[Scalar]
    has_event: Scalar
    gaps: list[Scalar]
    impulses: Impulses
    work: Impulses
    residual: Scalar
    contact_speeds: list[list[Scalar]]
    limited: Scalar | None = None


@dataclass(frozen=True, slots=True)
class FreeVelocity:
    """A step without impulses: factors of A, and velocities u (nv) before and after it."""

    factors: Factorisation
    before: list[Scalar]
    after: list[Scalar]


Constrain: TypeAlias = Callable[[list[Scalar]], list[Scalar]]
"""A function from velocities u (nv) to velocities that contacts permit."""


def step_factors(state: Kinematics, forces: Forces, h: Scalar) -> Factorisation:
    """Return the factors of A of a step of h [s]."""
    implicit = (h * (B + h * K) for B, K in zip(forces.damping, forces.stiffness, strict=True))
    if has_long_paths(state.figure) and not forces.compliant:
        return ArticulatedFactors.of(state, [*implicit])
    rows = mass_rows(state)
    for k, x in enumerate(implicit):
        rows[k][k] = rows[k][k] + x
    if forces.compliant:
        add_compliance(rows, forces.compliant, h)
    return RootFactors.of(factorised(rows))


def free_velocity(
    state: Kinematics, forces: Forces, factors: Factorisation, before: list[Scalar], constrain: Constrain, h: Scalar
) -> FreeVelocity:
    """Return the velocities after a step of h [s] without impulses.

    before: velocities u before the step (nv). constrain: takes velocities u after the step (nv) to permitted ones. C is
    quadratic in the velocities and is evaluated in the middle of the step: with C of the start, a tumbling body would
    gain energy in every turn. The velocities in the middle of the step must be permitted, too: otherwise a motion that
    turns against a contact would gain or lose energy.
    """
    first_guess = constrain(_after_forces(state.v, _bias_force(state, forces), forces, factors, before, h))
    middle = factors.outward([0.5 * (a + b) for a, b in zip(before, first_guess, strict=True)])
    bias = _bias_force(kinematics(state.figure, state.q, middle), forces)
    return FreeVelocity(factors, before, _after_forces(state.v, bias, forces, factors, before, h))


def _bias_force(state: Kinematics, forces: Forces) -> list[Scalar]:
    """Return C, the forces that keep all velocities constant, gravity and external forces included (nv)."""
    return rnea(state, fixed_axis_acceleration(state.figure, state.v), f_ext=forces.f_ext, gravity=forces.gravity)[0]


def _after_forces(
    v: Numbers, bias: Numbers, forces: Forces, factors: Factorisation, before: Numbers, h: Scalar
) -> list[Scalar]:
    """Return velocities u (nv) after a step without impulses. bias: bias forces C; before: u before the step."""
    tau = compliant_forces(forces.compliant, forces.tau) if forces.compliant else forces.tau
    pairs = zip(tau, bias, forces.stiffness, v, strict=True)
    change = factors.inward([h * (t - c - h * K * x) for t, c, K, x in pairs])
    return [u + x * inverse for u, x, inverse in zip(before, change, factors.D_inverse, strict=True)]


def velocity_step(
    state: Kinematics,
    forces: Forces,
    constraints: Constraints,
    warm_start: Impulses,
    h: Scalar,
    options: SolverOptions | None = None,
) -> StepResult:
    """Return the result of a step of h [s].

    state: state in the middle of the step, reached at the velocities v of its start. forces: all forces except contact
    forces. constraints: contacts, limits, dry friction and loops. warm_start: initial impulses, such as the impulses of
    the previous step. options: None for the default ones.
    """
    options = options or SolverOptions()
    factors = step_factors(state, forces, h)
    e = [contact.restitution for contact in constraints.contacts] + [0.0] * len(constraints.limits)
    skips_inactive_blocks = options.solver is sweep_impulses and all(is_constant(x, 0.0) for x in e)
    before = factors.multiply(state.v)
    blocks = constraints.blocks(state, factors, h, UNDEFINED if skips_inactive_blocks else None)
    softness, gaps = options.softness, constraints.gaps
    if softness is None:
        biased = velocity_bias(blocks, constraints.previous_speeds, warm_start, before)
        target_speeds = list(biased.normal_bias)
        for k, gap in enumerate(gaps):
            target_speeds[k] = target_speeds[k] - maximum(gap, 0.0) / h
    else:
        biased = soft_bias(blocks, gaps, before, before, softness, h)
        target_speeds = biased.normal_bias
    blocks = biased.blocks
    swept = partial(block_gauss_seidel, blocks, target_speeds, warm_start=warm_start, iterations=1)
    free = free_velocity(state, forces, factors, before, lambda u: swept(u).u, h)
    masks = [tree.mask(constraints) for tree in trees(state.figure)]
    if softness is None:
        arrivals = _arrivals(constraints, biased, e, free, h)
    else:
        biased = soft_bias(blocks, gaps, before, free.after, softness, h)
        blocks, arrivals = biased.blocks, [Arrival(x, x, 0.0, HORIZON * h) for x in biased.normal_bias[: len(gaps)]]
    first_times = [first_event(mask, arrivals, h) for mask in masks]
    arrivals = ordered_landings(arrivals, first_events(masks, first_times, [HORIZON * h] * len(arrivals)), h)
    stopping = options.iterations, options.tolerance, softness is not None
    solution = options.solver(ImpulseProblem(blocks, arrivals, e, before, free.after, warm_start, *stopping))
    splits = [tree_split(mask, arrivals, first_time) for mask, first_time in zip(masks, first_times, strict=True)]
    displacement = _displacement(state.figure, splits, free, solution.u, h)
    v = free.factors.outward(solution.u)
    has_event = any_event(splits)
    increment = [0.5 * h * x for x in v] if is_constant(has_event, 0.0) else free.factors.outward(displacement)
    gaps = _gaps_after(constraints, blocks, displacement)
    work = _works(blocks, before, solution)
    speeds = active_row_speeds(blocks[: len(constraints.contacts)], solution.u)
    ended = solution.impulses, work, solution.residual, speeds, solution.limited
    return StepResult(blocks, factors, v, increment, has_event, gaps, *ended)


def _displacement(
    figure: Figure, splits: Sequence[TreeSplit], free: FreeVelocity, u_after: Numbers, h: Scalar
) -> list[Scalar]:
    """Return the displacement of the coordinates u from the middle of a step to its end.

    In a tree that lands at time t, the coordinates change at the velocities before the step until t, so that bodies
    which already stand do not sink in. In a tree that bounces, forces also change the velocities before and after the
    bounce.
    """
    displacement = [0.5 * h * y for y in u_after]
    for tree, split in zip(trees(figure), splits, strict=True):
        if is_constant(split.has_event, 0.0):
            continue
        t, remaining = split.time, h - split.time
        for k in tree.freedoms:
            after_event = (t - 0.5 * h) * free.before[k] + remaining * u_after[k]
            if not is_constant(split.bounced, 0.0):
                acceleration_term = 0.5 * (t * t - remaining * remaining) / h * (free.after[k] - free.before[k])
                after_event = after_event + where(split.bounced > 0.5, acceleration_term, 0.0)
            displacement[k] = where(split.has_event > 0.5, after_event, displacement[k])
    return displacement


def _arrivals(
    constraints: Constraints, biased: VelocityBias, restitution: Numbers, free: FreeVelocity, h: Scalar
) -> list[Arrival]:
    """Return the arrivals of contacts and limits; only contacts can bounce."""
    result: list[Arrival] = []  # all other blocks come last and have no gaps
    with_gaps = biased.blocks[: len(constraints.gaps)]
    speeds = normal_speeds(with_gaps, (free.before, free.after))
    for gap, e, (before, after), bias in zip(constraints.gaps, restitution, speeds, biased.normal_bias, strict=False):
        arrival = find_arrival(gap, before, after, h, e)
        resting, rebound = arrival.resting_speed + bias, arrival.rebound_speed + (1.0 - arrival.bounces) * bias
        result.append(replace(arrival, resting_speed=resting, rebound_speed=rebound))
    return result


def _gaps_after(constraints: Constraints, blocks: Sequence[Block], displacement: Numbers) -> list[Scalar]:
    """Return the gaps of contacts and limits after a displacement of the coordinates u."""

    def gap_after(block: Block, gap: Scalar) -> Scalar:
        return gap + block.rows[0].speed(displacement)

    gaps = constraints.gaps
    return map_blocks(blocks[: len(gaps)], gap_after, [gaps], otherwise=same_item)


def _works(blocks: Sequence[Block], before: Numbers, solution: ImpulseSolution) -> Impulses:
    """Return the work of impulses on a figure, by block and row [J]; before: velocities u before the impulses."""
    u_sum = [x + y for x, y in zip(before, solution.u, strict=True)]
    return map_blocks(blocks, partial(_work, u_sum), [solution.impulses], otherwise=no_impulses)


def _work(u_sum: Numbers, block: Block, impulses: Numbers) -> list[Scalar]:
    """Return the work of a block's impulses, by row [J]; u_sum: sum of the velocities u before and after the step."""
    return [0.5 * p * row.speed(u_sum) for row, p in zip(block.rows, impulses, strict=True)]
