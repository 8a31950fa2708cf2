"""Shapes of a URDF's links as massless parts: the collision shapes, or the visual ones where there are none."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gambol.errors import GambolError
from gambol.figure import Box, Capsule, Cylinder, Matrix3, Part, Shape, Sphere, Triple, compose, rotated, rotation_about
from gambol.figure.color import color_text
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


@dataclass(frozen=True)
class Sources:
    """The parts of a file that shapes need. meshes: of the file. colors: of the robot's materials, by name.

    notes: receives sentences on approximations.
    """

    meshes: MeshFolder
    colors: Mapping[str, str]
    notes: set[str]


def colors_of(robot: Element, notes: set[str]) -> dict[str, str]:
    """Return the colours of all materials of a robot, by name; those of the robot itself, and those of its shapes.

    notes: receives a sentence on colours that are no numbers.
    """
    colors: dict[str, str] = {}
    for material in (element for element in robot.walk() if element.tag == "material"):
        name, color = material.attributes.get("name"), _own_color(material, notes)
        if name and color is not None:
            colors.setdefault(name, color)
    return colors


def _own_color(material: Element, notes: set[str]) -> str | None:
    """Return the colour in a material element, without its transparency; None if it has none."""
    rows = material.find_all("color")
    if not rows or "rgba" not in rows[0].attributes:
        return None
    try:
        red, green, blue = (float(x) for x in rows[0].attributes["rgba"].split()[:3])
        if not math.isfinite(red + green + blue):
            raise ValueError
        return color_text(*(min(max(share, 0.0), 1.0) for share in (red, green, blue)))
    except ValueError:
        notes.add("Left out: colours that are not three or four numbers.")
        return None


def _color(shape: Element, sources: Sources) -> str | None:
    """Return the colour of a visual or collision element: that of its material; None if it has none."""
    material = next(iter(shape.find_all("material")), None)
    if material is None:
        return None
    return _own_color(material, sources.notes) or sources.colors.get(material.attributes.get("name", ""))


def parts_of(link: Element, sources: Sources) -> tuple[Part, ...]:
    """Return the parts of a link element. sources: of the file.

    A collision shape has the colour of the visual shape with the same number, or else of the first that has a colour.
    """
    visuals = link.find_all("visual")
    colors = [_color(visual, sources) for visual in visuals]
    first = next((color for color in colors if color is not None), None)
    shapes = link.find_all("collision") or visuals
    parts: list[Part] = []
    for k, shape in enumerate(shapes):
        part = _part(shape, sources.meshes, sources.notes)
        if part is not None:
            own = colors[k] if len(colors) == len(shapes) else None
            parts.append(replace(part, color=own or (first if shape.tag == "collision" else None)))
    return tuple(parts)


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
