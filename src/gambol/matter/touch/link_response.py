"""The response of links to the impulses of a mesh, while the mesh moves.

    V' = V + J M^-1 J^T P + a h,    J M^-1 J^T = G G^T,  G = J R^-1,  M = R^T R

M is the mass matrix of the figure, J the Jacobian of all links. So the inertia of a light link acts on a mesh already
within the mesh's steps, not only at the end of the control step.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.matter.touch.tether import link_motion

Array = NDArray[np.float64]

VELOCITY = slice(7, 13)
"""Columns of a link's velocity among its numbers: angular, then linear, as in an impulse. See LinkMotion."""


@dataclass(frozen=True, eq=False)
class LinkResponse:
    """The response of links: G (links, 6, n), and their acceleration without the mesh (links, 6)."""

    factor: Array
    acceleration: Array

    @staticmethod
    def of(factor: Array | None, acceleration: Array) -> "LinkResponse | None":
        """Return the response of links; without a factor, None: their velocities are constant."""
        return None if factor is None else LinkResponse(factor, acceleration)

    @staticmethod
    def none(links: int) -> "LinkResponse":
        """Return the response of links that do not respond: without coordinates."""
        return LinkResponse(np.zeros((links, 6, 0)), np.zeros((links, 6)))

    def coordinates(self, impulses: Array) -> Array:
        """Return G^T P (n,). impulses: moments about the origins of links, and forces (links, 6) [N m s, N s]."""
        links, _, n = self.factor.shape
        return np.asarray((self.factor * impulses[:, :, None]).reshape(6 * links, n).sum(axis=0), float)

    def change(self, impulses: Array) -> Array:
        """Return the change of the links' velocities by impulses (links, 6) [rad/s, m/s]."""
        return self.velocities(self.coordinates(impulses))

    def velocities(self, z: Array) -> Array:
        """Return G z: the velocities of links (links, 6) at coordinates z (n,)."""
        return np.asarray((np.moveaxis(self.factor, 2, 0) * z[:, None, None]).sum(axis=0), float)

    def moved(self, motions: Array, impulses: Array, h: float) -> Array:
        """Return the motions of links (links, 13) a time h [s] later, at velocities after the response to impulses."""
        velocity = motions[:, VELOCITY] + self.change(impulses)
        motion = link_motion(np.concatenate([motions[:, :7], velocity], axis=1).T)
        position = motion.position + motion.linear * h
        q = type(motion.orientation).exponential(motion.angular * h) @ motion.orientation
        return np.concatenate([np.array([*position, q.w, q.x, q.y, q.z]).T, velocity], axis=1)
