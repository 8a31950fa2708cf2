"""Limbs of a world that the user of a live page can cut off, see gambol.world.cuts."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from gambol.figure import PlacedLink
from gambol.figure.template import has_variable_topology
from gambol.world import World
from gambol.world.external import CUT_DYNAMICS


def limbs_of(world: World) -> dict[str, str]:
    """Return the first links of the limbs of a world, by the names of the limbs; empty if none can be cut off.

    Limbs are the legs of a gait. Otherwise a limb ends with a foot, or with a link without children if no foot is
    known. It begins below the last link that it shares with other limbs. Its name is the words with which the names of
    all its links begin, without numbers, or else the name of its first link.
    """
    figure, external = world.figure, world.external
    is_uncut = figure.constraints or has_variable_topology(figure) or world.dynamics not in CUT_DYNAMICS
    if is_uncut or external.attachments or external.spring_dampers:
        return {}
    if world.gait is not None:
        return {leg.name: leg.links[0] for leg in world.gait.legs}
    parents = {link.parent_index for link in figure.links}
    leaves = [link for link in figure.links if link.index not in parents]
    ends = [figure.link(name) for name in world.surface.feet] or (leaves if len(leaves) > 1 else [])
    limbs = [names for end in ends if (names := _limb(world, end, {other.index for other in ends}))]
    short = [_shared_words(names) for names in limbs]
    return {
        words if words and short.count(words) == 1 else names[0]: names[0]
        for words, names in zip(short, limbs, strict=True)
    }


def _limb(world: World, end: PlacedLink, ends: set[int]) -> list[str]:
    """Return the names of the links of a limb, from its first link whose joint can move to its end.

    end: last link of the limb. ends: indices of the last links of all limbs.
    """
    figure, roots = world.figure, {root.index for root in world.figure.roots}
    chain: list[PlacedLink] = []
    for link in figure.path_to_root(end.index):
        if link.index in roots or len(ends & {each.index for each in figure.subtree(link.index)}) > 1:
            break
        chain.append(link)
    return [link.name for link in dropwhile(lambda link: link.is_fixed, reversed(chain))]


def _shared_words(names: Sequence[str]) -> str:
    """Return the words with which all names begin, without numbers at their end; empty if there are none."""
    columns = zip(*(name.split() for name in names), strict=False)
    words = [column[0] for column in takewhile(lambda column: len(set(column)) == 1, columns)]
    return " ".join(words).rstrip(" 0123456789")


def with_cuts(world: World) -> World:
    """Return the world with an input that cuts off each of its limbs."""
    cuts = dict.fromkeys((*world.external.cuts, *limbs_of(world).values()))
    return replace(world, external=replace(world.external, cuts=tuple(cuts)))
