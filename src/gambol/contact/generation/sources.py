"""Contact sources: a part and the ground, or two parts, each with a few contact candidates.

The contacts of a part with the ground are the lowest points of its shape above the ground's tangent plane. Contacts of
two parts come from the function for their pair of shapes (collide.pairs). Friction and restitution are properties of
the part, or of the ground if the part has none. Between two parts the larger values are used, in all directions.
"""

from collections.abc import Callable
from dataclasses import dataclass

from gambol.collide.broad import Pair, ball, near
from gambol.collide.convex import Geom, geom_of
from gambol.collide.pairs import gaps, ground_gaps, slots
from gambol.contact.generation.ground_points import near_ground
from gambol.contact.generation.lookahead import ball_motion, contact_distance
from gambol.contact.generation.scene import ConstraintScene, StepScene
from gambol.contact.stepping.anisotropy import ISOTROPIC, Anisotropy
from gambol.contact.stepping.contact import Candidate, contact_signs, depth_first
from gambol.dynamics import Kinematics
from gambol.figure import Figure, Part, PlacedLink
from gambol.figure.rotation import unit
from gambol.lanes import Scalar, maximum
from gambol.spatial import Rotation, Transform, Vector


@dataclass(frozen=True)
class ContactSource:
    """A part and the ground, or two parts.

    link, other: numbers of the links, 0 for the ground. first: index of its first contact among all possible ones.
    count: number of its contacts. may_close: returns True if a contact may close in a step of a given length [s].
    contacts: returns all candidates. anisotropic: True if the friction of the part depends on the direction.
    """

    link: int
    other: int
    first: int
    count: int
    may_close: Callable[[StepScene, Kinematics, Scalar], Scalar]
    contacts: Callable[[StepScene, Kinematics], list[Candidate]]
    anisotropic: bool = False

    def signs(self, figure: Figure) -> dict[int, float]:
        """Return the field Contact.signs of its contacts."""
        return contact_signs(figure, self.link, self.other)


def contact_sources(scene: ConstraintScene) -> list[ContactSource]:
    """Return the contact sources of all parts that can move: first with the ground, then pairs of parts."""
    sources: list[ContactSource] = []
    first = 0
    for link in scene.figure.links:
        for part in link.parts:
            if scene.has_ground and part.contact_points() and scene.figure.can_move(link.index):
                sources.append(_ground_source(link, part, first))
                first += sources[-1].count
    for pair in scene.pairs:
        if not scene.figure.can_move(pair.link, pair.other):
            continue
        sources.append(_pair_source(scene.figure, pair, first))
        first += sources[-1].count
    return sources


def describe_size(scene: ConstraintScene) -> str:
    """Return a text about the size of a scene: its links, and the possible contacts between its parts."""
    kinds = [[scene.figure.links[k - 1].parts[part].shape.kind for k, part in _ends(pair)] for pair in scene.pairs]
    contacts = sum(slots(*pair) for pair in kinds)
    contacts_text = f", {len(kinds):,} pairs of parts that may touch, with {contacts:,} contacts" if kinds else ""
    return f"{len(scene.figure.links):,} links{contacts_text}"


def _ends(pair: Pair) -> tuple[tuple[int, int], tuple[int, int]]:
    return (pair.link, pair.part), (pair.other, pair.other_part)


def _ground_source(link: PlacedLink, part: Part, first: int) -> ContactSource:
    points = [(Vector(*point.position), point.radius) for point in part.contact_points()]

    def may_close(scene: StepScene, state: Kinematics, h: Scalar) -> Scalar:
        motion = ball_motion(state, link.index, ball(part.shape, part_pose(state, link, part)))
        near = near_ground(
            scene.inputs.ground_contact, state.poses[link.index], points, contact_distance(scene.size, motion, h)
        )
        return scene.if_attached(near, link.index)

    def contacts(scene: StepScene, state: Kinematics) -> list[Candidate]:
        return _ground_candidates(scene, state, link, part, first)

    count = slots(part.shape.kind, "plane")
    return ContactSource(link.index, 0, first, count, may_close, contacts, part.anisotropic_friction is not None)


def _ground_candidates(
    scene: StepScene, state: Kinematics, link: PlacedLink, part: Part, first: int
) -> list[Candidate]:
    """Return the contact candidates of a part with the ground; first: index of the first candidate."""
    contact, order = scene.inputs.ground_contact, float(depth_first(scene.figure)[0][link.index])
    pose = part_pose(state, link, part)
    mu, e = part_surface(scene, part)
    gaps_below = ground_gaps(_contact_geom(part), pose, contact.ground, contact.numbers, contact.table)
    anisotropy = _anisotropy(state, link, part)
    return [
        Candidate(float(first + k), order, g.size, g.point_a, g.normal, mu, e, anisotropy=anisotropy)
        for k, g in enumerate(gaps_below)
    ]


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


def _pair_source(figure: Figure, pair: Pair, first: int) -> ContactSource:
    link, other = figure.links[pair.link - 1], figure.links[pair.other - 1]
    part, other_part = link.parts[pair.part], other.parts[pair.other_part]

    def may_close(scene: StepScene, state: Kinematics, h: Scalar) -> Scalar:
        pose, other_pose = part_pose(state, link, part), part_pose(state, other, other_part)
        motion = ball_motion(state, link.index, ball(part.shape, pose))
        other_motion = ball_motion(state, other.index, ball(other_part.shape, other_pose))
        distance = contact_distance(scene.size, motion.relative_to(other_motion), h)
        are_near = near(part.shape, pose, other_part.shape, other_pose, distance)
        return scene.if_attached(are_near, link.index, other.index)

    def contacts(scene: StepScene, state: Kinematics) -> list[Candidate]:
        order = depth_first(figure)[0]
        link_order, other_order = float(order[link.index]), float(order[other.index])
        surface, other_surface = (part_surface(scene, p, largest=True) for p in (part, other_part))
        mu, e = (x if x is y else maximum(x, y) for x, y in zip(surface, other_surface, strict=True))
        pair_gaps = gaps(
            part.shape, part_pose(state, link, part), other_part.shape, part_pose(state, other, other_part)
        )
        return [
            Candidate(
                float(first + k),
                link_order,
                gap.size,
                (gap.point_a + gap.point_b) * 0.5,
                gap.normal,
                mu,
                e,
                other_order,
                anisotropy=ISOTROPIC if has_anisotropic_friction(figure) else None,
            )
            for k, gap in enumerate(pair_gaps)
        ]

    count = slots(part.shape.kind, other_part.shape.kind)
    return ContactSource(link.index, other.index, first, count, may_close, contacts)


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
