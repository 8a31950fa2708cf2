"""A figure's links as MuJoCo's bodies: links without mass vanish into the joints of the body that they carry.

MuJoCo wants mass on every body that moves, and lets several joints move one body, one after the other. All of them are
told in the axes of that body at rest: an axis a of joint i becomes R_iB^T a, and its anchor -R_iB^T p_iB.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gambol.errors import FigureError
from gambol.figure import WORLD, Closure, Figure, Joint, Matrix3, PlacedLink, Triple, compose, transposed, turned
from gambol.figure.rotation import triple

Z: Final[Triple] = (0.0, 0.0, 1.0)
LEAST: Final = 1e-15  # MuJoCo's mjMINVAL
MOST: Final = 6  # degrees of freedom between two of MuJoCo's bodies


@dataclass(frozen=True)
class Turn:
    """One joint of a body: name, MuJoCo's type, axis and anchor in the body; the place of the link's joint it is."""

    name: str
    type: str
    axis: Triple
    link: PlacedLink
    place: int
    anchor: Triple = (0.0, 0.0, 0.0)

    @property
    def follows(self) -> bool:
        """Whether another joint of the same link says where it is: the slide of a screw."""
        return self.link.joint.kind == "helical" and self.type == "slide"

    @property
    def share(self) -> float:
        """Its coordinate for one of the link's place."""
        return self.link.joint.pitch if self.follows else 1.0


@dataclass(frozen=True)
class Body:
    """One body: the link that it is, the body it hangs on (0: the world), its pose there, and its joints."""

    link: PlacedLink
    parent: int
    position: Triple
    rotation: Matrix3
    turns: tuple[Turn, ...]


def _other(joint: Joint) -> Triple:
    return triple(joint.across or ())


def _third(joint: Joint) -> Triple:
    return triple(np.cross(joint.axis, _other(joint)))


Row = tuple[str, str, Callable[[Joint], Triple], int]
ROWS: Final[dict[str, tuple[Row, ...]]] = {
    "fixed": (),
    "rotary": (("", "hinge", lambda j: j.axis, 0),),
    "sliding": (("", "slide", lambda j: j.axis, 0),),
    "spherical": (("", "ball", lambda j: Z, 0),),
    "free": (("", "free", lambda j: Z, 0),),
    "cylindrical": ((" turn", "hinge", lambda j: j.axis, 0), ("", "slide", lambda j: j.axis, 1)),
    "helical": ((" slide", "slide", lambda j: j.axis, 0), ("", "hinge", lambda j: j.axis, 0)),
    "universal": ((" turn", "hinge", lambda j: j.axis, 0), ("", "hinge", _other, 1)),
    "planar": ((" x", "slide", _other, 1), (" y", "slide", _third, 2), ("", "hinge", lambda j: j.axis, 0)),
}
"""MuJoCo's joints for each kind of ours: end of the name, type, axis, and which of our places it is."""


def bodies_of(figure: Figure) -> tuple[Body, ...]:
    """The bodies that have the figure's motion, parents first.

    Raises FigureError for what no bodies of MuJoCo have: free joints inside, and links without mass that move and carry
    several, or none that moves.
    """
    vanish = {link.index for link in figure.links if _vanishes(figure, link)}
    hook = figure.root.index if _is_hook(figure) else WORLD
    made: list[Body] = []
    for link in figure.links:
        if link.index in vanish or link.index == hook:
            continue
        chain = [link]
        while chain[0].parent_index in vanish:
            chain.insert(0, figure.links[chain[0].parent_index - 1])
        body = _body(chain)
        if body.parent == hook != WORLD:
            body = _on_world(body, figure.root)
        if link.joint.kind == "free" and body.parent != WORLD:
            raise FigureError(
                f'link "{link.name}" hangs on a free joint inside the figure; MuJoCo has them in the world only'
            )
        _check_mass(figure, body)
        made.append(body)
    return tuple(made)


def _check_mass(figure: Figure, body: Body) -> None:
    """Raise FigureError for a body that moves and has less mass or inertia than MuJoCo takes."""
    small = min(body.link.mass_properties.mass, body.link.mass_properties.principal_moments()[0])
    rigid = any(other.joint.kind == "fixed" for other in _children(figure, body.link))
    if body.turns and not rigid and small < LEAST:
        raise FigureError(
            f'link "{body.link.name}" has a mass or moment of {small:g} (kg or kg m2); '
            f"MuJoCo wants {LEAST:g} or more of both on what moves"
        )


def _is_hook(figure: Figure) -> bool:
    """Whether the root is nothing but the world: fixed, without mass, and nothing tied to it."""
    root = figure.root
    tied = any(isinstance(c, Closure) and root.name in (c.link, c.other) for c in figure.constraints)
    return root.joint.kind == "fixed" and root.mass_properties.mass == 0.0 and not tied


def _vanishes(figure: Figure, link: PlacedLink) -> bool:
    """Whether a link's joint becomes a joint of the one body that it carries."""
    if link.mass_properties.mass > 0.0 or link.joint.kind in ("fixed", "free"):
        return False
    carried = list(_children(figure, link))
    if len(carried) == 1 and carried[0].joint.kind == "fixed":
        return False  # MuJoCo takes a body whose mass is fixed to it
    tied = any(isinstance(c, Closure) and link.name in (c.link, c.other) for c in figure.constraints)
    if len(carried) != 1 or link.parts or tied:
        raise FigureError(
            f'link "{link.name}" moves without mass, and carries several links, a shape or a closure; '
            "MuJoCo wants mass on it"
        )
    return True


def _children(figure: Figure, link: PlacedLink) -> Iterator[PlacedLink]:
    return (other for other in figure.links if other.parent_index == link.index)


def _body(chain: list[PlacedLink]) -> Body:
    """The body of the last link of a chain, moved by the joints of all."""
    turns: list[Turn] = []
    position, rotation = (0.0, 0.0, 0.0), compose()
    for link in reversed(chain):
        back = transposed(rotation)
        if link.joint.kind == "spherical" and link is not chain[-1]:
            raise FigureError(f'link "{link.name}" hangs on a spherical joint without mass; MuJoCo wants mass there')
        if link.joint.kind not in ROWS:
            raise FigureError(f'link "{link.name}" hangs on a {link.joint.kind} joint, which MuJoCo does not have')
        anchor = triple(-np.array(turned(back, position)))
        rows = ROWS[link.joint.kind]
        turns[:0] = [
            Turn(link.name + end, kind, turned(back, axis(link.joint)), link, place, anchor)
            for end, kind, axis, place in rows
        ]
        position = triple(np.array(link.joint.position) + np.array(turned(link.joint.rotation, position)))
        rotation = compose(link.joint.rotation, rotation)
    if sum(3 if turn.type == "ball" else 1 for turn in turns) > MOST:
        names = ", ".join(f'"{link.name}"' for link in chain)
        raise FigureError(f"links {names} have over {MOST} degrees of freedom, and no mass between; MuJoCo wants some")
    return Body(chain[-1], chain[0].parent_index, position, rotation, tuple(turns))


def _on_world(body: Body, root: PlacedLink) -> Body:
    """A body that hung on the root, where the root is the world."""
    home = root.joint
    position = triple(np.array(home.position) + np.array(turned(home.rotation, body.position)))
    return replace(body, parent=WORLD, position=position, rotation=compose(home.rotation, body.rotation))
