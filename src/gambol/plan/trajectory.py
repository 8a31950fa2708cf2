"""A planned motion as arrays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Figure


@dataclass(frozen=True)
class Trajectory:
    """A motion of a figure, with the forces that make it.

    times (n) [s], never decreasing; a repeated time is the border of two phases, with the values before and after it
    (an impact changes v, a lift-off changes forces). q (n, nq), v (n, nv): positions and velocities, as in a state.
    torques (n, nv): joint forces of the plan's actuators [N m or N], zero where a degree of freedom has no actuator.
    contacts: names of contact points, "link" or "link.point". contact_points (n, contacts, 3) [m] and contact_forces
    (n, contacts, 3) [N]: in world axes, force on the figure, zero where a point does not touch. degree: degree of the
    polynomials of v and torques between times: 1 for the trapezoidal rule; 2 for Hermite-Simpson, where times include
    the middles of intervals.
    """

    figure: Figure
    times: NDArray[np.float64]
    q: NDArray[np.float64]
    v: NDArray[np.float64]
    torques: NDArray[np.float64]
    contacts: tuple[str, ...]
    contact_points: NDArray[np.float64]
    contact_forces: NDArray[np.float64]
    degree: int
