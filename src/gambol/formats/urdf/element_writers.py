"""Links, shapes and joints as URDF elements."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gambol.figure import (
    IDENTITY,
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    Frustum,
    HeightField,
    Hull,
    Joint,
    JointSpring,
    MassProperties,
    Material,
    Matrix3,
    Part,
    Pipe,
    Shape,
    Sphere,
    Submesh,
    Triple,
    Visual,
    rotated,
)
from gambol.figure.color import rgb_values
from gambol.figure.shapes import BallHull, corner_hull
from gambol.formats.export_report import DISC_LENGTH, DISC_NOTE, UNLIMITED, ExportReport
from gambol.formats.finish import note_finish
from gambol.formats.model import Motor
from gambol.formats.visuals import ObjFiles
from gambol.formats.xml_file import Element, numbers_text

JOINT_TYPES = {
    "fixed": "fixed",
    "revolute": "revolute",
    "prismatic": "prismatic",
    "free": "floating",
    "planar": "planar",
}


def origin_element(position: Triple, rotation: Matrix3 = IDENTITY) -> Element:
    """Return an <origin> element: position [m], and rotation by roll, pitch and yaw about the fixed axes of the parent.

    Roll is computed after removing the yaw, so that no digits are lost near the singularity.
    """
    R = rotation
    yaw, pitch = math.atan2(R[1][0], R[0][0]), math.atan2(-R[2][0], math.hypot(R[0][0], R[1][0]))
    c, s = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(s * R[0][2] - c * R[1][2], c * R[1][1] - s * R[0][1])
    attributes = {"xyz": numbers_text(position)} if any(position) else {}
    if roll or pitch or yaw:
        attributes |= {"rpy": numbers_text((roll, pitch, yaw))}
    return Element("origin", attributes)


def inertial_element(body: MassProperties) -> Element:
    """Return the inertial element of mass properties in the link frame."""
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.inertia
    components = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
    moments = Element("inertia", {name: numbers_text([number]) for name, number in components.items()})
    return Element(
        "inertial", children=[origin_element(body.com), Element("mass", {"value": numbers_text([body.mass])}), moments]
    )


@dataclass
class MeshFiles:
    """The mesh files of a URDF file.

    stem: the beginning of their names. drawn: the files of visual meshes. hulls: the hull in each file, by file name.
    """

    stem: str
    drawn: ObjFiles
    hulls: dict[str, Hull] = field(default_factory=dict[str, Hull])

    def name(self, hull: Hull) -> str:
        """Return the file name of a hull; equal hulls share one."""
        for name, stored in self.hulls.items():
            if stored == hull:
                return name
        name = f"{self.stem}-{len(self.hulls) + 1}.obj"
        self.hulls[name] = hull
        return name


def shape_elements(part: Part, tags: Sequence[str], meshes: MeshFiles, report: ExportReport) -> Iterator[Element]:
    """Yield the elements of a part; a capsule becomes a cylinder and two balls.

    tags: tags of the elements, "visual" and "collision". meshes: receives hulls. report: receives notes on features
    that URDF does not have.
    """
    surface = part.friction, part.restitution, part.anisotropic_friction
    if part.colliding and (part.group, part.mask, *surface) != (1, 1, None, None, None):
        report.note("Left out: friction, restitution, group and mask of shapes.")
    for geometry, offset in _geometries(part.shape, meshes, report):
        for tag in tags:
            children = _placed(geometry, (part.position, part.rotation), offset)
            yield Element(tag, children=children + (_material(Material(part.color)) if tag == "visual" else []))


def visual_elements(visual: Visual, meshes: MeshFiles, report: ExportReport) -> Iterator[Element]:
    """Yield the visual elements of a visual: one for each mesh of one material. meshes: receives their files."""
    pose = visual.position, visual.rotation
    for surface, material in visual.surfaces():
        note_finish(material, report)
        if isinstance(surface, Submesh):
            geometry = Element("mesh", {"filename": meshes.drawn.mesh(surface, material)})
            yield Element("visual", children=_placed(geometry, pose) + _material(material))
        else:
            for geometry, offset in _geometries(surface, meshes, report):
                yield Element("visual", children=_placed(geometry, pose, offset) + _material(material))


def _placed(geometry: Element, pose: tuple[Triple, Matrix3], offset: Triple = (0.0, 0.0, 0.0)) -> list[Element]:
    """Return the elements of a geometry and its origin. offset: position of the geometry in the pose's frame [m]."""
    x, y, z = (a + b for a, b in zip(pose[0], rotated(pose[1], offset), strict=True))
    return [origin_element((x, y, z), pose[1]), Element("geometry", children=[geometry])]


