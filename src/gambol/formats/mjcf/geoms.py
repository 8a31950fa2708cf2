"""The shapes of a compiled model: parts of links, which have no mass of their own, and the ground."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from gambol.figure import Box, Capsule, Cylinder, Ellipsoid, Part, Shape, Sphere, Triple, turned
from gambol.figure.rotation import triple
from gambol.formats.meshes import filled
from gambol.formats.mjcf.compiled import Compiled
from gambol.formats.mjcf.pairs import Surface, surface_of
from gambol.formats.mjcf.tree import Names, rotation_of

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = range(9)  # MuJoCo's types of shapes
LEVEL = 1e-9  # m, and 1: how far a ground may be from z = 0, and its normal from upright

MAKE: dict[int, Callable[[list[float]], Shape]] = {
    SPHERE: lambda s: Sphere(s[0]),
    ELLIPSOID: lambda s: Ellipsoid((s[0], s[1], s[2])),
    CAPSULE: lambda s: Capsule(s[0], 2.0 * s[1]),
    CYLINDER: lambda s: Cylinder(s[0], 2.0 * s[1]),
    BOX: lambda s: Box((2.0 * s[0], 2.0 * s[1], 2.0 * s[2])),
}
"""Our shape from MuJoCo's sizes, which are radii and half lengths."""


def parts_of(given: Compiled, names: Names, notes: set[str]) -> dict[int, tuple[Part, ...]]:
    """The parts of every body, by its number, those of the world included; notes: grows by what is approximated."""
    parts: dict[int, list[Part]] = {}
    plain = {int(b) for b, kind in zip(given.model.geom_bodyid, given.model.geom_type, strict=True) if kind in MAKE}
    surface = surface_of(given, ground_geom(given, set()))
    solids: dict[int, tuple[Shape, Triple] | None] = {}
    for geom in range(given.model.ngeom):
        body, kind = int(given.model.geom_bodyid[geom]), int(given.model.geom_type[geom])
        if kind in (PLANE, HFIELD):
            if body != 0:
                notes.add("Planes and height fields that move with a body are neither drawn nor touch anything.")
            continue
        seen = surface(geom)
        if kind not in MAKE and body in plain and not seen.colliding:
            continue  # a picture of what plainer shapes stand for
        part = _part(given, geom, names.origins[body], seen, notes, solids)
        parts.setdefault(body, []).extend([part] if part is not None else [])
    if any(part.colliding for part in parts.get(0, ())):
        notes.add(
            "Shapes that are fixed to the world, other than the ground, touch nothing where contact is by penalty."
        )
    return {body: tuple(made) for body, made in parts.items()}


def ground_of(given: Compiled, notes: set[str]) -> bool:
    """Whether the world has a ground that touches: of planes and height fields, only the plane z = 0 can be kept."""
    return ground_geom(given, notes) is not None and not given.off("CONTACT") and not given.off("CONSTRAINT")


def ground_geom(given: Compiled, notes: set[str]) -> int | None:
    """The number of the plane that is the ground; notes: grows by grounds that are not."""
    model, found = given.model, None
    for geom in range(model.ngeom):
        if model.geom_bodyid[geom] != 0 or int(model.geom_type[geom]) not in (PLANE, HFIELD):
            continue
        normal = turned(rotation_of(model.geom_quat[geom]), (0.0, 0.0, 1.0))
        level = abs(normal[2] - 1.0) < LEVEL and abs(model.geom_pos[geom][2]) < LEVEL
        collides = bool(model.geom_contype[geom] or model.geom_conaffinity[geom])
        if model.geom_type[geom] == PLANE and level and collides:
            found = geom
        else:
            name = given.name("geom", geom) or f"number {geom}"
            why = "is not the plane z = 0" if collides else "touches nothing"
            notes.add(f'Left out: the ground "{name}", which {why}.')
    return found


def _part(
    given: Compiled,
    geom: int,
    origin: Triple,
    surface: Surface,
    notes: set[str],
    solids: dict[int, tuple[Shape, Triple] | None],
) -> Part | None:
    """One shape in its link's frame; origin: of the link in the body's frame [m]. None for a flat mesh.

    solids: of the meshes that were met before, by their numbers; grows.
    """
    model, kind = given.model, int(given.model.geom_type[geom])
    rotation, position = rotation_of(model.geom_quat[geom]), np.array(model.geom_pos[geom]) - np.array(origin)
    if kind in MAKE:
        shape, middle = MAKE[kind](model.geom_size[geom].tolist()), (0.0, 0.0, 0.0)
    elif kind == MESH:
        mesh = int(model.geom_dataid[geom])
        if mesh not in solids:
            solids[mesh] = filled(_mesh_points(model, mesh), f"the mesh of {_title(given, geom)}", notes)
        solid = solids[mesh]
        if solid is None:
            return None
        shape, middle = solid
    else:
        notes.add("Shapes of other kinds are drawn, and touch, as the boxes that they fill.")
        box = model.geom_aabb[geom]
        sizes, middle = 2.0 * box[3:], triple(box[:3])
        shape = Box((float(sizes[0]), float(sizes[1]), float(sizes[2])))
    place = triple(position + np.array(turned(rotation, middle)))
    return Part(shape, place, rotation, inertial=False, **asdict(surface))


def _mesh_points(model: Any, mesh: int) -> Any:
    """The corners of a mesh, in the frame that the compiler gave it."""
    first = int(model.mesh_vertadr[mesh])
    return np.array(model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])], float)


def _title(given: Compiled, geom: int) -> str:
    return f'"{given.name("geom", geom) or given.name("mesh", int(given.model.geom_dataid[geom])) or geom}"'
