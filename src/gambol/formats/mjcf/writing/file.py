"""Writing MJCF: a model as MuJoCo's bodies, joints, geoms, equalities, actuators, and a keyframe."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from gambol.figure import Part, PlacedLink, Visual, compose, resolve_springs, rotated, spring_slices
from gambol.figure.joint import q_dot
from gambol.figure.rotation import matrix, triple
from gambol.formats.export_report import ExportReport
from gambol.formats.mjcf.writing.bodies import Body, bodies_of
from gambol.formats.mjcf.writing.elements import (
    inertial_element,
    joint_element,
    motor_element,
    position_text,
    quaternion_text,
)
from gambol.formats.mjcf.writing.equalities import Equalities
from gambol.formats.mjcf.writing.sensors import SensorWriter
from gambol.formats.mjcf.writing.shapes import contact_elements, geom_element, shape_name
from gambol.formats.mjcf.writing.tendons import Tendons
from gambol.formats.mjcf.writing.visuals import HIDDEN, Assets, visual_geoms
from gambol.formats.model import Model
from gambol.formats.visuals import ObjFiles
from gambol.formats.writing import atomic_write
from gambol.formats.xml_file import Element, numbers_text, xml_text
from gambol.spatial import Quaternion, Rotation

UNSUPPORTED = {
    "exponential springs": "a spring that stiffens exponentially",
    "biases": "a constant force",
    "rotors": "a rotor on a free or planar joint",
    "springs": "springs on a free joint, or dampers that differ along a plane",
    "closures": "a closure that slides",
    "motors": "a kind that MuJoCo lacks, or several gears",
    "tendons": "a point of its path on a link that MuJoCo merges into another",
    "hollow shapes": "a hollow shape",
    "prescribed base": "a prescribed base",
    "matter": "cloth, ropes, meshes or particles",
}
"""Features that MJCF cannot express: their names, as in `leave_out`, and their descriptions for messages.

"springs" includes a planar joint whose two slides have different dampers or friction: their axes turn with the link;
the axes of MuJoCo's slides do not.
"""


PartOrVisual = TypeVar("PartOrVisual", Part, Visual)


def write_mjcf(model: Model, path: str | Path, *, leave_out: Collection[str] = ()) -> tuple[str, ...]:
    """Write a model as an MJCF file, which MuJoCo and read_mjcf read.

    model: the model to write. path: path of the file. leave_out: names of the UNSUPPORTED features to leave out.
    Visual meshes become OBJ and PNG files in the same folder; parts of links with visuals are in group 3, which
    MuJoCo's viewer hides. Universal, cylindrical, helical and planar joints become hinges and slides. The coordinates
    of a planar joint are then x, y and angle; the slide of a helical joint is coupled to its hinge. A hinge closure
    becomes two points on its axis, and a distance closure a tendon. The stiffness of limits is not written. Returns
    notes on omitted and approximated features. Raises GambolError for features that MuJoCo lacks.
    """
    report = ExportReport("MJCF", UNSUPPORTED, leave_out)
    figure = model.figure
    if figure.prescribed:
        report.omit("prescribed base", f'figure "{figure.name}"')
    if model.matter is not None:
        report.omit("matter", f'figure "{figure.name}"')
    root = Element("mujoco", {"model": figure.name})
    root.children.append(Element("compiler", {"angle": "radian", "inertiafromgeom": "false"}))
    option = {"gravity": numbers_text(model.gravity), "integrator": "RK4"}
    medium = {"density": model.density, "viscosity": model.viscosity}
    root.children.append(Element("option", option | {name: numbers_text((x,)) for name, x in medium.items() if x}))
    bodies = bodies_of(figure)
    assets = Assets(ObjFiles(Path(path).stem, png=True))
    elements = _body_elements(model, bodies, assets, report)
    equalities = Equalities(figure, elements)
    equalities.add(report)
    tendons = Tendons(figure, elements)
    for tendon in model.tendons:
        tendons.add(tendon, report)
    sensors = SensorWriter(figure, model.motors, bodies, elements, report)
    keyframes = [_keyframe(model, _depth_first(bodies))]
    sections = {
        "asset": [*assets.elements.values()],
        "worldbody": elements[0].children,
        "contact": contact_elements(figure, bodies, report),
        "tendon": [*equalities.tendon, *tendons.written],
        "equality": equalities.equality,
    }
    for tag, children in (
        *sections.items(),
        ("actuator", _motor_elements(model, tendons, report)),
        ("sensor", [element for entry in model.sensors for element in sensors.written(entry)]),
        ("keyframe", keyframes),
    ):
        root.children.extend([Element(tag, children=children)] if children else [])
    assets.files.write(Path(path).parent)
    with atomic_write(path) as temporary:
        temporary.write_text(xml_text(root), encoding="utf-8")
    return tuple(report.notes)


def _body_elements(model: Model, bodies: Sequence[Body], assets: Assets, report: ExportReport) -> dict[int, Element]:
    """Return the nested body elements by link number, 0 for the world. assets: receives the assets of their geoms."""
    springs = resolve_springs(model.figure, model.springs)
    paired_links = {name for pair in model.figure.paired for name in pair}
    elements = {0: Element("worldbody")}
    if model.ground:
        elements[0].children.append(Element("geom", {"name": "ground", "type": "plane", "size": "0 0 1"}))
    root = model.figure.root
    if root.index not in {body.link.index for body in bodies}:
        report.note("The fixed root without mass is the world itself.")
        parts = tuple(_in_world(root, part) for part in root.parts)
        visuals = tuple(_in_world(root, visual) for visual in root.visuals)
        _add_shapes(elements[0], replace(root, parts=parts, visuals=visuals), assets, report)
    for body in bodies:
        link = body.link
        attributes = {"name": link.name, "pos": position_text(body.position), "quat": quaternion_text(body.rotation)}
        element = elements[link.index] = Element("body", attributes)
        elements[body.parent].children.append(element)
        if link.mass_properties.mass:
            element.children.append(inertial_element(link.mass_properties, link.name, report))
        for mj_joint in body.joints:
            element.children.append(joint_element(mj_joint, springs.get(mj_joint.link.name, ()), report))
        _add_shapes(element, link, assets, report, named=link.name in paired_links)
    return elements


def _add_shapes(
    element: Element, link: PlacedLink, assets: Assets, report: ExportReport, *, named: bool = False
) -> None:
    """Add a link's shapes and visuals to an element. named: True to name the geoms of its shapes."""
    for number, part in enumerate(link.parts, start=1):
        geom_and_mesh = geom_element(part, shape_name(link, number), report)
        if geom_and_mesh is None:
            continue
        geom, mesh = geom_and_mesh
        geom.attributes |= {"name": shape_name(link, number)} if named else {}
        geom.attributes |= {"group": HIDDEN} if link.visuals else {}
        element.children.append(geom)
        assets.elements |= {mesh.attributes["name"]: mesh} if mesh is not None else {}
    element.children.extend(visual_geoms(link, assets, report))


