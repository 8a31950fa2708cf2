"""Coulomb's friction during a collision: the direction of the impulse, while a contact slides and while it sticks.

    du/dp_z = K d     d = (-mu t, 1) while the slip is u_t = r t     d = (-A^-1 k, 1) while the contact sticks
    where K = [A k; k^T c], its last row the normal's                  [Mirtich 1996; Arnold 1997, alg. 2.2]

A contact with a slip that stops will stick if that impulse lies in the cone, |A^-1 k| <= mu. Otherwise it slides on in
a constant direction t, such that A (-mu t) + k = f t with f > 0 [Bhatt and Koechling 1995]. The quartic of Bhatt and
Koechling for t is equivalent to

    |(f + mu A)^-1 k| = 1        t = (f + mu A)^-1 k

The left side falls from more than 1 at f = 0 to 0, so there is one such direction. Newton's method for 1 / |...|
reaches the f of this direction from below without overshooting, as in trust regions [More, Sorensen 1983].
"""

from dataclasses import dataclass

from gambol.lanes import Scalar, logical_not, maximum, repeat, sqrt, when, where, working_precision

EPSILON = {"float64": 2.0**-52, "float32": 2.0**-23}
"""Distance from 1 to the next number, in each precision."""

NEWTON_STEPS = 12
"""Newton's method doubles the correct digits in each step; the slowest of 10^6 random matrices took 9 steps."""

ROUNDING_MARGIN = 16.0
"""Rounding error of a sum of products of entries of K, in units of EPSILON."""

TINY = 1e-30
"""Added to divisors, which are scaled numbers of the order of 1: representable in float32, and changes no sum."""


@dataclass(frozen=True, slots=True)
class CollisionMatrix:
    """Change of velocity per normal impulse: K = [xx xy kx; xy yy ky; kx ky zz], whose trace is 1, and friction mu."""

    xx: Scalar
    xy: Scalar
    yy: Scalar
    kx: Scalar
    ky: Scalar
    zz: Scalar
    mu: Scalar

    def slip_rate(self, dx: Scalar, dy: Scalar) -> tuple[Scalar, Scalar]:
        """Return the change of the slip per normal impulse, for an impulse along (dx, dy, 1)."""
        return self.kx + self.xx * dx + self.xy * dy, self.ky + self.xy * dx + self.yy * dy

    def normal_rate(self, dx: Scalar, dy: Scalar) -> Scalar:
        """Return the change of the normal velocity per normal impulse, for an impulse along (dx, dy, 1)."""
        return self.zz + self.kx * dx + self.ky * dy

    def across(self, tx: Scalar, ty: Scalar) -> Scalar:
        """Return n . A n, for the direction n perpendicular to t."""
        return self.xx * ty * ty - 2.0 * self.xy * tx * ty + self.yy * tx * tx

    @property
    def bound(self) -> Scalar:
        """Upper bound of the slip rate while the contact slides."""
        return self.mu * (self.xx + self.yy) + sqrt(self.kx * self.kx + self.ky * self.ky)

    def sticking(self) -> tuple[Scalar, Scalar]:
        """Return -A^-1 k: friction per normal impulse that keeps the slip at 0. A singular A is inverted on its range.

        A counts as singular if its determinant may be only rounding of K, whose trace is 1.
        """
        trace, det = self.xx + self.yy, self.xx * self.yy - self.xy * self.xy
        regular = det > ROUNDING_MARGIN * EPSILON[working_precision()] * trace
        det, trace = where(regular, det, 1.0), where(trace > 0.0, trace, 1.0)
        x = where(regular, (self.xy * self.ky - self.yy * self.kx) / det, -self.kx / trace)
        y = where(regular, (self.xy * self.kx - self.xx * self.ky) / det, -self.ky / trace)
        return x, y

    def sliding_direction(self) -> tuple[Scalar, Scalar]:
        """Return the unit direction t in which a contact that cannot stick slides on; arbitrary if k is 0."""
        size = sqrt(self.kx * self.kx + self.ky * self.ky) + TINY
        start = maximum(size - self.mu * (self.xx + self.yy), EPSILON[working_precision()] * size)
        f = repeat(NEWTON_STEPS, self._newton_step, start)
        x, y = self._solve(f, self.kx, self.ky)
        length = sqrt(x * x + y * y) + TINY
        return x / length, y / length

    def _newton_step(self, f: Scalar) -> Scalar:
        """Return f after a step of Newton's method for 1 / |(f + mu A)^-1 k| = 1."""
        x, y = self._solve(f, self.kx, self.ky)
        a, b = self._solve(f, x, y)
        square = x * x + y * y
        return f + (sqrt(square) - 1.0) * square / (x * a + y * b + TINY)

    def _solve(self, f: Scalar, x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
        """Return (f + mu A)^-1 (x, y)."""
        a, b, c = f + self.mu * self.xx, self.mu * self.xy, f + self.mu * self.yy
        det = maximum(a * c - b * b, TINY)
        return (c * x - b * y) / det, (a * y - b * x) / det


@dataclass(frozen=True, slots=True)
class AfterStop:
    """Friction after the slip has stopped: (x, y) per normal impulse; sticks is 1 where the slip stays at 0.

    rise: change of the normal velocity per normal impulse, d . K d. It is exactly 0 if it may be only rounding of K:
    such a contact is wedged, and cannot separate.
    """

    x: Scalar
    y: Scalar
    rise: Scalar
    sticks: Scalar

    @staticmethod
    def of(matrix: CollisionMatrix) -> "AfterStop":
        """Return friction after the slip has stopped: the contact sticks if the cone allows it, else slides again."""
        x, y = matrix.sticking()
        inside = x * x + y * y <= matrix.mu * matrix.mu
        sliding = when(logical_not(inside), matrix.sliding_direction, otherwise=(0.0, 0.0))
        dx, dy = (where(inside, a, -matrix.mu * t) for a, t in zip((x, y), sliding, strict=True))
        rise = matrix.normal_rate(dx, dy)
        size = 1.0 + sqrt(dx * dx + dy * dy)
        rounding = ROUNDING_MARGIN * EPSILON[working_precision()] * size * size
        return AfterStop(dx, dy, where(rise > rounding, rise, 0.0), where(inside, 1.0, 0.0))
