"""Visuals of links from a compiled MJCF model: the geoms that MuJoCo shows, with meshes, materials and textures."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from gambol.figure import Material, Part, Texture, Triple, Visual, VisualMesh
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.geoms import HFIELD, MESH, PLANE, PRIMITIVES, SDF, ground_geom, mesh_points, pose_of
from gambol.formats.mjcf.materials import MAX_TEXTURE_BYTES, Materials, rgba_of
from gambol.formats.mjcf.pairs import surface_of
from gambol.formats.mjcf.tree import Names
from gambol.formats.visuals import submesh_of

VISIBLE_GROUPS = (0, 1, 2)  # of the six groups of geoms, those that MuJoCo's viewer shows at first
MAX_TRIANGLES = 3_000_000  # of all meshes of a file
VISUAL_LIMITS = {"max_triangles": MAX_TRIANGLES, "max_bytes": MAX_TEXTURE_BYTES}
"""Value of the argument `visual_limits` of compile_mjcf() that visuals_of() needs."""

MeshKey: TypeAlias = tuple[int, Texture | None, tuple[float, float]]


def visuals_of(
    mjcf: CompiledMjcf, names: Names, parts: dict[int, tuple[Part, ...]], notes: set[str]
) -> dict[int, tuple[Visual, ...]]:
    """Return the visuals of bodies, by body number; 0 is the world.

    The visuals of a body are its visible geoms that do not collide, and its colliding geoms of the same groups. If all
    visible geoms of a body collide, they are its visuals. A body has no visuals if they would equal its parts, or if
    one of them cannot be drawn. parts: parts of each body. notes: receives sentences on omitted features.
    """
    maker = _VisualMaker(mjcf, Materials(mjcf, notes), notes)
    found: dict[int, tuple[Visual, ...]] = {}
    for body, geoms in _visual_geoms(mjcf).items():
        shown = [maker.visual(geom, names.origins[body]) for geom in geoms]
        visuals = tuple(visual for visual in shown if visual is not None)
        if len(visuals) == len(geoms) and not _look_equal(visuals, parts.get(body, ())):
            found[body] = visuals
    return found


def _visual_geoms(mjcf: CompiledMjcf) -> dict[int, list[int]]:
    """Return the numbers of the geoms to draw, by the number of their body."""
    surface = surface_of(mjcf, ground_geom(mjcf, set()))
    visible: dict[int, list[int]] = {}
    for geom in filter(lambda geom: _is_visible(mjcf.model, geom), range(mjcf.model.ngeom)):
        visible.setdefault(int(mjcf.model.geom_bodyid[geom]), []).append(geom)
    group = mjcf.model.geom_group.tolist()
    found: dict[int, list[int]] = {}
    for body, geoms in visible.items():
        groups = {group[geom] for geom in geoms if not surface(geom).colliding}
        found[body] = [geom for geom in geoms if group[geom] in groups or not groups]
    return found


def _is_visible(model: Any, geom: int) -> bool:
    """Return True for a geom that MuJoCo's viewer shows at first, other than planes and height fields."""
    rgba = rgba_of(model, geom)
    in_group = int(model.geom_group[geom]) in VISIBLE_GROUPS
    return in_group and int(model.geom_type[geom]) not in (PLANE, HFIELD) and (rgba is None or rgba[3] > 0.0)


def _look_equal(visuals: Collection[Visual], parts: Collection[Part]) -> bool:
    shown = [(each.shape, each.position, each.rotation, each.material) for each in visuals]
    return shown == [(part.shape, part.position, part.rotation, Material(part.color)) for part in parts]


@dataclass
class _VisualMaker:
    """Makes visuals of geoms.

    meshes: meshes made so far, by their number in the file, their texture, and how often it is repeated.
    """

    mjcf: CompiledMjcf
    materials: Materials
    notes: set[str]
    meshes: dict[MeshKey, VisualMesh] = field(default_factory=dict[MeshKey, VisualMesh])

    def visual(self, geom: int, origin: Triple) -> Visual | None:
        """Return a geom as a visual; None, with a note, for a geom that is not drawn. origin: see pose_of()."""
        model = self.mjcf.model
        kind, pose = int(model.geom_type[geom]), pose_of(model, geom, origin)
        if kind in PRIMITIVES:
            shape, texture = PRIMITIVES[kind](model.geom_size[geom].tolist()), self.materials.texture(geom)
            look = self.materials.material(geom, texture)
            if texture is None:
                return Visual(shape, *pose, look)
            return Visual(self.materials.mapped_shape(geom, shape, texture), *pose, look)
        number = int(model.geom_dataid[geom])
        if kind not in (MESH, SDF) or number < 0:
            self.notes.add("Not drawn: visual shapes of other kinds.")
            return None
        if not hasattr(model, "mesh_face"):
            self.notes.add(f"Not drawn: visual meshes, since the meshes have more than {MAX_TRIANGLES} triangles.")
            return None
        texture = self.materials.texture(geom)
        look = self.materials.material(geom, texture)
        if texture is not None and (model.mesh_texcoordadr[number] < 0 or not self.materials.is_plane(geom)):
            triangles = mesh_points(model, number)[model.mesh_face[_rows(model, number)]]
            return Visual(self.materials.mapped_mesh(geom, triangles, texture), *pose, look)
        repeat = self.materials.repeat(geom) if texture is not None else (1.0, 1.0)
        key = (number, texture, repeat)
        if key not in self.meshes:
            self.meshes[key] = _mesh(model, number, texture, repeat)
        return Visual(self.meshes[key], *pose, look)


def _rows(model: Any, number: int) -> slice:
    """Return the rows of the triangles of a mesh."""
    return slice(int(model.mesh_faceadr[number]), int(model.mesh_faceadr[number] + model.mesh_facenum[number]))


def _mesh(model: Any, number: int, texture: Texture | None, repeat: tuple[float, float]) -> VisualMesh:
    """Return a mesh in the frame that the compiler chose for it. MuJoCo's textures begin at their upper edge.

    repeat: number of repetitions of the texture along u and v. If a mesh has one normal for each point, the normals may
    come from the compiler, which smooths edges; they are replaced by the result of corner_normals().
    """
    rows = _rows(model, number)
    corners, normals, uv = model.mesh_face[rows], None, None
    if (model.mesh_facenormal[rows] != corners).any():
        normals = model.mesh_normal[int(model.mesh_normaladr[number]) + model.mesh_facenormal[rows].reshape(-1)]
    if texture is not None:
        uv = model.mesh_texcoord[int(model.mesh_texcoordadr[number]) + model.mesh_facetexcoord[rows].reshape(-1)]
        uv = uv * repeat * np.array([1.0, -1.0]) + np.array([0.0, 1.0])
    material = Material(texture=texture)
    return VisualMesh((submesh_of(mesh_points(model, number), corners, normals, uv, material),))
