"""A velocity step with contact: forces change velocities, impulses keep bodies apart, velocities change positions.

    A = M + h B + h^2 K         A (v_f - v) = h (tau - C - h K v)           linearly implicit in springs and dampers
    A (v+ - v_f) = J^T p        the laws of every block (blocks.py)         one problem with friction
    q+ = q + h (v + v+) / 2         all else is evaluated at q + h v / 2    a leapfrog: second order in free motion

A step in which a landing is expected is evaluated at its time instead, see landing.py.

B and K: decrease of the joint forces per velocity and position, or the implicit part of it (implicit_part.py). If a
contact bounces or lands within the step, q moves at the old velocities until then. [Stewart and Trinkle 1996; Moreau
1999; Baraff and Witkin 1998]

The impulse of a contact with relative velocity w does the work p . (w + w+) / 2. If rebounds would add energy, all are
reduced by the same factor. So are the impulses of the previous step, with which a step begins: those of contacts that
push against each other may have cancelled, however large they are, and no longer do. Blocks and solvers use the
coordinates u = R v, with A = R^T R, in which A is the identity (rows.py): factors.multiply() returns u from v,
outward() v from u, and inward() u from momenta.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.stepping.block_list import active_row_speeds, declared_alike, map_speeds, normal_speeds, same_item
from gambol.contact.stepping.blocks import Block, Impulses
from gambol.contact.stepping.bounce import (
    HORIZON,
    Arrival,
    TreeSplit,
    any_event,
    closing_time,
    find_arrival,
    first_event,
    first_events,
    ordered_landings,
    tree_split,
    trees,
)
from gambol.contact.stepping.constraints import Constraints
from gambol.contact.stepping.corrections import VelocityBias, velocity_bias
from gambol.contact.stepping.free_motion import (
    Extrapolation,
    Forces,
    FreeVelocity,
    free_velocity,
    increment_of,
    step_factors,
)
from gambol.contact.stepping.landing import ExpectedLanding, next_landing, push_until_landing
from gambol.contact.stepping.problem import ImpulseProblem, SolverOptions, sweep_impulses
from gambol.contact.stepping.softness import soft_bias
from gambol.contact.stepping.solve import impulse_works, limit_energy
from gambol.contact.stepping.sweep import ImpulseSolution, block_gauss_seidel
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Factorisation
from gambol.dynamics.tangent import Numbers
from gambol.figure import Figure
from gambol.lanes import UNDEFINED, Scalar, map_alike, maximum, when, where
from gambol.spatial.rotation import is_constant

MIN_ROLLED_ARRIVALS = 12
"""Number of contacts whose arrivals are a loop in a short program: 12 take 620 operations less."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step.

    blocks: blocks of all constraints. factors: Cholesky factors of A. v: joint velocities (nv), along axes fixed in the
    step. increment: displacement from the middle of the step to its end (nv), along the same axes; has_event: 1 where a
    contact or limit bounces or lands. gaps: gaps of contacts and limits, after the increment [m or rad]. lasting_gaps:
    see _lasting_gaps() [m or rad]. impulses: impulses of each block by row [N s or N m s]. work: their work on the
    figure, at the mean of the velocities before and after the step [J]. residual, limited: see ImpulseSolution.
    contact_speeds: speeds of the contacts' rows after the step [m/s]. next_landing: see landing.py; 0 if none is
    expected [s]. landing_loss: energy that forces lose because they are divided at a landing [J]. damper_slowing: see
    DividedForces (nv) [rad/s or m/s]; empty if no landing can divide a step.
    """

    blocks: Sequence[Block]
    factors: Factorisation
    v: list[Scalar]
    increment: list[Scalar]
    has_event: Scalar
    gaps: list[Scalar]
    lasting_gaps: list[Scalar]
    impulses: Impulses
    work: Impulses
    residual: Scalar
    contact_speeds: list[list[Scalar]]
    limited: Scalar | None = None
    next_landing: Scalar = 0.0
    landing_loss: Scalar = 0.0
    damper_slowing: Sequence[Scalar] = ()


def velocity_step(
    state: Kinematics,
    forces: Forces,
    constraints: Constraints,
    warm_start: Impulses,
    h: Scalar,
    options: SolverOptions | None = None,
    landing: ExpectedLanding | None = None,
) -> StepResult:
    """Return the result of a step of h [s].

    state: state in the middle of the step, or at its expected landing, reached at the velocities v of its start.
    forces: all forces except contact forces. constraints: contacts, limits, dry friction and loops. warm_start: initial
    impulses, such as the impulses of the previous step. options: None for the default ones. landing: the expected
    landing; None: never one.
    """
    options = options or SolverOptions()
    factors = step_factors(state, forces, h)
    e = [contact.restitution for contact in constraints.contacts] + [0.0] * len(constraints.limits)
    skips_inactive_blocks = options.solver is sweep_impulses and all(is_constant(x, 0.0) for x in e)
    before = factors.multiply(state.v)
    blocks = constraints.blocks(state, factors, h, UNDEFINED if skips_inactive_blocks else None)
    softness, gaps = options.softness, constraints.gaps
    evaluated = None if landing is None else landing.time
    if softness is None:
        biased = velocity_bias(blocks, constraints.previous_speeds, warm_start, before, options.bias_share)
        target_speeds = _closing_speeds(biased, gaps, closing_time(evaluated, h))
    else:
        biased = soft_bias(blocks, gaps, before, before, softness, h)
        target_speeds = biased.normal_bias
    blocks = biased.blocks
    guess = partial(_guess, blocks, target_speeds, warm_start, softness is not None)
    free = free_velocity(state, forces, factors, before, guess, h, landing)
    if softness is None:
        arrivals = _arrivals(constraints, biased, e, free, h, landing, options.tolerance)
    else:
        biased = soft_bias(blocks, gaps, before, free.after, softness, h)
        blocks, arrivals = biased.blocks, [Arrival(x, x, 0.0, HORIZON * h) for x in biased.normal_bias[: len(gaps)]]
    arrivals, splits = _ordered(arrivals, [tree.mask(constraints) for tree in trees(state.figure)], h)
    solution = _impulses(options, blocks, arrivals, e, free, warm_start, landing)
    displacement = _displacement(state.figure, splits, free, solution.u, h, evaluated, forces.extrapolation)
    v = free.factors.outward(solution.u)
    has_event = any_event(splits) if landing is None else maximum(any_event(splits), landing.expected)
    increment = increment_of(forces, free, displacement, v, has_event, h)
    gaps = _gaps_after(constraints, blocks, displacement)
    speeds = active_row_speeds(blocks[: len(constraints.contacts)], solution.u)
    normal = _all_normal_speeds(blocks, speeds, len(gaps), solution.u)
    lasting = _lasting_gaps(gaps, normal, splits, h, evaluated)
    works = impulse_works(blocks, before, solution)
    ended = lasting, solution.impulses, works, solution.residual, speeds, solution.limited
    result = StepResult(blocks, factors, v, increment, has_event, gaps, *ended)
    if (divided := free.divided) is None:
        return result
    loss = when(divided.lands, partial(divided.loss, h=h), v, otherwise=0.0)
    soonest = next_landing(arrivals, e, gaps, normal, h, options.tolerance, divided.landing.horizon)
    return replace(result, next_landing=soonest, landing_loss=loss, damper_slowing=divided.damper_slowing)


def _guess(
    blocks: Sequence[Block], targets: Sequence[Scalar], warm_start: Impulses, stores_energy: bool, u: list[Scalar]
) -> list[Scalar]:
    """Return roughly the velocities u after a step, which contacts permit; u: velocities without impulses.

    Impulses may double the energy, at most: former ones may no longer cancel. stores_energy: True if they may raise it
    by any amount, as those of springs do.
    """
    swept = block_gauss_seidel(blocks, targets, u, warm_start, iterations=1)
    return swept.u if stores_energy else limit_energy(u, swept, 0.5 * sum((x * x for x in u), 0.0)).u


def _closing_speeds(biased: VelocityBias, gaps: Numbers, closing: Scalar) -> list[Scalar]:
    """Return the least speed of each block's first row: contacts and limits close their gaps in a time [m/s]."""
    speeds = list(biased.normal_bias)
    for k, gap in enumerate(gaps):
        speeds[k] = speeds[k] - maximum(gap, 0.0) / closing
    return speeds


