"""Contact impulses by the augmented Lagrangian and Newton's method, for heavy bodies on light ones.

    f(u) = |u - u_free|^2 / 2 + sum |P(p - k (w - t))|^2 / (2 k)      w = z . u      P, t: projection.py
    p <- P(p - k (w - t))      s <- s / 10      once u is near the minimum of f      k = 1 / (s D)

f is convex with a continuous gradient, so damped Newton steps find the minimum from anywhere. The unknowns are
velocities, as many as a figure has, however many and however redundant the contacts are. Each outer iteration brings
the impulses nearer to the contact law, by a factor of s and the conditioning of the contacts.
[Rockafellar 1976; Alart and Curnier 1991]
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

from gambol.contact.stepping.block_list import active_row_speeds, map_blocks, no_impulses
from gambol.contact.stepping.blocks import Block, Impulses
from gambol.contact.stepping.projection import (
    newton_direction,
    no_slip_terms,
    project,
    slip_terms,
    total_inverse_mass,
    unprojected,
)
from gambol.contact.stepping.sweep import ImpulseSolution, after_impulses
from gambol.lanes import Precision, Scalar, Subprogram, loop, maximum, repeat, where, working_precision

INITIAL_SOFTNESS = 1e-3
"""Initial s: so large that few steps find the minimum of f from any start."""

SOFTNESS_FACTOR = 0.1  # s is multiplied by it in each outer iteration
MIN_SOFTNESS: dict[Precision, float] = {"float64": 1e-8, "float32": 1e-4}
"""The least s: rounding errors grow with 1 / s."""

MAX_STEPS = 30
"""Limit of Newton steps: most problems take ten. Twice as many are allowed where friction depends on the direction."""

INNER_TOLERANCE = 0.1
"""u counts as near the minimum of f where the gradient is at most this fraction of the violation."""

LINE_SEARCH_TRIALS = 6
"""Number of step lengths tried in a line search, the full step first."""

Speeds: TypeAlias = list[list[Scalar]]
"""Speeds of all blocks, by block and row [m/s or rad/s]."""


@dataclass(frozen=True, slots=True)
class _NewtonState:
    """State of the iteration: velocities u (nv), impulses p and slip terms in f, s, best solution, and step count."""

    u: list[Scalar]
    p: Impulses
    slips: Impulses
    softness: Scalar
    best: ImpulseSolution
    steps: Scalar


@dataclass(frozen=True, slots=True)
class _Problem:
    """The contact problem.

    u_free: velocities u (nv) without impulses; targets: targets of the blocks' first rows [m/s]. speeds, velocities,
    violation, projected: active_row_speeds() and the functions below, as subprograms.
    """

    blocks: Sequence[Block]
    targets: Sequence[Scalar]
    u_free: Sequence[Scalar]
    speeds: Subprogram
    velocities: Subprogram
    violation: Subprogram
    projected: Subprogram

    @staticmethod
    def of(blocks: Sequence[Block], targets: Sequence[Scalar], u_free: Sequence[Scalar]) -> "_Problem":
        """Return the problem of some blocks."""
        return _Problem(
            blocks,
            targets,
            u_free,
            Subprogram(partial(active_row_speeds, blocks)),
            Subprogram(partial(_velocities, blocks, u_free)),
            Subprogram(partial(_violation, blocks, targets)),
            Subprogram(partial(_projected, blocks, targets)),
        )


def augmented(
    blocks: Sequence[Block],
    targets: Sequence[Scalar],
    u_free: Sequence[Scalar],
    initial: ImpulseSolution,
    tolerance: Scalar,
) -> ImpulseSolution:
    """Return impulses that violate the contact laws by at most the tolerance [m/s or rad/s], or else the best impulses.

    blocks, targets, u_free: as for block_gauss_seidel(). initial: initial value, the solution of the sweeps.
    """
    problem = _Problem.of(blocks, targets, u_free)
    w = problem.speeds(initial.u)
    start_solution = replace(initial, residual=problem.violation(w, initial.impulses))
    start = _NewtonState(initial.u, initial.impulses, _slip_terms(blocks, w), INITIAL_SOFTNESS, start_solution, 0.0)

    limit = MAX_STEPS * (2.0 if any(len(no_slip_terms(block)) > 1 for block in blocks) else 1.0)

    def not_converged(state: _NewtonState) -> Scalar:
        return (state.best.residual > tolerance) & (state.steps < limit)

    return loop(not_converged, partial(_newton_step, problem), start).best


def _newton_step(problem: _Problem, state: _NewtonState) -> _NewtonState:
    """Return the state after one Newton step, and after an outer update if u is then near the minimum of f."""
    u = _line_minimum(problem, state, _newton_direction(problem, state))
    w = problem.speeds(u)
    projected = problem.projected(w, state.p, state.slips, state.softness)
    u_projected = problem.velocities(projected)
    gradient = [x - y for x, y in zip(u, u_projected, strict=True)]
    solution = ImpulseSolution(u_projected, projected, problem.violation(problem.speeds(u_projected), projected))
    error: Scalar = 0.0
    for speeds in problem.speeds(gradient):
        for x in speeds:
            error = maximum(abs(x), error)
    is_near, better = error <= INNER_TOLERANCE * solution.residual, solution.residual < state.best.residual
    return _NewtonState(
        u,
        _select(is_near, projected, state.p),
        _updated_slips(problem.blocks, w, state.slips, is_near),
        where(is_near, maximum(SOFTNESS_FACTOR * state.softness, MIN_SOFTNESS[working_precision()]), state.softness),
        ImpulseSolution(
            [where(better, x, y) for x, y in zip(u_projected, state.best.u, strict=True)],
            _select(better, projected, state.best.impulses),
            where(better, solution.residual, state.best.residual),
        ),
        state.steps + 1.0,
    )


def _select(condition: Scalar, yes: Impulses, no: Impulses) -> Impulses:
    """Return the impulses `yes` where the condition holds, else `no`."""
    return [[where(condition, x, y) for x, y in zip(a, b, strict=True)] for a, b in zip(yes, no, strict=True)]


def _slip_terms(blocks: Sequence[Block], w: Speeds) -> Impulses:
    """Return the slip terms of all blocks, see projection.slip_terms()."""
    return map_blocks(blocks, slip_terms, [w], otherwise=no_slip_terms)


def _updated_slips(blocks: Sequence[Block], w: Speeds, old: Impulses, is_near: Scalar) -> Impulses:
    """Return the slip terms, updated near the minimum, and always where friction depends on the direction of slip."""
    new = _slip_terms(blocks, w)
    selected = _select(is_near, new, old)
    return [x if len(x) > 1 else y for x, y in zip(new, selected, strict=True)]


def _velocities(blocks: Sequence[Block], u_free: Sequence[Scalar], p: Impulses) -> list[Scalar]:
    """Return velocities u (nv) under impulses p."""
    return after_impulses(blocks, list(u_free), p)[0]


def _violation(blocks: Sequence[Block], targets: Sequence[Scalar], w: Speeds, p: Impulses) -> Scalar:
    """Return the largest violation of the contact laws by impulses at speeds w, as a speed [m/s or rad/s]."""

    def of_block(block: Block, target: Scalar, w: Sequence[Scalar], p: Sequence[Scalar]) -> Scalar:
        moved, largest = unprojected(block, w, p, target, slip_terms(block, w), 1.0), 0.0
        for x, y in zip(project(block, moved).impulses, p, strict=True):
            largest = maximum(abs(x - y), largest)
        return largest * total_inverse_mass(block)

    def no_violation(block: Block, *items: Any) -> Scalar:
        return 0.0

    worst: Scalar = 0.0
    for violation in map_blocks(blocks, of_block, [w, p], fixed=[targets], otherwise=no_violation):
        worst = maximum(violation, worst)
    return worst


def _projected(
    blocks: Sequence[Block], targets: Sequence[Scalar], w: Speeds, p: Impulses, slips: Impulses, softness: Scalar
) -> Impulses:
    """Return P(p - k (w - t)) of all blocks at speeds w."""

    def of_block(
        block: Block, target: Scalar, w: Sequence[Scalar], p: Sequence[Scalar], slip: Sequence[Scalar]
    ) -> list[Scalar]:
        return project(block, unprojected(block, w, p, target, slip, softness)).impulses

    return map_blocks(blocks, of_block, [w, p, slips], fixed=[targets], otherwise=no_impulses)


def _newton_direction(problem: _Problem, state: _NewtonState) -> list[Scalar]:
    """Return the Newton step of u (nv), the solution of the equations linearised at u."""
    w = problem.speeds(state.u)
    u_projected = problem.velocities(problem.projected(w, state.p, state.slips, state.softness))
    b = [x - y for x, y in zip(u_projected, state.u, strict=True)]
    return newton_direction(problem.blocks, problem.targets, [w, state.p, state.slips], state.softness, b)


@dataclass(frozen=True, slots=True)
class _Bracket:
    """Bracket of a line search: lengths low and high, the slopes of f there (< 0, > 0), and the last length tried."""

    low: Scalar
    low_slope: Scalar
    high: Scalar
    high_slope: Scalar
    length: Scalar


def _line_minimum(problem: _Problem, state: _NewtonState, direction: list[Scalar]) -> list[Scalar]:
    """Return the velocities u (nv) that minimise f along a direction, by false position on its slope."""
    w, w_direction = problem.speeds(state.u), problem.speeds(direction)
    slope_terms = [
        sum((x * (y - z) for x, y, z in zip(direction, state.u, problem.u_free, strict=True)), 0.0),
        _dot(direction, direction),
    ]

    def slope(length: Scalar) -> Scalar:
        w_at_length = [[x + length * y for x, y in zip(a, b, strict=True)] for a, b in zip(w, w_direction, strict=True)]
        p = problem.projected(w_at_length, state.p, state.slips, state.softness)
        return (
            slope_terms[0]
            + length * slope_terms[1]
            - sum((_dot(a, b) for a, b in zip(p, w_direction, strict=True)), 0.0)
        )

    slope_at = Subprogram(slope)

    def narrowed(state: _Bracket) -> _Bracket:
        fraction = -state.low_slope / where(state.high_slope > state.low_slope, state.high_slope - state.low_slope, 1.0)
        length = state.low + fraction * (state.high - state.low)
        s = slope_at(length)
        falls = s < 0.0  # the slope at the end that stays is halved, so that it does not stay for ever
        return _Bracket(
            where(falls, length, state.low),
            where(falls, s, 0.5 * state.low_slope),
            where(falls, state.high, length),
            where(falls, 0.5 * state.high_slope, s),
            length,
        )

    full_slope = slope_at(1.0)
    start = _Bracket(0.0, slope_at(0.0), 1.0, full_slope, 1.0)
    trials = where(full_slope > 0.0, float(LINE_SEARCH_TRIALS - 1), 0.0)
    length = repeat(trials, narrowed, start).length
    return [x + length * y for x, y in zip(state.u, direction, strict=True)]


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    return sum((x * y for x, y in zip(a, b, strict=True)), 0.0)
