"""Shapes that collide in USD Physics: exact shapes where USD has them, else meshes. They are guides, not rendered.

A collider has the axes of its part; an ellipsoid is a scaled Sphere. [OpenUSD, UsdGeom and UsdPhysics]
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gambol.export.indexed import IndexedMesh, indexed_shape
from gambol.export.usd_library import usd_modules
from gambol.figure import Hull, Part, PlacedLink, Shape
from gambol.world.film import FilmShape
from gambol.world.record import film_shapes

SizeSetter = Callable[[Any, Shape, float], None]


def _box(prim: Any, shape: Any, scale: float) -> None:
    (Gf,) = usd_modules("Gf")
    prim.CreateSizeAttr(1.0)
    prim.AddScaleOp().Set(Gf.Vec3f(*(scale * x for x in shape.sizes)))


def _sphere(prim: Any, shape: Any, scale: float) -> None:
    prim.CreateRadiusAttr(scale * shape.sizes[0])


def _ellipsoid(prim: Any, shape: Any, scale: float) -> None:
    (Gf,) = usd_modules("Gf")
    prim.CreateRadiusAttr(1.0)
    prim.AddScaleOp().Set(Gf.Vec3f(*(scale * x for x in shape.sizes)))


def _round(prim: Any, shape: Any, scale: float) -> None:
    radius, height = shape.sizes
    prim.CreateRadiusAttr(scale * radius)
    prim.CreateHeightAttr(scale * height)
    prim.CreateAxisAttr("Z")


EXACT: Mapping[str, tuple[str, SizeSetter]] = {
    "box": ("Cube", _box),
    "sphere": ("Sphere", _sphere),
    "ellipsoid": ("Sphere", _ellipsoid),
    "capsule": ("Capsule", _round),
    "cylinder": ("Cylinder", _round),
}
"""The type of USD for each kind of shape, and the function that sets its sizes."""


def add_colliders(stage: Any, link: PlacedLink, path: str, scale: float) -> None:
    """Add the parts of a link that collide, below its prim. path: path of the link. scale: scale of lengths."""
    Gf, UsdGeom, UsdPhysics = usd_modules("Gf", "UsdGeom", "UsdPhysics")

    for k, (part, shape) in enumerate(zip(link.parts, film_shapes(link), strict=True)):
        if not part.colliding:
            continue
        kind, set_sizes = EXACT.get(part.shape.kind, ("Mesh", None))
        prim = getattr(UsdGeom, kind).Define(stage, f"{path}/collider_{k}")
        prim.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*(scale * x for x in shape.position)))
        w, *v = shape.quaternion
        prim.AddOrientOp(UsdGeom.XformOp.PrecisionFloat).Set(Gf.Quatf(w, *v))
        if set_sizes is None:
            _set_mesh(prim, _hull_mesh(part, shape, scale))
        else:
            set_sizes(prim, part.shape, scale)
            prim.CreateExtentAttr(UsdGeom.Boundable.ComputeExtentFromPlugins(prim, 0.0))
        prim.CreatePurposeAttr(UsdGeom.Tokens.guide)
        UsdPhysics.CollisionAPI.Apply(prim.GetPrim())
        _bind_surface(stage, prim.GetPrim(), part)


def _hull_mesh(part: Part, shape: FilmShape, scale: float) -> IndexedMesh:
    """Return the exact mesh of a hull, or the mesh by which another shape is drawn."""
    if not isinstance(part.shape, Hull):
        return indexed_shape(shape, scale)
    points = (scale * np.array(part.shape.vertices)).astype(np.float32)
    return IndexedMesh(points, np.zeros_like(points), np.array(part.shape.triangles, np.uint32).reshape(-1))


def _set_mesh(prim: Any, mesh: IndexedMesh) -> None:
    UsdGeom, UsdPhysics, Vt = usd_modules("UsdGeom", "UsdPhysics", "Vt")

    prim.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(mesh.points))
    prim.CreateFaceVertexCountsAttr([3] * (len(mesh.indices) // 3))
    prim.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(mesh.indices.astype(np.int32)))
    prim.CreateSubdivisionSchemeAttr("none")
    prim.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(prim.GetPointsAttr().Get()))
    UsdPhysics.MeshCollisionAPI.Apply(prim.GetPrim()).CreateApproximationAttr("convexHull")


def _bind_surface(stage: Any, prim: Any, part: Part) -> None:
    """Give a collider its friction and restitution, if the part has its own."""
    UsdPhysics, UsdShade = usd_modules("UsdPhysics", "UsdShade")

    if part.friction is None and part.restitution is None:
        return
    material = UsdShade.Material.Define(stage, f"{prim.GetPath()}_surface")
    surface = UsdPhysics.MaterialAPI.Apply(material.GetPrim())
    if part.friction is not None:
        surface.CreateStaticFrictionAttr(part.friction)
        surface.CreateDynamicFrictionAttr(part.friction)
    if part.restitution is not None:
        surface.CreateRestitutionAttr(part.restitution)
    binding = UsdShade.MaterialBindingAPI.Apply(prim)
    binding.Bind(material, UsdShade.Tokens.weakerThanDescendants, "physics")
