"""Natural scales of a figure: the units in which a program's unknowns and equations are near 1."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import STANDARD_GRAVITY
from gambol.figure import JOINTS, Figure


@dataclass(frozen=True)
class FreedomLabels:
    """Labels of the degrees of freedom in messages (nv each).

    speeds, forces: units of velocities and of joint forces. names: names, such as 'of "knee"'.
    """

    speeds: tuple[str, ...]
    forces: tuple[str, ...]
    names: tuple[str, ...]


def freedom_labels(figure: Figure) -> FreedomLabels:
    """Return the units and names of the degrees of freedom of a figure."""
    rows = [(unit, f'of "{link.name}"') for link in figure.links for unit in JOINTS[link.joint.kind].v_units]
    speeds = tuple(unit for unit, _ in rows)
    forces = tuple("N" if unit == "m/s" else "N m" for unit in speeds)
    return FreedomLabels(speeds, forces, tuple(name for _, name in rows))


@dataclass(frozen=True)
class Scales:
    """The mass [kg], length [m] and time [s] of a figure, and scales of its coordinates.

    time: period of a pendulum as long as the figure, divided by 2 pi. q (nq): 1 for an angle, the length for a
    displacement. v (nv), a (nv): the same, divided by the time and by its square. torque (nv): the weight for a force,
    the weight times the length for a torque.
    """

    mass: float
    length: float
    time: float
    q: NDArray[np.float64]
    v: NDArray[np.float64]
    a: NDArray[np.float64]
    torque: NDArray[np.float64]

    @property
    def force(self) -> float:
        """The weight of the figure [N]."""
        return self.mass * STANDARD_GRAVITY


def scales_of(figure: Figure) -> Scales:
    """Return the natural scales of a figure: its mass, and the greatest extent of a link from its joint."""
    extents = [math.hypot(*link.joint.position) for link in figure.links if link.parent_index]
    extents += [math.hypot(*link.mass_properties.com) for link in figure.links]
    extents += [math.hypot(*point.position) for link in figure.links for point in link.contact_points()]
    length, mass = max(extents, default=0.0) or 1.0, figure.mass or 1.0
    second = math.sqrt(length / STANDARD_GRAVITY)
    q_units = [unit for link in figure.links for unit in JOINTS[link.joint.kind].q_units]
    v_units = [unit for link in figure.links for unit in JOINTS[link.joint.kind].v_units]
    v = np.array([length if unit == "m/s" else 1.0 for unit in v_units])
    return Scales(
        mass,
        length,
        second,
        np.array([length if unit == "m" else 1.0 for unit in q_units]),
        v / second,
        v / second**2,
        mass * STANDARD_GRAVITY * length / v,
    )
