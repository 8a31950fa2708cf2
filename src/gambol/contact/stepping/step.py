"""A velocity step with contact: forces change velocities, impulses keep bodies apart, velocities change positions.

    A = M + h B + h^2 K         A (v_f - v) = h (tau - C - h K v)           linearly implicit in springs and dampers
    A (v+ - v_f) = J^T p        the laws of every block (blocks.py)         one problem with friction
    q+ = q moved by t v_f + (h - t) v+ + h^2 g / 2                          t: of the first bounce; -g h: free fall

B and K say how forces at the joints fall with velocities and positions. The last term makes free fall exact; it is for
a root that nothing touches, or only bounces. [Stewart and Trinkle 1996; Moreau 1999; Baraff and Witkin 1998]

Impulses add no energy: each gives p . (w + w+) / 2, and where a contact rests w+ p is 0 or less. Where rebounds would
add some, all take the same smaller share of what they wanted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gambol.contact.stepping.axes_kept import keeping_rates
from gambol.contact.stepping.blocks import Block, Bound, Grip
from gambol.contact.stepping.bounce import Arrival, arrival, earliest, limited
from gambol.contact.stepping.meeting import Meeting
from gambol.contact.stepping.rows import axes, point_rows, row
from gambol.contact.stepping.sweep import Impulses, Solved, solved
from gambol.dynamics import Kinematics, rnea
from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward import Factors, factorised, mass_rows
from gambol.lanes import Scalar, Subprogram, maximum, where
from gambol.spatial import Force
from gambol.spatial.rotation import exactly

ROUNDS = 12
"""Rounds of Gauss-Seidel in a step (docs/decisions/013)."""

ENDLESS = 1e30
"""An impulse that no limit reaches, and far from overflow even in float32 [N s or N m s]."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A limit: of a motion J v that may not make the gap negative [rad or m]. J: by number of freedom."""

    J: Mapping[int, Scalar]
    gap: Scalar


@dataclass(frozen=True, slots=True)
class Drag:
    """Dry friction at the freedom of this number, up to most [N m or N]."""

    freedom: int
    most: Scalar


@dataclass(frozen=True, slots=True)
class Touching:
    """All that impulses act on in a step: contacts, limits and dry frictions, whose blocks come in this order."""

    meetings: Sequence[Meeting] = ()
    stops: Sequence[Stop] = ()
    drags: Sequence[Drag] = ()

    def blocks(self, state: Kinematics, factors: Factors, h: Scalar) -> list[Block]:
        """The blocks of all in a step of h [s]."""
        freedoms = axes(state)
        made: list[Block] = []
        for one in self.meetings:
            normal, first, second = (row(J, factors) for J in point_rows(state, freedoms, one))
            made.append(Grip.of((normal, first, second), one.friction, one.held))
        made += [Bound.of(row(stop.J, factors), 0.0, ENDLESS) for stop in self.stops]
        for drag in self.drags:
            made.append(Bound.of(row({drag.freedom: 1.0}, factors), -h * drag.most, h * drag.most))
        return made

    @property
    def gaps(self) -> list[Scalar]:
        """Of contacts and limits [m or rad]."""
        return [one.gap for one in (*self.meetings, *self.stops)]

    def none(self) -> Impulses:
        """No impulse at any block."""
        rows = [3] * len(self.meetings) + [1] * (len(self.stops) + len(self.drags))
        return [[0.0] * count for count in rows]


@dataclass(frozen=True, slots=True)
class Forces:
    """What acts on a figure in a step besides contact.

    tau: at the joints (nv), at the step's begin [N m or N]. stiffness K, damping B: how tau falls as positions and
    velocities grow (nv), 0 or more. f_ext, gravity: as for aba().
    """

    tau: Sequence[Scalar]
    stiffness: Sequence[Scalar]
    damping: Sequence[Scalar]
    f_ext: Mapping[int, Force] = field(default_factory=lambda: NOTHING)
    gravity: Gravity = STANDARD_GRAVITY


@dataclass(frozen=True, slots=True)
class Stepped:
    """After a step.

    blocks: of all that touches. v: joint velocities (nv), along axes that stayed. move: what the figure moved by, along
    the same (nv), free fall left out. impulses: of each block by row [N s or N m s]. works: what they gave the figure
    [J]. residual: see Solved. bounced: 1 where something bounced.
    """

    blocks: Sequence[Block]
    v: list[Scalar]
    move: list[Scalar]
    impulses: Impulses
    works: Impulses
    residual: Scalar
    bounced: Scalar


def free_velocity(state: Kinematics, forces: Forces, h: Scalar) -> tuple[list[Scalar], Factors]:
    """v_f, and the factors of A."""
    bias, _ = rnea(state, keeping_rates(state.figure, state.v), f_ext=forces.f_ext, gravity=forces.gravity)
    rows = mass_rows(state)
    for k, own in enumerate(rows):
        own[k] = own[k] + h * (forces.damping[k] + h * forces.stiffness[k])
    factors = factorised(rows)
    each = zip(forces.tau, bias, forces.stiffness, state.v, strict=True)
    change = factors.solve([h * (t - c - h * K * v) for t, c, K, v in each])
    return [v + dv for v, dv in zip(state.v, change, strict=True)], factors


def stepped(
    state: Kinematics, forces: Forces, touching: Touching, warm: Impulses, h: Scalar, rounds: int = ROUNDS
) -> Stepped:
    """A step of h [s]. warm: impulses to start from, by block and row, as of the step before."""
    free, factors = free_velocity(state, forces, h)
    blocks = touching.blocks(state, factors, h)
    arrivals = _arrivals(touching, blocks, state.v, free, h)
    targets = [one.rebound for one in arrivals] + [0.0] * len(touching.drags)
    solve = Subprogram(lambda targets, p: solved(blocks, targets, free, p, rounds))
    found = limited(blocks, arrivals, free, solve(targets, warm), solve)
    bounced: Scalar = 0.0
    for one in arrivals:
        bounced = maximum(one.bounces, bounced)
    t = where(bounced > 0.5, earliest(arrivals, h), 0.0)
    move = [t * x + (h - t) * y for x, y in zip(free, found.v, strict=True)]
    works = _works(blocks, arrivals, state.v, found)
    return Stepped(blocks, found.v, move, found.impulses, works, found.residual, bounced)


def _works(blocks: Sequence[Block], arrivals: Sequence[Arrival], before: Sequence[Scalar], found: Solved) -> Impulses:
    """What impulses gave a figure whose velocities were others before [J]."""
    works = [
        [0.5 * p * (row.speed(before) + row.speed(found.v)) for row, p in zip(block.rows, own, strict=True)]
        for block, own in zip(blocks, found.impulses, strict=True)
    ]
    for own, one, p in zip(works, arrivals, found.impulses, strict=False):
        own[0] = own[0] + 0.5 * p[0] * one.shift
    return works


def _arrivals(
    touching: Touching, blocks: Sequence[Block], before: Sequence[Scalar], free: Sequence[Scalar], h: Scalar
) -> list[Arrival]:
    """How contacts and limits close; only contacts bounce."""
    bounce = [one.restitution for one in touching.meetings] + [0.0] * len(touching.stops)
    each = zip(touching.gaps, bounce, blocks, strict=False)  # dry frictions, which come last, have no gap
    return [
        arrival(gap, 0.0 if exactly(e, 0.0) else block.rows[0].speed(before), block.rows[0].speed(free), h, e)
        for gap, e, block in each
    ]
