"""Blocks: the rows of one contact, limit or loop, and their impulse update while all other impulses stay as they are.

    contact   w_n >= target, p_n >= 0, one of them at its bound;    |p_t| <= mu p_n, and p_t = 0 - s w_t where it slides
    bounded   lower <= p <= upper;    w = target between them, w >= target at the lower, w <= target at the upper

A contact first tries to stick: the p at which w_n meets its target and w_t = 0 together. If that leaves the cone, p_n
alone meets the target, and p_t goes one step p_t - w_t / r, projected onto the rim, whose fixed point has p_t against
w_t: Coulomb's cone and not a pyramid. r: the larger eigenvalue of the tangential part of D, with which such steps
contract. [Jean 1999; Hwangbo 2018]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.collide.gap import FAR
from gambol.contact.stepping.contact import Contact
from gambol.contact.stepping.rows import Axis, Row, axes, point_rows, row, without_noise
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Factorisation
from gambol.lanes import Precision, Scalar, Undefined, clamp, maximum, minimum, sqrt, when, where, working_precision

SINGULAR: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-6}
"""Share of r^2 below which the tangential part of D counts as singular (the contact can slide one way only), and of the
normal inverse mass below which nothing is left of it while the tangents stick: far above rounding, and far below the
values of light limbs on heavy bodies."""

TINY = 1e-30
"""Added under the root of |p_t|^2 [N^2 s^2]: far below any impulse that matters, and not 0."""


@dataclass(frozen=True, slots=True)
class ContactBlock:
    """A contact: its rows along normal and tangents, with what is precomputed from them.

    friction: mu. held: see Contact; None: never. normal: 1 / D_nn; inverse_sticking: the same while the tangents stick;
    slip_coupling: change of the normal speed by the slip then; normal_coupling: change of the slip by the normal
    impulse; inverse_tangent: the inverse of the tangential part of D, entries 11, 12, 22; inverse_r: 1 / r.
    tangent_bias: tangential speeds that count as sticking, see velocity_bias.py [m/s].
    """

    rows: tuple[Row, Row, Row]
    friction: Scalar
    held: Scalar | None
    normal: Scalar
    inverse_sticking: Scalar
    slip_coupling: tuple[Scalar, Scalar]
    normal_coupling: tuple[Scalar, Scalar]
    inverse_tangent: tuple[Scalar, Scalar, Scalar]
    inverse_r: Scalar
    tangent_bias: tuple[Scalar, Scalar] = (0.0, 0.0)

    @staticmethod
    def of(rows: tuple[Row, Row, Row], friction: Scalar, held: Scalar | None = None) -> "ContactBlock":
        """Return a contact of three rows."""
        normal, first, second = rows
        cross, half = first.coupling(second), 0.5 * (first.inverse_mass - second.inverse_mass)
        r = 0.5 * (first.inverse_mass + second.inverse_mass) + sqrt(half * half + cross * cross)
        full, inverse_r, flat = (
            first.inverse_mass * second.inverse_mass - cross * cross,
            _inverse(r),
            SINGULAR[working_precision()],
        )
        whole = full > flat * r * r
        over = where(whole, 1.0 / where(whole, full, 1.0), 0.0)
        xx, xy, yy = (
            where(whole, second.inverse_mass * over, inverse_r),
            -cross * over,
            where(whole, first.inverse_mass * over, inverse_r),
        )
        cx, cy = first.coupling(normal), second.coupling(normal)
        kx, ky = xx * cx + xy * cy, xy * cx + yy * cy
        left = normal.inverse_mass - (cx * kx + cy * ky)
        firm = left > flat * normal.inverse_mass
        alone = _inverse(normal.inverse_mass)
        inverse_sticking = where(firm, 1.0 / where(firm, left, 1.0), alone)
        slip_coupling = (where(firm, kx, 0.0), where(firm, ky, 0.0))
        return ContactBlock(
            rows, friction, held, alone, inverse_sticking, slip_coupling, (cx, cy), (xx, xy, yy), inverse_r
        )

    @property
    def active(self) -> Scalar:
        """True where the contact exists: one that cannot move, or whose gap is FAR, does not."""
        return self.normal > 0.0

    def updated(self, w: Sequence[Scalar], p: Sequence[Scalar], target: Scalar) -> list[Scalar]:
        """Return impulses (normal, tangents) that meet the contact's laws.

        w: speeds under the present impulses p [m/s]; target: least normal speed [m/s].
        """
        w, shortfall = self.slip_speeds(w), w[0] - target
        n, x, y = self._sticking_impulse(shortfall, w, p)
        sticks = (n >= 0.0) & (x * x + y * y <= (self.friction * n) * (self.friction * n))
        if self.held is not None:
            sticks = sticks | (self.held > 0.5)
        slid = self._sliding_impulse(shortfall, w, p)
        return [where(sticks, one, other) for one, other in zip((n, x, y), slid, strict=True)]

    def slip_speeds(self, w: Sequence[Scalar]) -> list[Scalar]:
        """Return speeds w with the tangential bias taken off."""
        return [w[0], w[1] - self.tangent_bias[0], w[2] - self.tangent_bias[1]]

    def over_relaxed(self, p: Sequence[Scalar], new: Sequence[Scalar], relaxation: Scalar) -> list[Scalar]:
        """Return p + relaxation (new - p), projected into the cone."""
        n, x, y = (old + relaxation * (to - old) for old, to in zip(p, new, strict=True))
        push = maximum(n, 0.0)
        inside = minimum(self.friction * push / sqrt(x * x + y * y + TINY), 1.0)
        if self.held is None:
            return [push, x * inside, y * inside]
        held = self.held > 0.5
        return [where(held, n, push), where(held, x, x * inside), where(held, y, y * inside)]

    def _sticking_impulse(
        self, shortfall: Scalar, w: Sequence[Scalar], p: Sequence[Scalar]
    ) -> tuple[Scalar, Scalar, Scalar]:
        """Return the impulses that stop the slip and bring the normal speed to its target, all three at once."""
        (kx, ky), (cx, cy), (xx, xy, yy) = self.slip_coupling, self.normal_coupling, self.inverse_tangent
        change = (kx * w[1] + ky * w[2] - shortfall) * self.inverse_sticking
        a, b = w[1] + cx * change, w[2] + cy * change
        return p[0] + change, p[1] - (xx * a + xy * b), p[2] - (xy * a + yy * b)

    def _sliding_impulse(
        self, shortfall: Scalar, w: Sequence[Scalar], p: Sequence[Scalar]
    ) -> tuple[Scalar, Scalar, Scalar]:
        """Return a normal impulse that pushes, and friction one step nearer to the rim point against the slip.

        Friction that lifts is solved together with its normal impulse: n meets the target together with mu n d, d being
        its direction. Else n would be far too large, and 0 in the next sweep, without end. Friction that presses is
        corrected in the following sweeps.
        """
        n = maximum(p[0] - shortfall * self.normal, 0.0)
        change = n - p[0]
        (cx, cy), (xx, xy, yy) = self.normal_coupling, self.inverse_tangent
        a, b, most = w[1] + cx * change, w[2] + cy * change, self.friction * n
        sx, sy = p[1] - (xx * a + xy * b), p[2] - (xy * a + yy * b)
        x, y = p[1] - a * self.inverse_r, p[2] - b * self.inverse_r
        over = self.friction / sqrt(x * x + y * y + TINY)
        x, y = x * over, y * over
        inverse_mass, lift = self.rows[0].inverse_mass, cx * x + cy * y
        free = inverse_mass * p[0] + cx * p[1] + cy * p[2] - shortfall
        n = where(lift > 0.0, maximum(free, 0.0) / (inverse_mass + maximum(lift, 0.0)), n)
        inside = sx * sx + sy * sy <= most * most
        return n, where(inside, sx, x * n), where(inside, sy, y * n)


@dataclass(frozen=True, slots=True)
class BoundedBlock:
    """A row whose impulse lies between two bounds: a joint limit, dry friction, or a loop, which has no bounds.

    inverse: 1 / D, precomputed.
    """

    row: Row
    lower: Scalar
    upper: Scalar
    inverse: Scalar

    @staticmethod
    def of(row: Row, lower: Scalar, upper: Scalar) -> "BoundedBlock":
        """Return a row between bounds [N s or N m s]."""
        return BoundedBlock(row, lower, upper, _inverse(row.inverse_mass))

    @property
    def rows(self) -> tuple[Row]:
        """The row alone."""
        return (self.row,)

    @property
    def active(self) -> Scalar:
        """True where the constraint exists, see ContactBlock."""
        return self.inverse > 0.0

    def updated(self, w: Sequence[Scalar], p: Sequence[Scalar], target: Scalar) -> list[Scalar]:
        """Return the impulse within its bounds that brings the speed w under impulse p to its target."""
        return [clamp(p[0] - (w[0] - target) * self.inverse, self.lower, self.upper)]

    def over_relaxed(self, p: Sequence[Scalar], new: Sequence[Scalar], relaxation: Scalar) -> list[Scalar]:
        """Return p + relaxation (new - p), within its bounds."""
        return [clamp(p[0] + relaxation * (new[0] - p[0]), self.lower, self.upper)]


Block = ContactBlock | BoundedBlock


def row_speeds(block: Block, u: Sequence[Scalar]) -> list[Scalar]:
    """Return the speeds of a block's rows at velocities u (nv), see rows.py [m/s or rad/s]."""
    return [row.speed(u) for row in block.rows]


