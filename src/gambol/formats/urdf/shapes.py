"""Shapes of a URDF's links as massless parts: collision shapes or, for a link without any, its visual shapes."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from gambol.errors import GambolError
from gambol.figure import (
    Box,
    Capsule,
    Cylinder,
    Material,
    Matrix3,
    Part,
    Shape,
    Sphere,
    Triple,
    compose,
    rotated,
    rotation_about,
)
from gambol.figure.color import color_text
from gambol.figure.visual import PLAIN
from gambol.formats.meshes import VERTEX_PATTERNS
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
    """Return position [m] and rotation of an element's <origin>; rpy: angles about the parent's fixed x, y, z axes."""
    child = element.find("origin")
    if child is None:
        return (0.0, 0.0, 0.0), compose()
    roll, pitch, yaw = child.triple("rpy")
    rotations = (rotation_about("z", yaw), rotation_about("y", pitch), rotation_about("x", roll))
    return child.triple("xyz"), compose(*rotations)


@dataclass(frozen=True)
class Sources:
    """The data of a file that shapes refer to, and the notes on them.

    meshes: meshes of the file. materials: materials of the robot, by name. notes: receives sentences on approximations.
    visuals: True to read visual meshes.
    """

    meshes: MeshFolder
    materials: Mapping[str, Material]
    notes: set[str]
    visuals: bool = True


def materials_of(robot: Element, meshes: MeshFolder, notes: set[str]) -> dict[str, Material]:
    """Return all materials of a robot, by name; materials of the robot itself, and materials of its shapes.

    meshes: meshes of the file, beside which its textures are. notes: receives sentences on omitted features.
    """
    materials: dict[str, Material] = {}
    for element in (element for element in robot.walk() if element.tag == "material"):
        name, material = element.attributes.get("name"), _own_material(element, meshes, notes)
        if name and material != PLAIN:
            materials.setdefault(name, material)
    return materials


def _own_material(material: Element, meshes: MeshFolder, notes: set[str]) -> Material:
    """Return colour and opacity in a material element, or its texture, as in RViz; PLAIN if it has none of them."""
    images = [each.attributes.get("filename", "") for each in material.find_all("texture")]
    texture = meshes.texture(images[0], notes) if images else None
    rows = material.find_all("color")
    if not rows or "rgba" not in rows[0].attributes:
        return Material(texture=texture)
    try:
        numbers = [float(x) for x in rows[0].attributes["rgba"].split()]
        red, green, blue, alpha = numbers if len(numbers) > 3 else (*numbers, 1.0)
        if not math.isfinite(red + green + blue + alpha):
            raise ValueError
        rgba = [min(max(number, 0.0), 1.0) for number in (red, green, blue, alpha)]
        return Material(None if texture else color_text(*rgba[:3]), rgba[3], texture)
    except ValueError:
        notes.add("Left out: colours that are not three or four numbers.")
        return Material(texture=texture)


def material_of(shape: Element, sources: Sources) -> Material:
    """Return the material of a visual or collision element, in place or by name; PLAIN without one."""
    element = next(iter(shape.find_all("material")), None)
    if element is None:
        return PLAIN
    material = _own_material(element, sources.meshes, sources.notes)
    return material if material != PLAIN else sources.materials.get(element.attributes.get("name", ""), PLAIN)


def parts_of(link: Element, sources: Sources) -> tuple[Part, ...]:
    """Return the parts of a link element. sources: sources of the file.

    A collision shape has the colour of the visual shape with the same number, or of the first visual shape that has a
    colour.
    """
    visuals = link.find_all("visual")
    colors = [material_of(visual, sources).color for visual in visuals]
    first = next((color for color in colors if color is not None), None)
    shapes = link.find_all("collision") or visuals
    parts: list[Part] = []
    for k, shape in enumerate(shapes):
        part = _part(shape, sources)
        if part is not None:
            color = colors[k] if len(colors) == len(shapes) else None
            parts.append(replace(part, color=color or (first if shape.tag == "collision" else None)))
    return tuple(parts)


def _part(shape: Element, sources: Sources) -> Part | None:
    geometry = shape.find("geometry")
    if geometry is None or len(geometry.children) != 1:
        raise GambolError(f"{shape.where}: <{shape.tag}> needs a <geometry> that holds one shape")
    position, rotation = origin_of(shape)
    element = geometry.children[0]
    if element.tag in PRIMITIVES:
        return Part(primitive_of(element), position, rotation, inertial=False, colliding=shape.tag == "collision")
    if element.tag != "mesh":
        return None  # left out by leave_out
    is_drawn_only = sources.visuals and shape.tag == "visual"
    if is_drawn_only and Path(element.name("filename")).suffix.lower() not in VERTEX_PATTERNS:
        return None
    solid = _solid(element, sources.meshes, sources.notes)
    if solid is None:
        return None
    x, y, z = (a + b for a, b in zip(position, rotated(rotation, solid[1]), strict=True))
    return Part(solid[0], (x, y, z), rotation, inertial=False, colliding=shape.tag == "collision")


def primitive_of(element: Element) -> Shape:
    """Return the shape of an element of PRIMITIVES. Raises GambolError, with file and line, for impossible sizes."""
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
