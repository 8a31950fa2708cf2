"""Shapes of a URDF's links as parts: what collides if there is any, or else what is to be seen; none has mass."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from gambol.errors import GambolError
from gambol.figure import Box, Capsule, Cylinder, Matrix3, Part, Shape, Sphere, Triple, compose, rotation_about, turned
from gambol.formats.markup import Element
from gambol.formats.urdf.meshes import mesh_corners, mesh_file

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


def parts_of(link: Element, folder: Path, notes: set[str]) -> tuple[Part, ...]:
    """The parts of a link; folder: of the file; notes: grows by what could only be approximated."""
    shapes = link.all("collision") or link.all("visual")
    parts = (_part(shape, folder, notes) for shape in shapes)
    return tuple(part for part in parts if part is not None)


def _part(shape: Element, folder: Path, notes: set[str]) -> Part | None:
    geometry = shape.one("geometry")
    if geometry is None or len(geometry.children) != 1:
        raise GambolError(f"{shape.where}: <{shape.tag}> needs a <geometry> that holds one shape")
    position, rotation = origin(shape)
    given = geometry.children[0]
    if given.tag in PLAIN:
        return Part(_sized(given), position, rotation, inertial=False, colliding=shape.tag == "collision")
    if given.tag != "mesh":
        return None  # one that was left out at the user's wish
    box = _mesh_box(given, folder, notes)
    if box is None:
        return None
    middle = np.array(position) + np.array(turned(rotation, box[1]))
    collides = shape.tag == "collision"
    return Part(box[0], (middle[0], middle[1], middle[2]), rotation, inertial=False, colliding=collides)


def _sized(given: Element) -> Shape:
    try:
        return PLAIN[given.tag](given)
    except GambolError as error:
        raise error if given.where in str(error) else GambolError(f"{given.where}: {error}") from error


def _mesh_box(given: Element, folder: Path, notes: set[str]) -> tuple[Box, Triple] | None:
    """The box that a mesh fills and its middle; None, with a note, for a mesh that cannot be found or read."""
    file, scale = given.name("filename"), np.array(given.triple("scale", (1.0, 1.0, 1.0)))
    path = mesh_file(file, folder)
    if path is None:
        notes.add("Meshes that were not found are neither drawn nor touch anything.")
        return None
    corners = mesh_corners(path)
    if corners is None:
        notes.add(f"Meshes of kind {path.suffix or 'unknown'} are neither drawn nor touch anything.")
        return None
    low, high = np.minimum(*(scale * c for c in corners)), np.maximum(*(scale * c for c in corners))
    x, y, z = (float(edge) for edge in high - low)
    if min(x, y, z) <= 0.0:
        return None
    notes.add("Meshes are drawn, and touch, as the boxes that they fill.")
    cx, cy, cz = (float(c) for c in (low + high) / 2.0)
    return Box((x, y, z)), (cx, cy, cz)
