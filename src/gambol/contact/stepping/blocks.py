"""Blocks: what impulses must do together at one place, and the impulses that do it when all others stay as they are.

    contact   w_n >= target, p_n >= 0, one of them at its bound;    |p_t| <= mu p_n, and p_t = 0 - s w_t where it slides
    bound     lower <= p <= upper;    w = target between them, w >= target at the lower, w <= target at the upper

A contact first tries to stick: the p at which w_n meets its target and w_t = 0 together. If that leaves the cone, p_n
alone meets the target, and p_t goes one step p_t - w_t / r, drawn back to the rim, whose fixed point has p_t against
w_t: Coulomb's cone and not a pyramid.
r: the larger eigenvalue of the tangential part of D, with which such steps shrink errors. [Jean 1999; Hwangbo 2018]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.collide.gap import FAR
from gambol.contact.stepping.meeting import Meeting
from gambol.contact.stepping.rows import Axis, Row, axes, point_rows, row, without_noise
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Split
from gambol.lanes import Anything, Precision, Scalar, clamp, maximum, minimum, sqrt, when, where, working_precision

FLAT: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-6}
"""Part of r^2 below which the tangential part of D counts as singular (the contact can slide one way only), and of
what the normal gives below which nothing is left of that while the tangents stick: far above rounding, and far below
what light limbs on heavy bodies have."""

TINY = 1e-30
"""Added under the root of |p_t|^2 [N^2 s^2]: far below any impulse that matters, and not 0."""


@dataclass(frozen=True, slots=True)
class Grip:
    """A contact: its rows along normal and tangents, and what is worked out of them before the first round.

    friction: mu. held: see Meeting; None: never. normal: 1 / D of the normal; tied: the same while the tangents stick,
    and lean: what the slip adds to the normal speed then; across: what the normal impulse does to the slip; stick: the
    inverse of the tangential part of D, by its entries 11, 12, 22; slide: 1 / r. still: the tangential speeds that
    count as none, see turning.py [m/s].
    """

    rows: tuple[Row, Row, Row]
    friction: Scalar
    held: Scalar | None
    normal: Scalar
    tied: Scalar
    lean: tuple[Scalar, Scalar]
    across: tuple[Scalar, Scalar]
    stick: tuple[Scalar, Scalar, Scalar]
    slide: Scalar
    still: tuple[Scalar, Scalar] = (0.0, 0.0)

    @staticmethod
    def of(rows: tuple[Row, Row, Row], friction: Scalar, held: Scalar | None = None) -> "Grip":
        """A contact of three rows."""
        normal, first, second = rows
        cross, half = first.coupling(second), 0.5 * (first.gives - second.gives)
        r = 0.5 * (first.gives + second.gives) + sqrt(half * half + cross * cross)
        full, slide, flat = first.gives * second.gives - cross * cross, _inverse(r), FLAT[working_precision()]
        whole = full > flat * r * r
        over = where(whole, 1.0 / where(whole, full, 1.0), 0.0)
        xx, xy, yy = (where(whole, second.gives * over, slide), -cross * over, where(whole, first.gives * over, slide))
        cx, cy = first.coupling(normal), second.coupling(normal)
        kx, ky = xx * cx + xy * cy, xy * cx + yy * cy
        left = normal.gives - (cx * kx + cy * ky)
        firm = left > flat * normal.gives
        alone = _inverse(normal.gives)
        tied = where(firm, 1.0 / where(firm, left, 1.0), alone)
        lean = (where(firm, kx, 0.0), where(firm, ky, 0.0))
        return Grip(rows, friction, held, alone, tied, lean, (cx, cy), (xx, xy, yy), slide)

    @property
    def there(self) -> Scalar:
        """Whether there is such a contact: one that cannot move, or of a gap that is FAR, is none."""
        return self.normal > 0.0

    def improved(self, w: Sequence[Scalar], p: Sequence[Scalar], target: Scalar) -> list[Scalar]:
        """Impulses (normal, tangents) that meet the contact's laws at speeds w, which are those under impulses p."""
        w, short = self.slipping(w), w[0] - target
        n, x, y = self._stuck(short, w, p)
        sticks = (n >= 0.0) & (x * x + y * y <= (self.friction * n) * (self.friction * n))
        if self.held is not None:
            sticks = sticks | (self.held > 0.5)
        slid = self._slid(short, w, p)
        return [where(sticks, one, other) for one, other in zip((n, x, y), slid, strict=True)]

    def slipping(self, w: Sequence[Scalar]) -> list[Scalar]:
        """Speeds w, along tangents beside those that count as none."""
        return [w[0], w[1] - self.still[0], w[2] - self.still[1]]

    def beyond(self, p: Sequence[Scalar], new: Sequence[Scalar], share: Scalar) -> list[Scalar]:
        """Impulses so many times as far from p as the new ones, drawn back into the cone."""
        n, x, y = (old + share * (to - old) for old, to in zip(p, new, strict=True))
        push = maximum(n, 0.0)
        inside = minimum(self.friction * push / sqrt(x * x + y * y + TINY), 1.0)
        if self.held is None:
            return [push, x * inside, y * inside]
        held = self.held > 0.5
        return [where(held, n, push), where(held, x, x * inside), where(held, y, y * inside)]

    def _stuck(self, short: Scalar, w: Sequence[Scalar], p: Sequence[Scalar]) -> tuple[Scalar, Scalar, Scalar]:
        """The impulses that stop slip and close what the normal speed is short of its target, all three at once."""
        (kx, ky), (cx, cy), (xx, xy, yy) = self.lean, self.across, self.stick
        change = (kx * w[1] + ky * w[2] - short) * self.tied
        a, b = w[1] + cx * change, w[2] + cy * change
        return p[0] + change, p[1] - (xx * a + xy * b), p[2] - (xy * a + yy * b)

    def _slid(self, short: Scalar, w: Sequence[Scalar], p: Sequence[Scalar]) -> tuple[Scalar, Scalar, Scalar]:
        """A normal impulse that pushes, and friction one step nearer to where its rim is against the slip.

        Friction that lifts is counted with the normal impulse it comes from: n meets the target together with mu n d, d
        being its direction. Else n would be far too large, and 0 in the next round, for ever. Friction that presses is
        made up for in the rounds that follow.
        """
        n = maximum(p[0] - short * self.normal, 0.0)
        change = n - p[0]
        (cx, cy), (xx, xy, yy) = self.across, self.stick
        a, b, most = w[1] + cx * change, w[2] + cy * change, self.friction * n
        sx, sy = p[1] - (xx * a + xy * b), p[2] - (xy * a + yy * b)
        x, y = p[1] - a * self.slide, p[2] - b * self.slide
        over = self.friction / sqrt(x * x + y * y + TINY)
        x, y = x * over, y * over
        gives, lift = self.rows[0].gives, cx * x + cy * y
        free = gives * p[0] + cx * p[1] + cy * p[2] - short
        n = where(lift > 0.0, maximum(free, 0.0) / (gives + maximum(lift, 0.0)), n)
        inside = sx * sx + sy * sy <= most * most
        return n, where(inside, sx, x * n), where(inside, sy, y * n)