def _in_world(root: PlacedLink, placed: PartOrVisual) -> PartOrVisual:
    """Return a part or visual of a fixed root with its pose in the world."""
    root_joint = root.joint
    position = np.array(root_joint.position) + np.array(rotated(root_joint.rotation, placed.position))
    return replace(placed, position=triple(position), rotation=compose(root_joint.rotation, placed.rotation))


def _motor_elements(model: Model, tendons: Tendons, report: ExportReport) -> list[Element]:
    """Return the actuators: motors with a single gear, motors on spherical joints, and motors along written tendons."""
    elements: list[Element] = []
    written = {element.attributes["name"] for element in tendons.written}
    for motor in model.motors:
        if motor.tendon and motor.tendon not in written:
            report.note(f'Left out: motor "{motor.name}", whose tendon is left out.')
            continue
        supported = len(motor.gear) == 1 or model.figure.link(motor.joint).joint.kind == "spherical"
        if motor.kind == "other" or not supported:
            report.omit("motors", f'motor "{motor.name}"')
        else:
            elements.append(motor_element(motor))
    return elements


def _depth_first(bodies: Sequence[Body]) -> list[Body]:
    """Return the bodies in MuJoCo's order, depth first."""
    ordered: list[Body] = []
    stack: list[Body] = [body for body in reversed(bodies) if body.parent == 0]
    while stack:
        body = stack.pop()
        ordered.append(body)
        stack.extend(other for other in reversed(bodies) if other.parent == body.link.index)
    return ordered


def _keyframe(model: Model, bodies: Sequence[Body]) -> Element:
    """Return the keyframe "home" with the initial state in MuJoCo's coordinates."""
    qpos: list[float] = []
    qvel: list[float] = []
    for body in bodies:
        for mj_joint in body.joints:
            link = mj_joint.link
            q, v = list(model.q[link.q]), list(model.v[link.v])
            if mj_joint.type == "free":
                pose, velocity = _free_state(body, q, v)
                qpos.extend(pose)
                qvel.extend(velocity)
            elif mj_joint.type == "ball":  # a quaternion comes first in coordinates, and its velocity in velocities
                qpos.extend(q[:4])
                qvel.extend(v[:3])
            else:
                # the coordinate of the link's joint that is this hinge or slide; ratio: the pitch for a helical slide
                indices = spring_slices(link.joint.kind)[mj_joint.slice_index]
                qpos.extend(x * mj_joint.ratio for x in q[indices])
                qvel.extend(x * mj_joint.ratio for x in q_dot(link.joint, q, v)[indices])
    return Element("key", {"name": "home", "qpos": numbers_text(qpos), "qvel": numbers_text(qvel)})


def _free_state(body: Body, q: list[float], v: list[float]) -> tuple[list[float], list[float]]:
    """Return the pose of a free body in the world, and its velocity (linear in world axes, angular in body axes)."""
    R = compose(body.rotation, matrix(Quaternion(*q[:4]).rotation().rows))
    position = np.array(body.position) + np.array(rotated(body.rotation, q[4:]))
    quaternion = Quaternion.of(Rotation(R)).components()
    return [*position.tolist(), *quaternion], [*rotated(R, v[3:]), *v[:3]]
