"""Writing URDF: a link and a joint for each of ours; where the format lacks a joint, two with a link without mass."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from gambol.errors import FigureError
from gambol.figure import (
    Closure,
    Coupling,
    Figure,
    Joint,
    JointSpring,
    PlacedLink,
    compose,
    resolve_springs,
    transposed,
)
from gambol.figure.rotation import matrix, triple
from gambol.formats.losses import Losses
from gambol.formats.markup import Element, markup_text, numbers_text
from gambol.formats.meshes import obj_text
from gambol.formats.specimen import EARTH, Motor, Specimen
from gambol.formats.urdf.pieces import TYPES, Meshes, inertial, joint, shapes
from gambol.formats.writing import moved_into_place

LACKS: Final = {
    "rotors": "a rotor",
    "springs": "a spring, a constant force, or dampers on a joint of several coordinates",
    "closures": "a closure",
    "couplings": "a coupling that is not linear in another joint",
    "motors": "a motor that does not give a torque or a force, or acts on several coordinates",
    "hollow shapes": "a shape that others can be inside of",
    "prescribed base": "a base that moves as it is told",
}


@dataclass(frozen=True)
class Row:
    """A joint to write: the name of its child, its own, that of the child's parent, and what acts on it."""

    child: str
    name: str
    parent: str
    joint: Joint
    spring: JointSpring
    motor: Motor | None


def write_urdf(specimen: Specimen, path: str | Path, *, leave_out: Collection[str] = ()) -> tuple[str, ...]:
    """Write a specimen as a URDF file, which read_urdf, Pinocchio and MuJoCo read.

    A root on a free joint is written without it: read_urdf(path, "free") gives it back. Universal, cylindrical and
    helical joints become two with a link without mass between, of which a helical one's slide mimics its turn. Hulls
    and ellipsoids become meshes in files of their own beside it. The stiffness of limits stays behind. leave_out: what
    URDF lacks and the file may be written without, by name. Returns notes on what was left out or approximated. Raises
    GambolError for what URDF cannot hold, such as spherical joints.
    """
    losses, figure, meshes = Losses("URDF", LACKS, leave_out), specimen.figure, Meshes(Path(path).stem)
    _note_setting(specimen, losses)
    robot = Element("robot", {"name": figure.name})
    rows = _rows(specimen, losses)
    names = {row.child: row.name for row in rows}
    for name in dict.fromkeys([rows[0].parent] if rows else [figure.root.name]):
        robot.children.append(_link(figure, name, meshes, losses))
    for row in rows:
        robot.children.append(_link(figure, row.child, meshes, losses))
        robot.children.append(joint(row.name, (row.parent, row.child), row.joint, row.spring, row.motor))
    _couple(figure, robot, names, losses)
    robot.children.extend(_transmission(row) for row in rows if row.motor is not None and row.motor.gear[0] != 1.0)
    for name, hull in meshes.hulls.items():
        with moved_into_place(Path(path).parent / name) as beside:
            beside.write_text(obj_text(hull), encoding="utf-8")
    with moved_into_place(path) as beside:
        beside.write_text(markup_text(robot), encoding="utf-8")
    return tuple(losses.notes)


def _note_setting(specimen: Specimen, losses: Losses) -> None:
    """Say what of the specimen lies outside a URDF."""
    figure = specimen.figure
    if figure.prescribed:
        losses.lose("prescribed base", f'figure "{figure.name}"')
    if specimen.ground or specimen.gravity != EARTH:
        losses.note("Left out: ground and gravity.")
    if specimen.density or specimen.viscosity:
        losses.note("Left out: the medium.")
    if figure.apart or figure.paired:
        losses.note("Left out: which links touch each other.")
    if Specimen(figure).q != specimen.q or any(specimen.v):
        losses.note("Left out: where and how it starts.")


def _link(figure: Figure, name: str, meshes: Meshes, losses: Losses) -> Element:
    """A link's element; of one that only lies between two joints, its name alone."""
    element = Element("link", {"name": name})
    for link in figure.links:
        if link.name == name:
            if link.mass_properties.mass:
                element.children.append(inertial(link.mass_properties))
            for part in link.parts:
                element.children.extend(shapes(part, meshes, losses))
    return element


def _rows(specimen: Specimen, losses: Losses) -> list[Row]:
    """The joints to write, parents first; the root has one only where it is tied to the world in some other way."""
    figure = specimen.figure
    springs = resolve_springs(figure, specimen.springs)
    motors = _motors(specimen, losses)
    home = figure.root.joint
    plain = home.kind == "free" or (home.kind == "fixed" and home.rotation == compose() and not any(home.position))
    if home.kind == "free" and (home.rotation != compose() or any(home.position)):
        losses.note("Left out: where the root lies at rest.")
    taken = {link.name for link in figure.links}
    world = "world" if "world" not in taken else f"world of {figure.name}"
    rows: list[Row] = []
    for link in figure.links:
        if link is figure.root and plain:
            continue
        parent = figure.links[link.parent_index - 1].name if link.parent_index else world
        rows.extend(_hung(link, parent, springs.get(link.name, ()), motors.get(link.name), losses))
    return rows


