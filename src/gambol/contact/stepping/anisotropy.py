"""Friction that differs with the direction of slip: forward, backward and sideways along a contact.

    |(p_x / m_x, p_y / m_y)| <= p_n                                the cone: its section is two halves of ellipses
    (p_x / m_x, p_y / m_y) = -p_n w / |w|                          where it slides, w the slip     [Hu et al. 2009]

x: forward, along the contact; y: sideways; m_y: coefficient sideways; m_x: the forward one where w_x > 0 (p_x < 0),
the backward one where w_x < 0 (p_x > 0). The power p . w = -p_n (m_x w_x^2 + m_y w_y^2) / |w| is never positive: such
friction only dissipates. It is not opposite to the slip, and not the friction of maximum dissipation, which would have
(m_x w_x, m_y w_y) in place of w.

At scaled velocities w' = c (w_x / m_x, w_y / m_y) it is the friction of maximum dissipation: the impulse of the cone
that minimises p . w'. Its least value is -p_n c |w|. So solvers for associated cones solve it with w' in place of w.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar, maximum, minimum, sqrt, where
from gambol.spatial import Vector
from gambol.spatial.rotation import is_constant
from gambol.spatial.vector import ZERO, tangent_basis

MIN_PROJECTION = 1e-6
"""Squared length of the projection of a unit forward direction below which it counts as normal to the contact."""


@dataclass(frozen=True, slots=True)
class Anisotropy:
    """Directions and ratios of an anisotropic friction.

    axis: forward direction, a unit vector in world axes. forward, backward: coefficients of friction for slip forward
    and backward, as ratios to the coefficient for slip sideways.
    """

    axis: Vector
    forward: Scalar
    backward: Scalar

    def ratio(self, slip: Scalar) -> Scalar:
        """Return m_x / m_y for a slip along the axis, forward if positive."""
        return where(slip > 0.0, self.forward, self.backward)

    def stretched(self, p: Scalar) -> Scalar:
        """Return p_x m_y / m_x of an impulse p along the axis; with it the section of the cone is a circle."""
        return p / self.ratio(-p)

    def unstretched(self, p: Scalar) -> Scalar:
        """Return the impulse along the axis from its stretched value."""
        return p * self.ratio(-p)

    @property
    def least(self) -> Scalar:
        """The least of the three coefficients, as a ratio to the coefficient sideways."""
        return minimum(minimum(self.forward, self.backward), 1.0)

    @property
    def greatest(self) -> Scalar:
        """The greatest of the three coefficients, as a ratio to the coefficient sideways."""
        return maximum(maximum(self.forward, self.backward), 1.0)

    def slip_terms(self, friction: Scalar, w: Sequence[Scalar]) -> list[Scalar]:
        """Return c |w| m_y and w' - w, with c between the least and the greatest coefficient.

        friction: m_y. w: slip speeds forward and sideways [m/s]. Solvers find w' - w by iteration. With c the harmonic
        mean, |w' - w| is the least fraction of |w| that holds in all directions, always less than 1.
        """
        x, y = w
        c = 2.0 * self.least * self.greatest / (self.least + self.greatest)
        return [friction * c * sqrt(x * x + y * y), x * (c / self.ratio(x) - 1.0), y * (c - 1.0)]

    def friction(self, normal: Vector, isotropic: Vector, slip: Vector) -> Vector:
        """Return the friction on a body from the friction of an isotropic surface with the sideways coefficient.

        normal: normal of the contact. isotropic: friction opposite to the slip [N]. slip: slip velocity along the
        contact [m/s].
        """
        forward = forward_tangent(normal, self.axis)
        return isotropic + forward * ((self.ratio(slip.dot(forward)) - 1.0) * isotropic.dot(forward))


def contact_frame(normal: Vector, anisotropy: Anisotropy | None) -> tuple[Vector, Vector, Vector]:
    """Return the normal and two tangents of a contact: forward and left if it has an anisotropy.

    The tangents of other contacts on level ground are axes of the world.
    """
    if anisotropy is not None:
        forward = forward_tangent(normal, anisotropy.axis)
        return normal, forward, normal.cross(forward)
    if all(is_constant(x, value) for x, value in zip(normal, (0.0, 0.0, 1.0), strict=True)):
        return normal, Vector.axis(0), Vector.axis(1)
    return normal, *tangent_basis(normal)


def forward_tangent(normal: Vector, axis: Vector) -> Vector:
    """Return the unit vector along the projection of an axis on a contact; any tangent if the axis is normal to it."""
    along = axis - normal * normal.dot(axis)
    squared = along.dot(along)
    is_along = squared > MIN_PROJECTION
    scale = 1.0 / sqrt(where(is_along, squared, 1.0))
    other = tangent_basis(normal)[0]
    return Vector.of([where(is_along, scale * x, y) for x, y in zip(along, other, strict=True)])


ISOTROPIC = Anisotropy(ZERO, 1.0, 1.0)
"""Anisotropy of a part with the same friction in all directions, if other parts have an anisotropy."""
