"""Anatomy: the links, joints and parts of a body, over generic scalars.

    trunk      a box; its contacts are four balls, whose diameter is the smaller of its width and height
    segment    a frustum along -z; its contact is a ball at its lower end
    joint      each of its freedoms has a link; the link of the first of two has no mass (see figure.stacked)
    twin       the mirror image of a limb in y = 0; axes of rotation are also reversed, so equal angles are symmetric

Parts collide with the ground only: limbs have no contacts with each other unless a world adds them.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from gambol.evolve.genotype.body import TRUNK, Body, Freedom, Limb, Mark, Segment, Trunk, spine_of
from gambol.evolve.genotype.servos import arm_of, rotor_of, strength_of, unit_of
from gambol.figure import IDENTITY, Box, Ellipsoid, Frustum, Joint, Link, Matrix3, Part, Sphere, Triple, stacked
from gambol.lanes import Scalar, elementwise, maximum, minimum, total, where
from gambol.spatial import Rotation

CREATURE, GROUND = 2, 1
"""Collision groups of a creature's parts and of the ground: the parts collide with the ground only."""

ZERO_TOLERANCE = 1e-14
"""Sines and cosines below this are set to 0: a quarter turn then gives exact zeros, which programs omit."""


@dataclass(frozen=True)
class PlacedFreedom:
    """A freedom of a body, with the link that it moves, and the limb and segment that it belongs to.

    link: name of the link. chain: name of limb and side, such as "limb1 left". number: index of the segment, from 0.
    """

    link: str
    chain: str
    limb: Limb
    number: int
    freedom: Freedom

    @property
    def unit(self) -> Scalar:
        """The size of one unit of the genes middle and reach [rad or m], see servos.unit_of()."""
        return unit_of(self.freedom, self.limb.segments[self.number].length)

    @property
    def arm(self) -> Scalar:
        """The moment arm of its muscles [m], see servos.arm_of()."""
        return arm_of(self.freedom, self.limb.segments[self.number].upper_radius)

    def strength(self, mass: Scalar) -> Scalar:
        """Return the largest torque or force [N m or N]; mass: mass of the creature [kg]."""
        return strength_of(self.freedom, self.limb, self.number, mass)


def placed_freedoms(body: Body) -> Iterator[PlacedFreedom]:
    """Yield the freedoms of a body in the order of its links: each limb, then its twin, from the trunk outward."""
    for chain, limb, _ in body.chains():
        for number, segment in enumerate(limb.segments):
            link = segment_name(chain, number)
            for k, freedom in enumerate(segment.freedoms):
                is_last = k == len(segment.freedoms) - 1
                yield PlacedFreedom(link if is_last else f"{link} joint{k + 1}", chain, limb, number, freedom)


def feet_of(body: Body) -> tuple[str, ...]:
    """Return the name of the last link of every limb and twin, also of limbs without a foot."""
    return tuple(segment_name(chain, len(limb.segments) - 1) for chain, limb, _ in body.chains())


def standing_feet(body: Body) -> tuple[int, ...]:
    """Return the indices, among feet_of(), of the limbs and twins that have a foot."""
    return tuple(k for k, (_, limb, _) in enumerate(body.chains()) if limb.foot)


def last_end(body: Body, word: str) -> int:
    """Return the index, among feet_of(), of the last limb or twin with a word in its name, -1 for none."""
    return max((k for k, (chain, _, _) in enumerate(body.chains()) if word in chain.lower()), default=-1)


def segment_name(chain: str, number: int) -> str:
    """Return the name of a segment's link; number: index of the segment, from 0."""
    return f"{chain} {number + 1}"


def mass_of(body: Body) -> Scalar:
    """Return the mass of a body with all twins [kg]."""
    segments = ((segment, len(limb.sides)) for limb in body.limbs for segment in limb.segments)
    return total(
        (frustum_of(segment).mass_properties().mass * sides for segment, sides in segments),
        _box(body.trunk).volume * body.trunk.density,
    )


