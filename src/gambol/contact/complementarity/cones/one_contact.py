"""One contact with Coulomb's cone, solved while all other impulses stay as they are.

    u = u0 + D p        0 <= u_z, 0 <= p_z, u_z p_z = 0
    |p_t| <= mu p_z, u_t = -s p_t with s >= 0, which is 0 inside the cone

It separates (p = 0), sticks (u = 0), or slips: with u_z = 0 eliminated, S = D_tt - D_tz D_zt / D_zz and
c = u0_t - D_tz u0_z / D_zz,

    (S + s) p_t = -c        p_z = -(u0_z + D_zt.p_t) / D_zz        psi(s) = mu p_z / |p_t| - 1 = 0

psi is close to a straight line in s, as in trust regions [More and Sorensen 1983], so few steps of Newton find s. They
are taken in sigma = s / (s + T), T being half the trace of S, which is 0 for sticking and 1 without friction. A contact
that already obeys the law stays exactly as it is: sweeps over many contacts end where the law holds, however few steps
each update takes.
"""

from dataclasses import dataclass
from typing import TypeAlias

from gambol.lanes import Precision, Scalar, clamp, maximum, sqrt, where, working_precision
from gambol.spatial import Matrix, Vector

Pair: TypeAlias = tuple[Scalar, Scalar]

STEPS = 1
"""Newton steps in one update: more of them do not save sweeps over many contacts (docs/decisions/012)."""

SOFTNESS: dict[Precision, float] = {"float64": 1e-9, "float32": 1e-5}
"""Share of its trace by which D is regularised, so that contacts which cannot move in all directions have an inverse.
The law of a contact that does not change is the same for any D."""


@dataclass(frozen=True, slots=True)
class Symmetric2:
    """A symmetric 2 x 2 matrix."""

    xx: Scalar
    xy: Scalar
    yy: Scalar

    def inverse(self) -> "Symmetric2":
        """Return its inverse; a multiple of that where it is singular."""
        det = self.xx * self.yy - self.xy * self.xy
        r = 1.0 / where(det > 0.0, det, 1.0)
        return Symmetric2(self.yy * r, -self.xy * r, self.xx * r)

    def times(self, x: Pair) -> Pair:
        """Return the product with a pair of numbers."""
        return self.xx * x[0] + self.xy * x[1], self.xy * x[0] + self.yy * x[1]


@dataclass(frozen=True, slots=True)
class SlipProblem:
    """A slipping contact: its velocity u0 without impulse, c of the module, -u0_z / D_zz, and friction."""

    u: Vector
    c: Pair
    free: Scalar
    mu: Scalar


