"""Shapes of a URDF's links as parts: what collides if there is any, or else what is to be seen; none has mass."""

from collections.abc import Callable

from gambol.errors import GambolError
from gambol.figure import Box, Capsule, Cylinder, Matrix3, Part, Shape, Sphere, Triple, compose, rotation_about, turned
from gambol.formats.markup import Element
from gambol.formats.urdf.meshes import MeshFolder

PLAIN: dict[str, Callable[[Element], Shape]] = {
    "box": lambda given: Box(given.triple("size", (1.0, 1.0, 1.0)) if given.name("size") else (1.0, 1.0, 1.0)),
    "sphere": lambda given: Sphere(given.number("radius")),
    "cylinder": lambda given: Cylinder(given.number("radius"), given.number("length")),
    "capsule": lambda given: Capsule(given.number("radius"), given.number("length")),
}


def origin(element: Element) -> tuple[Triple, Matrix3]:
    """Position [m] and rotation of an element's <origin>: turns by rpy about the parent's fixed x, y and z, in turn."""
    given = element.one("origin")
    if given is None:
        return (0.0, 0.0, 0.0), compose()
    roll, pitch, yaw = given.triple("rpy")
    turns = (rotation_about("z", yaw), rotation_about("y", pitch), rotation_about("x", roll))
    return given.triple("xyz"), compose(*turns)


def parts_of(link: Element, meshes: MeshFolder, notes: set[str]) -> tuple[Part, ...]:
    """The parts of a link; notes: grows by what could only be approximated."""
    shapes = link.all("collision") or link.all("visual")
    parts = (_part(shape, meshes, notes) for shape in shapes)
    return tuple(part for part in parts if part is not None)


def _part(shape: Element, meshes: MeshFolder, notes: set[str]) -> Part | None:
    geometry = shape.one("geometry")
    if geometry is None or len(geometry.children) != 1:
        raise GambolError(f"{shape.where}: <{shape.tag}> needs a <geometry> that holds one shape")
    position, rotation = origin(shape)
    given = geometry.children[0]
    if given.tag in PLAIN:
        return Part(_sized(given), position, rotation, inertial=False, colliding=shape.tag == "collision")
    if given.tag != "mesh":
        return None  # one that was left out at the user's wish
    solid = _solid(given, meshes, notes)
    if solid is None:
        return None
    x, y, z = (a + b for a, b in zip(position, turned(rotation, solid[1]), strict=True))
    return Part(solid[0], (x, y, z), rotation, inertial=False, colliding=shape.tag == "collision")


def _sized(given: Element) -> Shape:
    try:
        return PLAIN[given.tag](given)
    except GambolError as error:
        raise error if given.where in str(error) else GambolError(f"{given.where}: {error}") from error


def _solid(given: Element, meshes: MeshFolder, notes: set[str]) -> tuple[Shape, Triple] | None:
    scale = given.triple("scale", (1.0, 1.0, 1.0))
    try:
        return meshes.solid(given.name("filename"), scale, notes)
    except GambolError as error:
        raise error if given.where in str(error) else GambolError(f"{given.where}: {error}") from error
