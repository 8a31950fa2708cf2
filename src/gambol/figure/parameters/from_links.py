"""A figure with the parameters of other links, which may be arrays: many figures of one topology at once, unchecked.

Making and checking one figure takes a millisecond, so a population is built as one figure of arrays (W,).
"""

from collections.abc import Sequence
from dataclasses import replace

from gambol.errors import FigureError
from gambol.figure.figure import Figure
from gambol.figure.joint import JOINTS, Joint
from gambol.figure.link import Link, PlacedLink, mass_of
from gambol.figure.parameters.named import numbered
from gambol.figure.parameters.topologies import difference, topology
from gambol.spatial.vector import Vector


def with_parameters(figure: Figure, links: Sequence[Link]) -> Figure:
    """Return the figure with the parameters of other links of the same names, unchecked.

    figure: gives the topology. links: as for Figure, in any order; their numbers may be traced or arrays, and their
    axes need not have length 1; masses are computed from parts. Raises FigureError for links of another topology.
    """
    by_name = {link.name: link for link in links}
    if missing := [link.name for link in figure.links if link.name not in by_name] or len(by_name) != len(figure.links):
        raise FigureError(
            f'figure "{figure.name}" cannot take the numbers of the links {[*by_name]}: it lacks {missing}'
        )
    result = numbered(figure, tuple(_placed(link, by_name[link.name]) for link in figure.links))
    if differs := difference(topology(figure), topology(result)):
        raise FigureError(f'links of another topology cannot give their numbers to "{figure.name}": {differs}')
    return result


def _placed(link: PlacedLink, given: Link) -> PlacedLink:
    """Return a placed link with the parameters of a given one."""
    return replace(link, joint=_joint(link.joint, given.joint), mass_properties=mass_of(given), parts=given.parts)


def _joint(known: Joint, given: Joint) -> Joint:
    """Return the given joint with an axis of length 1; `across` is that of the known joint where it has none."""
    across = known.across if given.across is None else given.across
    if not JOINTS[given.kind].axes:
        return replace(given, across=across)
    axis = Vector(*given.axis)
    x, y, z = axis * (1.0 / axis.length())
    return replace(given, axis=(x, y, z), across=across)
