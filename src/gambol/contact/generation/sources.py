"""Contact sources: a part and the ground, or two parts, each with a few contact candidates.

The contacts of a part with the ground are the lowest points of its shape above the ground's tangent plane. Contacts of
two parts come from the function for their pair of shapes (collide.pairs). Friction and restitution are properties of
the part, or of the ground if the part has none. Between two parts the larger values are used, in all directions.

Contacts are held in slots. A contact in a slot may be at any link of its group, so its rows have entries at all degrees
of freedom of these links. In slots of one tree the rows have the length of the tree, and the work of a step grows with
the number of trees, not with its square.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from gambol.collide.broad import Pair
from gambol.collide.convex import Geom, GeomTemplate, HullTemplate, geom_of
from gambol.collide.pairs import slots
from gambol.contact.generation.families import Family, GroundFamily, GroundItem, Item, PairFamily, PairItem, Side
from gambol.contact.generation.ground_points import PointsBox
from gambol.contact.generation.hull_numbers import Template, hull_numbers, number_template
from gambol.contact.generation.lookahead import link_motion
from gambol.contact.generation.scene import ConstraintScene, StepScene
from gambol.contact.stepping.anisotropy import ISOTROPIC, Anisotropy
from gambol.contact.stepping.contact import Candidate, depth_first
from gambol.dynamics import Kinematics
from gambol.figure import Figure, Part, PlacedLink
from gambol.figure.rotation import unit
from gambol.figure.shapes import Shape
from gambol.lanes import Scalar, maximum
from gambol.spatial import Rotation, Transform, Vector


@dataclass(frozen=True)
class ContactSource:
    """A part and the ground, or two parts.

    family: what it has in common with sources that differ in numbers only. link, part: number of the link, and its
    part; other, other_part: those of the other side, 0 and None for the ground. first: index of its first contact among
    all possible ones. count: number of its contacts.
    """

    family: Family
    link: int
    part: Part
    other: int
    other_part: Part | None
    first: int
    count: int

    @property
    def anisotropic(self) -> bool:
        """True if it is a part on the ground, with friction that depends on the direction."""
        return not self.other and self.part.anisotropic_friction is not None

    def item(self, scene: StepScene, state: Kinematics) -> Item:
        """Return its numbers in a step."""
        attached = scene.least_fraction(self.link, self.other)
        if isinstance(self.family, PairFamily) and self.other_part is not None:
            sides = (self.link, self.part, self.family.shape), (self.other, self.other_part, self.family.other)
            first, second = (
                _side(scene, state, (link, part), _numbers(template, geom_of(part.shape), part.shape), largest=True)
                for link, part, template in sides
            )
            return PairItem(float(self.first), attached, first, second)
        assert isinstance(self.family, GroundFamily)
        numbers = _numbers(self.family.contact_shape, _contact_geom(self.part), self.part.shape)
        side = _side(scene, state, (self.link, self.part), numbers, largest=False)
        points = [(Vector(*point.position), point.radius) for point in self.part.contact_points()]
        anisotropy = _anisotropy(state, state.figure.links[self.link - 1], self.part)
        return GroundItem(float(self.first), attached, side, state.poses[self.link], PointsBox.of(points), anisotropy)

    def with_hulls_as_numbers(self, least: HullTemplate | None = None) -> "ContactSource":
        """Return the same source in a family in which hulls differ in numbers only; least: see number_template()."""
        if isinstance(self.family, PairFamily) and self.other_part is not None:
            shape, other = (number_template(geom_of(part.shape), least) for part in (self.part, self.other_part))
            return replace(self, family=PairFamily(shape, other, self.family.is_anisotropic))
        template = number_template(_contact_geom(self.part), least)
        return replace(self, family=GroundFamily(template, template)) if self.part.shape.kind == "hull" else self

    def may_close(self, scene: StepScene, state: Kinematics, h: Scalar) -> Scalar:
        """Return True if a contact may close in a step of h [s]."""
        return self.family.may_close(scene, self.item(scene, state), h)

    def contacts(self, scene: StepScene, state: Kinematics) -> list[Candidate]:
        """Return all its candidates."""
        return self.family.contacts(scene, self.item(scene, state))


def with_common_hulls(sources: Iterable[ContactSource]) -> list[ContactSource]:
    """Return sources in families in which hulls are numbers, all of them with the same number of vertices and faces."""
    given = [source.with_hulls_as_numbers() for source in sources]
    hulls = [t for s in given for t in s.family.templates if isinstance(t, HullTemplate)]
    if not hulls:
        return given
    largest = HullTemplate(max(hull.vertices for hull in hulls), max(hull.faces for hull in hulls))
    return [source.with_hulls_as_numbers(largest) for source in given]


def _numbers(template: Template, geom: Geom, shape: Shape) -> tuple[Scalar, ...]:
    """Return the numbers of a geom in a program with this template: its sizes, or those of a hull as numbers."""
    return geom.sizes if isinstance(template, GeomTemplate) else hull_numbers(template, geom, shape)


def _side(
    scene: StepScene, state: Kinematics, part_of: tuple[int, Part], numbers: tuple[Scalar, ...], *, largest: bool
) -> Side:
    """Return the numbers of a part in a step.

    part_of: the number of its link, and the part. numbers: of its shape. largest: see part_surface().
    """
    link, part = part_of
    order = float(depth_first(state.figure)[0][link])
    pose = part_pose(state, state.figure.links[link - 1], part)
    return Side(numbers, pose, link_motion(state, link), order, *part_surface(scene, part, largest=largest))


def contact_sources(scene: ConstraintScene) -> list[ContactSource]:
    """Return the contact sources of all parts that can move: first with the ground, then pairs of parts."""
    sources: list[ContactSource] = []
    first = 0
    for link in scene.figure.links:
        for part in link.parts:
            if scene.has_ground and part.contact_points() and scene.figure.can_move(link.index):
                count = slots(part.shape.kind, "plane")
                family = GroundFamily(geom_of(part.shape).template, _contact_geom(part).template)
                sources.append(ContactSource(family, link.index, part, 0, None, first, count))
                first += count
    for pair in scene.pairs:
        if not scene.figure.can_move(pair.link, pair.other):
            continue
        part, other = pair.parts(scene.figure)
        count = slots(part.shape.kind, other.shape.kind)
        shape, other_shape = geom_of(part.shape).template, geom_of(other.shape).template
        family = PairFamily(shape, other_shape, has_anisotropic_friction(scene.figure))
        sources.append(ContactSource(family, pair.link, part, pair.other, other, first, count))
        first += count
    return sources


def describe_size(scene: ConstraintScene) -> str:
    """Return a text about the size of a scene: its links, and the possible contacts between its parts."""
    kinds = [[scene.figure.links[k - 1].parts[part].shape.kind for k, part in _ends(pair)] for pair in scene.pairs]
    contacts = sum(slots(*pair) for pair in kinds)
    contacts_text = f", {len(kinds):,} pairs of parts that may touch, with {contacts:,} contacts" if kinds else ""
    return f"{len(scene.figure.links):,} links{contacts_text}"


def _ends(pair: Pair) -> tuple[tuple[int, int], tuple[int, int]]:
    return (pair.link, pair.part), (pair.other, pair.other_part)


def _anisotropy(state: Kinematics, link: PlacedLink, part: Part) -> Anisotropy | None:
    """Return the anisotropy of a part's friction on the ground; None if no part of the figure has one."""
    if not has_anisotropic_friction(state.figure):
        return None
    if (surface := part.anisotropic_friction) is None:
        return ISOTROPIC
    axis = state.poses[link.index].rotation @ Vector(*unit(surface.axis, f'link "{link.name}"'))
    return Anisotropy(axis, surface.forward / surface.sideways, surface.backward / surface.sideways)


