"""Writing MJCF: a figure as MuJoCo's bodies, with what pushes, ties and drives it, and how it starts."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from gambol.figure import Part, PlacedLink, compose, resolve_springs, spring_places, turned
from gambol.figure.joint import rates
from gambol.figure.rotation import matrix, triple
from gambol.formats.losses import Losses
from gambol.formats.markup import Element, markup_text, numbers_text
from gambol.formats.mjcf.writing.closing import Ties
from gambol.formats.mjcf.writing.pieces import inertial, joint, motor, place_text, quaternion_text
from gambol.formats.mjcf.writing.shapes import contacts, geom, shape_name
from gambol.formats.mjcf.writing.stack import Body, bodies_of
from gambol.formats.specimen import Specimen
from gambol.formats.writing import moved_into_place
from gambol.spatial import Quaternion, Rotation

LACKS = {
    "exponential springs": "a spring that stiffens exponentially",
    "biases": "a constant force",
    "rotors": "a rotor on a free or planar joint",
    "springs": "springs on a free joint, or dampers that differ along a plane",
    "closures": "a closure that slides",
    "motors": "a kind, or several gears, of its own",
    "hollow shapes": "a form that others can be inside of",
    "prescribed base": "a base that moves as it is told",
}


def write_mjcf(specimen: Specimen, path: str | Path, *, leave_out: Collection[str] = ()) -> tuple[str, ...]:
    """Write a specimen as a MJCF file, which MuJoCo and read_mjcf read.

    Universal, cylindrical, helical and planar joints become hinges and slides; the coordinates of a planar one are then
    x, y and angle, and the slide of a helical one is coupled to its turn. A closure that is a hinge becomes two points
    on its axis, a distance a tendon. The stiffness of limits stays behind. leave_out: what MuJoCo lacks and the file
    may be written without, by name. Returns notes on what was left out or approximated. Raises GambolError for what
    MuJoCo cannot hold.
    """
    losses = Losses("MJCF", LACKS, leave_out)
    figure = specimen.figure
    if figure.prescribed:
        losses.lose("prescribed base", f'figure "{figure.name}"')
    root = Element("mujoco", {"model": figure.name})
    root.children.append(Element("compiler", {"angle": "radian", "inertiafromgeom": "false"}))
    option = {"gravity": numbers_text(specimen.gravity), "integrator": "RK4"}
    medium = {"density": specimen.density, "viscosity": specimen.viscosity}
    root.children.append(Element("option", option | {name: numbers_text((x,)) for name, x in medium.items() if x}))
    bodies = bodies_of(figure)
    elements, meshes = _bodies(specimen, bodies, losses)
    ties = Ties(figure, elements)
    ties.add(losses)
    start = [_start(specimen, _in_order(bodies))]
    sections = {
        "asset": meshes,
        "worldbody": elements[0].children,
        "contact": contacts(figure, [body.link.name for body in bodies], losses),
        "tendon": ties.tendon,
        "equality": ties.equality,
    }
    for tag, children in (*sections.items(), ("actuator", _motors(specimen, losses)), ("keyframe", start)):
        root.children.extend([Element(tag, children=children)] if children else [])
    with moved_into_place(path) as beside:
        beside.write_text(markup_text(root), encoding="utf-8")
    return tuple(losses.notes)


def _bodies(specimen: Specimen, bodies: Sequence[Body], losses: Losses) -> tuple[dict[int, Element], list[Element]]:
    """An element for the body of each link, by its number, in the one it hangs on; 0: the world's. And meshes."""
    springs = resolve_springs(specimen.figure, specimen.springs)
    named = {name for pair in specimen.figure.paired for name in pair}
    elements, meshes = {0: Element("worldbody")}, list[Element]()
    if specimen.ground:
        elements[0].children.append(Element("geom", {"name": "ground", "type": "plane", "size": "0 0 1"}))
    root = specimen.figure.root
    if root.index not in {body.link.index for body in bodies}:
        losses.note("The fixed root without mass is the world itself.")
        _dress(elements[0], replace(root, parts=tuple(_in_world(root, part) for part in root.parts)), meshes, losses)
    for body in bodies:
        link = body.link
        given = {"name": link.name, "pos": place_text(body.position), "quat": quaternion_text(body.rotation)}
        element = elements[link.index] = Element("body", given)
        elements[body.parent].children.append(element)
        if link.mass_properties.mass:
            element.children.append(inertial(link.mass_properties))
        for turn in body.turns:
            element.children.append(joint(turn, springs.get(turn.link.name, ()), losses))
        _dress(element, link, meshes, losses, named=link.name in named)
    return elements, meshes


