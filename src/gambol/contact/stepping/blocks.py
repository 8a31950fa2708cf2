"""Blocks: the rows of one contact, limit or loop, and their impulse update while all other impulses stay as they are.

    contact   w_n >= target, p_n >= 0, one of them at its bound;   |p_t| <= mu p_n; p_t = -s w_t, s > 0, where it slides
    bounded   lower <= p <= upper;    w = target between them, w >= target at the lower, w <= target at the upper

A contact first tries to stick: p such that w_n is at its target and w_t = 0. If this p is outside of the friction cone,
p_n brings w_n to its target, and p_t makes one step p_t - w_t / r, projected onto the boundary of the cone. At the
fixed point, p_t is opposite to w_t: the cone is Coulomb's, not a pyramid. r is the larger eigenvalue of the tangential
part of D, so that these steps contract. [Jean 1999; Hwangbo 2018]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gambol.collide.gap import FAR
from gambol.contact.stepping.contact import Contact
from gambol.contact.stepping.rows import Axis, Row, axes, make_row, point_rows, without_noise
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Factorisation
from gambol.lanes import Precision, Scalar, Undefined, clamp, maximum, minimum, sqrt, when, where, working_precision

SINGULAR: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-6}
"""Two shares: of r^2, below which the determinant of the tangential part of D counts as 0 (the contact can slide along
one line only); of the normal inverse mass, below which the inverse mass with sticking tangents counts as 0. Far above
rounding, and far below the values of light limbs on heavy bodies."""

TINY = 1e-30
"""Added to |p_t|^2 under the root, to keep it positive: far below any relevant impulse [N^2 s^2]."""


@dataclass(frozen=True, slots=True)
class ContactBlock:
    """A contact: its rows along normal and tangents, and quantities precomputed from them.

    friction: mu. held: see Contact; None: never. inverse_normal: 1 / D_nn; inverse_sticking: the same while the
    tangents stick; slip_coupling: change of the normal speed by the slip in that case; normal_coupling: change of the
    slip by the normal impulse; inverse_tangent: the inverse of the tangential part of D, entries 11, 12, 22; inverse_r:
    1 / r. tangent_bias: tangential speeds that count as sticking, see velocity_bias.py [m/s].
    """

    rows: tuple[Row, Row, Row]
    friction: Scalar
    held: Scalar | None
    inverse_normal: Scalar
    inverse_sticking: Scalar
    slip_coupling: tuple[Scalar, Scalar]
    normal_coupling: tuple[Scalar, Scalar]
    inverse_tangent: tuple[Scalar, Scalar, Scalar]
    inverse_r: Scalar
    tangent_bias: tuple[Scalar, Scalar] = (0.0, 0.0)

    @staticmethod
    def of(rows: tuple[Row, Row, Row], friction: Scalar, held: Scalar | None = None) -> "ContactBlock":
        """Return the block of a contact from its rows: normal, then two tangents."""
        normal, first, second = rows
        cross_coupling, half_difference = first.coupling(second), 0.5 * (first.inverse_mass - second.inverse_mass)
        r = 0.5 * (first.inverse_mass + second.inverse_mass) + sqrt(
            half_difference * half_difference + cross_coupling * cross_coupling
        )
        determinant, inverse_r, singular = (
            first.inverse_mass * second.inverse_mass - cross_coupling * cross_coupling,
            _inverse(r),
            SINGULAR[working_precision()],
        )
        regular = determinant > singular * r * r
        inverse = where(regular, 1.0 / where(regular, determinant, 1.0), 0.0)
        xx, xy, yy = (
            where(regular, second.inverse_mass * inverse, inverse_r),
            -cross_coupling * inverse,
            where(regular, first.inverse_mass * inverse, inverse_r),
        )
        cx, cy = first.coupling(normal), second.coupling(normal)
        kx, ky = xx * cx + xy * cy, xy * cx + yy * cy
        remaining = normal.inverse_mass - (cx * kx + cy * ky)
        can_move = remaining > singular * normal.inverse_mass
        inverse_normal = _inverse(normal.inverse_mass)
        inverse_sticking = where(can_move, 1.0 / where(can_move, remaining, 1.0), inverse_normal)
        slip_coupling = (where(can_move, kx, 0.0), where(can_move, ky, 0.0))
        return ContactBlock(
            rows, friction, held, inverse_normal, inverse_sticking, slip_coupling, (cx, cy), (xx, xy, yy), inverse_r
        )

    @property
    def active(self) -> Scalar:
        """True where the contact can act: False if it cannot move, or if its gap is FAR."""
        return self.inverse_normal > 0.0

    def updated(self, w: Sequence[Scalar], p: Sequence[Scalar], target: Scalar) -> list[Scalar]:
        """Return impulses (normal, tangents) that satisfy the contact laws.

        w: speeds under the present impulses p [m/s]; target: least normal speed [m/s].
        """
        w, excess_speed = self.slip_speeds(w), w[0] - target
        n, x, y = self._sticking_impulse(excess_speed, w, p)
        sticks = (n >= 0.0) & (x * x + y * y <= (self.friction * n) * (self.friction * n))
        if self.held is not None:
            sticks = sticks | (self.held > 0.5)
        sliding = self._sliding_impulse(excess_speed, w, p)
        return [where(sticks, a, b) for a, b in zip((n, x, y), sliding, strict=True)]

    def slip_speeds(self, w: Sequence[Scalar]) -> list[Scalar]:
        """Return speeds w minus the tangential bias."""
        return [w[0], w[1] - self.tangent_bias[0], w[2] - self.tangent_bias[1]]

    def over_relaxed(self, p: Sequence[Scalar], new: Sequence[Scalar], relaxation: Scalar) -> list[Scalar]:
        """Return p + relaxation (new - p), projected into the cone."""
        n, x, y = (a + relaxation * (b - a) for a, b in zip(p, new, strict=True))
        push = maximum(n, 0.0)
        scale = minimum(self.friction * push / sqrt(x * x + y * y + TINY), 1.0)
        if self.held is None:
            return [push, x * scale, y * scale]
        held = self.held > 0.5
        return [where(held, n, push), where(held, x, x * scale), where(held, y, y * scale)]

    def _sticking_impulse(
        self, excess_speed: Scalar, w: Sequence[Scalar], p: Sequence[Scalar]
    ) -> tuple[Scalar, Scalar, Scalar]:
        """Return the impulses that stop the slip and bring the normal speed to its target, all three at once."""
        (kx, ky), (cx, cy), (xx, xy, yy) = self.slip_coupling, self.normal_coupling, self.inverse_tangent
        change = (kx * w[1] + ky * w[2] - excess_speed) * self.inverse_sticking
        a, b = w[1] + cx * change, w[2] + cy * change
        return p[0] + change, p[1] - (xx * a + xy * b), p[2] - (xy * a + yy * b)

    def _sliding_impulse(
        self, excess_speed: Scalar, w: Sequence[Scalar], p: Sequence[Scalar]
    ) -> tuple[Scalar, Scalar, Scalar]:
        """Return a normal impulse n >= 0, and friction after one step towards the cone boundary opposite to the slip.

        If friction increases the normal speed, it is solved together with n: n and mu n d, d the direction of friction,
        bring the normal speed to its target. Otherwise n would alternate between far too large and 0 in the sweeps.
        Friction that decreases the normal speed is corrected in the following sweeps.
        """
        n = maximum(p[0] - excess_speed * self.inverse_normal, 0.0)
        change = n - p[0]
        (cx, cy), (xx, xy, yy) = self.normal_coupling, self.inverse_tangent
        a, b, limit = w[1] + cx * change, w[2] + cy * change, self.friction * n
        sx, sy = p[1] - (xx * a + xy * b), p[2] - (xy * a + yy * b)
        x, y = p[1] - a * self.inverse_r, p[2] - b * self.inverse_r
        scale = self.friction / sqrt(x * x + y * y + TINY)
        x, y = x * scale, y * scale
        inverse_mass, lift = self.rows[0].inverse_mass, cx * x + cy * y
        needed = inverse_mass * p[0] + cx * p[1] + cy * p[2] - excess_speed
        n = where(lift > 0.0, maximum(needed, 0.0) / (inverse_mass + maximum(lift, 0.0)), n)
        inside = sx * sx + sy * sy <= limit * limit
        return n, where(inside, sx, x * n), where(inside, sy, y * n)


@dataclass(frozen=True, slots=True)
class BoundedBlock:
    """A row whose impulse lies between two bounds: a joint limit, dry friction, or a loop (without bounds).

    inverse: 1 / D, precomputed.
    """

    row: Row
    lower: Scalar
    upper: Scalar
    inverse: Scalar

    @staticmethod
    def of(row: Row, lower: Scalar, upper: Scalar) -> "BoundedBlock":
        """Return the block of a row whose impulse lies between bounds [N s or N m s]."""
        return BoundedBlock(row, lower, upper, _inverse(row.inverse_mass))

    @property
    def rows(self) -> tuple[Row]:
        """The row, as a tuple of one."""
        return (self.row,)

    @property
    def active(self) -> Scalar:
        """True where the constraint can act, see ContactBlock."""
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


def active_row_speeds(blocks: Sequence[Block], u: Sequence[Scalar]) -> list[list[Scalar]]:
    """Return the speeds of all rows by block at velocities u (nv) [m/s or rad/s]; 0 for inactive blocks."""
    return [when(block.active, partial(row_speeds, block, u), otherwise=[0.0] * len(block.rows)) for block in blocks]


Impulses = list[list[Scalar]]
"""Impulses of all blocks, by block and row [N s or N m s]."""

UNBOUNDED = 1e30
"""A bound above any impulse, far from overflow even in float32 [N s or N m s]."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A joint limit: a motion J v must not make its gap negative [rad or m]. J: by index of the degree of freedom."""

    J: Mapping[int, Scalar]
    gap: Scalar