@dataclass(frozen=True, slots=True)
class Bound:
    """A row whose impulse lies between two bounds: a joint's limit or dry friction, or a loop, which has none.

    inverse: 1 / D, worked out before the first round.
    """

    row: Row
    lower: Scalar
    upper: Scalar
    inverse: Scalar

    @staticmethod
    def of(row: Row, lower: Scalar, upper: Scalar) -> "Bound":
        """A row between bounds [N s or N m s]."""
        return Bound(row, lower, upper, _inverse(row.gives))

    @property
    def rows(self) -> tuple[Row]:
        """The row alone."""
        return (self.row,)

    @property
    def there(self) -> Scalar:
        """Whether there is such a bound: see Grip."""
        return self.inverse > 0.0

    def improved(self, w: Sequence[Scalar], p: Sequence[Scalar], target: Scalar) -> list[Scalar]:
        """The impulse that brings the speed w, which is that under impulse p, to its target, within its bounds."""
        return [clamp(p[0] - (w[0] - target) * self.inverse, self.lower, self.upper)]

    def beyond(self, p: Sequence[Scalar], new: Sequence[Scalar], share: Scalar) -> list[Scalar]:
        """An impulse so many times as far from p as the new one, within its bounds."""
        return [clamp(p[0] + share * (new[0] - p[0]), self.lower, self.upper)]