def _dress(element: Element, link: PlacedLink, meshes: list[Element], losses: Losses, *, named: bool = False) -> None:
    """Put a link's shapes into an element; meshes: grows by those that they need."""
    for number, part in enumerate(link.parts, start=1):
        made = geom(part, shape_name(link, number), losses)
        if made is None:
            continue
        shape, mesh = made
        shape.attributes |= {"name": shape_name(link, number)} if named else {}
        element.children.append(shape)
        meshes.extend([mesh] if mesh is not None else [])


def _in_world(root: PlacedLink, part: Part) -> Part:
    """A part of a fixed root where it stands in the world."""
    home = root.joint
    place = np.array(home.position) + np.array(turned(home.rotation, part.position))
    return replace(part, position=triple(place), rotation=compose(home.rotation, part.rotation))


def _motors(specimen: Specimen, losses: Losses) -> list[Element]:
    """The motors that MuJoCo has: those on joints with one coordinate, or on spherical ones."""
    made: list[Element] = []
    for given in specimen.motors:
        single = len(given.gear) == 1 or specimen.figure.link(given.joint).joint.kind == "spherical"
        if given.kind == "other" or not single:
            losses.lose("motors", f'motor "{given.name}"')
        else:
            made.append(motor(given))
    return made


def _in_order(bodies: Sequence[Body]) -> list[Body]:
    """The bodies as MuJoCo numbers them: each followed by all that it carries."""
    ordered: list[Body] = []
    waiting: list[Body] = [body for body in reversed(bodies) if body.parent == 0]
    while waiting:
        body = waiting.pop()
        ordered.append(body)
        waiting.extend(other for other in reversed(bodies) if other.parent == body.link.index)
    return ordered


def _start(specimen: Specimen, bodies: Sequence[Body]) -> Element:
    """The keyframe "home", in MuJoCo's coordinates."""
    qpos: list[float] = []
    qvel: list[float] = []
    for body in bodies:
        for turn in body.turns:
            link = turn.link
            q, v = list(specimen.q[link.q]), list(specimen.v[link.v])
            if turn.type == "free":
                pose, moving = _free_state(body, q, v)
                qpos.extend(pose)
                qvel.extend(moving)
            elif turn.type == "ball":
                qpos.extend(q)
                qvel.extend(v)
            else:
                place = spring_places(link.joint.kind)[turn.place]
                qpos.extend(x * turn.share for x in q[place])
                qvel.extend(x * turn.share for x in rates(link.joint, q, v)[place])
    return Element("key", {"name": "home", "qpos": numbers_text(qpos), "qvel": numbers_text(qvel)})


def _free_state(body: Body, q: list[float], v: list[float]) -> tuple[list[float], list[float]]:
    """Pose in the world and velocity, linear first and along the world's axes, of a free body."""
    R = compose(body.rotation, matrix(Quaternion(*q[:4]).rotation().rows))
    place = np.array(body.position) + np.array(turned(body.rotation, q[4:]))
    turn = Quaternion.of(Rotation(R)).components()
    return [*place.tolist(), *turn], [*turned(R, v[3:]), *v[:3]]
