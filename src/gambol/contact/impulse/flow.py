"""The flow of the slip during collisions: its trajectories, its invariant directions, and where it sticks.

    du_t/dp_z = k - mu A t        u_t = r t, the slip        K = [A k; k^T c], its last row the normal's

[Keller 1986; Bhatt and Koechling 1995; Arnold 1997, section 2.4.3 and figure 2.5]. The flow depends neither on the
normal velocity nor on the size of the slip. A direction t is invariant if k - mu A t = f t. The contact slides away
along it if f > 0, and comes to rest along it if f < 0. With z = exp(i angle of t), b = (A_xx - A_yy) / 2 + i A_xy and k
= k_x + i k_y, invariant directions are the roots on the unit circle of

    mu conj(b) z^4 - conj(k) z^3 + k z - mu b = 0
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.contact.impulse.friction import CollisionMatrix
from gambol.contact.impulse.sliding import series_value, sliding_series
from gambol.errors import WorldError

Array = NDArray[np.float64]

UNIT_ROOT_TOLERANCE = 1e-6
"""Largest distance of a root from the unit circle: a double root is only accurate to half of the digits."""

POINTS_PER_STEP = 24
MAX_STEPS = 400
STOPPED_TOLERANCE = 1e-9
"""Slip that counts as stopped, as a fraction of the initial slip: each step halves the slip, so it never becomes 0."""


@dataclass(frozen=True)
class InvariantDirection:
    """A direction of the slip that does not change.

    angle: from the first tangent [rad]. rate: change of the slip speed per normal impulse [1/kg]; above 0 the contact
    slides away along it, below 0 it comes to rest.
    """

    angle: float
    rate: float


@dataclass(frozen=True)
class SlipTrajectory:
    """A trajectory of the slip. normal_impulse (n) [N s]; slip (n, 2) [m/s]; stopped: True if it ends at rest."""

    normal_impulse: Array
    slip: Array
    stopped: bool


@dataclass(frozen=True)
class SlipFlow:
    """The flow of the slip for a collision matrix K (3, 3), normal last [1/kg], and a friction mu.

    K: symmetric and positive semidefinite; contact_collision() computes one. mu: 0 or more. Raises WorldError for other
    values.
    """

    K: ArrayLike
    mu: float

    def __post_init__(self) -> None:
        K = np.asarray(self.K, float)
        if K.shape != (3, 3) or not np.isfinite(K).all():
            raise WorldError(f"a collision matrix has finite numbers, (3, 3); this one has shape {K.shape}")
        size = abs(K).max()
        if abs(K - K.T).max() > 1e-9 * size or np.linalg.eigvalsh(K).min() < -1e-9 * size or size == 0.0:
            raise WorldError("a collision matrix is symmetric, positive semidefinite and not 0; this one is not")
        if not 0.0 <= self.mu < np.inf:
            raise WorldError(f"friction is {self.mu:g}; it must be 0 or more, and finite")

    @property
    def matrix(self) -> CollisionMatrix:
        """The matrix with a trace of 1."""
        (xx, xy, kx), (_, yy, ky), (_, _, zz) = (np.asarray(self.K, float) / np.trace(self.K)).tolist()
        return CollisionMatrix(xx, xy, yy, kx, ky, zz, self.mu)

    @property
    def sticking_friction(self) -> Array:
        """Friction per normal impulse that keeps the slip at 0, (2): -A^-1 k."""
        return np.array(self.matrix.sticking(), float)

    @property
    def sticks(self) -> bool:
        """True if a slip that has stopped stays at 0: the sticking friction is inside the cone."""
        return bool(np.hypot(*self.sticking_friction) <= self.mu)

    def rate(self, slip: ArrayLike) -> Array:
        """Return the change of slips (..., 2) per normal impulse while the contact slides (..., 2) [1/kg]."""
        u, K = np.asarray(slip, float), np.asarray(self.K, float)
        t = u / np.linalg.norm(u, axis=-1, keepdims=True)
        return K[:2, 2] - self.mu * t @ K[:2, :2]

    def invariant_directions(self) -> list[InvariantDirection]:
        """Return the invariant directions, by their angles from 0 to 2 pi: zero, two or four.

        Where A is a multiple of the identity and k is 0, as for a ball on flat ground, every direction is invariant,
        and none is returned.
        """
        K = np.asarray(self.K, float)
        k, b = complex(K[0, 2], K[1, 2]), complex(0.5 * (K[0, 0] - K[1, 1]), K[0, 1])
        coefficients = np.array([self.mu * b.conjugate(), -k.conjugate(), 0.0, k, -self.mu * b])
        if abs(coefficients).max() <= 1e-14 * np.trace(K):
            return []
        coefficients[abs(coefficients) <= 1e-14 * abs(coefficients).max()] = 0.0
        roots = np.roots(coefficients)
        angles = np.sort(np.angle(roots[abs(abs(roots) - 1.0) < UNIT_ROOT_TOLERANCE]) % (2.0 * np.pi))
        t = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        return [InvariantDirection(float(a), float(x)) for a, x in zip(angles, (t * self.rate(t)).sum(-1), strict=True)]

    def trajectory(self, slip: Sequence[float], extent: float) -> SlipTrajectory:
        """Return the trajectory from a slip (2) [m/s], until it stops or its speed exceeds the extent [m/s].

        Raises WorldError for a slip of 0, and for an extent that is not above its speed.
        """
        x, y = (float(component) for component in slip)
        first = speed = float(np.hypot(x, y))
        if not 0.0 < first < extent < np.inf:
            raise WorldError(
                f"the slip speed is {first:g} m/s; it must be above 0, and below the extent, {extent:g} m/s"
            )
        impulses, slips, matrix, trace = [np.zeros(1)], [np.array([[x, y]])], self.matrix, float(np.trace(self.K))
        for _ in range(MAX_STEPS):
            series = sliding_series(matrix, x / speed, y / speed)
            s = np.linspace(0.0, float(series.length), POINTS_PER_STEP + 1)[1:]
            slips.append(speed * np.stack([series_value(series.X, s), series_value(series.Y, s)], axis=-1))
            impulses.append(impulses[-1][-1] + speed / trace * series_value(series.P, s))
            (x, y) = slips[-1][-1].tolist()
            speed = float(np.hypot(x, y))
            if speed <= STOPPED_TOLERANCE * first or speed > extent:
                break
        return SlipTrajectory(np.concatenate(impulses), np.concatenate(slips), speed <= STOPPED_TOLERANCE * first)
