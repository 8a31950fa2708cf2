"""The deviation of a simulated motion from its plan.

The deviation is x (nv), the tangent coordinates from the planned to the simulated configuration: for revolute joints
the difference of angles, for prismatic joints the difference of lengths, for quaternions the rotation vector between
them. There are two groups of freedoms: lengths [m] and angles [rad]. The amplitude of a group is the largest |x| from
the planned start to any later planned configuration, over the freedoms of the group.

    tracking error = the largest |deviation| / amplitude of its group, over times and freedoms
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.figure import JOINTS, Figure
from gambol.plan.track.interpolation import differences
from gambol.plan.trajectory import Trajectory
from gambol.world import World

Array = NDArray[np.float64]

MIN_AMPLITUDE = 1e-3
"""Minimum amplitude of a group, divided by the figure's size, or in radians: a smaller motion counts as none."""


@dataclass(frozen=True)
class Scales:
    """The amplitude and the largest speed of the group of each freedom (nv) [m, rad; m/s, rad/s]."""

    lengths: NDArray[np.bool_]
    amplitudes: Array
    speeds: Array


def scales_of(trajectory: Trajectory) -> Scales:
    """Return the amplitudes and speeds of a planned motion by group."""
    figure = trajectory.figure
    lengths = length_freedoms(figure)
    moved = np.abs(differences(figure, np.broadcast_to(trajectory.q[0], trajectory.q.shape), trajectory.q)).max(axis=0)
    speeds = np.abs(trajectory.v).max(axis=0)
    size = World(figure).size
    amplitudes, fastest = np.empty(figure.nv), np.empty(figure.nv)
    for group, least in ((lengths, MIN_AMPLITUDE * size), (~lengths, MIN_AMPLITUDE)):
        amplitudes[group] = max(float(moved[group].max(initial=0.0)), least)
        fastest[group] = max(float(speeds[group].max(initial=0.0)), least)
    return Scales(lengths, amplitudes, fastest)


def length_freedoms(figure: Figure) -> NDArray[np.bool_]:
    """Return a mask of the degrees of freedom (nv): True for lengths, False for angles."""
    units = [unit for link in figure.links for unit in JOINTS[link.joint.kind].v_units]
    return np.array([unit == "m/s" for unit in units], bool)


def tracking_errors(deviations: Array, scales: Scales) -> Mapping[str, float]:
    """Return the largest deviation divided by the amplitude of each group that the figure has: "lengths", "angles".

    deviations (N, nv). Deviations that are not finite count as infinite.
    """
    relative = np.abs(deviations) / scales.amplitudes
    relative[~np.isfinite(relative)] = np.inf
    groups = {"lengths": scales.lengths, "angles": ~scales.lengths}
    return {name: float(relative[:, group].max()) for name, group in groups.items() if group.any()}