def links_of(body: Body) -> tuple[Link, ...]:
    """Return the links of a body, twins included, parents first."""
    marks = marks_of(body)
    trunk = trunk_link(body.trunk)
    links = (trunk, *_limbs(body, mass_of(body)))
    return tuple(
        replace(link, parts=(*link.parts, *marks[link.name])) if link.name in marks else link for link in links
    )


def trunk_link(trunk: Trunk) -> Link:
    """Return the root link: a box with mass, then the contact balls."""
    box = Part(_box(trunk), density=trunk.density, colliding=False, color=trunk.color)
    radius = minimum(trunk.width, trunk.height) / 2
    x, y, z = (maximum(edge / 2 - radius, 0.0) for edge in box.shape.sizes)
    # the radius is half of the width or half of the height, so y or z is 0, and four balls are enough
    balls = (_ball(radius, (sx * x, sy * y, sy * z)) for sx in (1.0, -1.0) for sy in (1.0, -1.0))
    return Link(TRUNK, None, Joint("free"), (box, *balls))


def _box(trunk: Trunk) -> Box:
    return Box((trunk.length, trunk.width, trunk.height))


def _ball(radius: Scalar, position: Triple) -> Part:
    return Part(Sphere(radius), position, inertial=False, group=CREATURE, mask=GROUND)


def _limbs(body: Body, mass: Scalar) -> Iterator[Link]:
    """Yield the links of all limbs and twins; mass: mass of the body [kg]."""
    rotors: Mapping[str, Scalar] = {
        p.link: rotor_of(p.freedom, p.strength(mass), p.unit) for p in placed_freedoms(body)
    }
    for chain, limb, side in body.chains():
        parent, position, turn = _mount(body, limb)
        for number, segment in enumerate(limb.segments):
            name = segment_name(chain, number)
            names = [*(f"{name} joint{k + 1}" for k in range(len(segment.freedoms) - 1)), name]
            pairs = zip(names, _joints(segment, position, turn, side), strict=True)
            joints = [(link, replace(joint, rotor=rotors[link])) for link, joint in pairs]
            parts = tuple(replace(part, color=limb.color) for part in _segment_parts(limb, number))
            yield from stacked(Link(name, parent, joints[-1][1], parts), joints)
            parent, position, turn = name, (0.0, 0.0, -segment.length), IDENTITY


def _mount(body: Body, limb: Limb) -> tuple[str, Triple, Matrix3]:
    """Return the link that carries a limb, the position of its joint [m], and the rotation of its axes.

    For a mirrored pair, the values are those of the left limb.
    """
    if (found := spine_of(body, limb)) is None:
        return TRUNK, _attachment_point(body.trunk, limb), IDENTITY
    spine, number = body.limbs[found[0]], found[1]
    segments, (x, y, z) = spine.segments[: number + 1], limb.at
    radius, length = segments[-1].upper_radius, segments[-1].length
    s, c = sine_cosine(total(segment.pitch for segment in segments))
    upright = ((c, 0.0, -s), (0.0, 1.0, 0.0), (s, 0.0, c))
    chain = limb.on.rpartition(" ")[0] + " middle"
    return segment_name(chain, number), (x * radius, y * radius, z * length), upright


def _attachment_point(trunk: Trunk, limb: Limb) -> Triple:
    """Return the attachment point of a limb on the trunk [m]; of a mirrored pair, the value of the left limb."""
    x, y, z = (fraction * edge / 2 for fraction, edge in zip(limb.at, _box(trunk).sizes, strict=True))
    return (x, y, z)


def _joints(segment: Segment, position: Triple, turn: Matrix3, side: str) -> Iterator[Joint]:
    """Yield the joints, of one freedom each, that attach a segment to its parent. turn: see _mount()."""
    rotation = segment_rotation(segment)
    rotation = rotation if turn is IDENTITY else (Rotation(turn) @ Rotation(rotation)).rows
    for k, freedom in enumerate(segment.freedoms):
        joint = Joint(freedom.kind, axis_of(freedom))
        joint = joint if k else replace(joint, rotation=rotation, position=position)
        yield _mirrored(joint) if side == "right" else joint