def has_anisotropic_friction(figure: Figure) -> bool:
    """Return True if the friction of a colliding part of a figure depends on the direction."""
    return any(p.colliding and p.anisotropic_friction is not None for link in figure.links for p in link.parts)


def _contact_geom(part: Part) -> Geom:
    """Return the geom of a part for contact with the ground; a hull has only its contact points as vertices."""
    if part.shape.kind != "hull":
        return geom_of(part.shape)
    return Geom("hull", (), tuple(point.position for point in part.shape.contact_points()))


def part_surface(scene: StepScene, part: Part, *, largest: bool = False) -> tuple[Scalar, Scalar]:
    """Return friction and restitution of a part; if the part has none, those of the ground.

    largest: True for the largest coefficient of anisotropic friction, False for the coefficient of slip sideways.
    """
    defaults, surface = scene.inputs.ground_contact.parameters, part.anisotropic_friction
    restitution = defaults.restitution if scene.bounces else 0.0
    friction = defaults.friction if part.friction is None else part.friction
    if surface is not None:
        longitudinal = maximum(surface.forward, surface.backward)
        friction = maximum(longitudinal, surface.sideways) if largest else surface.sideways
    return friction, restitution if part.restitution is None else part.restitution


def part_pose(state: Kinematics, link: PlacedLink, part: Part) -> Transform:
    """Return the pose of a part of a link in the world."""
    return state.poses[link.index] @ Transform(Rotation(part.rotation), Vector(*part.position))


