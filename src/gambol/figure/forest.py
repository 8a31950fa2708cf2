"""Several figures as one: a forest, whose root is a fixed link without mass that carries the figures' roots.

Nothing passes from one tree to another through what does not move, so each moves as if it were alone, and the root
costs nothing once traced. What ties figures together are constraints between their links, and contacts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from gambol.errors import FigureError
from gambol.figure.closure import Closure, Constraint
from gambol.figure.figure import Figure
from gambol.figure.joint import Joint
from gambol.figure.link import Link

FOREST_ROOT: Final = "world"
"""What the root of a forest is called, as in MuJoCo's files."""

Members: TypeAlias = Mapping[str, Figure] | Sequence[Figure]


def gathered(name: str, figures: Members, constraints: Iterable[Constraint] = ()) -> Figure:
    """A forest: one figure that holds several, each root on its own joint.

    figures: by the names that the members have in the forest; in a sequence their own, numbered from 1 where they
    repeat. Links keep their names when all differ; otherwise each of every member becomes "member/link". constraints:
    more of them, by the names that links have in the forest, besides those of the members.
    Returns a figure whose links are the root "world" and those of the members in turn, and so are its coordinates.
    Raises FigureError for no figures, one whose base is prescribed, and constraints that cannot be.
    """
    members, names = named(figures), forest_names(figures)
    if not members:
        raise FigureError(f'forest "{name}" is made of no figures; give at least one')
    links = [Link(FOREST_ROOT, None, Joint("fixed"))]
    ties: list[Constraint] = []
    pairs: dict[str, list[tuple[str, str]]] = {"apart": [], "paired": []}
    for member, figure in members.items():
        if figure.prescribed:
            raise FigureError(
                f'"{member}" has a prescribed base, which a member of a forest cannot have; make it free or fixed'
            )
        within, given = names[member], {link.name: link for link in figure.given}
        for link in (given[placed.name] for placed in figure.links):
            parent = FOREST_ROOT if link.parent is None else within[link.parent]
            links.append(replace(link, name=within[link.name], parent=parent))
        ties += [_renamed(tie, within) for tie in figure.constraints]
        for key, made in pairs.items():
            made += [(within[one], within[other]) for one, other in getattr(figure, key)]
    return Figure(name, tuple(links), False, (*ties, *constraints), tuple(pairs["apart"]), tuple(pairs["paired"]))


def named(figures: Members) -> dict[str, Figure]:
    """The members of a forest by their names in it."""
    if isinstance(figures, Mapping):
        return dict(figures)
    counts, met = Counter(figure.name for figure in figures), Counter[str]()
    members: dict[str, Figure] = {}
    for figure in figures:
        met[figure.name] += 1
        repeated = counts[figure.name] > 1
        member = f"{figure.name}{met[figure.name]}" if repeated else figure.name
        if member in members:
            raise FigureError(f'two figures of a forest are called "{member}"; name them in a mapping')
        members[member] = figure
    return members


def forest_names(figures: Members) -> dict[str, dict[str, str]]:
    """What each member's links are called in a forest: for each member, the new name of each link by its own."""
    members = named(figures)
    counts = Counter(link.name for figure in members.values() for link in figure.links)
    plain = FOREST_ROOT not in counts and all(count == 1 for count in counts.values())
    return {
        member: {link.name: link.name if plain else f"{member}/{link.name}" for link in figure.links}
        for member, figure in members.items()
    }


def _renamed(tie: Constraint, names: Mapping[str, str]) -> Constraint:
    """A member's constraint by the names that its links have in the forest."""
    other = None if tie.other is None else names[tie.other]
    if isinstance(tie, Closure):
        return replace(tie, link=names[tie.link], other=other)
    return replace(tie, joint=names[tie.joint], other=other)
