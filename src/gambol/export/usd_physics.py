"""Masses and joints of a figure as USD Physics: rigid bodies, joints, collision. [OpenUSD, UsdPhysics]

A joint connects two bodies by a frame on each of them, with X along the joint's axis. In the file's unit, lengths are
scaled by s and moments of inertia by s^2.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.export.clip import Clip
from gambol.export.usd_library import usd_modules
from gambol.figure import Figure, PlacedLink, Triple
from gambol.figure.rotation import matrix
from gambol.spatial.rotation import Rotation, quaternion_of

Array = NDArray[np.float64]

JOINT_TYPES = {
    "revolute": "RevoluteJoint",
    "prismatic": "PrismaticJoint",
    "spherical": "SphericalJoint",
    "fixed": "FixedJoint",
}
"""USD's joints by kind. A free joint is not written as a joint."""

FREE_AXES = {
    "cylindrical": ("transX", "rotX"),
    "universal": ("rotX", "rotY"),
    "planar": ("rotX", "transY", "transZ"),
}
"""The free axes of other kinds in a joint of six axes; its frame has the joint's axis as x and `across` as y. Kinds
with coupled freedoms are in neither table; they become joints that are free along all six axes.
"""

SIX_AXES = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ")


def add_physics(stage: Any, figure: Figure, clip: Clip, paths: Sequence[str]) -> list[str]:
    """Add the bodies and joints of a figure to a stage, and return notes on omitted features.

    paths: paths of the links in the stage.
    """
    (UsdPhysics,) = usd_modules("UsdPhysics")

    scene = UsdPhysics.Scene.Define(stage, "/PhysicsScene")
    scene.CreateGravityDirectionAttr((0.0, 0.0, -1.0))
    scene.CreateGravityMagnitudeAttr(9.81 * clip.scale)
    UsdPhysics.ArticulationRootAPI.Apply(stage.GetDefaultPrim())
    notes: list[str] = []
    for link, path in zip(figure.links, paths, strict=True):
        prim = stage.GetPrimAtPath(path)
        UsdPhysics.RigidBodyAPI.Apply(prim)
        _add_mass(UsdPhysics.MassAPI.Apply(prim), link, clip.scale)
        for child in prim.GetChildren():
            if child.GetName().startswith("visual_"):
                continue
            UsdPhysics.CollisionAPI.Apply(child)
            UsdPhysics.MeshCollisionAPI.Apply(child).CreateApproximationAttr("convexHull")
        if link.joint.kind != "free":
            notes += _add_joint(
                stage, link, path, paths[link.parent_index - 1] if link.parent_index else "", clip.scale
            )
    return notes


def _add_mass(mass: Any, link: PlacedLink, scale: float) -> None:
    """Set mass, centre, principal moments and axes of a link."""
    (Gf,) = usd_modules("Gf")

    given = link.mass_properties
    moments, axes = np.linalg.eigh(np.array(given.inertia, float))
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] = -axes[:, 0]
    mass.CreateMassAttr(float(given.mass))
    mass.CreateCenterOfMassAttr(Gf.Vec3f(*(scale * np.array(given.com, float)).tolist()))
    mass.CreateDiagonalInertiaAttr(Gf.Vec3f(*(scale**2 * moments).tolist()))
    mass.CreatePrincipalAxesAttr(_quaternion(axes))


def _add_joint(stage: Any, link: PlacedLink, path: str, parent: str, scale: float) -> list[str]:
    """Add the joint of a link; parent: path of its parent, or empty for the world."""
    Gf, UsdPhysics = usd_modules("Gf", "UsdPhysics")

    joint = link.joint
    kind = JOINT_TYPES.get(joint.kind, "Joint")
    prim = getattr(UsdPhysics, kind).Define(stage, f"{path}_joint")
    align = _x_to(np.array(joint.axis, float), joint.across)
    if parent:
        prim.CreateBody0Rel().SetTargets([parent])
    prim.CreateBody1Rel().SetTargets([path])
    prim.CreateLocalPos0Attr(Gf.Vec3f(*(scale * np.array(joint.position, float)).tolist()))
    prim.CreateLocalRot0Attr(_quaternion(np.array(joint.rotation, float) @ align))
    prim.CreateLocalPos1Attr(Gf.Vec3f(0.0))
    prim.CreateLocalRot1Attr(_quaternion(align))
    if joint.kind in ("revolute", "prismatic"):
        prim.CreateAxisAttr("X")
    if kind != "Joint":
        return []
    for axis in SIX_AXES if joint.kind in FREE_AXES else ():
        if axis not in FREE_AXES[joint.kind]:
            limit = UsdPhysics.LimitAPI.Apply(prim.GetPrim(), axis)
            limit.CreateLowAttr(1.0)  # a lower limit above the upper one locks an axis
            limit.CreateHighAttr(-1.0)
    return [] if joint.kind in FREE_AXES else [f'the {joint.kind} joint of "{link.name}" holds nothing']


def _x_to(axis: Array, across: Triple | None) -> Array:
    """Return a rotation with an axis of length 1 as the first column, and `across`, if given, as the second."""
    other = np.eye(3)[np.argmin(np.abs(axis))]
    y = np.cross(axis, other).astype(np.float64) if across is None else np.array(across, float)
    y = y / float(np.linalg.norm(y))
    return np.stack([axis, y, np.cross(axis, y)], axis=1)


def _quaternion(rotation: Array) -> Any:
    (Gf,) = usd_modules("Gf")

    w, *v = quaternion_of(Rotation(matrix(rotation)))
    return Gf.Quatf(float(w), *(float(x) for x in v))