def _material(material: Material) -> list[Element]:
    """Return the material element of a colour or opacity; no element for the default."""
    if material.color is None and material.opacity == 1.0:
        return []
    rgba = numbers_text((*rgb_values(material.color or "#808080"), material.opacity))
    name = (material.color or "grey") + ("" if material.opacity == 1.0 else f" {material.opacity:g}")
    return [Element("material", {"name": name}, [Element("color", {"rgba": rgba})])]


def _geometries(shape: Shape, meshes: MeshFiles, report: ExportReport) -> Iterator[tuple[Element, Triple]]:
    """Yield the geometries of a shape, and their offsets along its axes [m]; none for an omitted shape."""
    primitives: list[tuple[Shape, Triple]] = [(shape, (0.0, 0.0, 0.0))]
    if isinstance(shape, Capsule):
        report.note("Capsules become cylinders with a ball on each end.")
        ball, z = Sphere(shape.radius), shape.length / 2.0
        cylinder = Cylinder(shape.radius, shape.length)
        primitives = [(cylinder, (0.0, 0.0, 0.0)), (ball, (0.0, 0.0, -z)), (ball, (0.0, 0.0, z))]
    for primitive, offset in primitives:
        geometry = _geometry_element(primitive, meshes, report)
        if geometry is not None:
            yield geometry, offset


def _geometry_element(shape: Shape, meshes: MeshFiles, report: ExportReport) -> Element | None:
    """Return the geometry element of a shape; None for an omitted one."""
    match shape:
        case Sphere():
            return Element("sphere", {"radius": numbers_text(shape.sizes)})
        case Box():
            return Element("box", {"size": numbers_text(shape.size)})
        case Hull():
            return Element("mesh", {"filename": meshes.name(shape)})
        case Ellipsoid():
            report.note("Ellipsoids become meshes of 26 corners.")
            corners = Hull(tuple(point.position for point in shape.contact_points()))
            return Element("mesh", {"filename": meshes.name(corners)})
        case Cylinder() | Capsule():
            radius, length = shape.radius, shape.length
            if length == 0.0:
                report.note(DISC_NOTE)
                length = DISC_LENGTH * radius
        case Pipe() | HeightField():
            report.omit("hollow shapes", f"a shape of kind {shape.kind}")
            return None
        case BallHull():
            report.note(f"Shapes of kind {shape.kind} become meshes of 26 corners for each ball.")
            return Element("mesh", {"filename": meshes.name(corner_hull(shape.contact_points()))})
        case Frustum():
            report.note("Frustums become cylinders of their mean radius.")
            radius, length = (shape.base_radius + shape.top_radius) / 2.0, shape.length
    return Element("cylinder", {"radius": numbers_text([radius]), "length": numbers_text([length])})


def joint_element(name: str, ends: tuple[str, str], joint: Joint, spring: JointSpring, motor: Motor | None) -> Element:
    """Return a joint element.

    name: name of the joint. ends: the parent and child link. joint: the joint. spring: spring with its limits, damping
    and friction. motor: motor with its effort limit.
    """
    limited = math.isfinite(spring.lower) or math.isfinite(spring.upper)
    kind = "continuous" if joint.kind == "revolute" and not limited else JOINT_TYPES[joint.kind]
    element = Element("joint", {"name": name, "type": kind})
    element.children.append(origin_element(joint.position, joint.rotation))
    element.children.append(Element("parent", {"link": ends[0]}))
    element.children.append(Element("child", {"link": ends[1]}))
    if kind not in ("fixed", "floating"):
        element.children.append(Element("axis", {"xyz": numbers_text(joint.axis)}))
    if joint.kind in ("revolute", "prismatic"):
        element.children.append(_limit_element(spring, motor, limited=kind != "continuous"))
    if spring.damping or spring.friction:
        dynamics = {"damping": numbers_text([spring.damping]), "friction": numbers_text([spring.friction])}
        element.children.append(Element("dynamics", dynamics))
    return element


def _limit_element(spring: JointSpring, motor: Motor | None, *, limited: bool) -> Element:
    """Return the limit element of a joint. Without a motor its effort is 0. limited: False for a continuous joint."""
    effort = 0.0 if motor is None else min(abs(motor.gear[0]) * max(-motor.weakest, motor.strongest), UNLIMITED)
    attributes = {"effort": numbers_text([effort]), "velocity": numbers_text([UNLIMITED])}
    if limited:
        lower, upper = max(spring.lower, -UNLIMITED), min(spring.upper, UNLIMITED)
        attributes = {"lower": numbers_text([lower]), "upper": numbers_text([upper])} | attributes
    return Element("limit", attributes)
