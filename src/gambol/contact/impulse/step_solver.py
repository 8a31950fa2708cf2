"""Impulses of a velocity step by collisions: arriving contacts collide, resting ones are held.

    arriving    contacts and limits in sequence, the fastest first, each integrated with its restitution   (sequence.py)
    resting     block Gauss-Seidel, from the impulses of the previous step         (contact/stepping/sweep.py)
                or micro-impulses, from none                                       (micro_impulses.py)

A contact arrives if it bounces in the step. It also arrives if it closes in the step, and its speed before was much
larger than the change of speed by forces in a step. All other contacts take part in the sequence too. Contacts that
forces alone would close, such as those of standing feet, have no restitution in this pass; sweeps hold them afterwards,
starting from their impulses in the sequence.

Micro-impulses need their rule for contacts at rest. If collisions of a step are only added up, bodies rock on their
feet. If they are repeated until consistent, bodies creep by 0.8 mm/s on a slope, since the slip without the contact's
own impulse changes its direction while the impulse stops it.

Single collisions never raise the energy under Stronge's hypothesis. If all impulses together would, they are scaled by
one factor. Under Newton's and Poisson's hypotheses a single collision with friction may raise the energy: the removed
fraction of the impulses is then reported.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.impulse.hypothesis import hypothesis_named, may_add_energy
from gambol.contact.impulse.micro_impulses import micro_impulses
from gambol.contact.impulse.sequence import sequential_impacts
from gambol.contact.impulse.several import Collisions, Impacts
from gambol.contact.stepping.blocks import Block, ContactBlock
from gambol.contact.stepping.problem import ImpulseProblem, ImpulseSolver
from gambol.contact.stepping.rows import Row
from gambol.contact.stepping.solve import allowed_fraction, solve_to_tolerance
from gambol.contact.stepping.sweep import Impulses, ImpulseSolution
from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Scalar, Subprogram, maximum, minimum, when, where
from gambol.spatial.dense import Numbers, max_abs

MIN_ARRIVAL_FACTOR = 4.0
"""A contact arrives if its speed exceeds this multiple of the largest change of its speed by forces in a step."""

MAX_SPEED_FACTOR = 10.0
"""Limit of separation speeds in the sequence, as a multiple of the largest free speed along any row. Approaches below a
fraction of the largest speed count as 0 (Collisions.slack), so without this limit a huge speed of separation would hide
slow approaches."""


RESTING = ("sweeps", "micro-impulses")
"""Ways of holding resting contacts: sweeps from the impulses of the previous step, or micro-impulses."""


def by_collisions(hypothesis: str = "stronge", resting: str = "sweeps") -> ImpulseSolver:
    """Return a solver of the impulses of a step by collisions.

    hypothesis: newton, poisson or stronge; resting: how resting contacts are held, one of RESTING. Raises WorldError
    for other values.
    """
    hypothesis_named(hypothesis)
    if resting not in RESTING:
        raise WorldError(f'resting contacts are not held by "{resting}"; {did_you_mean(resting, RESTING)}')

    def resolve(problem: ImpulseProblem) -> ImpulseSolution:
        sequence = _sequence_impulses(problem, hypothesis)
        targets = [arrival.resting_speed for arrival in problem.arrivals] + [0.0] * (
            len(problem.blocks) - len(problem.arrivals)
        )
        if resting == "micro-impulses":
            held = micro_impulses(problem.blocks, targets, sequence.u)
        else:
            held = solve_to_tolerance(
                problem.blocks, targets, sequence.u, sequence.warm_start, problem.iterations, problem.tolerance
            )
        pairs = zip(sequence.impulses, held.impulses, strict=True)
        total = [[x + y for x, y in zip(a, b, strict=True)] for a, b in pairs]
        solution = ImpulseSolution(held.u, total, maximum(sequence.residual, held.residual))
        return _limit_energy(problem, solution, report_limited=may_add_energy(hypothesis))

    return resolve


@dataclass(frozen=True, slots=True)
class _SequenceResult:
    """Impulses of arriving contacts, the velocities u (nv) after them, and the remaining speed of approach [m/s].

    warm_start: impulses of all other contacts, initial values for the resting solution.
    """

    impulses: Impulses
    u: list[Scalar]
    warm_start: Impulses
    residual: Scalar = 0.0


def _sequence_impulses(problem: ImpulseProblem, hypothesis: str) -> _SequenceResult:
    """Return the impulses of the contacts that arrive in a step, and those that they cause at other contacts."""
    no_impulses = _SequenceResult(
        [[0.0] * len(block.rows) for block in problem.blocks], problem.u_free, problem.warm_start
    )
    if not problem.arrivals:
        return no_impulses
    normals = [block.rows[0] for block in problem.blocks[: len(problem.arrivals)]]
    before, after = ([row.speed(u) for row in normals] for u in (problem.u_before, problem.u_free))
    threshold = MIN_ARRIVAL_FACTOR * max_abs([x - y for x, y in zip(after, before, strict=True)])
    arriving, any_arriving = list[Scalar](), 0.0
    for arrival, w, w_free in zip(problem.arrivals, before, after, strict=True):
        arriving.append(where((w < -threshold) & (w_free < arrival.resting_speed), 1.0, arrival.bounces))
        any_arriving = maximum(arriving[-1], any_arriving)
    return when(
        any_arriving > 0.5,
        Subprogram(lambda: _collide_in_sequence(problem, arriving, hypothesis)),
        otherwise=no_impulses,
    )


def _collide_in_sequence(problem: ImpulseProblem, arriving: Sequence[Scalar], hypothesis: str) -> _SequenceResult:
    """Return the result of a sequence of collisions of all contacts and limits.

    arriving: 1 for each that arrives, else 0.
    """
    blocks = problem.blocks[: len(problem.arrivals)]
    rows = [row for block in blocks for row in _normal_last(block)]
    lower_triangle = [[row.coupling(other) for other in rows[: i + 1]] for i, row in enumerate(rows)]
    A = [[lower_triangle[max(i, j)][min(i, j)] for j in range(len(rows))] for i in range(len(rows))]
    mu = [block.friction for block in blocks if isinstance(block, ContactBlock)]
    u, normal_row, e = _collision_speeds(problem, rows), -1, list[Scalar]()
    for arrival, x, block in zip(problem.arrivals, problem.restitution, blocks, strict=True):
        normal_row += len(block.rows)
        # an approaching contact that does not bounce in this step stops without restitution
        e.append(where((arrival.bounces > 0.5) | (u[normal_row] >= 0.0), x, 0.0))
    impacts = sequential_impacts(Collisions(A, u, mu, e), hypothesis)
    collided = [where((x > 0.0) | (y > 0.5), 1.0, 0.0) for x, y in zip(e, arriving, strict=True)]
    return _split(problem, impacts, collided)


def _split(problem: ImpulseProblem, impacts: Impacts, collided: Sequence[Scalar]) -> _SequenceResult:
    """Return impacts split into the impulses of colliding contacts (collided is 1) and those of other contacts."""
    impulses, warm_start, after, first_row = list[list[Scalar]](), list[list[Scalar]](), problem.u_free, 0
    for k, (block, warm) in enumerate(zip(problem.blocks, problem.warm_start, strict=True)):
        if k >= len(collided):
            impulses.append([0.0] * len(block.rows))
            warm_start.append(list(warm))
            continue
        block_impulses = impacts.p[first_row : first_row + len(block.rows)]
        first_row += len(block.rows)
        impulses.append([collided[k] * x for x in (block_impulses[-1], *block_impulses[:-1])])
        warm_start.append([(1.0 - collided[k]) * x for x in (block_impulses[-1], *block_impulses[:-1])])
        for row, impulse in zip(block.rows, impulses[-1], strict=True):
            after = row.after_impulse(after, impulse)
    return _SequenceResult(impulses, after, warm_start, impacts.residual)


def _normal_last(block: Block) -> list[Row]:
    """Return the rows of a contact in the order of contact axes, the normal last; or the row of a limit."""
    return [*block.rows[1:], block.rows[0]]


def _collision_speeds(problem: ImpulseProblem, rows: list[Row]) -> Numbers:
    """Return the speeds along rows, normals last; along normals, the speeds are relative to the speeds of rest."""
    u = [row.speed(problem.u_free) for row in rows]
    cap, normal_row = MAX_SPEED_FACTOR * max_abs(u), -1
    for block, offset in zip(problem.blocks, _rest_speeds(problem), strict=False):
        normal_row += len(block.rows)
        u[normal_row] = minimum(u[normal_row] - offset, cap)
    return u


def _rest_speeds(problem: ImpulseProblem) -> list[Scalar]:
    """Return the speeds along normals that count as rest in the collisions of a step [m/s].

    For a contact that bounces, it is the change of speed by forces after the bounce; else its least permitted speed.
    With the impact speed w and this change d, the rebound speed is -e w + d and the free speed w + d, hence
    d = (rebound speed + e free speed) / (1 + e).
    """
    result: list[Scalar] = []
    for arrival, e, block in zip(problem.arrivals, problem.restitution, problem.blocks, strict=False):
        after = (arrival.rebound_speed + e * block.rows[0].speed(problem.u_free)) / (1.0 + e)
        result.append(where(arrival.bounces > 0.5, after, arrival.resting_speed))
    return result


def _limit_energy(problem: ImpulseProblem, solution: ImpulseSolution, report_limited: bool) -> ImpulseSolution:
    """Return impulses scaled by one factor s so that they add no energy at the time of the bounces.

    Scaled by s, they add the energy slope s + curve s^2 [J]. The speed of a bouncing contact is taken at its bounce,
    without the change by forces after the bounce. report_limited: True to return the removed fraction as `limited`.
    """
    slope: Scalar = 0.0
    curve: Scalar = 0.0
    change = [y - x for x, y in zip(problem.u_free, solution.u, strict=True)]
    for block, impulses in zip(problem.blocks, solution.impulses, strict=True):
        for row, p in zip(block.rows, impulses, strict=True):
            slope = slope + p * row.speed(problem.u_free)
            curve = curve + 0.5 * p * row.speed(change)
    for arrival, offset, impulses in zip(problem.arrivals, _rest_speeds(problem), solution.impulses, strict=False):
        slope = slope - impulses[0] * where(arrival.bounces > 0.5, offset, 0.0)
    s = allowed_fraction(0.0, slope, curve)
    u = [x + s * y for x, y in zip(problem.u_free, change, strict=True)]
    residual = solution.residual + (1.0 - s) * max_abs(change)
    return ImpulseSolution(
        u,
        [[s * p for p in impulses] for impulses in solution.impulses],
        residual,
        limited=1.0 - s if report_limited else None,
    )