def _hung(
    link: PlacedLink, parent: str, springs: Sequence[JointSpring], motor: Motor | None, losses: Losses
) -> list[Row]:
    """The joints by which a link hangs on its parent, each on the one before."""
    of = f'the joint of "{link.name}"'
    if link.joint.armature:
        losses.lose("rotors", of)
    stiff = any(s.stiffness or s.bias or (s.alpha and s.beta) for s in springs)
    if stiff or (link.joint.kind in ("planar", "free") and any(s.damping or s.friction for s in springs)):
        losses.lose("springs", of)
    parts = _parts(link)
    rows: list[Row] = []
    for number, (end, given, place) in enumerate(parts, start=1):
        last = number == len(parts)
        spring = springs[place] if springs and place is not None else JointSpring()
        name = motor.name if motor is not None and last else f"{link.name}{end} joint"
        rows.append(
            Row(link.name + end, name, rows[-1].child if rows else parent, given, spring, motor if last else None)
        )
    return rows


def _parts(link: PlacedLink) -> tuple[tuple[str, Joint, int | None], ...]:
    """A link's joint as joints that URDF has: the end of each child's name, the joint, and the place of ours it is."""
    given, kind = link.joint, link.joint.kind
    first = Joint("rotary", given.axis, given.rotation, given.position)
    if kind == "cylindrical":
        return (" turn", first, 0), ("", Joint("sliding", given.axis), 1)
    if kind == "helical":
        return (" slide", replace(first, kind="sliding"), None), ("", Joint("rotary", given.axis), 0)
    if kind == "universal":
        return (" turn", first, 0), ("", Joint("rotary", triple(given.across or ())), 1)
    if kind == "planar":
        across = triple(given.across or ())
        R_LJ = matrix(np.array([across, np.cross(given.axis, across), given.axis]).T)
        if compose() == R_LJ:
            return (("", given, None),)
        plane = Joint("planar", rotation=compose(given.rotation, R_LJ), position=given.position)
        return (" plane", plane, None), ("", Joint("fixed", rotation=transposed(R_LJ)), None)
    if kind not in TYPES:
        raise FigureError(f'link "{link.name}" hangs on a {kind} joint, which URDF does not have')
    return (("", given, 0 if kind in ("rotary", "sliding") else None),)


def _motors(specimen: Specimen, losses: Losses) -> dict[str, Motor]:
    """The motor of each link's joint that URDF can hold."""
    kept: dict[str, Motor] = {}
    for motor in specimen.motors:
        if motor.kind != "torque" or len(motor.gear) != 1 or motor.gear[0] == 0.0 or motor.joint in kept:
            losses.lose("motors", f'motor "{motor.name}"')
            continue
        kept[motor.joint] = motor
        if (
            motor.gain != 1.0
            or math.isfinite(motor.lower)
            or math.isfinite(motor.upper)
            or motor.weakest != -motor.strongest
        ):
            losses.note("Of motors, only the strongest force and the gear are kept.")
    return kept


def _couple(figure: Figure, robot: Element, names: Mapping[str, str], losses: Losses) -> None:
    """Put couplings into the joints that mimic others."""
    elements = {element.name(): element for element in robot.all("joint")}
    screws = (
        Coupling(f"{link.name} slide", link.name, (0.0, link.joint.pitch))
        for link in figure.links
        if link.joint.kind == "helical"
    )
    for constraint in (*figure.constraints, *screws):
        if isinstance(constraint, Closure):
            losses.lose("closures", f'the {constraint.kind} closure of "{constraint.link}"')
        elif constraint.other is None or len(constraint.coefficients) > 2:
            losses.lose("couplings", f'the coupling of "{constraint.joint}"')
        else:
            offset, multiplier = (*constraint.coefficients, 0.0)[:2]
            given = {"joint": names[constraint.other], "offset": numbers_text([offset])}
            mimic = Element("mimic", given | {"multiplier": numbers_text([multiplier])})
            elements[names[constraint.joint]].children.append(mimic)


def _transmission(row: Row) -> Element:
    """What lies between a motor and its joint."""
    assert row.motor is not None  # written for those alone
    reduction = Element("mechanicalReduction", text=numbers_text(row.motor.gear))
    driven, actuator = Element("joint", {"name": row.name}), Element("actuator", {"name": row.motor.name})
    actuator.children.append(reduction)
    kind = Element("type", text="transmission_interface/SimpleTransmission")
    return Element("transmission", {"name": f"{row.name} transmission"}, [kind, driven, actuator])
