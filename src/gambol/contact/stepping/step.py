"""A velocity step with contact: forces change velocities, impulses keep bodies apart, velocities change positions.

    A = M + h B + h^2 K         A (v_f - v) = h (tau - C - h K v)           linearly implicit in springs and dampers
    A (v+ - v_f) = J^T p        the laws of every block (blocks.py)         one problem with friction
    q+ = q + h (v + v+) / 2         all else is that of q + h v / 2         a leapfrog: free motion of second order

B and K say how forces at the joints fall with velocities and positions. Where something bounces or lands within the
step, q moves at the velocities of before until then. [Stewart and Trinkle 1996; Moreau 1999; Baraff and Witkin 1998]

Impulses add no energy: each gives p . (w + w+) / 2, and where a contact rests w+ p is 0 or less. Where rebounds would
add some, all take the same smaller share of what they wanted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from gambol.contact.stepping.axes_kept import keeping_rates
from gambol.contact.stepping.blocks import Block, Impulses, Touching, speeds_of
from gambol.contact.stepping.bounce import LAST, Arrival, arrival, in_turn, limited
from gambol.contact.stepping.solve import restrained, solved_to
from gambol.contact.stepping.sweep import Solved, solved
from gambol.contact.stepping.trees import Tree, TreeStep, first_time, tree_step, trees
from gambol.contact.stepping.turning import Turning, turning
from gambol.dynamics import Kinematics, kinematics, rnea
from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward import Root, Split, factorised, mass_rows
from gambol.figure import Figure
from gambol.lanes import ANYTHING, Scalar, Subprogram, maximum, minimum, when, where
from gambol.spatial import Force
from gambol.spatial.rotation import exactly

ROUNDS = 8
"""Rounds of Gauss-Seidel in a step (docs/decisions/013)."""

ENOUGH = 1e-3
"""What may be missing of the laws of contact after the rounds [m/s or rad/s]."""


@dataclass(frozen=True, slots=True)
class Forces:
    """What acts on a figure in a step besides contact.

    tau: at the joints (nv), in the middle of the step [N m or N]. stiffness K, damping B: how tau falls as positions
    and velocities grow (nv), 0 or more. f_ext, gravity: as for aba().
    """

    tau: Sequence[Scalar]
    stiffness: Sequence[Scalar]
    damping: Sequence[Scalar]
    f_ext: Mapping[int, Force] = field(default_factory=lambda: NOTHING)
    gravity: Gravity = STANDARD_GRAVITY


@dataclass(frozen=True, slots=True)
class Stepped:
    """After a step.

    blocks: of all that touches; factors: of A, its root. v: joint velocities (nv), along axes that stayed. move: what
    the figure moves by from the middle of the step to its end, along the same (nv). gaps: of contacts and limits, after
    that move [m or rad]. impulses: of each block by row [N s or N m s]. works: what they gave the figure [J]. residual,
    limited: see Solved. speeds: of the contacts' rows after the step [m/s].
    """

    blocks: Sequence[Block]
    factors: Split
    v: list[Scalar]
    move: list[Scalar]
    gaps: list[Scalar]
    impulses: Impulses
    works: Impulses
    residual: Scalar
    speeds: list[list[Scalar]]
    limited: Scalar | None = None


@dataclass(frozen=True, slots=True)
class Unhindered:
    """A step without impulses: factors of A, and velocities u (nv) before and after it."""

    factors: Split
    before: list[Scalar]
    after: list[Scalar]


def step_factors(state: Kinematics, forces: Forces, h: Scalar) -> Root:
    """Factors of A of a step of h [s]."""
    rows = mass_rows(state)
    for k, own in enumerate(rows):
        own[k] = own[k] + h * (forces.damping[k] + h * forces.stiffness[k])
    return Root.of(factorised(rows))


def unhindered(
    state: Kinematics,
    forces: Forces,
    factors: Root,
    before: list[Scalar],
    hindered: Callable[[list[Scalar]], list[Scalar]],
    h: Scalar,
) -> Unhindered:
    """What forces alone do in a step of h [s] from velocities u before it (nv).

    C, which grows with the square of velocities, is that of the middle of the step: with that of its begin a body that
    tumbles would gain energy in every turn. hindered: what contacts leave of velocities u after the step (nv), for the
    middle is that of a motion which contacts allow: what turns into what they forbid would gain or lose by it.
    """
    early = hindered(_pulled(state.v, _bias(state, forces), forces, factors, before, h))
    middle = factors.outward([0.5 * (a + b) for a, b in zip(before, early, strict=True)])
    bias = _bias(kinematics(state.figure, state.q, middle), forces)
    return Unhindered(factors, before, _pulled(state.v, bias, forces, factors, before, h))


def _bias(state: Kinematics, forces: Forces) -> list[Scalar]:
    """C: the forces that it takes to keep all velocities, weight and forces from outside counted in (nv)."""
    return rnea(state, keeping_rates(state.figure, state.v), f_ext=forces.f_ext, gravity=forces.gravity)[0]


def _pulled(
    v: Sequence[Scalar], bias: Sequence[Scalar], forces: Forces, factors: Split, before: Sequence[Scalar], h: Scalar
) -> list[Scalar]:
    """Velocities u (nv) after a step from those before it, v at the joints, under some bias."""
    each = zip(forces.tau, bias, forces.stiffness, v, strict=True)
    pull = factors.inward([h * (t - c - h * K * x) for t, c, K, x in each])
    return [u + x * inverse for u, x, inverse in zip(before, pull, factors.D_inverse, strict=True)]


@dataclass(frozen=True, slots=True)
class Asked:
    """What impulses are asked for in a step.

    blocks: of all that touches; arrivals: of the first of them, those that have gaps, and restitution e of each.
    before: velocities u (nv) before the step, free: after it without impulses. warm: impulses to start from; rounds: of
    solvers that go round; enough: what may be missing of the laws after them [m/s or rad/s].
    """

    blocks: Sequence[Block]
    arrivals: Sequence[Arrival]
    restitution: Sequence[Scalar]
    before: list[Scalar]
    free: list[Scalar]
    warm: Impulses
    rounds: int
    enough: Scalar


Resolve: TypeAlias = Callable[[Asked], Solved]
"""What finds the impulses of a step."""


def swept(asked: Asked) -> Solved:
    """Impulses by block Gauss-Seidel, with as much of the rebounds as adds no energy."""
    targets = [one.rebound for one in asked.arrivals] + [0.0] * (len(asked.blocks) - len(asked.arrivals))

    def from_impulses(targets: list[Scalar], start: Impulses) -> Solved:
        return solved_to(asked.blocks, targets, asked.free, start, asked.rounds, asked.enough)

    if all(exactly(one.bounces, 0.0) for one in asked.arrivals):
        return restrained(asked.free, from_impulses(targets, asked.warm))
    solve = Subprogram(from_impulses)
    found = limited(asked.blocks, asked.arrivals, asked.free, solve(targets, asked.warm), solve)
    return restrained(asked.free, found)


@dataclass(frozen=True, slots=True)
class Solving:
    """How the impulses of a step are found: rounds and enough, see Asked; resolve: what finds them."""

    rounds: int = ROUNDS
    enough: Scalar = ENOUGH
    resolve: Resolve = swept


def stepped(
    state: Kinematics,
    forces: Forces,
    touching: Touching,
    warm: Impulses,
    h: Scalar,
    solving: Solving | None = None,
) -> Stepped:
    """A step of h [s]. state: of its middle, moved there at the velocities v of its begin.

    warm: impulses to start from, as of the step before; solving: None: as usual.
    """
    solving = solving or Solving()
    factors = step_factors(state, forces, h)
    e = [one.restitution for one in touching.meetings] + [0.0] * len(touching.stops)
    lazy = solving.resolve is swept and all(exactly(x, 0.0) for x in e)  # who looks at nothing that is not there
    before = factors.undone(state.v)
    turned = turning(touching.blocks(state, factors, h, ANYTHING if lazy else None), touching.speeds, warm, before)
    blocks, closing = turned.blocks, list(turned.resting)
    for k, gap in enumerate(touching.gaps):
        closing[k] = closing[k] - maximum(gap, 0.0) / h
    free = unhindered(state, forces, factors, before, lambda u: solved(blocks, closing, u, warm, 1).u, h)
    meeting = [_touches(tree, touching) for tree in trees(state.figure)]
    arrivals = _arrivals(touching, turned, e, free, h)
    firsts = [first_time(touches, arrivals, h) for touches in meeting]
    arrivals = in_turn(arrivals, _firsts(meeting, firsts, [LAST * h] * len(arrivals)), h)
    found = solving.resolve(Asked(blocks, arrivals, e, free.before, free.after, warm, solving.rounds, solving.enough))
    splits = [tree_step(one, arrivals, first) for one, first in zip(meeting, firsts, strict=True)]
    slid = _slid(state.figure, splits, free, found.u, h)
    v = free.factors.outward(found.u)
    smooth = all(exactly(one.split, 0.0) for one in splits)
    move = [0.5 * h * x for x in v] if smooth else free.factors.outward(slid)
    gaps = [
        when(block.there, partial(_gap_after, gap, block, slid), otherwise=gap)
        for gap, block in zip(touching.gaps, blocks, strict=False)
    ]
    works = _works(blocks, arrivals, free.before, found)
    speeds = [
        when(block.there, partial(speeds_of, block, found.u), otherwise=[0.0] * 3)
        for block in blocks[: len(touching.meetings)]
    ]
    return Stepped(blocks, free.factors, v, move, gaps, found.impulses, works, found.residual, speeds, found.limited)


def _touches(tree: Tree, touching: Touching) -> list[Scalar]:
    """For each contact and limit 1 where it touches a tree, else 0."""
    return [*(tree.touched(one) for one in touching.meetings), *(tree.held(stop.J) for stop in touching.stops)]


def _firsts(meeting: Sequence[Sequence[Scalar]], firsts: Sequence[Scalar], latest: Sequence[Scalar]) -> list[Scalar]:
    """For each contact and limit when the first lands or bounces of the trees that it touches, at the latest [s]."""
    found = list(latest)
    for touches, first in zip(meeting, firsts, strict=True):
        each = zip(touches, found, strict=True)
        found = [x if exactly(here, 0.0) else where(here > 0.5, minimum(first, x), x) for here, x in each]
    return found


def _slid(
    figure: Figure, splits: Sequence[TreeStep], free: Unhindered, found: Sequence[Scalar], h: Scalar
) -> list[Scalar]:
    """By what coordinates u move from the middle of a step to its end.

    Where something of a tree lands at a time t they move at the velocities before the step until then: what stands
    meanwhile does not sink in. Where something bounces, forces change the velocities before and after it.
    """
    slid = [0.5 * h * y for y in found]
    for tree, one in zip(trees(figure), splits, strict=True):
        if exactly(one.split, 0.0):
            continue
        t, left = one.time, h - one.time
        for k in tree.freedoms:
            landed = (t - 0.5 * h) * free.before[k] + left * found[k]
            if not exactly(one.bounced, 0.0):
                curve = 0.5 * (t * t - left * left) / h * (free.after[k] - free.before[k])
                landed = landed + where(one.bounced > 0.5, curve, 0.0)
            slid[k] = where(one.split > 0.5, landed, slid[k])
    return slid


def _arrivals(
    touching: Touching, turned: Turning, bounce: Sequence[Scalar], free: Unhindered, h: Scalar
) -> list[Arrival]:
    """How contacts and limits close; only contacts bounce."""
    found: list[Arrival] = []  # the other blocks come last and have no gaps
    for gap, e, block, rest in zip(touching.gaps, bounce, turned.blocks, turned.resting, strict=False):
        before, after = when(block.there, partial(_speeds, block, free))
        one = arrival(gap, before, after, h, e)
        found.append(replace(one, resting=one.resting + rest, rebound=one.rebound + (1.0 - one.bounces) * rest))
    return found


def _speeds(block: Block, free: Unhindered) -> tuple[Scalar, Scalar]:
    """Speeds of a block's first row before and after a step without impulses."""
    return block.rows[0].speed(free.before), block.rows[0].speed(free.after)


def _gap_after(gap: Scalar, block: Block, slid: Sequence[Scalar]) -> Scalar:
    """A gap after coordinates u moved so far."""
    return gap + block.rows[0].speed(slid)


def _works(blocks: Sequence[Block], arrivals: Sequence[Arrival], before: Sequence[Scalar], found: Solved) -> Impulses:
    """What impulses gave a figure whose velocities u were others before [J]."""
    both = [x + y for x, y in zip(before, found.u, strict=True)]
    works = [
        when(block.there, partial(_work, block, own, both), otherwise=[0.0] * len(own))
        for block, own in zip(blocks, found.impulses, strict=True)
    ]
    for own, one, p in zip(works, arrivals, found.impulses, strict=False):
        own[0] = own[0] + 0.5 * p[0] * one.shift
    return works


def _work(block: Block, impulses: Sequence[Scalar], both: Sequence[Scalar]) -> list[Scalar]:
    """What a block's impulses gave, by row; both: velocities u before and after them, in sum [J]."""
    return [0.5 * p * row.speed(both) for row, p in zip(block.rows, impulses, strict=True)]
