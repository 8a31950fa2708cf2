"""Blocks: the rows of one contact, limit or loop, and their impulse update while all other impulses are held constant.

    contact   w_n >= target, p_n >= 0, one of them at its bound;   |p_t| <= mu p_n; p_t = -s w_t, s > 0, where it slides
    bounded   lower <= p <= upper;    w = target between them, w >= target at the lower, w <= target at the upper

A contact first tries to stick: p such that w_n is at its target and w_t = 0. If this p is outside the friction cone,
p_n brings w_n to its target, and p_t makes one step p_t - w_t / r, projected onto the boundary of the cone. At the
fixed point, p_t is opposite to w_t: the cone is Coulomb's, not a pyramid. r is the larger eigenvalue of the tangential
part of D, so that these steps contract. [Jean 1999; Hwangbo 2018] Where friction depends on the direction, the same
steps are made with stretched impulses, for which the section of the cone is a circle (anisotropy.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import overload

from gambol.contact.stepping.anisotropy import Anisotropy
from gambol.contact.stepping.rows import Row
from gambol.lanes import (
    Index,
    Precision,
    Records,
    Scalar,
    Subprogram,
    clamp,
    maximum,
    minimum,
    sqrt,
    where,
    working_precision,
)

SINGULARITY_TOLERANCE: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-6}
"""Fraction of r^2 below which the determinant of the tangential part of D counts as 0 (the contact can slide along one
line only); and fraction of the normal inverse mass below which the inverse mass with sticking tangents counts as 0.
Both are far above rounding, and far below the values of light limbs on heavy bodies."""

TINY = 1e-30
"""Added to |p_t|^2 under the root, to keep it positive: far below any relevant impulse [N^2 s^2]."""


@dataclass(frozen=True, slots=True)
class ContactBlock:
    """A contact: its rows along normal and tangents, and quantities precomputed from them.

    friction: mu. held, anisotropy: see Contact. inverse_normal: 1 / D_nn; inverse_sticking: the same while the
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
    anisotropy: Anisotropy | None = None

    @staticmethod
    def of(
        rows: tuple[Row, Row, Row],
        friction: Scalar,
        held: Scalar | None = None,
        anisotropy: Anisotropy | None = None,
    ) -> "ContactBlock":
        """Return the block of a contact from its rows: normal, then two tangents."""
        normal, first, second = rows
        cross_coupling, half_difference = first.coupling(second), 0.5 * (first.inverse_mass - second.inverse_mass)
        r = 0.5 * (first.inverse_mass + second.inverse_mass) + sqrt(
            half_difference * half_difference + cross_coupling * cross_coupling
        )
        determinant, inverse_r, singular = (
            first.inverse_mass * second.inverse_mass - cross_coupling * cross_coupling,
            inverse_or_zero(r),
            SINGULARITY_TOLERANCE[working_precision()],
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
        inverse_normal = inverse_or_zero(normal.inverse_mass)
        inverse_sticking = where(can_move, 1.0 / where(can_move, remaining, 1.0), inverse_normal)
        slip_coupling = (where(can_move, kx, 0.0), where(can_move, ky, 0.0))
        inverses, couplings = (inverse_normal, inverse_sticking), (slip_coupling, (cx, cy))
        inverse_tangent = xx, xy, yy
        return ContactBlock(
            rows, friction, held, *inverses, *couplings, inverse_tangent, inverse_r, anisotropy=anisotropy
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
        n, x, y = self.sticking_impulse(excess_speed, w, p)
        sticks = (n >= 0.0) & self.within(x, y, self.friction * n)
        if self.held is not None:
            sticks = sticks | (self.held > 0.5)
        sliding = self._sliding_impulse(excess_speed, w, p)
        return [where(sticks, a, b) for a, b in zip((n, x, y), sliding, strict=True)]

    def within(self, x: Scalar, y: Scalar, limit: Scalar) -> Scalar:
        """Return True where tangential impulses are within a limit: mu p_n for the cone."""
        x = self.stretched(x)
        return x * x + y * y <= limit * limit

    def stretched(self, x: Scalar) -> Scalar:
        """Return an impulse along the first tangent stretched so that the section of the cone is a circle."""
        return x if self.anisotropy is None else self.anisotropy.stretched(x)

    def slip_speeds(self, w: Sequence[Scalar]) -> list[Scalar]:
        """Return speeds w minus the tangential bias."""
        return [w[0], w[1] - self.tangent_bias[0], w[2] - self.tangent_bias[1]]

    def over_relaxed(self, p: Sequence[Scalar], new: Sequence[Scalar], relaxation: Scalar) -> list[Scalar]:
        """Return p + relaxation (new - p), projected into the cone."""
        n, x, y = (a + relaxation * (b - a) for a, b in zip(p, new, strict=True))
        push = maximum(n, 0.0)
        stretched = self.stretched(x)
        scale = minimum(self.friction * push / sqrt(stretched * stretched + y * y + TINY), 1.0)
        if self.held is None:
            return [push, x * scale, y * scale]
        held = self.held > 0.5
        return [where(held, n, push), where(held, x, x * scale), where(held, y, y * scale)]

    def sticking_impulse(
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
        step = self.inverse_r if self.anisotropy is None else self.inverse_r / self.anisotropy.greatest
        x, y = self.stretched(p[1]) - a * step, p[2] - b * step
        scale = self.friction / sqrt(x * x + y * y + TINY)
        x, y = x * scale, y * scale
        x = x if self.anisotropy is None else self.anisotropy.unstretched(x)
        inverse_mass, lift = self.rows[0].inverse_mass, cx * x + cy * y
        needed = inverse_mass * p[0] + cx * p[1] + cy * p[2] - excess_speed
        n = where(lift > 0.0, maximum(needed, 0.0) / (inverse_mass + maximum(lift, 0.0)), n)
        inside = self.within(sx, sy, limit)
        return n, where(inside, sx, x * n), where(inside, sy, y * n)


def inverse_or_zero(x: Scalar) -> Scalar:
    """Return 1 / x, or 0 where nothing can move."""
    moves = x > 0.0
    return where(moves, 1.0 / where(moves, x, 1.0), 0.0)


@dataclass(frozen=True, slots=True)
class BoundedBlock:
    """A row whose impulse lies between two bounds: a joint limit, dry friction, or a loop (without bounds).

    inverse: 1 / D.
    """

    row: Row
    lower: Scalar
    upper: Scalar
    inverse: Scalar

    @staticmethod
    def of(row: Row, lower: Scalar, upper: Scalar) -> "BoundedBlock":
        """Return the block of a row whose impulse lies between bounds [N s or N m s]."""
        return BoundedBlock(row, lower, upper, inverse_or_zero(row.inverse_mass))

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


@dataclass(frozen=True, slots=True)
class Run:
    """Blocks of contacts of equal structure in memory.

    contacts: records of ContactBlocks; inverses: their field inverse_normal, the only field that is also defined for
    inactive contacts; tangent_bias: their field tangent_bias.
    """

    contacts: Records
    inverses: Records
    tangent_bias: Records | None = None

    def __len__(self) -> int:
        return len(self.contacts)

    def __getitem__(self, i: int | Index) -> ContactBlock:
        bias = (0.0, 0.0) if self.tangent_bias is None else self.tangent_bias[i]
        return replace(self.contacts[i], inverse_normal=self.inverses[i], tangent_bias=bias)


@dataclass(frozen=True, slots=True)
class RolledBlocks(Sequence[Block]):
    """Blocks of contacts in memory, in one or several runs, then all others.

    programs: subprograms that read these blocks, by name, see shared_program(); row_programs: those that read the rows
    of contacts only, also for blocks with other biases.
    """

    runs: tuple[Run, ...]
    others: Sequence[BoundedBlock] = ()
    row_programs: dict[str, Subprogram] = field(default_factory=dict[str, Subprogram], compare=False)
    programs: dict[str, Subprogram] = field(init=False, default_factory=dict[str, Subprogram], compare=False)

    @property
    def contacts(self) -> int:
        """The number of contacts."""
        return sum(len(run) for run in self.runs)

    def __len__(self) -> int:
        return self.contacts + len(self.others)

    @overload
    def __getitem__(self, i: int) -> Block: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[Block]: ...
    def __getitem__(self, i: int | slice) -> Block | Sequence[Block]:
        if isinstance(i, slice):
            _, end, _ = i.indices(len(self))
            return replace(self, others=self.others[: end - self.contacts])
        for run in self.runs:
            if i < len(run):
                return run[i]
            i -= len(run)
        return self.others[i]


def row_speeds(block: Block, u: Sequence[Scalar]) -> list[Scalar]:
    """Return the speeds of a block's rows at velocities u (nv), see rows.py [m/s or rad/s]."""
    return [row.speed(u) for row in block.rows]


Impulses = list[list[Scalar]]
"""Impulses of all blocks, by block and row [N s or N m s]."""

UNBOUNDED = 1e30
"""A bound above any impulse, which does not overflow even in float32 [N s or N m s]."""