def _ordered(
    arrivals: Sequence[Arrival], masks: Sequence[Sequence[Scalar]], h: Scalar
) -> tuple[list[Arrival], list[TreeSplit]]:
    """Return the arrivals, of which the first landing in each tree stops at its time, and the split of each tree.

    masks: 1 for each contact and limit that acts on a tree, else 0. h: length of the step [s].
    """
    first_times = [first_event(mask, arrivals, h) for mask in masks]
    ordered = ordered_landings(arrivals, first_events(masks, first_times, [HORIZON * h] * len(arrivals)), h)
    return ordered, [tree_split(mask, ordered, first) for mask, first in zip(masks, first_times, strict=True)]


def _impulses(
    options: SolverOptions,
    blocks: Sequence[Block],
    arrivals: Sequence[Arrival],
    restitution: Numbers,
    free: FreeVelocity,
    warm_start: Impulses,
    landing: ExpectedLanding | None,
) -> ImpulseSolution:
    """Return the impulses of a step; contacts that stood before an expected landing have pushed until then."""
    stopping = options.iterations, options.tolerance, options.softness is not None, options.accelerated
    problem = ImpulseProblem(blocks, arrivals, list(restitution), free.before, free.after, warm_start, *stopping)
    if landing is None:
        return options.solver(problem)
    u_free, until = push_until_landing(landing, problem.blocks, problem.u_free, problem.warm_start)
    rest = [[p - x for p, x in zip(*pair, strict=True)] for pair in zip(problem.warm_start, until, strict=True)]
    solution = options.solver(replace(problem, u_free=u_free, warm_start=rest))
    sums = [[p + x for p, x in zip(*pair, strict=True)] for pair in zip(solution.impulses, until, strict=True)]
    return replace(solution, impulses=sums)


