"""A figure: what a creature is. One immutable tree of links, numbered so that a parent comes before its children."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import heappop, heappush
from typing import Final, Literal, TypeAlias

from gambol.errors import FigureError, did_you_mean
from gambol.figure.closure import Constraint, checked_constraints
from gambol.figure.composite import check_carried
from gambol.figure.joint import JOINTS, Joint
from gambol.figure.link import Link, PlacedLink, checked_joint, checked_mass
from gambol.lanes import total
from gambol.spatial.rotation import exactly

WORLD: Final = 0
"""The number of the body that every root hangs on."""

Base: TypeAlias = Literal["free", "fixed", "prescribed"]

BASES: dict[str, str] = {"free": "free", "fixed": "fixed", "prescribed": "free"}  # the root's joint under each base


@dataclass(frozen=True)
class Figure:
    """An articulated figure.

    given: the links as given, in any order; exactly one, the root, has no parent. prescribed: the root's free joint
    moves with an acceleration that is given rather than found. constraints: what closes loops. apart: pairs of links
    that never touch each other; paired: of links that may, whatever their groups and although one hangs on the other.
    links: the same links numbered 1..n, parent before child, in the given order where that allows it. plain: whether
    their numbers are those given, and not others that were put in their place; see measured().
    Raises FigureError when no such figure can exist.
    """

    name: str
    given: tuple[Link, ...]
    prescribed: bool = False
    constraints: tuple[Constraint, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    paired: tuple[tuple[str, str], ...] = ()
    links: tuple[PlacedLink, ...] = field(init=False, compare=False, repr=False)
    plain: bool = field(init=False, default=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "given", tuple(self.given))
        _check_names(self)
        object.__setattr__(self, "links", _placed(_parents_first(self)))
        check_carried(self.links)
        object.__setattr__(self, "constraints", checked_constraints(self.constraints, self.links))
        for key in ("apart", "paired"):
            object.__setattr__(self, key, tuple(_pair(self, *names) for names in getattr(self, key)))
        if self.prescribed and self.root.joint.kind != "free":
            raise FigureError(
                f'figure "{self.name}" has a prescribed base, but its root "{self.root.name}" hangs on a '
                f'"{self.root.joint.kind}" joint; give the root a "free" joint'
            )

    @property
    def root(self) -> PlacedLink:
        """The link that hangs on the world."""
        return self.links[0]

    @property
    def roots(self) -> tuple[PlacedLink, ...]:
        """The links that hang on what never moves: the root, or what it carries where it is fixed and without mass.

        A forest has one for each of its figures, but for obstacles without mass, of which only what they carry counts.
        """
        still, found = {WORLD}, list[PlacedLink]()
        for link in self.links:
            if link.parent_index in still:
                if link.joint.kind == "fixed" and exactly(link.mass_properties.mass, 0.0):
                    still.add(link.index)
                else:
                    found.append(link)
        return tuple(found) or (self.root,)

    @property
    def base(self) -> Base:
        """How the root moves: by itself, along with the world (also through a rotary or sliding joint), or as given."""
        if self.root.joint.kind != "free":
            return "fixed"
        return "prescribed" if self.prescribed else "free"

    @property
    def nq(self) -> int:
        """How many numbers a position has: 7 for a free base and 1 for each rotary or sliding joint."""
        return self.links[-1].q.stop

    @property
    def nv(self) -> int:
        """How many degrees of freedom there are."""
        return self.links[-1].v.stop

    @property
    def mass(self) -> float:
        """Mass of the whole figure [kg]."""
        return self.distal_mass(self.root.index)

    def outward(self) -> Iterator[PlacedLink]:
        """The links from the root to the leaves: a parent before its children."""
        return iter(self.links)

    def inward(self) -> Iterator[PlacedLink]:
        """The links from the leaves to the root: children before their parent."""
        return reversed(self.links)

    def link(self, name: str) -> PlacedLink:
        """The link of this name; FigureError with the nearest name when there is none."""
        if name not in self._places:
            raise FigureError(f'figure "{self.name}" has no link "{name}"; {did_you_mean(name, self._places)}')
        return self.links[self._places[name]]

    @cached_property
    def _places(self) -> dict[str, int]:
        """Where each link stands by its name: the same in copies of the figure with other measures."""
        return {link.name: place for place, link in enumerate(self.links)}

    def carried(self, index: int) -> tuple[PlacedLink, ...]:
        """The link of this index and everything that hangs on it, parents first."""
        inside = {index}
        for link in self.links:
            if link.parent_index in inside:
                inside.add(link.index)
        return tuple(link for link in self.links if link.index in inside)

    def carriers(self, index: int) -> tuple[PlacedLink, ...]:
        """The link of this index and those that carry it, from itself to the root; none for the world."""
        found: list[PlacedLink] = []
        while index != WORLD:
            found.append(self.links[index - 1])
            index = found[-1].parent_index
        return tuple(found)

    def moves(self, index: int, other: int = WORLD) -> bool:
        """Whether joints let two links, by their numbers, move relative to each other; 0 is the world."""
        one, two = ({link.index: link for link in self.carriers(end)} for end in (index, other))
        return any(JOINTS[(one | two)[k].joint.kind].nv for k in one.keys() ^ two.keys())

    def distal_mass(self, index: int) -> float:
        """Mass of the link of this index and of everything that hangs on it [kg]."""
        return total(link.mass_properties.mass for link in self.carried(index))

    def with_base(self, base: Base) -> "Figure":
        """The same figure with its root free, fixed where it is, or moved with a prescribed acceleration."""
        if base not in BASES:
            raise FigureError(f'a base cannot be "{base}"; {did_you_mean(base, BASES)}')
        joint = Joint(BASES[base], rotation=self.root.joint.rotation, position=self.root.joint.position)
        given = tuple(replace(link, joint=joint) if link.parent is None else link for link in self.given)
        return replace(self, given=given, prescribed=base == "prescribed")


def _check_names(figure: Figure) -> None:
    """Every name once, every parent there, one root."""
    of = f'figure "{figure.name}"'
    names: dict[str, None] = {}
    for link in figure.given:
        if not link.name:
            raise FigureError(f"{of} has a link without a name; every link needs one of its own")
        if link.name in names:
            raise FigureError(f'{of} has two links of the name "{link.name}"; give one of them another name')
        names[link.name] = None
    for link in figure.given:
        if link.parent is not None and link.parent not in names:
            raise FigureError(
                f'link "{link.name}" hangs on "{link.parent}", which does not exist; {did_you_mean(link.parent, names)}'
            )
    roots = [link.name for link in figure.given if link.parent is None]
    if len(roots) > 1:
        raise FigureError(f"{of} has several links without a parent: {roots}; a figure is one tree, so keep one root")
    if not roots:
        raise FigureError(f"{of} has no root; give it a link whose parent is None" + _loop_note(figure.given))


def _pair(figure: Figure, one: str, other: str) -> tuple[str, str]:
    """The names of two links, which there must be."""
    if figure.link(one) == figure.link(other):
        raise FigureError(f'figure "{figure.name}" pairs link "{one}" with itself; name two links')
    return (one, other)


def _parents_first(figure: Figure) -> list[Link]:
    """The links with every parent before its children, otherwise in the given order."""
    children: dict[str | None, list[int]] = {}
    for number, link in enumerate(figure.given):
        children.setdefault(link.parent, []).append(number)
    ordered, ready = list[Link](), children.pop(None)  # a heap: the numbers of links whose parent is there
    while ready:
        link = figure.given[heappop(ready)]
        ordered.append(link)
        for number in children.pop(link.name, ()):
            heappush(ready, number)
    if children:
        left = tuple(link for link in figure.given if link.parent in children)
        raise FigureError(f'figure "{figure.name}" does not hang together' + _loop_note(left))
    return ordered


def _loop_note(links: tuple[Link, ...]) -> str:
    """The loop of parents among these links, spelled out; empty when there is none."""
    parents = {link.name: link.parent for link in links}
    first_from: dict[str, str] = {}  # the start from which each link was met first
    for start in parents:
        name = start
        while name not in first_from and (parent := parents.get(name)) is not None:
            first_from[name], name = start, parent
        if first_from.get(name) == start:
            loop = [name]
            while (above := parents[loop[-1]]) is not None and above != name:
                loop.append(above)
            chain = " on ".join(f'"{one}"' for one in (*loop, name))
            return f": its links hang in a loop ({chain}); hang one of them on a link outside the loop"
    return ""


def _placed(ordered: list[Link]) -> tuple[PlacedLink, ...]:
    """The links with their numbers, checked joints and masses, and their slices of the coordinates."""
    index: dict[str | None, int] = {None: WORLD}
    placed: list[PlacedLink] = []
    nq = nv = 0
    for number, link in enumerate(ordered, start=1):
        joint = checked_joint(link)
        kind = JOINTS[joint.kind]
        q, v = slice(nq, nq + kind.nq), slice(nv, nv + kind.nv)
        placed.append(PlacedLink(number, index[link.parent], link.name, joint, checked_mass(link), q, v, link.parts))
        index[link.name], nq, nv = number, q.stop, v.stop
    return tuple(placed)
