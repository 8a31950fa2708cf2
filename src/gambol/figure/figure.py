"""A figure: an articulated body as one immutable tree of links; parents have lower numbers than children."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from heapq import heappop, heappush
from typing import Final, Literal, TypeAlias

from gambol.errors import FigureError, did_you_mean
from gambol.figure.closure import Constraint, checked_constraints
from gambol.figure.composite import check_subtrees
from gambol.figure.joint import JOINTS, Joint
from gambol.figure.joint_consistency import PACKAGE_KINDS, check_row
from gambol.figure.link import Link, PlacedLink, checked_joint, checked_mass
from gambol.figure.shape_consistency import PACKAGE_SHAPES, check_shape
from gambol.lanes import Scalar, maximum, total
from gambol.notebook import notebook_html
from gambol.spatial import Vector
from gambol.spatial.rotation import is_constant

WORLD: Final = 0
"""The link number of the world, which is the parent of every root."""

Base: TypeAlias = Literal["free", "fixed", "prescribed"]
"""The motion of a figure's root: free, fixed, or prescribed by a function of the world."""

BASES: dict[str, str] = {"free": "free", "fixed": "fixed", "prescribed": "free"}  # the root's joint under each base


@dataclass(frozen=True)
class Figure:
    """An articulated figure.

    given_links: links in any order; exactly one link, the root, has no parent. prescribed: True if the acceleration of
    the root's free joint is an input. constraints: loop constraints. apart: pairs of links without contact. paired:
    pairs of links that may touch although they are parent and child, or although their groups exclude contact. links:
    the given links with numbers 1..n, parents first, otherwise in the given order. has_given_values: True if the
    parameters are those of given_links, False if with_values() or a similar function replaced them. unscaled: the
    figure whose masses with_scaled_masses() multiplied, and the factors by index of the link; or None. Raises
    FigureError for an invalid figure.
    """

    name: str
    given_links: tuple[Link, ...]
    prescribed: bool = False
    constraints: tuple[Constraint, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    paired: tuple[tuple[str, str], ...] = ()
    links: tuple[PlacedLink, ...] = field(init=False, compare=False, repr=False)
    has_given_values: bool = field(init=False, default=True, compare=False, repr=False)
    unscaled: "tuple[Figure, Mapping[int, Scalar]] | None" = field(init=False, default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "given_links", tuple(self.given_links))
        _check_names(self)
        object.__setattr__(self, "links", _placed(_parents_first(self)))
        check_subtrees(self.links)
        object.__setattr__(self, "constraints", checked_constraints(self.constraints, self.links))
        for key in ("apart", "paired"):
            object.__setattr__(self, key, tuple(_pair(self, *names) for names in getattr(self, key)))
        if self.prescribed and self.root.joint.kind != "free":
            raise FigureError(
                f'figure "{self.name}" has a prescribed base, but its root "{self.root.name}" has a '
                f'"{self.root.joint.kind}" joint; give the root a "free" joint'
            )

    def __repr__(self) -> str:
        mass = f"{self.mass:.6g} kg" if isinstance(self.mass, float) else "of inputs"
        return (
            f'<Figure "{self.name}": links: {len(self.links)}, freedoms: {self.nv}, mass: {mass}, '
            f"loop constraints: {len(self.constraints)}>"
        )

    def _repr_html_(self) -> str:
        """Return the display in a notebook: a picture, and a table of the links."""
        return notebook_html("figure", self)

    @property
    def root(self) -> PlacedLink:
        """The link with the world as its parent."""
        return self.links[0]

    @property
    def roots(self) -> tuple[PlacedLink, ...]:
        """The links with an immovable parent: the root, or its children if the root is fixed and massless.

        A forest has one root for each member. Fixed massless links (obstacles) are immovable.
        """
        immovable, roots = {WORLD}, list[PlacedLink]()
        for link in self.links:
            if link.parent_index in immovable:
                if link.is_fixed and is_constant(link.mass_properties.mass, 0.0):
                    immovable.add(link.index)
                else:
                    roots.append(link)
        return tuple(roots) or (self.root,)

    @property
    def base(self) -> Base:
        """The motion of the root: "free", "prescribed", or "fixed" for any other joint to the world."""
        if self.root.joint.kind != "free":
            return "fixed"
        return "prescribed" if self.prescribed else "free"

    @property
    def nq(self) -> int:
        """Number of coordinates: 7 for a free base, 1 for each revolute or prismatic joint."""
        return self.links[-1].q.stop

    @property
    def nv(self) -> int:
        """Number of degrees of freedom."""
        return self.links[-1].v.stop

    @property
    def mass(self) -> float:
        """Mass of the whole figure [kg]."""
        return self.distal_mass(self.root.index)

    def outward(self) -> Iterator[PlacedLink]:
        """Iterate over the links from the root to the leaves: parents before children."""
        return iter(self.links)

    def inward(self) -> Iterator[PlacedLink]:
        """Iterate over the links from the leaves to the root: children before parents."""
        return reversed(self.links)

    def link(self, name: str) -> PlacedLink:
        """Return the link of this name; raise FigureError, with the nearest name, for an unknown name."""
        if name not in self._indices:
            raise FigureError(f'figure "{self.name}" has no link "{name}"; {did_you_mean(name, self._indices)}')
        return self.links[self._indices[name]]

    @cached_property
    def _indices(self) -> dict[str, int]:
        """Indices in `links` by name; copies of the figure with other parameter values share them."""
        return {link.name: i for i, link in enumerate(self.links)}

    def subtree(self, index: int) -> tuple[PlacedLink, ...]:
        """Return the link of this index and all its descendants, parents first."""
        inside = {index}
        for link in self.links:
            if link.parent_index in inside:
                inside.add(link.index)
        return tuple(link for link in self.links if link.index in inside)

    def path_to_root(self, index: int) -> tuple[PlacedLink, ...]:
        """Return the link of this index and its ancestors up to the root; empty for the world."""
        path: list[PlacedLink] = []
        while index != WORLD:
            path.append(self.links[index - 1])
            index = path[-1].parent_index
        return tuple(path)

    def can_move(self, index: int, other: int = WORLD) -> bool:
        """Return True if joints allow relative motion of two links, given by their indices; 0 is the world."""
        first, second = ({link.index: link for link in self.path_to_root(end)} for end in (index, other))
        return any(JOINTS[(first | second)[k].joint.kind].nv for k in first.keys() ^ second.keys())

    def distal_mass(self, index: int) -> float:
        """Return the mass of the link of this index and of its whole subtree [kg]."""
        return total(link.mass_properties.mass for link in self.subtree(index))

    def with_base(self, base: Base) -> "Figure":
        """Return the figure with another base; base: "free", "fixed" at its rest pose, or "prescribed"."""
        if base not in BASES:
            raise FigureError(f'a base cannot be "{base}"; {did_you_mean(base, BASES)}')
        joint = Joint(BASES[base], rotation=self.root.joint.rotation, position=self.root.joint.position)
        links = tuple(replace(link, joint=joint) if link.parent is None else link for link in self.given_links)
        return replace(self, given_links=links, prescribed=base == "prescribed")


def _check_names(figure: Figure) -> None:
    """Raise FigureError unless names are unique, every parent exists, and there is one root."""
    subject = f'figure "{figure.name}"'
    names: dict[str, None] = {}
    for link in figure.given_links:
        if not link.name:
            raise FigureError(f"{subject} has a link without a name; give every link a unique name")
        if link.name in names:
            raise FigureError(f'{subject} has two links of the name "{link.name}"; give one of them another name')
        names[link.name] = None
    for link in figure.given_links:
        if link.parent is not None and link.parent not in names:
            raise FigureError(
                f'link "{link.name}" has the parent "{link.parent}", which does not exist; '
                f"{did_you_mean(link.parent, names)}"
            )
    roots = [link.name for link in figure.given_links if link.parent is None]
    if len(roots) > 1:
        raise FigureError(
            f"{subject} has several links without a parent: {roots}; a figure is one tree, so keep one root"
        )
    if not roots:
        raise FigureError(
            f"{subject} has no root; give it a link whose parent is None" + _loop_note(figure.given_links)
        )


def _pair(figure: Figure, name_a: str, name_b: str) -> tuple[str, str]:
    """Return the names of two different links; raise FigureError if one does not exist."""
    if figure.link(name_a) == figure.link(name_b):
        raise FigureError(f'figure "{figure.name}" pairs link "{name_a}" with itself; name two links')
    return (name_a, name_b)


def _parents_first(figure: Figure) -> list[Link]:
    """Return the links with parents before children, otherwise in the given order."""
    children: dict[str | None, list[int]] = {}
    for number, link in enumerate(figure.given_links):
        children.setdefault(link.parent, []).append(number)
    ordered = list[Link]()
    ready = children.pop(None)  # a heap of numbers of links whose parent is already ordered
    while ready:
        link = figure.given_links[heappop(ready)]
        ordered.append(link)
        for number in children.pop(link.name, ()):
            heappush(ready, number)
    if children:
        unreachable = tuple(link for link in figure.given_links if link.parent in children)
        raise FigureError(f'figure "{figure.name}" is not connected' + _loop_note(unreachable))
    return ordered


def _loop_note(links: tuple[Link, ...]) -> str:
    """Return a note with the names of a loop of parents among links; empty if there is none."""
    parents = {link.name: link.parent for link in links}
    found_from: dict[str, str] = {}  # for each link, the first link of the path on which it was found
    for start in parents:
        name = start
        while name not in found_from and (parent := parents.get(name)) is not None:
            found_from[name], name = start, parent
        if found_from.get(name) == start:
            loop = [name]
            while (parent := parents[loop[-1]]) is not None and parent != name:
                loop.append(parent)
            chain = ", ".join(f'"{link}"' for link in (*loop, name))
            return f": its links form a loop of parents ({chain}); give one of them a parent outside the loop"
    return ""


def _placed(ordered: list[Link]) -> tuple[PlacedLink, ...]:
    """Return the links with their indices, checked joints and masses, and slices of the coordinates."""
    index: dict[str | None, int] = {None: WORLD}
    placed: list[PlacedLink] = []
    nq = nv = 0
    for number, link in enumerate(ordered, start=1):
        joint = checked_joint(link)
        if joint.kind not in PACKAGE_KINDS:
            check_row(joint, f'link "{link.name}"')
        for k, part in enumerate(link.parts):
            if part.shape.kind not in PACKAGE_SHAPES:
                check_shape(part.shape, f'part {k} of link "{link.name}"')
        kind = JOINTS[joint.kind]
        q, v = slice(nq, nq + kind.nq), slice(nv, nv + kind.nv)
        given = (joint, checked_mass(link), q, v, link.parts, link.visuals)
        placed.append(PlacedLink(number, index[link.parent], link.name, *given))
        index[link.name], nq, nv = number, q.stop, v.stop
    return tuple(placed)


def extent(figure: Figure) -> Scalar:
    """Return twice the largest distance of a contact point, centre of mass or joint from its link's origin [m].

    The extent is 1 if all these distances are 0.
    """
    distances = [_length(p.position) + p.radius for link in figure.links for p in link.contact_points()]
    distances += [_length(link.mass_properties.com) for link in figure.links]
    distances += [_length(link.joint.position) for link in figure.links if link.parent_index != WORLD]
    radius = reduce(maximum, distances)
    return 1.0 if isinstance(radius, float) and not radius else 2.0 * radius


def _length(vector: tuple[Scalar, Scalar, Scalar]) -> Scalar:
    """Return the length of a vector; math.hypot for plain numbers, which rounds only once."""
    return math.hypot(*vector) if all(isinstance(x, (int, float)) for x in vector) else Vector(*vector).length()
