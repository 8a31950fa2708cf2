"""The geoms of a compiled MJCF model: as massless parts of links, and as the ground."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np

from gambol.figure import Box, Capsule, Cylinder, Ellipsoid, Matrix3, Part, Shape, Sphere, Triple, rotated
from gambol.figure.rotation import triple
from gambol.formats.meshes import hull_or_box
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.materials import color_of
from gambol.formats.mjcf.pairs import Surface, surface_of
from gambol.formats.mjcf.tree import Names, rotation_of

PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = range(9)  # mjtGeom
LEVEL_TOLERANCE = 1e-9  # deviation of a ground plane from z = 0 [m], and of its normal's z component from 1

PRIMITIVES: dict[int, Callable[[list[float]], Shape]] = {
    SPHERE: lambda s: Sphere(s[0]),
    ELLIPSOID: lambda s: Ellipsoid((s[0], s[1], s[2])),
    CAPSULE: lambda s: Capsule(s[0], 2.0 * s[1]),
    CYLINDER: lambda s: Cylinder(s[0], 2.0 * s[1]),
    BOX: lambda s: Box((2.0 * s[0], 2.0 * s[1], 2.0 * s[2])),
}
"""The shape of each geom type, as a function of the sizes of the geom: radii and half lengths [m]."""


def parts_of(mjcf: CompiledMjcf, names: Names, notes: set[str]) -> dict[int, tuple[Part, ...]]:
    """Return the parts of every body, by body number; 0 is the world. notes: receives sentences on approximations."""
    parts: dict[int, list[Part]] = {}
    bodies_with_primitives = {
        int(b) for b, kind in zip(mjcf.model.geom_bodyid, mjcf.model.geom_type, strict=True) if kind in PRIMITIVES
    }
    surface = surface_of(mjcf, ground_geom(mjcf, set()))
    solids: dict[int, tuple[Shape, Triple] | None] = {}
    for geom in range(mjcf.model.ngeom):
        body, kind = int(mjcf.model.geom_bodyid[geom]), int(mjcf.model.geom_type[geom])
        if kind in (PLANE, HFIELD):
            if body != 0:
                notes.add("Planes and height fields that move with a body are neither drawn nor touch anything.")
            continue
        geom_surface = surface(geom)
        if kind not in PRIMITIVES and body in bodies_with_primitives and not geom_surface.colliding:
            continue  # visual only: primitives of the same body collide instead
        part = _part(mjcf, geom, names.origins[body], geom_surface, notes, solids)
        parts.setdefault(body, []).extend([part] if part is not None else [])
    if any(part.colliding for part in parts.get(0, ())):
        notes.add(
            "Shapes that are fixed to the world, other than the ground, touch nothing where contact is by penalty."
        )
    return {body: tuple(body_parts) for body, body_parts in parts.items()}


def ground_of(mjcf: CompiledMjcf, notes: set[str]) -> bool:
    """Return True if the world has a colliding ground: the plane z = 0. notes: receives sentences on other grounds."""
    return (
        ground_geom(mjcf, notes) is not None and not mjcf.is_disabled("CONTACT") and not mjcf.is_disabled("CONSTRAINT")
    )


def ground_geom(mjcf: CompiledMjcf, notes: set[str]) -> int | None:
    """Return the number of the geom that is the ground, or None. notes: receives sentences on omitted grounds."""
    model, ground = mjcf.model, None
    for geom in range(model.ngeom):
        if model.geom_bodyid[geom] != 0 or int(model.geom_type[geom]) not in (PLANE, HFIELD):
            continue
        normal = rotated(rotation_of(model.geom_quat[geom]), (0.0, 0.0, 1.0))
        is_level = abs(normal[2] - 1.0) < LEVEL_TOLERANCE and abs(model.geom_pos[geom][2]) < LEVEL_TOLERANCE
        collides = bool(model.geom_contype[geom] or model.geom_conaffinity[geom])
        if model.geom_type[geom] == PLANE and is_level and collides:
            ground = geom
        else:
            name = mjcf.name("geom", geom) or f"number {geom}"
            reason = "is not the plane z = 0" if collides else "touches nothing"
            notes.add(f'Left out: the ground "{name}", which {reason}.')
    return ground


def _part(
    mjcf: CompiledMjcf,
    geom: int,
    origin: Triple,
    surface: Surface,
    notes: set[str],
    solids: dict[int, tuple[Shape, Triple] | None],
) -> Part | None:
    """Return a geom as a part in its link's frame; None for a flat mesh.

    geom: number of the geom. origin: origin of the link in the body's frame [m]. surface: contact properties of the
    geom. notes: receives sentences on approximations. solids: a cache of the shapes of meshes and their centres [m], by
    mesh number.
    """
    model, kind = mjcf.model, int(mjcf.model.geom_type[geom])
    position, rotation = pose_of(model, geom, origin)
    if kind in PRIMITIVES:
        shape, middle = PRIMITIVES[kind](model.geom_size[geom].tolist()), (0.0, 0.0, 0.0)
    elif kind == MESH:
        mesh = int(model.geom_dataid[geom])
        if mesh not in solids:
            solids[mesh] = hull_or_box(mesh_points(model, mesh), f"the mesh of {_label(mjcf, geom)}", notes)
        solid = solids[mesh]
        if solid is None:
            return None
        shape, middle = solid
    else:
        notes.add("Shapes of other kinds are drawn, and collide, as their bounding boxes.")
        box = model.geom_aabb[geom]  # centre and half sizes
        sizes, middle = 2.0 * box[3:], triple(box[:3])
        shape = Box((float(sizes[0]), float(sizes[1]), float(sizes[2])))
    position_L = triple(np.array(position) + np.array(rotated(rotation, middle)))
    return Part(shape, position_L, rotation, inertial=False, color=color_of(model, geom), **asdict(surface))


def pose_of(model: Any, geom: int, origin: Triple) -> tuple[Triple, Matrix3]:
    """Return position [m] and rotation of a geom in its link's frame.

    origin: origin of the link in the body's frame [m].
    """
    return triple(np.array(model.geom_pos[geom]) - np.array(origin)), rotation_of(model.geom_quat[geom])


def mesh_points(model: Any, mesh: int) -> Any:
    """Return the vertices of a mesh (N, 3) [m], in the frame that the compiler chose for it."""
    first = int(model.mesh_vertadr[mesh])
    return np.array(model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])], float)


def _label(mjcf: CompiledMjcf, geom: int) -> str:
    return f'"{mjcf.name("geom", geom) or mjcf.name("mesh", int(mjcf.model.geom_dataid[geom])) or geom}"'
