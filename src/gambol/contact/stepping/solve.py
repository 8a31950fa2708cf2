"""The impulses of a step, by sweeps or, where sweeps stall, by the augmented Lagrangian; their work; limits of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.contact.stepping.augmented import augmented
from gambol.contact.stepping.block_list import BlockReader, loop_blocks, map_speeds, no_impulses, shared_program
from gambol.contact.stepping.blocks import Block, ContactBlock, Impulses
from gambol.contact.stepping.sweep import (
    AcceleratedSweeps,
    ImpulseSolution,
    SweepEnd,
    accelerated_sweep,
    block_gauss_seidel,
    repeat_sweep,
    sweeps,
)
from gambol.lanes import Scalar, Subprogram, loop, maximum, minimum, shared, sqrt, when, where

AUGMENTED_TOLERANCE = 0.1
"""Tolerance of the augmented Lagrangian, as a factor of the permitted residual."""

MAX_EXTRA_SWEEPS, SWEEPS_PER_CHECK = 32, 4
"""Limit of additional sweeps where the first sweeps stall, and number of sweeps between checks, half as many if they
are accelerated. Four additional sweeps mostly suffice. After the last sweep, the augmented Lagrangian method is used;
one of its steps costs as much as ten sweeps."""

PROMPT_SWEEPS = 8
"""Number of additional sweeps that are computed at once. Lanes that need more wait until they fill a block, and take
their step again: cheap where few need it, but in violent motion most steps of an ant need four or eight."""

STALL_FACTOR = 10.0
"""Sweeps count as stalled if the residual exceeds the tolerance, or if the error, estimated from the last two sweeps,
exceeds this many times the tolerance."""

ENERGY_MARGIN, MIN_ENERGY_SHARE = 0.01, 1e-10
"""Impulses p count as adding energy if their work exceeds p . target, the work that target speeds (rebounds) need, by
more than ENERGY_MARGIN p . D p / 2; unless p . D p / 2 is below MIN_ENERGY_SHARE |u_free|^2, which may be rounding. D:
Delassus matrix."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A solution, and 1 if it is not accurate enough, else 0."""

    solution: ImpulseSolution
    stalls: Scalar


def solve_to_tolerance(
    blocks: Sequence[Block],
    targets: Sequence[Scalar],
    u_free: Sequence[Scalar],
    warm_start: Impulses,
    iterations: int,
    tolerance: Scalar,
    accelerated: bool = False,
) -> ImpulseSolution:
    """Return impulses by block Gauss-Seidel, or by the augmented Lagrangian where sweeps stall or add energy.

    blocks, targets, u_free, warm_start, iterations: as for block_gauss_seidel(); tolerance: permitted violation of the
    laws [m/s or rad/s]; accelerated: True to accelerate the further sweeps, see sweep.py. In lanes where sweeps
    converge, all else is skipped.
    """
    if not blocks:
        return ImpulseSolution(list(u_free), [], 0.0)
    end = sweeps(blocks, targets, u_free, warm_start, iterations)

    def is_inaccurate(solution: ImpulseSolution) -> Scalar:
        too_inaccurate = _stalled(blocks, targets, u_free, solution, STALL_FACTOR * tolerance)
        return too_inaccurate | (solution.residual > tolerance)

    def is_stalled(solution: ImpulseSolution) -> Scalar:
        return _stalled(blocks, targets, u_free, solution, tolerance)

    def swept(start: SweepEnd, limit: float) -> ImpulseSolution:
        if accelerated:
            return _accelerated_until(blocks, targets, start, is_stalled, limit)
        return _swept_until(blocks, targets, u_free, start.solution, is_stalled, limit)

    def few_sweeps(start: _Attempt) -> _Attempt:
        solution = swept(replace(end, solution=start.solution), PROMPT_SWEEPS)
        return _Attempt(solution, where(is_stalled(solution), 1.0, 0.0))

    def more_sweeps(start: _Attempt) -> _Attempt:
        unchanged = [0.0] * len(start.solution.u)  # so the first of accelerated sweeps is plain
        first = SweepEnd(start.solution, unchanged, end.contraction)
        solution = swept(first, MAX_EXTRA_SWEEPS - PROMPT_SWEEPS)
        return _Attempt(solution, where(is_inaccurate(solution), 1.0, 0.0))

    def by_augmented_lagrangian(start: _Attempt) -> _Attempt:
        found = augmented(blocks, targets, u_free, start.solution, AUGMENTED_TOLERANCE * tolerance)
        return replace(start, solution=found)

    state = _Attempt(end.solution, where(is_inaccurate(end.solution), 1.0, 0.0))
    methods = few_sweeps, more_sweeps, by_augmented_lagrangian  # compiled apart from the usual path
    for rarity, method in enumerate(map(Subprogram, methods)):
        state = when(state.stalls > 0.5, Subprogram(partial(_call, method), rarity), state, otherwise=state)
    return state.solution