@dataclass(frozen=True, slots=True)
class DelassusBlock:
    """The Delassus block D of a contact, prepared once for all updates.

    D: regularised; inverse: 1 / D_zz, 0 where nothing can move; column: D_tz / D_zz; row: D_zt / D_zz; S, T: see the
    module.
    """

    D: Matrix
    inverse: Scalar
    column: Pair
    row: Pair
    S: Symmetric2
    T: Scalar

    @staticmethod
    def of(D: Matrix) -> "DelassusBlock":
        """Prepare a contact's own block: velocity per unit impulse, or acceleration per unit force; normal last."""
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = D.rows
        soft = SOFTNESS[working_precision()] * (abs(xx) + abs(yy) + abs(zz))
        moves = zz > 0.0
        xx, yy, zz = xx + soft, yy + soft, zz + soft
        inverse = where(moves, 1.0 / where(moves, zz, 1.0), 0.0)
        column, row = (xz * inverse, yz * inverse), (zx * inverse, zy * inverse)
        xy_left = 0.5 * (xy + yx - column[0] * zy - column[1] * zx)
        S = Symmetric2(xx - column[0] * zx, xy_left, yy - column[1] * zy)
        return DelassusBlock(
            Matrix(((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))), inverse, column, row, S, 0.5 * (S.xx + S.yy)
        )

    def solve(self, w: Vector, mu: Scalar, p: Vector, steps: int = STEPS) -> Vector:
        """As one_contact(), of a contact that has been prepared."""
        u = w - self.D.times(p)
        c = (u.x - self.column[0] * u.z, u.y - self.column[1] * u.z)
        free = -u.z * self.inverse
        x, y = self.S.inverse().times(c)
        held = free + self.row[0] * x + self.row[1] * y
        sticks = (held >= 0.0) & (x * x + y * y <= (mu * held) * (mu * held))
        slip = SlipProblem(u, c, free, mu)
        sigma, low, high = self._initial_sigma(w, p), 0.0, 1.0
        for _ in range(steps):
            sigma, low, high = self._newton_step(sigma, low, high, slip)
        slipping, stuck = self._slip_impulse(sigma, slip), Vector(-x, -y, held)
        pushed = [where(free > 0.0, where(sticks, a, b), 0.0) for a, b in zip(stuck, slipping, strict=True)]
        return Vector.of(pushed)

    def _slip_inverse(self, sigma: Scalar) -> Symmetric2:
        """Return N^-1, where N = (1 - sigma) S + sigma T is in proportion to S + s."""
        part, rest = sigma * self.T, 1.0 - sigma
        return Symmetric2(rest * self.S.xx + part, rest * self.S.xy, rest * self.S.yy + part).inverse()

    def _initial_sigma(self, w: Vector, p: Vector) -> Scalar:
        """Return the sigma of the present impulse, exact where the law holds; the middle where there is none."""
        power = -(w.x * p.x + w.y * p.y)
        size = self.T * (p.x * p.x + p.y * p.y)
        slips = (power > 0.0) & (size > 0.0)
        return where(slips, power / where(slips, power + size, 1.0), 0.5)

    def _newton_step(
        self, sigma: Scalar, low: Scalar, high: Scalar, slip: SlipProblem
    ) -> tuple[Scalar, Scalar, Scalar]:
        """Return sigma after a Newton step towards psi = 0, in ratios finite for any s, and its new bracket."""
        N, rest, mu = self._slip_inverse(sigma), 1.0 - sigma, slip.mu
        g = N.times(slip.c)
        y = N.times(g)
        size = sqrt(g[0] * g[0] + g[1] * g[1])
        share = 1.0 / where(size > 0.0, size, 1.0)
        normal = slip.free + rest * (self.row[0] * g[0] + self.row[1] * g[1])
        turning = normal * share * (g[0] * y[0] + g[1] * y[1]) - rest * size * (self.row[0] * y[0] + self.row[1] * y[1])
        slope, psi = mu * share * share * turning, mu * normal * share - rest
        low, high = where(psi < 0.0, sigma, low), where(psi < 0.0, high, sigma)
        over = sigma * self.T * slope - psi
        whole = over + rest * self.T * slope
        rises = (slope >= 0.0) & (whole > 0.0)
        return where(rises, clamp(over / where(rises, whole, 1.0), low, high), 0.5 * (low + high)), low, high

    def _slip_impulse(self, sigma: Scalar, slip: SlipProblem) -> Vector:
        """Return the impulse on the surface of the cone, in the direction that sigma gives, which leaves u_z = 0.

        It is never so large that p.u > 0, which the law excludes and a wrong direction would bring about.
        """
        g = self._slip_inverse(sigma).times(slip.c)
        size = sqrt(g[0] * g[0] + g[1] * g[1])
        share = -slip.mu / where(size > 0.0, size, 1.0)
        x, y = share * g[0], share * g[1]
        rise, along = 1.0 + self.row[0] * x + self.row[1] * y, Vector(x, y, 1.0)
        curvature = along.dot(self.D.times(along))
        limit = maximum(-along.dot(slip.u), 0.0) / where(curvature > 0.0, curvature, 1.0)
        normal = where(rise * limit > slip.free, slip.free / where(rise > 0.0, rise, 1.0), limit)
        return Vector(normal * x, normal * y, normal)


def one_contact(w: Vector, D: Matrix, mu: Scalar, p: Vector, steps: int = STEPS) -> Vector:
    """Return the impulse or force of one contact that obeys Coulomb's law while all others stay as they are.

    w: relative velocity [m/s] or acceleration [m/s2] of the contact under its present p, in its own axes, normal last;
    positive when separating. D: change of w by p (3 x 3) [1/kg], symmetric, positive or singular; where mu is 0 it need
    not be symmetric. mu: coefficient of friction. p: present impulse [N s] or force [N], from which the search for the
    direction of slip starts. steps: of Newton's method. Returns the new p; |p_t| <= mu p_z exactly but for rounding.
    [Hwangbo et al. 2018] search the same ellipse by angle.
    """
    return DelassusBlock.of(D).solve(w, mu, p, steps)