@dataclass(frozen=True)
class SlotGroup:
    """Contacts that share slots. sources: their sources; count: number of the slots; links: indices of their links."""

    sources: tuple[ContactSource, ...]
    count: int
    links: frozenset[int]


def slot_groups(scene: ConstraintScene) -> list[SlotGroup]:
    """Return the groups of a scene: ground contacts of each tree, then pairs of parts; or one group for all."""
    figure, per_tree, sources = scene.figure, scene.tree_contacts, contact_sources(scene)
    everywhere = frozenset(link.index for link in figure.links)
    if per_tree is None or len(figure.roots) < 2:
        return _group(sources, scene.capacity, everywhere)
    trees = [frozenset(link.index for link in figure.subtree(root.index)) for root in figure.roots]
    groups = [_group((s for s in sources if not s.other and s.link in tree), per_tree, tree) for tree in trees]
    pairs = _group((s for s in sources if s.other), scene.capacity - per_tree * len(trees), everywhere)
    return [group for found in (*groups, pairs) for group in found]


def slot_count(scene: ConstraintScene) -> int:
    """Return the number of slots of a scene: contacts that a step can hold."""
    return sum(group.count for group in slot_groups(scene))


def _group(sources: Iterable[ContactSource], capacity: int, links: frozenset[int]) -> list[SlotGroup]:
    """Return the group of sources, with no more slots than contacts, or nothing without sources."""
    members = tuple(sources)
    return [SlotGroup(members, min(sum(s.count for s in members), capacity), links)] if members else []


MIN_ROLLED_CONTACTS = 200
"""Least number of possible contacts of a family that is a loop (docs/decisions/025). A humanoid of 161 contacts
compiles in 11 s without loops, and its steps take a fifth more time with them."""


def source_families(sources: Iterable[ContactSource]) -> list[tuple[Family, list[ContactSource]]]:
    """Return groups of sources: all of a family that is computed in a loop; each other source alone.

    Hulls are numbers of a family if that makes it large enough for a loop: first hulls of about as many vertices and
    faces, then all others. The groups are in the order of their first sources.
    """
    given = [*sources]
    large, by_first = _large_families(given), dict[int, ContactSource]()
    remaining = [source for source in given if source.family not in large]
    for others in ([source.with_hulls_as_numbers() for source in remaining], with_common_hulls(remaining)):
        large |= _large_families(source for source in others if source.first not in by_first)
        by_first = {source.first: source for source in others if source.family in large} | by_first
    groups: dict[Any, list[ContactSource]] = {}
    for source in given:
        chosen = by_first.get(source.first, source)
        groups.setdefault(chosen.family if chosen.family in large else source.first, []).append(chosen)
    return [(members[0].family, members) for members in groups.values()]


def _large_families(sources: Iterable[ContactSource]) -> set[Family]:
    """Return the families with at least MIN_ROLLED_CONTACTS contacts."""
    contacts = Counter[Family]()
    for source in sources:
        contacts[source.family] += source.count
    return {family for family, count in contacts.items() if count >= MIN_ROLLED_CONTACTS}
