"""The same figure with fewer links, and in frames that cost forward dynamics less.

A link on a fixed joint becomes part of the link that carries it. A link with one axis is told in axes of which one is
its joint's, turned about it so that the next joint's axis lies in a coordinate plane; its origin moves along the axis
to the foot of the common normal with the parent's axis [Denavit and Hartenberg 1955]. Then one constant turn lies
between two joints, and a shift along two axes. Coordinates, velocities and forces of joints stay what they are.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.errors import FigureError
from gambol.figure import Figure, Link, MassProperties, PlacedLink
from gambol.figure.anybody import told
from gambol.figure.joint import JOINTS
from gambol.figure.mass import combine
from gambol.figure.rotation import matrix, triple
from gambol.spatial.factor import aligned, factors, towards
from gambol.spatial.motion import Force
from gambol.spatial.rotation import Rotation, constant_turn, snapped
from gambol.spatial.transform import SAME, Transform
from gambol.spatial.vector import Vector

PARALLEL = 1e-6  # sine of the angle between axes below which their common normal is taken to be anywhere
ROUNDING = 1e-14  # m; lengths below it come from composing places

TURN, SHIFT, CENTRE, PRODUCT = 50, 30, 10, 20
"""Operations of forward dynamics for a constant turn that is not by right angles, and for each component other than 0
of a place, a centre of mass and the products of inertia: fitted to 24 figures, of which it tells the change to 10 %."""

KINEMATICS = 25  # operations of a link's velocity, which a step wants in the given frame too


@dataclass(frozen=True, slots=True)
class Reframed:
    """A figure in frames that suit forward dynamics.

    figure: its moving links, under the names of the given ones; changed: whether it is another than the given figure.
    numbers, places: for each given link, by its number, that of the link which carries it here, and its frame there.
    """

    figure: Figure
    changed: bool
    numbers: tuple[int, ...]
    places: tuple[Transform, ...]

    def state(self, given: Kinematics) -> Kinematics:
        """A state of the given figure as one of the figure here."""
        return kinematics(self.figure, given.q, given.v) if self.changed else given

    def forces(self, given: Mapping[int, Force]) -> dict[int, Force]:
        """External forces on given links, by their numbers and in their frames, as those on the links here."""
        moved: dict[int, Force] = {}
        for number, force in given.items():
            carrier, here = self.numbers[number], self.places[number] @ force
            moved[carrier] = moved[carrier] + here if carrier in moved else here
        return moved


@dataclass(slots=True, eq=False)
class _Body:
    """A moving link.

    home: its given frame in its parent's given frame, where q = 0. axis: in its given frame, or None for a joint that
    has not just one. masses: of all links that are part of it, in its given frame.
    frame: its new frame in the given one; coordinate: which axis of that is the joint's.
    """

    link: PlacedLink
    parent: "_Body | None"
    home: Transform
    axis: Vector | None
    masses: list[MassProperties] = field(default_factory=list[MassProperties])
    carried: "list[_Body]" = field(default_factory=list["_Body"])
    frame: Transform = SAME
    coordinate: int = 0

    @property
    def at_rest(self) -> Transform:
        """The given frame in the parent's new frame, where q = 0."""
        return self.home if self.parent is None else self.parent.frame.inverse @ self.home


def reframed(figure: Figure) -> Reframed:
    """The figure in other frames, or with fewer links; itself where there is nothing to gain.

    A figure with measures of others, which may be traced, stays as it is: which frames suit it is not known. Raises
    FigureError where the tree is data.
    """
    if told(figure):
        raise FigureError(f'the tree of "{figure.name}" is data; of the methods of forward dynamics take "crba"')
    if not figure.plain:
        count = len(figure.links) + 1
        return Reframed(figure, False, tuple(range(count)), (SAME,) * count)
    return _reframed(figure)


@lru_cache(maxsize=256)
def _reframed(figure: Figure) -> Reframed:
    """The same for a figure of plain numbers."""
    carriers, places = _carriers(figure)
    bodies = list(dict.fromkeys(body for body in carriers if body is not None))
    made = figure if len(bodies) == len(figure.links) else Figure(figure.name, tuple(map(_link, bodies)))
    for body in bodies:
        _choose_frame(body)
    turned = Figure(figure.name, tuple(map(_link, bodies)))
    moving = sum(link.joint.kind != "fixed" for link in turned.links)
    if work(turned) + KINEMATICS * moving < work(made):
        made = turned
        places = [p if b is None else b.frame.inverse @ p for b, p in zip(carriers, places, strict=True)]
    number = {body: k for k, body in enumerate(bodies, start=1)}
    numbers = tuple(0 if body is None else number[body] for body in carriers)
    return Reframed(made, made is not figure, numbers, tuple(places))


