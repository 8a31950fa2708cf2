"""The shapes of a compiled model: parts of links, which have no mass of their own, and the ground."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gambol.figure import Box, Capsule, Cylinder, Part, Shape, Sphere, Triple, turned
from gambol.formats.mjcf.compiled import Compiled
from gambol.formats.mjcf.tree import Names, rotation_of

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = range(9)  # MuJoCo's types of shapes
LEVEL = 1e-9  # m, and 1: how far a ground may be from z = 0, and its normal from upright

MAKE: dict[int, Callable[[list[float]], Shape]] = {
    SPHERE: lambda s: Sphere(s[0]),
    CAPSULE: lambda s: Capsule(s[0], 2.0 * s[1]),
    CYLINDER: lambda s: Cylinder(s[0], 2.0 * s[1]),
    BOX: lambda s: Box((2.0 * s[0], 2.0 * s[1], 2.0 * s[2])),
}
"""Our shape from MuJoCo's sizes, which are radii and half lengths."""


def parts_of(given: Compiled, names: Names, notes: set[str]) -> dict[int, tuple[Part, ...]]:
    """The parts of every body, by its number, those of the world included; notes: grows by what is approximated."""
    parts: dict[int, list[Part]] = {}
    plain = {int(b) for b, kind in zip(given.model.geom_bodyid, given.model.geom_type, strict=True) if kind in MAKE}
    for geom in range(given.model.ngeom):
        body, kind = int(given.model.geom_bodyid[geom]), int(given.model.geom_type[geom])
        if kind in (PLANE, HFIELD):
            if body != 0:
                notes.add("Planes and height fields that move with a body are neither drawn nor touch anything.")
            continue
        if kind not in MAKE and body in plain and not _collides(given.model, geom):
            continue  # a picture of what plainer shapes stand for
        part = _part(given.model, geom, names.origins[body], notes)
        parts.setdefault(body, []).append(part)
    if 0 in parts:
        notes.add("Shapes that are fixed to the world, other than the ground, touch nothing.")
    return {body: tuple(made) for body, made in parts.items()}


def ground_of(given: Compiled, notes: set[str]) -> bool:
    """Whether the world has a ground that touches: of planes and height fields, only the plane z = 0 can be kept."""
    model, found = given.model, False
    for geom in range(model.ngeom):
        if model.geom_bodyid[geom] != 0 or int(model.geom_type[geom]) not in (PLANE, HFIELD):
            continue
        normal = turned(rotation_of(model.geom_quat[geom]), (0.0, 0.0, 1.0))
        level = abs(normal[2] - 1.0) < LEVEL and abs(model.geom_pos[geom][2]) < LEVEL
        if model.geom_type[geom] == PLANE and level and _collides(model, geom):
            found = True
        else:
            name = given.name("geom", geom) or f"number {geom}"
            why = "touches nothing" if not _collides(model, geom) else "is not the plane z = 0"
            notes.add(f'Left out: the ground "{name}", which {why}.')
    return found and not given.off("CONTACT") and not given.off("CONSTRAINT")


def _collides(model: Any, geom: int) -> bool:
    return bool(model.geom_contype[geom] or model.geom_conaffinity[geom])


def _part(model: Any, geom: int, origin: Triple, notes: set[str]) -> Part:
    """One shape in its link's frame; origin: of the link in the body's frame [m]."""
    kind, collides = int(model.geom_type[geom]), _collides(model, geom)
    rotation, position = rotation_of(model.geom_quat[geom]), np.array(model.geom_pos[geom]) - np.array(origin)
    if kind in MAKE:
        x, y, z = (float(a) for a in position)
        shape = MAKE[kind](model.geom_size[geom].tolist())
        return Part(shape, (x, y, z), rotation, inertial=False, colliding=collides)
    notes.add("Meshes, ellipsoids and the like are drawn, and touch, as the boxes that they fill.")
    box = model.geom_aabb[geom]
    x, y, z = (float(a) for a in position + np.array(turned(rotation, box[:3].tolist())))
    sizes = np.maximum(2.0 * box[3:], 1e-9)  # a flat mesh has a box without a height
    return Part(Box((sizes[0], sizes[1], sizes[2])), (x, y, z), rotation, inertial=False, colliding=collides)
