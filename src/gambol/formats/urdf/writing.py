"""Writing URDF: one link for each link and one joint for each joint of the figure.

Joints that URDF lacks become two joints in series.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from gambol.errors import FigureError
from gambol.figure import (
    JOINTS,
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
from gambol.formats.export_report import ExportReport
from gambol.formats.meshes import obj_text
from gambol.formats.model import EARTH_GRAVITY, Model, Motor
from gambol.formats.urdf.element_writers import (
    JOINT_TYPES,
    MeshFiles,
    inertial_element,
    joint_element,
    shape_elements,
    visual_elements,
)
from gambol.formats.visuals import ObjFiles
from gambol.formats.writing import atomic_write
from gambol.formats.xml_file import Element, numbers_text, xml_text

UNSUPPORTED: Final = {
    "rotors": "a rotor",
    "springs": "a spring, a constant force, or dampers on a joint of several coordinates",
    "closures": "a closure",
    "couplings": "a coupling that is not linear in another joint",
    "tendons": "a spring, damper or limit along it",
    "motors": "a motor that does not give a torque or a force, or acts on several coordinates",
    "hollow shapes": "a hollow shape",
    "prescribed base": "a prescribed base",
    "matter": "cloth, ropes, meshes or particles",
}
"""The features that URDF lacks: a description of each, by name."""


@dataclass(frozen=True)
class JointRow:
    """A joint to write.

    child, parent: names of its links. name: name of the joint. spring, motor: spring and motor that act on it.
    """

    child: str
    name: str
    parent: str
    joint: Joint
    spring: JointSpring
    motor: Motor | None


def write_urdf(model: Model, path: str | Path, *, leave_out: Collection[str] = ()) -> tuple[str, ...]:
    """Write a model as a URDF file, which read_urdf, Pinocchio and MuJoCo read.

    model: the model to write. path: path of the file. leave_out: names of the unsupported features to leave out. The
    free joint of a root is not written; read_urdf(path, "free") restores it. Universal, cylindrical and helical joints
    become two joints with a massless link between them; so do planar joints whose axes are not the link's z and x. The
    slide of a helical joint mimics its rotation. Hulls, ellipsoids and visual meshes become mesh files in the same
    folder. The stiffness of limits is not written. Returns notes on omitted and approximated features. Raises
    GambolError for other features that URDF lacks, such as spherical joints.
    """
    report, figure, stem = ExportReport("URDF", UNSUPPORTED, leave_out), model.figure, Path(path).stem
    meshes = MeshFiles(stem, ObjFiles(stem))
    _note_left_out(model, report)
    robot = Element("robot", {"name": figure.name})
    rows = _rows(model, report)
    names = {row.child: row.name for row in rows}
    for name in dict.fromkeys([rows[0].parent] if rows else [figure.root.name]):
        robot.children.append(_link_element(figure, name, meshes, report))
    for row in rows:
        robot.children.append(_link_element(figure, row.child, meshes, report))
        robot.children.append(joint_element(row.name, (row.parent, row.child), row.joint, row.spring, row.motor))
    _add_couplings(figure, robot, names, report)
    robot.children.extend(
        _transmission_element(row) for row in rows if row.motor is not None and row.motor.gear[0] != 1.0
    )
    meshes.drawn.write(Path(path).parent)
    for name, hull in meshes.hulls.items():
        with atomic_write(Path(path).parent / name) as temporary:
            temporary.write_text(obj_text(hull), encoding="utf-8")
    with atomic_write(path) as temporary:
        temporary.write_text(xml_text(robot), encoding="utf-8")
    return tuple(report.notes)


def _note_left_out(model: Model, report: ExportReport) -> None:
    """Report the data that URDF lacks: ground, gravity, medium, contact pairs, initial state."""
    figure = model.figure
    if figure.prescribed:
        report.omit("prescribed base", f'figure "{figure.name}"')
    if model.matter is not None:
        report.omit("matter", f'figure "{figure.name}"')
    if model.ground or model.gravity != EARTH_GRAVITY:
        report.note("Left out: ground and gravity.")
    if model.density or model.viscosity:
        report.note("Left out: the medium.")
    if model.sensors:
        report.note("Left out: sensors.")
    if figure.apart or figure.paired:
        report.note("Left out: excluded and included pairs of links.")
    if Model(figure).q != model.q or any(model.v):
        report.note("Left out: the initial state.")


def _link_element(figure: Figure, name: str, meshes: MeshFiles, report: ExportReport) -> Element:
    """Return the element of a link; a massless link between two joints has only a name."""
    element = Element("link", {"name": name})
    for link in figure.links:
        if link.name == name:
            if link.mass_properties.mass:
                element.children.append(inertial_element(link.mass_properties))
            for part in link.parts:
                tags = ("visual",) * (not link.visuals) + ("collision",) * part.colliding
                element.children.extend(shape_elements(part, tags, meshes, report))
            for visual in link.visuals:
                element.children.extend(visual_elements(visual, meshes, report))
    return element


def _rows(model: Model, report: ExportReport) -> list[JointRow]:
    """Return the joints to write, parents first, without a root joint that is free, or fixed at the world's origin."""
    figure = model.figure
    springs = resolve_springs(figure, model.springs)
    motors = _motor_by_link(model, report)
    root_joint = figure.root.joint
    is_implicit = root_joint.kind == "free" or (
        root_joint.kind == "fixed" and root_joint.rotation == compose() and not any(root_joint.position)
    )
    if root_joint.kind == "free" and (root_joint.rotation != compose() or any(root_joint.position)):
        report.note("Left out: the pose of the root at rest.")
    link_names = {link.name for link in figure.links}
    world = "world" if "world" not in link_names else f"world of {figure.name}"
    rows: list[JointRow] = []
    for link in figure.links:
        if link is figure.root and is_implicit:
            continue
        parent = figure.links[link.parent_index - 1].name if link.parent_index else world
        rows.extend(_joint_rows(link, parent, springs.get(link.name, ()), motors.get(link.name), report))
    return rows