Impulses = list[list[Scalar]]
"""Of each block, by row [N s or N m s]."""

UNBOUNDED = 1e30
"""An impulse that no limit reaches, and far from overflow even in float32 [N s or N m s]."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A joint limit: a motion J v that must not make the gap negative [rad or m]. J: by number of freedom."""

    J: Mapping[int, Scalar]
    gap: Scalar


@dataclass(frozen=True, slots=True)
class DryFriction:
    """Dry friction at the freedom of this number, up to max_force [N m or N]."""

    freedom: int
    max_force: Scalar


@dataclass(frozen=True, slots=True)
class Constraints:
    """The constraints of a step: contacts, limits, dry friction and loops, whose blocks come in this order.

    loops: J of each loop closure, by number of freedom. excess: number of near contacts beyond the capacity.
    previous_speeds: of the contacts' rows at the end of the step before [m/s]; None: nothing touched then.
    """

    contacts: Sequence[Contact] = ()
    limits: Sequence[Limit] = ()
    dry_frictions: Sequence[DryFriction] = ()
    loops: Sequence[Mapping[int, Scalar]] = ()
    excess: Scalar = 0.0
    previous_speeds: Sequence[Sequence[Scalar]] | None = None

    def blocks(
        self, state: Kinematics, factors: Factorisation, h: Scalar, absent: Undefined | None = None
    ) -> list[Block]:
        """Return the blocks of all constraints in a step of h [s].

        state: of the figure; factors: of A. absent: value of the rows of inactive contacts and limits: None: 0;
        otherwise an undefined value, where nothing reads them.
        """
        freedoms = axes(state)
        result: list[Block] = []
        for one in self.contacts:
            grip = partial(_contact_block, state, freedoms, factors, one)
            normal, made_of = when(one.gap < FAR, grip, otherwise=absent and (0.0, absent))
            result.append(replace(made_of, normal=normal))
        for stop in self.limits:
            limit = partial(_limit_block, factors, stop)
            inverse, bound = when(stop.gap < FAR, limit, otherwise=absent and (0.0, absent))
            result.append(replace(bound, inverse=inverse))
        for drag in self.dry_frictions:
            result.append(BoundedBlock.of(row({drag.freedom: 1.0}, factors), -h * drag.max_force, h * drag.max_force))
        result += [BoundedBlock.of(row(J, factors), -UNBOUNDED, UNBOUNDED) for J in without_noise(self.loops)]
        return result

    @property
    def gaps(self) -> list[Scalar]:
        """Of contacts and limits [m or rad]."""
        return [one.gap for one in (*self.contacts, *self.limits)]

    def zero_impulses(self) -> Impulses:
        """Return zero impulses for all blocks."""
        rows = [3] * len(self.contacts) + [1] * (len(self.limits) + len(self.dry_frictions) + len(self.loops))
        return [[0.0] * count for count in rows]


def _contact_block(
    state: Kinematics, freedoms: Sequence[Axis], factors: Factorisation, one: Contact
) -> tuple[Scalar, ContactBlock]:
    """Return 1 / D_nn, positive where the contact is active, and the contact."""
    normal, first, second = (row(J, factors) for J in point_rows(state, freedoms, one))
    grip = ContactBlock.of((normal, first, second), one.friction, one.held)
    return grip.normal, grip


def _limit_block(factors: Factorisation, stop: Limit) -> tuple[Scalar, BoundedBlock]:
    """Return 1 / D, positive where the limit is active, and the limit."""
    bound = BoundedBlock.of(row(stop.J, factors), 0.0, UNBOUNDED)
    return bound.inverse, bound


def _inverse(x: Scalar) -> Scalar:
    """Return 1 / x, or 0 where nothing can move."""
    moves = x > 0.0
    return where(moves, 1.0 / where(moves, x, 1.0), 0.0)