def _swept_until(
    blocks: Sequence[Block],
    targets: Sequence[Scalar],
    u_free: Sequence[Scalar],
    start: ImpulseSolution,
    is_stalled: Callable[[ImpulseSolution], Scalar],
    limit: float,
) -> ImpulseSolution:
    """Return the solution after further sweeps, as long as it is stalled, at most a limit of them."""

    def again(state: tuple[ImpulseSolution, Scalar]) -> tuple[ImpulseSolution, Scalar]:
        more = block_gauss_seidel(blocks, targets, u_free, state[0].impulses, SWEEPS_PER_CHECK)
        return more, state[1] + SWEEPS_PER_CHECK

    return loop(lambda state: (state[1] < limit) & is_stalled(state[0]), again, (start, 0.0))[0]


def _accelerated_until(
    blocks: Sequence[Block],
    targets: Sequence[Scalar],
    start: SweepEnd,
    is_stalled: Callable[[ImpulseSolution], Scalar],
    limit: float,
) -> ImpulseSolution:
    """Return the solution after accelerated sweeps, as long as it is stalled, at most a limit of them."""
    once, count = partial(accelerated_sweep, blocks, targets), SWEEPS_PER_CHECK // 2

    def again(state: tuple[AcceleratedSweeps, Scalar]) -> tuple[AcceleratedSweeps, Scalar]:
        return repeat_sweep(count, once, state[0]), state[1] + count

    first = (AcceleratedSweeps.of(start), 0.0)
    return loop(lambda state: (state[1] < limit) & is_stalled(state[0].last.solution), again, first)[0].last.solution


def _call(method: Subprogram, state: _Attempt) -> _Attempt:
    """Return method(state). As a branch of when() this is a call; otherwise the method would be inlined."""
    return method(state)


def _stalled(
    blocks: Sequence[Block],
    targets: Sequence[Scalar],
    u_free: Sequence[Scalar],
    solution: ImpulseSolution,
    tolerance: Scalar,
) -> Scalar:
    """Return True where the estimated error exceeds the tolerance, or the impulses p add energy, see ENERGY_MARGIN.

    Their work is p . (w_free + w) / 2, with the speeds w_free of the rows without impulses, and w = w_free + D p. Where
    the laws are satisfied, it is at most p . target - p . D p / 2. Impulses add energy if the work exceeds max(p .
    target, 0) by ENERGY_MARGIN p . D p / 2, and p is not only rounding.
    """
    excess = shared_program(blocks, "added energy", partial(_added_energy, blocks))
    added: Scalar = excess(list(targets), list(u_free), solution.u, solution.impulses)
    return (solution.remaining > tolerance) | (added > 0.5)


def _added_energy(
    blocks: Sequence[Block],
    targets: Sequence[Scalar],
    u_free: Sequence[Scalar],
    u: Sequence[Scalar],
    impulses: Impulses,
) -> Scalar:
    """Return 1 where impulses add energy, else 0."""
    slope, curve = energy_gain(list(u_free), list(u))
    rebounds = loop_blocks(blocks, _with_target_work, 0.0, [targets, impulses])[0]
    added = slope + curve > maximum(rebounds, 0.0) + ENERGY_MARGIN * curve
    return where(added & (curve > MIN_ENERGY_SHARE * sum((x * x for x in u_free), 0.0)), 1.0, 0.0)


def _with_target_work(read: BlockReader, total: Scalar) -> tuple[Scalar, None]:
    """Return the sum with the work of a block's impulses added."""
    return total + _target_work(*read()), None


