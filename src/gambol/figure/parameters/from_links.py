"""Replacement of a figure's parameters by those of other links, which may be arrays.

Building and checking one figure takes a millisecond, so a population of W creatures is built as one figure with arrays
of W numbers.
"""

from collections.abc import Sequence
from dataclasses import replace

from gambol.errors import FigureError
from gambol.figure.figure import Figure
from gambol.figure.joint import JOINTS, Joint
from gambol.figure.link import Link, PlacedLink, mass_of
from gambol.figure.parameters.named import with_links
from gambol.figure.parameters.topologies import difference, topology
from gambol.spatial.vector import Vector


def with_parameters(figure: Figure, links: Sequence[Link]) -> Figure:
    """Return the figure with the parameters of other links of the same names, unchecked.

    figure: the figure, whose topology is used. links: links as for Figure, in any order. Their numbers may be traced or
    arrays, and their axes may have any length; masses are computed from parts. Raises FigureError for links of another
    topology.
    """
    by_name = {link.name: link for link in links}
    if missing := [link.name for link in figure.links if link.name not in by_name] or len(by_name) != len(figure.links):
        raise FigureError(
            f'figure "{figure.name}" cannot take the parameters of the links {[*by_name]}; missing: {missing}'
        )
    result = with_links(figure, tuple(_placed(link, by_name[link.name]) for link in figure.links))
    if differs := difference(topology(figure), topology(result)):
        raise FigureError(f'the links have another topology than "{figure.name}": {differs}')
    return result


def _placed(link: PlacedLink, source: Link) -> PlacedLink:
    """Return a placed link with the parameters of another link."""
    return replace(link, joint=_joint(link.joint, source.joint), mass_properties=mass_of(source), parts=source.parts)


def _joint(old: Joint, new: Joint) -> Joint:
    """Return the new joint with an axis of length 1; if it has no `across`, that of the old joint is used."""
    across = old.across if new.across is None else new.across
    if not JOINTS[new.kind].axes:
        return replace(new, across=across)
    axis = Vector(*new.axis)
    x, y, z = axis * (1.0 / axis.length())
    return replace(new, axis=(x, y, z), across=across)
