"""Block Gauss-Seidel: each block in turn is updated to satisfy its own laws, for a fixed number of sweeps.

It starts from the impulses of the previous step, so the solution of a figure at rest improves in each step. The first
half of the sweeps is over-relaxed; the others are not, so that weakly coupled blocks are solved exactly. The work is
the same in every step. The largest correction of the last sweep is returned as the residual, a speed.

Further sweeps, where these are not enough, are accelerated: s(x) is the result of a sweep from impulses x.

    r_k = s(x_k) - x_k        x_k+1 = s(x_k) + t (s(x_k-1) - s(x_k))        t = r_k . (r_k - r_k-1) / |r_k - r_k-1|^2

With constant contact states, s is affine, and x_k+1 has the smallest change r on the line through the last two starts
[Anderson 1965, with a depth of 1]. Changes r are compared as velocities u. If r grows, t is 0.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gambol.contact.stepping.block_list import (
    BlockReader,
    loop_blocks,
    no_impulses,
    same_item,
    scan_blocks,
    shared_program,
)
from gambol.contact.stepping.blocks import Block, Impulses, row_speeds
from gambol.lanes import Scalar, fori, is_short, is_traced, is_tracing, maximum, minimum, repeat, sqrt, when, where
from gambol.spatial.rotation import is_constant

OVER_RELAXATION = 1.5
"""Over-relaxation in the first half of the sweeps: six sweeps then are as accurate as forty without it. In the second
half, over-relaxation would overshoot each change by half, whereas plain sweeps solve weakly coupled blocks exactly."""

MAX_CONTRACTION = 0.99
"""Upper bound of the estimated error ratio of two sweeps: the error left is at most 100 times the last change."""


MIN_DIFFERENCE = 0.01
"""Square of the least difference of successive changes, as a fraction of the last one, with which sweeps accelerate. It
bounds t by 10: beyond, t is a quotient of rounding errors in float32 (docs/measurements/random-torques.md)."""


@dataclass(frozen=True, slots=True)
class ImpulseSolution:
    """Impulses that satisfy the laws of all blocks, as far as the solver converged.

    u: velocities (nv), see rows.py. impulses: impulses of each block, by row [N s or N m s]. residual: largest change
    of a row's speed by its own impulse in the last sweep, or largest violation of the laws if augmented.py found the
    impulses [m/s or rad/s]. remaining: distance of the speeds from the converged ones, estimated from the last two
    sweeps [m/s or rad/s]. limited: fraction of all impulses, 0 to 1, that was removed because it would have added
    energy; None for methods without it.
    """

    u: list[Scalar]
    impulses: Impulses
    residual: Scalar
    remaining: Scalar = 0.0
    limited: Scalar | None = None


def block_gauss_seidel(
    blocks: Sequence[Block], targets: Sequence[Scalar], u_free: Sequence[Scalar], warm_start: Impulses, iterations: int
) -> ImpulseSolution:
    """Return impulses that satisfy the laws of all blocks, and the velocities u under them, after one sweep or more.

    blocks: contacts, limits, dry friction, loops. targets: target speed of each block's first row [m/s or rad/s].
    u_free: velocities u (nv) without impulses. warm_start: initial impulses; the first sweep corrects impulses out of
    bounds. iterations: number of sweeps.
    """
    if not blocks:
        return ImpulseSolution(list(u_free), [], 0.0)
    return sweeps(blocks, targets, u_free, warm_start, iterations).solution


def sweeps(
    blocks: Sequence[Block], targets: Sequence[Scalar], u_free: Sequence[Scalar], warm_start: Impulses, iterations: int
) -> "SweepEnd":
    """Return the end of the sweeps of block_gauss_seidel(), with the same arguments."""
    early = iterations // 2
    program = shared_program(blocks, "sweeps", partial(_sweeps, blocks))
    return program(list(targets), list(u_free), warm_start, float(early), float(iterations - early))


def _sweeps(
    blocks: Sequence[Block],
    targets: Sequence[Scalar],
    u_free: list[Scalar],
    warm_start: Impulses,
    early: Scalar,
    late: Scalar,
) -> "SweepEnd":
    """Return the end of `early` over-relaxed sweeps and `late` plain ones."""
    u, start = after_impulses(blocks, u_free, warm_start)

    def relaxed_sweep(state: tuple[list[Scalar], Impulses]) -> tuple[list[Scalar], Impulses]:
        return sweep_blocks(blocks, targets, *state, OVER_RELAXATION)

    def plain_sweep(state: _SweepState) -> _SweepState:
        new, impulses, residual = _measured_sweep(blocks, targets, state.u, state.impulses)
        return _SweepState(new, impulses, state.u, state.previous_u, residual)

    if not is_constant(early, 0.0):
        u, start = repeat_sweep(early, relaxed_sweep, (u, start))
    end = repeat_sweep(late, plain_sweep, _SweepState(u, start, u, u, 0.0))
    ratio = _contraction(_change(end.second_previous_u, end.previous_u), _change(end.previous_u, end.u))
    solution = ImpulseSolution(end.u, end.impulses, end.residual, end.residual / (1.0 - ratio))
    return SweepEnd(solution, _change(end.previous_u, end.u), ratio)


def repeat_sweep(count: Scalar, sweep: Callable[[Any], Any], state: Any) -> Any:
    """Return the state after `count` sweeps, which each take a state and return the next one, a pytree.

    In a program, lanes with a constant count stop together. The state is then in registers, not selected by lane and
    stored after each sweep: an ant's step takes 0.90 of the time.
    """
    if is_tracing() and isinstance(count, (int, float)):
        return fori(0, int(count), lambda _, now: sweep(now), state)
    return repeat(count, sweep, state)


@dataclass(frozen=True, slots=True)
class SweepEnd:
    """The end of some sweeps.

    solution: the result of the last sweep. change: change of u by it (nv). contraction: ratio by which a plain sweep
    reduces the changes, 0 to MAX_CONTRACTION.
    """

    solution: ImpulseSolution
    change: list[Scalar]
    contraction: Scalar


@dataclass(frozen=True, slots=True)
class AcceleratedSweeps:
    """State of accelerated sweeps: the last one, and the start of the next one (u and impulses)."""

    last: SweepEnd
    next_u: list[Scalar]
    next_impulses: Impulses

    @staticmethod
    def of(end: SweepEnd) -> "AcceleratedSweeps":
        """Return the state after plain sweeps."""
        return AcceleratedSweeps(end, end.solution.u, end.solution.impulses)


def accelerated_sweep(
    blocks: Sequence[Block], targets: Sequence[Scalar], state: AcceleratedSweeps
) -> AcceleratedSweeps:
    """Return the state after one more sweep, see the top of this file. blocks, targets: see block_gauss_seidel()."""
    old = state.last
    u, impulses, residual = _measured_sweep(blocks, targets, state.next_u, state.next_impulses)
    change = _change(state.next_u, u)
    size, slope, difference = 0.0, 0.0, 0.0
    for x, y in zip(change, old.change, strict=True):
        size, slope, difference = size + x * x, slope + x * (x - y), difference + (x - y) * (x - y)
    ratio = _contraction(old.change, change)
    accelerates = (ratio > 0.0) & (ratio < MAX_CONTRACTION) & (difference > MIN_DIFFERENCE * size)
    t = where(accelerates, slope / where(accelerates, difference, 1.0), 0.0)
    remaining = residual / (1.0 - maximum(ratio, old.contraction))
    pairs = zip(old.solution.impulses, impulses, strict=True)
    return AcceleratedSweeps(
        SweepEnd(ImpulseSolution(u, impulses, residual, remaining), change, old.contraction),
        [x + t * (y - x) for x, y in zip(u, old.solution.u, strict=True)],
        [[p + t * (q - p) for p, q in zip(b, a, strict=True)] for a, b in pairs],
    )


def _change(before: Sequence[Scalar], after: Sequence[Scalar]) -> list[Scalar]:
    return [y - x for x, y in zip(before, after, strict=True)]


@dataclass(frozen=True, slots=True)
class _SweepState:
    """State between sweeps: velocities u (nv), impulses, velocities before the last sweep and before the previous one,
    and the residual of the last sweep.
    """

    u: list[Scalar]
    impulses: Impulses
    previous_u: list[Scalar]
    second_previous_u: list[Scalar]
    residual: Scalar


def _contraction(first: Sequence[Scalar], second: Sequence[Scalar]) -> Scalar:
    """Return the ratio of two successive changes of velocities u (nv), 0 to MAX_CONTRACTION."""
    early: Scalar = 0.0
    late: Scalar = 0.0
    for x, y in zip(first, second, strict=True):
        early, late = early + x * x, late + y * y
    ratio = sqrt(late / where(early > 0.0, early, 1.0))
    return where(early > 0.0, minimum(ratio, MAX_CONTRACTION), 0.0)


def after_impulses(blocks: Sequence[Block], u: list[Scalar], impulses: Impulses) -> tuple[list[Scalar], Impulses]:
    """Return velocities u (nv) after impulses, and the impulses, 0 for inactive blocks."""
    return shared_program(blocks, "after impulses", partial(_after_impulses, blocks))(u, impulses)


def _after_impulses(blocks: Sequence[Block], u: list[Scalar], impulses: Impulses) -> tuple[list[Scalar], Impulses]:
    return scan_blocks(blocks, _apply_impulses, u, [impulses], otherwise=no_impulses)


def _apply_impulses(block: Block, u: list[Scalar], p: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
    """Return velocities u after a block's impulses, and these impulses."""
    for row, impulse in zip(block.rows, p, strict=True):
        u = row.after_impulse(u, impulse)
    return u, p