def _target_work(block: Block, target: Scalar, p: Sequence[Scalar]) -> Scalar:
    """Return the work p . target of a block's impulses [J].

    target: target of the first row; a negative one counts as 0. Tangents of a contact have their bias as target; a
    negative work of their impulses at the bounce counts as 0.
    """
    bias = block.tangent_bias if isinstance(block, ContactBlock) else ()
    tangential = sum((x * w for x, w in zip(p[1:], bias, strict=False)), 0.0)
    return p[0] * maximum(target, 0.0) + maximum(tangential, 0.0)


@shared
def energy_gain(u_free: list[Scalar], u: list[Scalar]) -> tuple[Scalar, Scalar]:
    """Return the coefficients of s and s^2 in the energy that a fraction s of all impulses adds [J].

    u_free, u: velocities u (nv) without and with impulses; in these coordinates the mass matrix is the identity.
    """
    slope: Scalar = 0.0
    curve: Scalar = 0.0
    for x, y in zip(u_free, u, strict=True):
        slope, curve = slope + (y - x) * x, curve + 0.5 * (y - x) * (y - x)
    return slope, curve


def allowed_fraction(start: Scalar, slope: Scalar, curve: Scalar) -> Scalar:
    """Return the largest fraction s of a rebound, from 0 to 1, for which start + slope s + curve s^2 <= 0.

    start: energy change without the rebound; a positive one counts as 0; slope, curve: coefficients of s and s^2, curve
    0 or more [J]. The root is computed without cancellation for either sign of the slope.
    """
    start = minimum(start, 0.0)
    root = sqrt(maximum(slope * slope - 4.0 * curve * start, 0.0))
    decreasing, denominator = slope < 0.0, slope + root
    root_if_decreasing = (root - slope) / where(curve > 0.0, 2.0 * curve, 1.0)
    root_if_increasing = where(denominator > 0.0, -2.0 * start / where(denominator > 0.0, denominator, 1.0), 0.0)
    all_allowed = start + slope + curve <= 0.0
    return where(all_allowed, 1.0, minimum(where(decreasing, root_if_decreasing, root_if_increasing), 1.0))


@shared
def limit_energy(u_free: list[Scalar], solution: ImpulseSolution, permitted: Scalar) -> ImpulseSolution:
    """Return a solution with all impulses scaled by one factor, so that they do not raise the energy of free motion.

    permitted: energy by which they may raise it [J]. Scaled impulses still obey contact and friction bounds. The
    violation of the laws by the scaling is added to the residual.
    """
    slope, curve = energy_gain(u_free, solution.u)
    scaled = partial(_scaled, u_free, slope, curve, permitted)
    return when(slope + curve > permitted, scaled, solution, otherwise=solution)


def _scaled(
    u_free: Sequence[Scalar], slope: Scalar, curve: Scalar, permitted: Scalar, solution: ImpulseSolution
) -> ImpulseSolution:
    """Return the solution scaled so that it adds at most the permitted energy."""
    s, largest = allowed_fraction(-permitted, slope, curve), 0.0
    for x, y in zip(u_free, solution.u, strict=True):
        largest = maximum(abs(y - x), largest)
    return ImpulseSolution(
        [x + s * (y - x) for x, y in zip(u_free, solution.u, strict=True)],
        [[s * p for p in impulses] for impulses in solution.impulses],
        solution.residual + (1.0 - s) * largest,
    )


def impulse_works(blocks: Sequence[Block], before: Sequence[Scalar], solution: ImpulseSolution) -> Impulses:
    """Return the work of impulses on a figure, by block and row [J]; before: velocities u before the impulses."""
    u_sum = [x + y for x, y in zip(before, solution.u, strict=True)]
    return map_speeds(blocks, u_sum, _work, [solution.impulses], otherwise=no_impulses)


def _work(block: Block, w_sum: Sequence[Scalar], impulses: Sequence[Scalar]) -> list[Scalar]:
    """Return the work of a block's impulses, by row [J]; w_sum: sum of the rows' speeds before and after the step."""
    return [0.5 * p * w for w, p in zip(w_sum, impulses, strict=True)]