def _displacement(
    figure: Figure,
    splits: Sequence[TreeSplit],
    free: FreeVelocity,
    u_after: Numbers,
    h: Scalar,
    evaluated: Scalar | None,
    extrapolation: Extrapolation | None,
) -> list[Scalar]:
    """Return the displacement of the coordinates u from the evaluation of a step to its end.

    In a tree that lands at time t, the coordinates change at the velocities before the step until t, so that bodies
    which already stand do not sink in. In a tree that bounces, forces also change the velocities before and after the
    bounce.
    """
    evaluated = 0.5 * h if evaluated is None else evaluated
    displacement = [(h - evaluated) * y for y in u_after]
    for tree, split in zip(trees(figure), splits, strict=True):
        if is_constant(split.has_event, 0.0):
            continue
        t, remaining = split.time, h - split.time
        for k in tree.freedoms:
            after_event = (t - evaluated) * free.before[k] + remaining * u_after[k]
            if not is_constant(split.bounced, 0.0):
                acceleration_term = 0.5 * (t * t - remaining * remaining) / h * (free.after[k] - free.before[k])
                after_event = after_event + where(split.bounced > 0.5, acceleration_term, 0.0)
            displacement[k] = where(split.has_event > 0.5, after_event, displacement[k])
    if extrapolation is None:
        return displacement
    shift = free.factors.multiply(list(extrapolation.shift))
    return [x - y for x, y in zip(displacement, shift, strict=True)]


def _arrivals(
    constraints: Constraints,
    biased: VelocityBias,
    restitution: Numbers,
    free: FreeVelocity,
    h: Scalar,
    landing: ExpectedLanding | None,
    tolerance: Scalar,
) -> list[Arrival]:
    """Return the arrivals of contacts and limits; only contacts can bounce."""
    evaluated, slowest = (None, 0.0) if landing is None else (landing.time, tolerance)
    with_gaps = biased.blocks[: len(constraints.gaps)]  # all other blocks come last and have no gaps
    speeds = normal_speeds(with_gaps, (free.before, free.after))

    def arrival_of(item: tuple[Scalar, Scalar, list[Scalar], Scalar]) -> Arrival:
        gap, e, (before, after), bias = item
        arrival = find_arrival(gap, before, after, h, e, evaluated, slowest)
        resting, rebound = arrival.resting_speed + bias, arrival.rebound_speed + (1.0 - arrival.bounces) * bias
        return replace(arrival, resting_speed=resting, rebound_speed=rebound)

    items = list(zip(constraints.gaps, restitution, speeds, biased.normal_bias, strict=False))
    may_bounce = not any(is_constant(e, 0.0) for e in restitution)  # otherwise an arrival is short, and has constants
    return declared_alike(map_alike(arrival_of, items, MIN_ROLLED_ARRIVALS if may_bounce else len(items) + 1))


def _gaps_after(constraints: Constraints, blocks: Sequence[Block], displacement: Numbers) -> list[Scalar]:
    """Return the gaps of contacts and limits after a displacement of the coordinates u."""

    def gap_after(block: Block, w: list[Scalar], gap: Scalar) -> Scalar:
        return gap + w[0]

    gaps = constraints.gaps
    return map_speeds(blocks[: len(gaps)], displacement, gap_after, [gaps], otherwise=same_item)


def _all_normal_speeds(
    blocks: Sequence[Block], contact_speeds: Sequence[Sequence[Scalar]], count: int, u: Numbers
) -> list[Scalar]:
    """Return the speeds of the first rows of contacts and limits [m/s or rad/s]; count: their number; u: velocities."""
    limits = normal_speeds([blocks[k] for k in range(len(contact_speeds), count)], (u,))
    return [rows[0] for rows in (*contact_speeds, *limits)]


def _lasting_gaps(
    gaps: Sequence[Scalar], speeds: Numbers, splits: Sequence[TreeSplit], h: Scalar, evaluated: Scalar | None
) -> list[Scalar]:
    """Return gaps of contacts and limits at the end of a step of h [s], or at its last event if they are larger then.

    gaps, speeds: gaps and speeds at the end. A landing may come after the end of its step, up to the middle of the next
    one. Positions at the end are then extrapolated from it back, at velocities that bodies have only after it, and may
    have overlaps that exist at no time: a leg that is stretched to its stop and lands would be beyond its stop.
    """
    later: Scalar = 0.0
    for split in splits:
        if not is_constant(split.has_event, 0.0):
            time = where(split.has_event > 0.5, split.time, 0.5 * h if evaluated is None else evaluated)
            later = maximum(time - h, later)
    return [gap + later * maximum(w, 0.0) for gap, w in zip(gaps, speeds, strict=True)]