def sweep_blocks(
    blocks: Sequence[Block], targets: Sequence[Scalar], u: list[Scalar], impulses: Impulses, relaxation: float
) -> tuple[list[Scalar], Impulses]:
    """Return velocities u and impulses after one update of every block; inactive blocks cost nothing.

    relaxation: factor of each update, 1 for a plain sweep.
    """
    return shared_program(blocks, "sweep", partial(_sweep, blocks))(list(targets), u, impulses, relaxation)


def _sweep(
    blocks: Sequence[Block], targets: list[Scalar], u: list[Scalar], impulses: Impulses, relaxation: Scalar
) -> tuple[list[Scalar], Impulses]:
    update = partial(_update, relaxation)
    return scan_blocks(blocks, update, u, [impulses], fixed=[targets], otherwise=same_item)


def _measured_sweep(
    blocks: Sequence[Block], targets: Sequence[Scalar], u: list[Scalar], impulses: Impulses
) -> tuple[list[Scalar], Impulses, Scalar]:
    """Return velocities u and impulses after one plain update of every block, and the largest_change().

    Changes are measured where blocks are updated, instead of reading all impulses again, except in short programs.
    """
    if is_short():
        after, swept = sweep_blocks(blocks, targets, u, impulses, 1.0)
        return after, swept, largest_change(blocks, impulses, swept)

    def update(block: Block, target: Scalar, u: list[Scalar], p: list[Scalar]) -> tuple[list[Scalar], Any]:
        u, new = _update(1.0, block, target, u, p)
        change: Scalar = 0.0
        for row, after, before in zip(block.rows, new, p, strict=True):
            change = maximum(abs(after - before) * row.inverse_mass, change)
        return u, (new, change)

    def unchanged(block: Block, p: list[Scalar]) -> tuple[list[Scalar], Scalar]:
        return p, 0.0

    u, updated = scan_blocks(blocks, update, u, [impulses], fixed=[targets], otherwise=unchanged)
    residual: Scalar = 0.0
    for _, change in updated:
        residual = maximum(change, residual)
    return u, [new for new, _ in updated], residual


def _update(
    relaxation: Scalar, block: Block, target: Scalar, u: list[Scalar], p: list[Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """Return the velocities u and the block's impulses after an update of one block."""
    new = block.updated(row_speeds(block, u), p, target)
    if is_traced(relaxation):
        relaxed = partial(block.over_relaxed, relaxation=relaxation)
        new = when(relaxation != 1.0, relaxed, p, new, otherwise=new)
    elif relaxation != 1.0:
        new = block.over_relaxed(p, new, relaxation)
    for row, after, before in zip(block.rows, new, p, strict=True):
        u = row.after_impulse(u, after - before)
    return u, new


def largest_change(blocks: Sequence[Block], before: Impulses, after: Impulses) -> Scalar:
    """Return the largest change of a row's speed by the change of its own impulse alone [m/s or rad/s]."""

    def larger(read: BlockReader, largest: Scalar) -> tuple[Scalar, None]:
        block, old, new = read()
        for row, p_old, p_new in zip(block.rows, old, new, strict=True):
            largest = maximum(where(block.active, abs(p_new - p_old) * row.inverse_mass, 0.0), largest)
        return largest, None

    return loop_blocks(blocks, larger, 0.0, [before, after])[0]
