"""Accelerations of the links of a model in its initial state, which writing and reading it must preserve."""

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.dynamics import method as dynamics
from gambol.formats import Model
from gambol.spatial import Vector
from gambol.spatial.motion import ZERO_MOTION

Array = NDArray[np.float64]


def accelerations(model: Model) -> dict[str, Array]:
    """Return each link's angular and linear acceleration in its own axes, under gravity and loop constraints."""
    figure = model.figure
    state = kinematics(figure, list(model.q), list(model.v))
    a, _ = dynamics.accelerations("aba", state, [0.0] * figure.nv, gravity=Vector(*model.gravity))
    link_accelerations = [ZERO_MOTION]
    for link in figure.outward():
        joint = state.joints[link.index]
        acceleration = state.inherited_acceleration(link.index, link_accelerations[link.parent_index]) + joint.motion(
            a[link.v]
        )
        link_accelerations.append(joint.to_link(acceleration))
    return {
        link.name: np.array([*link_accelerations[link.index].w, *link_accelerations[link.index].v], float)
        for link in figure.links
    }


def relative_difference(model: Model, other: Model) -> float:
    """Return the largest difference of accelerations of common links, over the largest one, or that of gravity."""
    first, second = accelerations(model), accelerations(other)
    largest = max(9.81, *(np.abs(a).max() for a in first.values()))
    return float(max(np.abs(first[name] - second[name]).max() for name in first if name in second) / largest)