Block = Grip | Bound


def speeds_of(block: Block, u: Sequence[Scalar]) -> list[Scalar]:
    """Speeds of a block's rows at velocities u (nv), see rows.py [m/s or rad/s]."""
    return [row.speed(u) for row in block.rows]


Impulses = list[list[Scalar]]
"""Of each block, by row [N s or N m s]."""

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
    """All that impulses act on in a step: contacts, limits, dry frictions and ties, whose blocks come in this order.

    ties: J of each relation that holds a loop closed, by number of freedom. over: how many more contacts are near than
    there was room for. speeds: of the contacts' rows at the end of the step before [m/s]; None: nothing touched then.
    """

    meetings: Sequence[Meeting] = ()
    stops: Sequence[Stop] = ()
    drags: Sequence[Drag] = ()
    ties: Sequence[Mapping[int, Scalar]] = ()
    over: Scalar = 0.0
    speeds: Sequence[Sequence[Scalar]] | None = None

    def blocks(self, state: Kinematics, factors: Split, h: Scalar, absent: Anything | None = None) -> list[Block]:
        """The blocks of all in a step of h [s].

        absent: what rows are of contacts and limits that are not there: None: 0; ANYTHING, where nobody looks at them.
        """
        freedoms = axes(state)
        made: list[Block] = []
        for one in self.meetings:
            grip = partial(_grip, state, freedoms, factors, one)
            normal, made_of = when(one.gap < FAR, grip, otherwise=absent and (0.0, absent))
            made.append(replace(made_of, normal=normal))
        for stop in self.stops:
            limit = partial(_limit, factors, stop)
            inverse, bound = when(stop.gap < FAR, limit, otherwise=absent and (0.0, absent))
            made.append(replace(bound, inverse=inverse))
        for drag in self.drags:
            made.append(Bound.of(row({drag.freedom: 1.0}, factors), -h * drag.most, h * drag.most))
        made += [Bound.of(row(J, factors), -ENDLESS, ENDLESS) for J in without_noise(self.ties)]
        return made

    @property
    def gaps(self) -> list[Scalar]:
        """Of contacts and limits [m or rad]."""
        return [one.gap for one in (*self.meetings, *self.stops)]

    def none(self) -> Impulses:
        """No impulse at any block."""
        rows = [3] * len(self.meetings) + [1] * (len(self.stops) + len(self.drags) + len(self.ties))
        return [[0.0] * count for count in rows]


def _grip(state: Kinematics, freedoms: Sequence[Axis], factors: Split, one: Meeting) -> tuple[Scalar, Grip]:
    """What tells that a contact is there, and the contact."""
    normal, first, second = (row(J, factors) for J in point_rows(state, freedoms, one))
    grip = Grip.of((normal, first, second), one.friction, one.held)
    return grip.normal, grip


def _limit(factors: Split, stop: Stop) -> tuple[Scalar, Bound]:
    """What tells that there is a limit to reach, and the limit."""
    bound = Bound.of(row(stop.J, factors), 0.0, ENDLESS)
    return bound.inverse, bound


def _inverse(x: Scalar) -> Scalar:
    """1 / x, or 0 where nothing gives way."""
    moves = x > 0.0
    return where(moves, 1.0 / where(moves, x, 1.0), 0.0)