@dataclass(frozen=True, slots=True)
class DryFriction:
    """Dry friction at a degree of freedom, given by its index, up to max_force [N m or N]."""

    freedom: int
    max_force: Scalar


@dataclass(frozen=True, slots=True)
class Constraints:
    """The constraints of a step: contacts, limits, dry friction and loops. Their blocks come in this order.

    loops: J of each loop closure, by index of the degree of freedom. excess: number of near contacts beyond the
    capacity. previous_speeds: of the contacts' rows at the end of the previous step [m/s]; None if nothing was in
    contact.
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

        state: of the figure; factors: of A; absent: value of the rows of inactive contacts and limits: None for 0, or
        an undefined value if they are never read.
        """
        freedoms = axes(state)
        result: list[Block] = []
        for contact in self.contacts:
            contact_block = partial(_contact_block, state, freedoms, factors, contact)
            inverse_normal, block = when(contact.gap < FAR, contact_block, otherwise=absent and (0.0, absent))
            result.append(replace(block, inverse_normal=inverse_normal))
        for limit in self.limits:
            limit_block = partial(_limit_block, factors, limit)
            inverse, bounded = when(limit.gap < FAR, limit_block, otherwise=absent and (0.0, absent))
            result.append(replace(bounded, inverse=inverse))
        for friction in self.dry_frictions:
            result.append(
                BoundedBlock.of(
                    make_row({friction.freedom: 1.0}, factors), -h * friction.max_force, h * friction.max_force
                )
            )
        result += [BoundedBlock.of(make_row(J, factors), -UNBOUNDED, UNBOUNDED) for J in without_noise(self.loops)]
        return result

    @property
    def gaps(self) -> list[Scalar]:
        """The gaps of contacts and limits [m or rad]."""
        return [constraint.gap for constraint in (*self.contacts, *self.limits)]

    def zero_impulses(self) -> Impulses:
        """Return zero impulses for all blocks."""
        rows = [3] * len(self.contacts) + [1] * (len(self.limits) + len(self.dry_frictions) + len(self.loops))
        return [[0.0] * count for count in rows]


def _contact_block(
    state: Kinematics, freedoms: Sequence[Axis], factors: Factorisation, contact: Contact
) -> tuple[Scalar, ContactBlock]:
    """Return 1 / D_nn, which is positive where the contact is active, and the block of the contact."""
    normal, first, second = (make_row(J, factors) for J in point_rows(state, freedoms, contact))
    block = ContactBlock.of((normal, first, second), contact.friction, contact.held)
    return block.inverse_normal, block


def _limit_block(factors: Factorisation, limit: Limit) -> tuple[Scalar, BoundedBlock]:
    """Return 1 / D, which is positive where the limit is active, and the block of the limit."""
    block = BoundedBlock.of(make_row(limit.J, factors), 0.0, UNBOUNDED)
    return block.inverse, block


def _inverse(x: Scalar) -> Scalar:
    """Return 1 / x, or 0 where nothing can move."""
    moves = x > 0.0
    return where(moves, 1.0 / where(moves, x, 1.0), 0.0)