def _joint_rows(
    link: PlacedLink, parent: str, springs: Sequence[JointSpring], motor: Motor | None, report: ExportReport
) -> list[JointRow]:
    """Return the joints to write between a link and its parent, in series."""
    owner = f'the joint of "{link.name}"'
    if link.joint.armature:
        report.omit("rotors", owner)
    has_stiffness = any(s.stiffness or s.bias or (s.alpha and s.beta) for s in springs)
    if has_stiffness or (link.joint.kind in ("planar", "free") and any(s.damping or s.friction for s in springs)):
        report.omit("springs", owner)
    joints = _split_joint(link)
    rows: list[JointRow] = []
    for number, (suffix, joint, slice_index) in enumerate(joints, start=1):
        is_last = number == len(joints)
        spring = springs[slice_index] if springs and slice_index is not None else JointSpring()
        name = motor.name if motor is not None and is_last else f"{link.name}{suffix} joint"
        rows.append(
            JointRow(
                link.name + suffix, name, rows[-1].child if rows else parent, joint, spring, motor if is_last else None
            )
        )
    return rows


def _split_joint(link: PlacedLink) -> tuple[tuple[str, Joint, int | None], ...]:
    """Return a link's joint as joints that URDF has: suffix of the child's name, joint, and spring slice, if any."""
    joint, kind = link.joint, link.joint.kind
    first = Joint("revolute", joint.axis, joint.rotation, joint.position)
    if kind == "helical":
        return (" slide", replace(first, kind="prismatic"), None), ("", Joint("revolute", joint.axis), 0)
    if kind == "planar":
        across = triple(joint.across or ())
        R_LJ = matrix(np.array([across, np.cross(joint.axis, across), joint.axis]).T)
        if compose() == R_LJ:
            return (("", joint, None),)
        plane = Joint("planar", rotation=compose(joint.rotation, R_LJ), position=joint.position)
        return (" plane", plane, None), ("", Joint("fixed", rotation=transposed(R_LJ)), None)
    if kind not in JOINT_TYPES:
        if (in_series := JOINTS[kind].in_series) is None:
            raise FigureError(
                f'link "{link.name}" has a {kind} joint, which URDF does not have, and its row of JOINTS has no '
                "`in_series`"
            )
        joints = in_series(joint)
        if unknown := [each.kind for _, each, _ in joints if each.kind not in JOINT_TYPES]:
            raise FigureError(
                f'link "{link.name}" has a {kind} joint, which URDF does not have, and `in_series` of its row of '
                f"JOINTS has a {unknown[0]} joint, which URDF does not have either"
            )
        return joints
    return (("", joint, 0 if kind in ("revolute", "prismatic") else None),)


def _motor_by_link(model: Model, report: ExportReport) -> dict[str, Motor]:
    """Return the motors that URDF can represent, by link name. Tendons are left out."""
    for tendon in model.tendons:
        if tendon.has_force:
            report.omit("tendons", f'the tendon "{tendon.name}"')
        else:
            report.note(f'Left out: the tendon "{tendon.name}", which has no force of its own.')
    link_motors: dict[str, Motor] = {}
    for motor in model.motors:
        if motor.kind != "torque" or len(motor.gear) != 1 or motor.gear[0] == 0.0 or motor.joint in link_motors:
            report.omit("motors", f'motor "{motor.name}"')
            continue
        link_motors[motor.joint] = motor
        if (
            motor.gain != 1.0
            or math.isfinite(motor.lower)
            or math.isfinite(motor.upper)
            or motor.weakest != -motor.strongest
        ):
            report.note("Motors are written with their strongest force and their gear only.")
    return link_motors


def _add_couplings(figure: Figure, robot: Element, names: Mapping[str, str], report: ExportReport) -> None:
    """Add the couplings as mimic elements to the joint elements. names: names of the joints, by child link."""
    elements = {element.name(): element for element in robot.find_all("joint")}
    helical_couplings = (
        Coupling(f"{link.name} slide", link.name, (0.0, link.joint.pitch))
        for link in figure.links
        if link.joint.kind == "helical"
    )
    for constraint in (*figure.constraints, *helical_couplings):
        if isinstance(constraint, Closure):
            report.omit("closures", f'the {constraint.kind} closure of "{constraint.link}"')
        elif constraint.other is None or len(constraint.coefficients) > 2:
            report.omit("couplings", f'the coupling of "{constraint.joint}"')
        else:
            offset, multiplier = (*constraint.coefficients, 0.0)[:2]
            mimic_attributes = {"joint": names[constraint.other], "offset": numbers_text([offset])}
            mimic = Element("mimic", mimic_attributes | {"multiplier": numbers_text([multiplier])})
            elements[names[constraint.joint]].children.append(mimic)


def _transmission_element(row: JointRow) -> Element:
    """Return the transmission element between a motor and its joint."""
    assert row.motor is not None  # only joints with a motor have one
    reduction = Element("mechanicalReduction", text=numbers_text(row.motor.gear))
    driven, actuator = Element("joint", {"name": row.name}), Element("actuator", {"name": row.motor.name})
    actuator.children.append(reduction)
    kind = Element("type", text="transmission_interface/SimpleTransmission")
    return Element("transmission", {"name": f"{row.name} transmission"}, [kind, driven, actuator])
