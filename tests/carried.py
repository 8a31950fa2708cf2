"""How every link of a specimen accelerates from its start, by the link's name: what any way of writing it must keep."""

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.dynamics import method as dynamics
from gambol.formats import Specimen
from gambol.spatial import Vector
from gambol.spatial.motion import AT_REST

Array = NDArray[np.float64]


def accelerations(specimen: Specimen) -> dict[str, Array]:
    """Angular and linear acceleration of each link in its own axes, under gravity and what closes loops."""
    figure = specimen.figure
    state = kinematics(figure, list(specimen.q), list(specimen.v))
    rates, _ = dynamics.accelerations("aba", state, [0.0] * figure.nv, gravity=Vector(*specimen.gravity))
    moving = [AT_REST]
    for link in figure.outward():
        joint = state.joints[link.index]
        own = state.carried(link.index, moving[link.parent_index]) + joint.motion(rates[link.v])
        moving.append(joint.to_link(own))
    return {link.name: np.array([*moving[link.index].w, *moving[link.index].v], float) for link in figure.links}


def apart(specimen: Specimen, other: Specimen) -> float:
    """The largest difference of accelerations of links that both have, over the largest one, or gravity's."""
    here, there = accelerations(specimen), accelerations(other)
    largest = max(9.81, *(np.abs(a).max() for a in here.values()))
    return float(max(np.abs(here[name] - there[name]).max() for name in here if name in there) / largest)
