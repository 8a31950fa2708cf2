"""Figures whose numbers are worked out for many at once: links of arrays in place of plain numbers, unchecked.

To make and check one figure takes a millisecond; so a population is grown as one figure of arrays (W,).
"""

from collections.abc import Sequence
from dataclasses import replace

from gambol.errors import FigureError
from gambol.figure.figure import Figure
from gambol.figure.joint import JOINTS, Joint
from gambol.figure.link import Link, PlacedLink, mass_of
from gambol.figure.measures.alike import differing, topology
from gambol.figure.measures.named import numbered
from gambol.spatial.vector import Vector


def remeasured(figure: Figure, given: Sequence[Link]) -> Figure:
    """The figure with the numbers of other links of the same names, unchecked, which may be traced or arrays.

    given: as they would be for the figure itself, in any order. Their axes need not have length 1; masses are found of
    parts. Raises FigureError for links that would make a figure of another topology.
    """
    there = {link.name: link for link in given}
    if missing := [link.name for link in figure.links if link.name not in there] or len(there) != len(figure.links):
        raise FigureError(f'figure "{figure.name}" cannot take the numbers of the links {[*there]}: it lacks {missing}')
    made = numbered(figure, tuple(_placed(link, there[link.name]) for link in figure.links))
    if differs := differing(topology(figure), topology(made)):
        raise FigureError(f'links of another topology cannot give their numbers to "{figure.name}": {differs}')
    return made


def _placed(link: PlacedLink, given: Link) -> PlacedLink:
    """A link in its place with the numbers of another one."""
    return replace(link, joint=_joint(link.joint, given.joint), mass_properties=mass_of(given), parts=given.parts)


def _joint(known: Joint, given: Joint) -> Joint:
    """A joint with an axis of length 1, and the direction across it that is known, if it names none."""
    across = known.across if given.across is None else given.across
    if not JOINTS[given.kind].axes:
        return replace(given, across=across)
    axis = Vector(*given.axis)
    x, y, z = axis * (1.0 / axis.length())
    return replace(given, axis=(x, y, z), across=across)