def work(figure: Figure) -> int:
    """About how many operations of forward dynamics the constants of a figure's links cost."""
    total = 0
    for link in figure.links:
        joint, m = link.joint, link.mass_properties
        rotation = Rotation(joint.rotation)
        at = aligned(rotation, joint.axis) if JOINTS[joint.kind].axes == 1 else None
        turns = factors(rotation) if at is None else at.outer + at.inner
        total += TURN * sum(all(turn.rows[i][i] != 0.0 for i in range(3)) for turn in turns)
        total += SHIFT * sum(x != 0.0 for x in joint.position) + CENTRE * sum(x != 0.0 for x in m.com)
        total += PRODUCT * sum(x != 0.0 for x in (m.inertia[0][1], m.inertia[0][2], m.inertia[1][2]))
    return total


def _carriers(figure: Figure) -> tuple[list[_Body | None], list[Transform]]:
    """For each link, by its number, the moving link which it is part of, and its frame in that link's."""
    carriers: list[_Body | None] = [None]
    places = [SAME]
    for link in figure.outward():
        carrier = carriers[link.parent_index]
        here = places[link.parent_index] @ Transform(Rotation(link.joint.rotation), Vector(*link.joint.position))
        if link.joint.kind != "fixed" or carrier is None:
            body = _Body(link, carrier, here, _axis(link))
            if carrier is not None:
                carrier.carried.append(body)
            carrier, here = body, SAME
        if link.mass_properties.mass > 0.0:
            carrier.masses.append(_seen(link.mass_properties, here))
        carriers.append(carrier)
        places.append(here)
    return carriers, places


def _axis(link: PlacedLink) -> Vector | None:
    return Vector(*link.joint.axis) if JOINTS[link.joint.kind].axes == 1 else None


def _choose_frame(body: _Body) -> None:
    """Give a body its new frame; its parent has one."""
    if body.axis is None:
        return
    body.coordinate, turn = towards(list(body.axis))
    # Where the centre of mass lies in a coordinate plane, a slide would cost more zeros than it makes.
    general = bool(body.masses) and all(x != 0.0 for x in body.masses[0].com)
    origin = body.axis * (_slide(body, body.axis) if general else 0.0)
    body.frame = Transform(turn, origin)
    following = next((child for child in body.carried if child.axis is not None), None)
    if following is not None:
        body.frame = Transform(turn @ constant_turn(body.coordinate, _twist(following, body.coordinate)), origin)


def _slide(body: _Body, axis: Vector) -> float:
    """How far along its axis a body's origin moves [m].

    On a parent with one axis: to the foot of the common normal. Where there is none, or its foot is anywhere: to where
    the component of its place along the axis' largest component vanishes.
    """
    u, r = body.at_rest.rotation @ axis, body.at_rest.position
    if body.parent is not None and body.parent.axis is not None:
        across = u.with_component(body.parent.coordinate, 0.0)
        if across.length() > PARALLEL:
            return -r.dot(across) / across.dot(across)
    k = max(range(3), key=lambda i: abs(u[i]))
    return -r[k] / u[k]


def _twist(child: _Body, k: int) -> float:
    """The least turn about the parent's axis k that brings a child's axis into a coordinate plane [rad].

    Where the child's axis is parallel to k, its place is brought there.
    """
    assert child.axis is not None
    u, (i, j) = child.at_rest.rotation @ child.axis, ((k + 1) % 3, (k + 2) % 3)
    if math.hypot(u[i], u[j]) < PARALLEL:
        u = child.at_rest.position
    angle = math.atan2(u[j], u[i])
    return angle - round(angle / (math.pi / 2.0)) * (math.pi / 2.0)


def _link(body: _Body) -> Link:
    """The body as a link of the new figure."""
    given, rest = body.link.joint, body.at_rest @ body.frame
    axis = given.axis if body.axis is None else triple([snapped(x) for x in body.frame.rotation.transpose @ body.axis])
    joint = replace(
        given,
        axis=axis,
        rotation=matrix([[snapped(x) for x in row] for row in rest.rotation.rows]),
        position=triple([x if abs(x) > ROUNDING else 0.0 for x in rest.position]),
    )
    masses = [_seen(mass, body.frame.inverse) for mass in body.masses]
    mass = masses[0] if len(masses) == 1 else combine(masses) if masses else None
    return Link(body.link.name, body.parent and body.parent.link.name, joint, (), mass)


def _seen(mass: MassProperties, frame: Transform) -> MassProperties:
    """Mass properties told in a frame, as they are where that frame has this pose."""
    return mass if frame == SAME else mass.placed(matrix(frame.rotation.rows), triple(list(frame.position)))
