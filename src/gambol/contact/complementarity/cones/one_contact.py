"""One contact with Coulomb's cone, solved while all other impulses are held constant.

    u = u0 + D p        0 <= u_z, 0 <= p_z, u_z p_z = 0
    |p_t| <= mu p_z, u_t = -s p_t with s >= 0, which is 0 inside the cone

The contact separates (p = 0), sticks (u = 0), or slips. For slip u_z = 0 is eliminated:

    S = D_tt - D_tz D_zt / D_zz        c = u0_t - D_tz u0_z / D_zz
    (S + s) p_t = -c        p_z = -(u0_z + D_zt.p_t) / D_zz        psi(s) = mu p_z / |p_t| - 1 = 0

psi is close to a straight line in s, as in trust regions [More and Sorensen 1983], so a few Newton steps find s. They
are taken in sigma = s / (s + T), where T is half the trace of S; sigma is 0 for sticking and 1 without friction. The
impulse of a contact that already obeys the law does not change: so sweeps over many contacts converge to the law for
any number of steps in an update.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

from gambol.lanes import Precision, Scalar, clamp, logical_not, maximum, sqrt, when, where, working_precision
from gambol.spatial import Matrix, Vector

Pair: TypeAlias = tuple[Scalar, Scalar]
Mask: TypeAlias = Any

STEPS = 1
"""Newton steps in one update: more do not save sweeps over many contacts (docs/decisions/012)."""

SOFTNESS: dict[Precision, float] = {"float64": 1e-9, "float32": 1e-5}
"""Share of its trace by which D is regularised, so that it is invertible even if a contact cannot move in all
directions. A converged impulse is the same for any D."""


@dataclass(frozen=True, slots=True)
class Symmetric2:
    """A symmetric 2 x 2 matrix."""

    xx: Scalar
    xy: Scalar
    yy: Scalar

    def inverse(self) -> "Symmetric2":
        """Return the inverse, or the adjugate if the matrix is singular."""
        det = self.xx * self.yy - self.xy * self.xy
        r = 1.0 / where(det > 0.0, det, 1.0)
        return Symmetric2(self.yy * r, -self.xy * r, self.xx * r)

    def times(self, x: Pair) -> Pair:
        """Return the product with a pair of numbers."""
        return self.xx * x[0] + self.xy * x[1], self.xy * x[0] + self.yy * x[1]


@dataclass(frozen=True, slots=True)
class SlipProblem:
    """A slipping contact.

    u: velocity u0 without impulse; c: see the module docstring; free: -u0_z / D_zz; mu: coefficient of friction.
    """

    u: Vector
    c: Pair
    free: Scalar
    mu: Scalar


@dataclass(frozen=True, slots=True)
class DelassusBlock:
    """The Delassus block D of a contact, prepared once for all updates.

    D: regularised; inverse: 1 / D_zz, 0 if the contact cannot move; column: D_tz / D_zz; row: D_zt / D_zz; S, T: see
    the module docstring.
    """

    D: Matrix
    inverse: Scalar
    column: Pair
    row: Pair
    S: Symmetric2
    T: Scalar

    @staticmethod
    def of(D: Matrix) -> "DelassusBlock":
        """Return the prepared block of a contact; D: change of velocity per unit impulse, normal last."""
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = D.rows
        softness = SOFTNESS[working_precision()] * (abs(xx) + abs(yy) + abs(zz))
        moves = zz > 0.0
        xx, yy, zz = xx + softness, yy + softness, zz + softness
        inverse = where(moves, 1.0 / where(moves, zz, 1.0), 0.0)
        column, row = (xz * inverse, yz * inverse), (zx * inverse, zy * inverse)
        S_xy = 0.5 * (xy + yx - column[0] * zy - column[1] * zx)
        S = Symmetric2(xx - column[0] * zx, S_xy, yy - column[1] * zy)
        return DelassusBlock(
            Matrix(((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))), inverse, column, row, S, 0.5 * (S.xx + S.yy)
        )

    def solve(self, w: Vector, mu: Scalar, p: Vector, steps: int = STEPS) -> Vector:
        """Return the impulse or force of the contact; arguments as for one_contact()."""
        slip, stuck, sticks = self._stick(w, mu, p)
        slipping = self._slipping(w, p, slip, steps)
        result = [where(slip.free > 0.0, where(sticks, a, b), 0.0) for a, b in zip(stuck, slipping, strict=True)]
        return Vector.of(result)

    def solve_by_case(self, w: Vector, mu: Scalar, p: Vector) -> Vector:
        """Return the result of solve(), for few lanes: slip is skipped where all contacts stick or separate."""
        slip, stuck, sticks = self._stick(w, mu, p)
        closes = slip.free > 0.0
        slipping = when(closes & logical_not(sticks), lambda: self._slipping(w, p, slip, STEPS), otherwise=stuck)
        return Vector.of([where(closes, x, 0.0) for x in slipping])

    def _stick(self, w: Vector, mu: Scalar, p: Vector) -> tuple[SlipProblem, Vector, Mask]:
        """Return the problem of slip, the impulse that sticks, and whether it is in the cone."""
        u = w - self.D.times(p)
        c = (u.x - self.column[0] * u.z, u.y - self.column[1] * u.z)
        free = -u.z * self.inverse
        x, y = self.S.inverse().times(c)
        stick_normal = free + self.row[0] * x + self.row[1] * y
        sticks = (stick_normal >= 0.0) & (x * x + y * y <= (mu * stick_normal) * (mu * stick_normal))
        return SlipProblem(u, c, free, mu), Vector(-x, -y, stick_normal), sticks

    def _slipping(self, w: Vector, p: Vector, slip: SlipProblem, steps: int) -> Vector:
        """Return the impulse of a contact that slips."""
        sigma, low, high = self._initial_sigma(w, p), 0.0, 1.0
        for _ in range(steps):
            sigma, low, high = self._newton_step(sigma, low, high, slip)
        return self._slip_impulse(sigma, slip)

    def _slip_inverse(self, sigma: Scalar) -> Symmetric2:
        """Return N^-1, where N = (1 - sigma) S + sigma T is proportional to S + s."""
        sigma_T, one_minus_sigma = sigma * self.T, 1.0 - sigma
        return Symmetric2(
            one_minus_sigma * self.S.xx + sigma_T, one_minus_sigma * self.S.xy, one_minus_sigma * self.S.yy + sigma_T
        ).inverse()

    def _initial_sigma(self, w: Vector, p: Vector) -> Scalar:
        """Return the sigma of the present impulse, exact where the law holds; 0.5 if the impulse has no sigma."""
        power = -(w.x * p.x + w.y * p.y)
        size = self.T * (p.x * p.x + p.y * p.y)
        slips = (power > 0.0) & (size > 0.0)
        return where(slips, power / where(slips, power + size, 1.0), 0.5)

    def _newton_step(
        self, sigma: Scalar, low: Scalar, high: Scalar, slip: SlipProblem
    ) -> tuple[Scalar, Scalar, Scalar]:
        """Return sigma after a Newton step towards psi = 0, and its new bracket; no ratio is infinite for any s."""
        N, one_minus_sigma, mu = self._slip_inverse(sigma), 1.0 - sigma, slip.mu
        g = N.times(slip.c)
        y = N.times(g)
        size = sqrt(g[0] * g[0] + g[1] * g[1])
        inverse_size = 1.0 / where(size > 0.0, size, 1.0)
        normal = slip.free + one_minus_sigma * (self.row[0] * g[0] + self.row[1] * g[1])
        derivative = normal * inverse_size * (g[0] * y[0] + g[1] * y[1]) - one_minus_sigma * size * (
            self.row[0] * y[0] + self.row[1] * y[1]
        )
        slope, psi = mu * inverse_size * inverse_size * derivative, mu * normal * inverse_size - one_minus_sigma
        low, high = where(psi < 0.0, sigma, low), where(psi < 0.0, high, sigma)
        numerator = sigma * self.T * slope - psi
        denominator = numerator + one_minus_sigma * self.T * slope
        rises = (slope >= 0.0) & (denominator > 0.0)
        return where(rises, clamp(numerator / where(rises, denominator, 1.0), low, high), 0.5 * (low + high)), low, high

    def _slip_impulse(self, sigma: Scalar, slip: SlipProblem) -> Vector:
        """Return the impulse on the surface of the cone for a sigma; it makes u_z = 0.

        The impulse is limited so that p.u <= 0, as the law requires, even if its direction is wrong.
        """
        g = self._slip_inverse(sigma).times(slip.c)
        size = sqrt(g[0] * g[0] + g[1] * g[1])
        scale = -slip.mu / where(size > 0.0, size, 1.0)
        x, y = scale * g[0], scale * g[1]
        rise, direction = 1.0 + self.row[0] * x + self.row[1] * y, Vector(x, y, 1.0)
        curvature = direction.dot(self.D.times(direction))
        limit = maximum(-direction.dot(slip.u), 0.0) / where(curvature > 0.0, curvature, 1.0)
        normal = where(rise * limit > slip.free, slip.free / where(rise > 0.0, rise, 1.0), limit)
        return Vector(normal * x, normal * y, normal)


def one_contact(w: Vector, D: Matrix, mu: Scalar, p: Vector, steps: int = STEPS) -> Vector:
    """Return the impulse or force of a contact that obeys Coulomb's law while all other impulses are constant.

    w: relative velocity [m/s] or acceleration [m/s2] of the contact under its present p, in its own axes, normal last;
    positive when separating. D: change of w by p (3 x 3) [1/kg], symmetric and positive semidefinite; if mu is 0 it may
    be unsymmetric. mu: coefficient of friction. p: present impulse [N s] or force [N], the initial value of the search
    for the direction of slip. steps: steps of Newton's method. Returns the new p, with |p_t| <= mu p_z to rounding.
    [Hwangbo et al. 2018] search the same ellipse by angle.
    """
    return DelassusBlock.of(D).solve(w, mu, p, steps)
