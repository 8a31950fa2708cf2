"""The steady part of a walk: whole strides, in axes along the path, with stances and loads of the feet."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import STANDARD_GRAVITY
from gambol.gait.stances import beginnings

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SteadyGait:
    """Whole strides of one walk. F frames, feet of n links; axes are along the path, to the left, and up.

    time (F,) [s]. centre (F, 3): centre of mass [m]. trunk (F, 3, 3): rotation of the root link. links: rotations (F,
    3, 3) of links by name. feet: names of the links. foot_positions (F, n, 3): lowest point of each foot [m]. stance
    (F, n). load (F, n): normal force of the ground [N]. slide (n,): distance by which each foot slid while it stood
    [m], None if it is not known. power (F,): positive power of all motors [W], None if it is not known. force (F, n,
    3): force of the ground on each foot [N], None if it is not known. edges: frames at which strides begin, and the
    frame at which the last stride ends; the first is 0. pairs: indices of the feet of each pair from the front to the
    back, left before right. weight [N], height: height of the trunk above the standing feet [m].
    """

    time: Array
    centre: Array
    trunk: Array
    links: dict[str, Array]
    feet: tuple[str, ...]
    foot_positions: Array
    stance: NDArray[np.bool_]
    load: Array
    slide: Array | None
    power: Array | None
    force: Array | None
    edges: NDArray[np.intp]
    pairs: tuple[tuple[int, ...], ...]
    weight: float
    height: float

    @property
    def mass(self) -> float:
        """The mass, under standard gravity [kg]."""
        return self.weight / STANDARD_GRAVITY

    @property
    def duration(self) -> float:
        """The time of all strides [s]."""
        return float(self.time[-1] - self.time[0])

    @property
    def strides(self) -> int:
        """The number of whole strides."""
        return len(self.edges) - 1

    @property
    def frequency(self) -> float:
        """The frequency of strides [Hz]."""
        return self.strides / self.duration

    @property
    def distance(self) -> float:
        """The distance covered [m]."""
        return float(self.centre[-1, 0] - self.centre[0, 0])

    @property
    def speed(self) -> float:
        """The mean speed [m/s]."""
        return self.distance / self.duration

    def phases(self, foot: int) -> Array:
        """Return the landings of a foot, as fractions of the stride (landings,)."""
        landings = beginnings(self.stance[:, foot])
        stride = np.clip(np.searchsorted(self.edges, landings, side="right") - 1, 0, self.strides - 1)
        start, end = self.time[self.edges[stride]], self.time[self.edges[stride + 1]]
        return (self.time[landings] - start) / (end - start)