def axis_of(freedom: Freedom) -> Triple:
    """Return the axis of a freedom in its link's frame, for a limb that is not a twin."""
    (sa, ca), (se, ce) = sine_cosine(freedom.azimuth), sine_cosine(freedom.elevation)
    return (-sa * ce, ca * ce, se)


def segment_rotation(segment: Segment) -> Matrix3:
    """Return the rotation of a segment: by its pitch about y, then by its roll about x, both axes of the parent."""
    (sp, cp), (sr, cr) = sine_cosine(segment.pitch), sine_cosine(segment.roll)
    return ((cp, 0.0, sp), (sr * sp, cr, -sr * cp), (-cr * sp, sr, cr * cp))


def sine_cosine(angle: Scalar) -> tuple[Scalar, Scalar]:
    """Return sine and cosine; values below ZERO_TOLERANCE are set to 0."""
    s, c = elementwise(math.sin, angle), elementwise(math.cos, angle)
    return where(abs(s) < ZERO_TOLERANCE, 0.0, s), where(abs(c) < ZERO_TOLERANCE, 0.0, c)


def _mirrored(joint: Joint) -> Joint:
    """Return the mirror image of a joint in y = 0: M p for positions, M R M for rotations, M a for prismatic axes.

    The mirror image of a rotation about an axis a is the rotation about -M a by the same angle.
    """
    (a, b, c), (d, e, f), (g, h, i) = joint.rotation
    (x, y, z), (u, v, w) = joint.position, joint.axis
    is_revolute = joint.kind == "revolute"
    return replace(
        joint,
        rotation=((a, -b, c), (-d, e, -f), (g, -h, i)),
        position=(x, -y, z),
        axis=(-u, v, -w) if is_revolute else (u, -v, w),
    )


def frustum_of(segment: Segment) -> Part:
    """Return the frustum of a segment, from its joint along -z."""
    shape = Frustum(segment.lower_radius, segment.upper_radius, segment.length)
    return Part(shape, (0.0, 0.0, -segment.length / 2), density=segment.density, colliding=False)


def _segment_parts(limb: Limb, number: int) -> tuple[Part, ...]:
    """Return a segment's frustum, which has its mass, and the contact ball at its end.

    The ball's radius is the larger one of the two segments that meet there.
    """
    segment, radius = limb.segments[number], limb.segments[number].lower_radius
    for next_segment in limb.segments[number + 1 : number + 2]:
        radius = maximum(radius, next_segment.upper_radius)
    return frustum_of(segment), _ball(radius, (0.0, 0.0, -segment.length))


def marks_of(body: Body) -> Mapping[str, tuple[Part, ...]]:
    """Return the drawn parts of all marks of a body, by link."""
    parts: dict[str, list[Part]] = defaultdict(list)
    for mark in body.marks:
        for link, scale, side in _places(body, mark.on):
            x, y, z = mark.at
            for sign in (1.0, -1.0) if side == "middle" and y else (-1.0 if side == "right" else 1.0,):
                parts[link].append(_part(mark, (x * scale[0], sign * y * scale[1], z * scale[2])))
    return {link: tuple(found) for link, found in parts.items()}


def _part(mark: Mark, position: Triple) -> Part:
    return Part(Ellipsoid(mark.size), position, inertial=False, colliding=False, color=mark.color)


def _places(body: Body, on: str) -> list[tuple[str, tuple[Scalar, Scalar, Scalar], str]]:
    """Return the links that a mark is fixed to, the units of its position along x, y and z [m], and their sides."""
    if on == TRUNK:
        return [(TRUNK, (body.trunk.length / 2, body.trunk.width / 2, body.trunk.height / 2), "middle")]
    name, _, number = on.rpartition(" ")
    found: list[tuple[str, tuple[Scalar, Scalar, Scalar], str]] = []
    for chain, limb, side in body.chains():
        if chain == f"{name} {side}":
            segment = limb.segments[int(number) - 1]
            found.append(
                (
                    segment_name(chain, int(number) - 1),
                    (segment.upper_radius, segment.upper_radius, segment.length),
                    side,
                )
            )
    return found
