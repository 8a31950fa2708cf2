"""The phases of a plan: their contacts and durations."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gambol.figure import Triple

Duration: TypeAlias = float | tuple[float, float]
"""A duration [s]: a number, or the lowest and the highest that the solver may choose."""

Landing: TypeAlias = Literal["impact", "smooth"]
"""The beginning of a contact: "impact" by an inelastic impulse, "smooth" at zero speed."""


@dataclass(frozen=True)
class Point:
    """A named point of a link, for contacts, goals and paths.

    name: unique in the plan. link: name of the link; "" for the centre of mass of the figure. position: in link
    coordinates [m]. radius: radius of a ball around it that touches the ground [m].
    """

    name: str
    link: str
    position: Triple = (0.0, 0.0, 0.0)
    radius: float = 0.0


@dataclass(frozen=True)
class Phase:
    """A part of a plan in which the same points stand on the ground.

    name: unique in the plan. duration: duration, or bounds between which it is chosen [s]. contacts: names of points
    that stand without slip. may_touch: names of points whose contacts are found by complementarity: each may stand,
    slide or fly at any time [Posa, Cantu and Tedrake 2014]; a plan has either contacts or may_touch. landing: kind of
    landing of contacts that begin at the start of this phase. intervals: intervals of the first mesh; 0: its share of
    the plan's mesh, by duration.
    """

    name: str = "motion"
    duration: Duration = 1.0
    contacts: tuple[str, ...] = ()
    may_touch: tuple[str, ...] = ()
    landing: Landing = "impact"
    intervals: int = 0


@dataclass(frozen=True)
class Cycle:
    """A cycle: the end of a plan equals its start, moved along the ground.

    travel: distance along x, or its bounds [m]; it moves the base of the figure, which must have a free or planar
    joint, or first a prismatic joint along x. mirrored: True if the end is the mirror image of the start in the plane y
    = 0: half a stride. pairs: names of links that are exchanged in the mirror image, such as ("left thigh", "right
    thigh"); all other links are their own mirror images.
    """

    travel: float | tuple[float, float] = 0.0
    mirrored: bool = False
    pairs: tuple[tuple[str, str], ...] = ()
