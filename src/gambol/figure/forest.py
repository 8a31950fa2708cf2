"""A kinematic forest: several figures as one, on a fixed massless root that carries the figures' own roots.

No force passes from one tree to another through an immovable root, so each moves as if it were alone, and the root
costs nothing once traced. Only constraints between links, and contacts, connect the figures.
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
"""Name of the root of a forest, as in MuJoCo's files."""

Members: TypeAlias = Mapping[str, Figure] | Sequence[Figure]


def make_forest(name: str, figures: Members, constraints: Iterable[Constraint] = ()) -> Figure:
    """Return a forest: one figure that holds several, each root on its own joint.

    name: of the forest. figures: members by their names in the forest; in a sequence by their own names, numbered from
    1 where these repeat. Links keep their names where all differ; otherwise every link becomes "member/link".
    constraints: additional ones, by the names of links in the forest. Returns a figure whose links are the root "world"
    and those of the members in turn; so are its coordinates. Raises FigureError for no figures, a prescribed base, and
    invalid constraints.
    """
    members, names = members_by_name(figures), forest_names(figures)
    if not members:
        raise FigureError(f'forest "{name}" is made of no figures; give at least one')
    links = [Link(FOREST_ROOT, None, Joint("fixed"))]
    all_constraints: list[Constraint] = []
    pairs: dict[str, list[tuple[str, str]]] = {"apart": [], "paired": []}
    for member, figure in members.items():
        if figure.prescribed:
            raise FigureError(
                f'"{member}" has a prescribed base, which a member of a forest cannot have; make it free or fixed'
            )
        new_names, by_name = names[member], {link.name: link for link in figure.given_links}
        for link in (by_name[placed.name] for placed in figure.links):
            parent = FOREST_ROOT if link.parent is None else new_names[link.parent]
            links.append(replace(link, name=new_names[link.name], parent=parent))
        all_constraints += [_renamed(constraint, new_names) for constraint in figure.constraints]
        for key, named_pairs in pairs.items():
            named_pairs += [(new_names[one], new_names[other]) for one, other in getattr(figure, key)]
    return Figure(
        name, tuple(links), False, (*all_constraints, *constraints), tuple(pairs["apart"]), tuple(pairs["paired"])
    )


def members_by_name(figures: Members) -> dict[str, Figure]:
    """Return the members of a forest by their names in it."""
    if isinstance(figures, Mapping):
        return dict(figures)
    counts, seen = Counter(figure.name for figure in figures), Counter[str]()
    members: dict[str, Figure] = {}
    for figure in figures:
        seen[figure.name] += 1
        repeated = counts[figure.name] > 1
        member = f"{figure.name}{seen[figure.name]}" if repeated else figure.name
        if member in members:
            raise FigureError(f'two figures of a forest are called "{member}"; name them in a mapping')
        members[member] = figure
    return members


def forest_names(figures: Members) -> dict[str, dict[str, str]]:
    """Return the names of links in a forest: for each member, the new name of each link by its own."""
    members = members_by_name(figures)
    counts = Counter(link.name for figure in members.values() for link in figure.links)
    unique = FOREST_ROOT not in counts and all(count == 1 for count in counts.values())
    return {
        member: {link.name: link.name if unique else f"{member}/{link.name}" for link in figure.links}
        for member, figure in members.items()
    }


def _renamed(constraint: Constraint, names: Mapping[str, str]) -> Constraint:
    """Return a member's constraint with the names of its links in the forest."""
    other = None if constraint.other is None else names[constraint.other]
    if isinstance(constraint, Closure):
        return replace(constraint, link=names[constraint.link], other=other)
    return replace(constraint, joint=names[constraint.joint], other=other)
