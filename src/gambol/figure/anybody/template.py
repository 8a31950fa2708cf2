"""The figure that stands for bodies of every topology: as many links as the largest has, and places to touch with.

Whatever differs between bodies is a number of its links: where each hangs and how it moves, how heavy it is, where its
balls are and how large. A link that a body has not hangs at the root's origin, weighs nothing, and has no ball that
could touch; a rotor keeps its joint from being without inertia.
"""

from gambol.errors import FigureError
from gambol.figure.figure import Figure
from gambol.figure.joint import Joint
from gambol.figure.link import Link, Part
from gambol.figure.mass import MassProperties
from gambol.figure.shapes import Sphere

UNTOUCHED = -1000.0
"""Radius of a ball that a body has not [m]: its lowest point lies a kilometre above it."""

UNIT_BODY = MassProperties(1.0, (0.0, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))


def any_tree(links: int, balls: int = 2, root_balls: int = 8, name: str = "any body") -> Figure:
    """A figure of so many links whose tree is data, for bodies with a free root and joints of one freedom.

    balls, root_balls: how many each link and the root may touch with. Links are called link 1, the root, to link n.
    By itself it is a star of bodies of 1 kg; as_data() gives it the numbers of others. Raises FigureError for fewer
    than one link or ball counts below 0.
    """
    if links < 1 or balls < 0 or root_balls < 0:
        raise FigureError(
            f"a tree of {links} links with {balls} balls each and {root_balls} at its root cannot be; "
            "give one link or more, and balls 0 or more"
        )
    ball = Part(Sphere(0.01), inertial=False)
    made = [Link("link 1", None, Joint("free"), (ball,) * root_balls, UNIT_BODY)]
    for k in range(2, links + 1):
        joint = Joint("axial", reach=float(k))
        made.append(Link(f"link {k}", "link 1", joint, (ball,) * balls, UNIT_BODY))
    return Figure(name, tuple(made))
