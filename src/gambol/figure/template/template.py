"""The template figure: it stands for bodies of every topology with no more than its number of links.

All that differs between bodies is a number of its links: parent, joint, mass properties, and the places and radii of
its contact balls. An absent link hangs on the root's origin, has no mass, and no ball that could touch; a rotor keeps
its joint from having no inertia.
"""

from gambol.errors import FigureError
from gambol.figure.figure import Figure
from gambol.figure.joint import Joint
from gambol.figure.link import Link, Part
from gambol.figure.mass import MassProperties
from gambol.figure.shapes import Sphere

ABSENT_RADIUS = -1000.0
"""Radius of an absent ball [m]: its lowest point lies a kilometre above its centre, so it never touches."""

UNIT_BODY = MassProperties(1.0, (0.0, 0.0, 0.0), ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))


def any_tree(links: int, balls: int = 2, root_balls: int = 8, name: str = "any body") -> Figure:
    """Return a template figure whose topology is data, for bodies with a free root and joints of one freedom.

    links: number of links, called link 1 (the root) to link n. balls, root_balls: contact balls of each link and of the
    root. name: of the figure. As returned it is a star of bodies of 1 kg; pack() gives it the numbers of a figure.
    Raises FigureError for fewer than one link or ball counts below 0.
    """
    if links < 1 or balls < 0 or root_balls < 0:
        raise FigureError(
            f"a tree of {links} links with {balls} balls each and {root_balls} at its root cannot be; "
            "give one link or more, and balls 0 or more"
        )
    ball = Part(Sphere(0.01), inertial=False)
    tree = [Link("link 1", None, Joint("free"), (ball,) * root_balls, UNIT_BODY)]
    for k in range(2, links + 1):
        joint = Joint("axial", reach=float(k))
        tree.append(Link(f"link {k}", "link 1", joint, (ball,) * balls, UNIT_BODY))
    return Figure(name, tuple(tree))
