"""Shapes of a URDF's links as massless parts: the collision shapes, or the visual ones where there are none."""

from collections.abc import Callable

from gambol.errors import GambolError
from gambol.figure import Box, Capsule, Cylinder, Matrix3, Part, Shape, Sphere, Triple, compose, rotated, rotation_about
from gambol.formats.urdf.meshes import MeshFolder
from gambol.formats.xml_file import Element

# Element.name raises an error for a box without a size
PRIMITIVES: dict[str, Callable[[Element], Shape]] = {
    "box": lambda element: Box(element.triple("size", (1.0, 1.0, 1.0)) if element.name("size") else (1.0, 1.0, 1.0)),
    "sphere": lambda element: Sphere(element.number("radius")),
    "cylinder": lambda element: Cylinder(element.number("radius"), element.number("length")),
    "capsule": lambda element: Capsule(element.number("radius"), element.number("length")),
}


def origin_of(element: Element) -> tuple[Triple, Matrix3]:
    """Return position [m] and rotation of an element's <origin>; rpy are turns about the parent's x, y and z axes."""
    child = element.find("origin")
    if child is None:
        return (0.0, 0.0, 0.0), compose()
    roll, pitch, yaw = child.triple("rpy")
    rotations = (rotation_about("z", yaw), rotation_about("y", pitch), rotation_about("x", roll))
    return child.triple("xyz"), compose(*rotations)


def parts_of(link: Element, meshes: MeshFolder, notes: set[str]) -> tuple[Part, ...]:
    """Return the parts of a link element. meshes: of the file. notes: receives sentences on approximations."""
    shapes = link.find_all("collision") or link.find_all("visual")
    parts = (_part(shape, meshes, notes) for shape in shapes)
    return tuple(part for part in parts if part is not None)


def _part(shape: Element, meshes: MeshFolder, notes: set[str]) -> Part | None:
    geometry = shape.find("geometry")
    if geometry is None or len(geometry.children) != 1:
        raise GambolError(f"{shape.where}: <{shape.tag}> needs a <geometry> that holds one shape")
    position, rotation = origin_of(shape)
    element = geometry.children[0]
    if element.tag in PRIMITIVES:
        return Part(_primitive(element), position, rotation, inertial=False, colliding=shape.tag == "collision")
    if element.tag != "mesh":
        return None  # left out by leave_out
    solid = _solid(element, meshes, notes)
    if solid is None:
        return None
    x, y, z = (a + b for a, b in zip(position, rotated(rotation, solid[1]), strict=True))
    return Part(solid[0], (x, y, z), rotation, inertial=False, colliding=shape.tag == "collision")


def _primitive(element: Element) -> Shape:
    try:
        return PRIMITIVES[element.tag](element)
    except GambolError as error:
        raise error if element.where in str(error) else GambolError(f"{element.where}: {error}") from error


def _solid(element: Element, meshes: MeshFolder, notes: set[str]) -> tuple[Shape, Triple] | None:
    scale = element.triple("scale", (1.0, 1.0, 1.0))
    try:
        return meshes.solid(element.name("filename"), scale, notes)
    except GambolError as error:
        raise error if element.where in str(error) else GambolError(f"{element.where}: {error}") from error
