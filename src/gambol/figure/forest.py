"""A kinematic forest: several figures as one figure. Their roots are children of a fixed, massless root.

An immovable root transmits no force from one tree to another, so each tree moves independently. The root adds no
operations to a traced program. Only contacts, and constraints between links, connect the figures.
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
    """Return a forest: one figure that contains several others.

    name: name of the forest. figures: members by name, or a sequence. In a sequence, a member has its figure's name;
    repeated names are numbered from 1. constraints: additional constraints, with the names of links in the forest.
    Returns a figure with the root link "world", then the links of each member in order; coordinates are in the same
    order. Links keep their names if these are unique; otherwise every link is named "member/link". Raises FigureError
    if there are no figures, for a prescribed base, and for invalid constraints.
    """
    members, names = members_by_name(figures), forest_names(figures)
    if not members:
        raise FigureError(f'forest "{name}" has no figures; give at least one')
    links = [Link(FOREST_ROOT, None, Joint("fixed"))]
    all_constraints: list[Constraint] = []
    pairs: dict[str, list[tuple[str, str]]] = {"apart": [], "paired": []}
    for member, figure in members.items():
        if figure.prescribed:
            raise FigureError(
                f'"{member}" has a prescribed base; the base of a member of a forest must be free or fixed'
            )
        new_names, by_name = names[member], {link.name: link for link in figure.given_links}
        for link in (by_name[placed.name] for placed in figure.links):
            parent = FOREST_ROOT if link.parent is None else new_names[link.parent]
            links.append(replace(link, name=new_names[link.name], parent=parent))
        all_constraints += [_renamed(constraint, new_names) for constraint in figure.constraints]
        for key, named_pairs in pairs.items():
            named_pairs += [(new_names[a], new_names[b]) for a, b in getattr(figure, key)]
    return Figure(
        name, tuple(links), False, (*all_constraints, *constraints), tuple(pairs["apart"]), tuple(pairs["paired"])
    )


def members_by_name(figures: Members) -> dict[str, Figure]:
    """Return the members of a forest by name; figures: as for make_forest()."""
    if isinstance(figures, Mapping):
        return dict(figures)
    counts, occurrences = Counter(figure.name for figure in figures), Counter[str]()
    members: dict[str, Figure] = {}
    for figure in figures:
        occurrences[figure.name] += 1
        repeated = counts[figure.name] > 1
        member = f"{figure.name}{occurrences[figure.name]}" if repeated else figure.name
        if member in members:
            raise FigureError(f'two figures of a forest are called "{member}"; name them in a mapping')
        members[member] = figure
    return members


def forest_names(figures: Members) -> dict[str, dict[str, str]]:
    """Return the names of links in a forest: for each member, the new name of each link by its original name."""
    members = members_by_name(figures)
    counts = Counter(link.name for figure in members.values() for link in figure.links)
    unique = FOREST_ROOT not in counts and all(count == 1 for count in counts.values())
    return {
        member: {link.name: link.name if unique else f"{member}/{link.name}" for link in figure.links}
        for member, figure in members.items()
    }


def _renamed(constraint: Constraint, names: Mapping[str, str]) -> Constraint:
    """Return a constraint with new names of links; names: new names by original names."""
    other = None if constraint.other is None else names[constraint.other]
    if isinstance(constraint, Closure):
        return replace(constraint, link=names[constraint.link], other=other)
    return replace(constraint, joint=names[constraint.joint], other=other)
