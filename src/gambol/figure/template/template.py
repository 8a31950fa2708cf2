"""The template figure: it can represent any tree with at most as many links as it has.

Everything that differs between figures is a number of the template's links: parent, joint, mass properties, and
positions and radii of the contact balls. An absent link is at the root's origin, without mass and contact. A rotor
gives its joint an inertia.
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
    """Return a template figure, for trees with a free root and joints with one degree of freedom.

    links: number of links, named "link 1" (the root) to "link n". balls, root_balls: number of contact balls of each
    link and of the root. name: name of the figure. Initially all links are children of the root and have 1 kg; pack()
    sets the numbers of a figure. Raises FigureError for fewer than one link or ball counts below 0.
    """
    if links < 1 or balls < 0 or root_balls < 0:
        raise FigureError(
            f"a template cannot have {links} links with {balls} balls each and {root_balls} at its root; "
            "give one link or more, and balls 0 or more"
        )
    ball = Part(Sphere(0.01), inertial=False)
    tree = [Link("link 1", None, Joint("free"), (ball,) * root_balls, UNIT_BODY)]
    for k in range(2, links + 1):
        joint = Joint("axial", reach=float(k))
        tree.append(Link(f"link {k}", "link 1", joint, (ball,) * balls, UNIT_BODY))
    return Figure(name, tuple(tree))
