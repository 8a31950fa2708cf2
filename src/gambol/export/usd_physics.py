"""Masses and joints of a model as USD Physics: rigid bodies, colliders, joints. [OpenUSD, UsdPhysics]

A joint connects two bodies by a frame on each of them, with X along the joint's axis. In the file's unit, lengths are
scaled by s and moments of inertia by s^2.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.export.usd_colliders import add_colliders
from gambol.export.usd_frames import lock_axes, quaternion, set_frame
from gambol.export.usd_joint_forces import FREE_AXES, add_joint_forces, efforts_left_out, joint_forces_of
from gambol.export.usd_library import usd_modules
from gambol.export.usd_loops import add_closures, add_couplings, add_pairs, loops_left_out
from gambol.figure import PlacedLink, Triple
from gambol.formats import Model

Array = NDArray[np.float64]

JOINT_TYPES = {
    "revolute": "RevoluteJoint",
    "prismatic": "PrismaticJoint",
    "spherical": "SphericalJoint",
    "fixed": "FixedJoint",
}
"""USD's joints by kind. A free joint is not written as a joint."""

SIX_AXES = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ")


def add_physics(stage: Any, model: Model, paths: Sequence[str], scale: float) -> None:
    """Add the bodies, colliders and joints of a model to a stage.

    paths: paths of its links. scale: scale of lengths.
    """
    (UsdPhysics,) = usd_modules("UsdPhysics")

    scene, g = UsdPhysics.Scene.Define(stage, "/PhysicsScene"), np.array(model.gravity, float)
    strength = float(np.linalg.norm(g))
    scene.CreateGravityDirectionAttr(tuple((g / strength).tolist()) if strength else (0.0, 0.0, -1.0))
    scene.CreateGravityMagnitudeAttr(strength * scale)
    UsdPhysics.ArticulationRootAPI.Apply(stage.GetDefaultPrim())
    forces, by_name = joint_forces_of(model), {link.name: paths[link.index - 1] for link in model.figure.links}
    for link, path in zip(model.figure.links, paths, strict=True):
        prim = stage.GetPrimAtPath(path)
        UsdPhysics.RigidBodyAPI.Apply(prim)
        _add_mass(UsdPhysics.MassAPI.Apply(prim), link, scale)
        add_colliders(stage, link, path, scale)
        if link.joint.kind != "free":
            joint = _add_joint(stage, link, path, paths[link.parent_index - 1] if link.parent_index else "", scale)
            add_joint_forces(joint, forces.get(link.name, []), link.joint.rotor, scale)
    add_closures(stage, model.figure, by_name, scale)
    add_couplings(stage, model.figure, by_name, scale)
    add_pairs(stage, model.figure, by_name)


def physics_left_out(model: Model) -> list[str]:
    """Return notes on what USD Physics leaves out of a model."""
    coupled = [link.name for link in model.figure.links if link.joint.kind not in (*JOINT_TYPES, *FREE_AXES, "free")]
    notes = [f"the constraints of the joints of {', '.join(coupled)}, which are free along all axes"] if coupled else []
    notes += loops_left_out(model.figure)
    notes += ["tendons"] if model.tendons else []
    massless = [link.name for link in model.figure.links if not link.mass_properties.mass]
    notes += [f"the zero mass of {', '.join(massless)}: a mass of 0 in USD means an unknown mass"] * bool(massless)
    return notes + list(efforts_left_out(model))


def _add_mass(mass: Any, link: PlacedLink, scale: float) -> None:
    """Set mass, centre, principal moments and axes of a link; a link without inertia has no moments in the file."""
    (Gf,) = usd_modules("Gf")

    given = link.mass_properties
    moments, axes = np.linalg.eigh(np.array(given.inertia, float))
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] = -axes[:, 0]
    mass.CreateMassAttr(float(given.mass))
    mass.CreateCenterOfMassAttr(Gf.Vec3f(*(scale * np.array(given.com, float)).tolist()))
    if not moments.any():  # OpenUSD's validators reject moments of 0
        return
    mass.CreateDiagonalInertiaAttr(Gf.Vec3f(*(scale**2 * moments).tolist()))
    mass.CreatePrincipalAxesAttr(quaternion(axes))


def _add_joint(stage: Any, link: PlacedLink, path: str, parent: str, scale: float) -> Any:
    """Add the joint of a link and return its prim. parent: path of the link's parent, or empty for the world."""
    (UsdPhysics,) = usd_modules("UsdPhysics")

    joint = link.joint
    kind = JOINT_TYPES.get(joint.kind, "Joint")
    prim = getattr(UsdPhysics, kind).Define(stage, f"{path}_joint")
    align = _x_to(np.array(joint.axis, float), joint.across)
    if parent:
        prim.CreateBody0Rel().SetTargets([parent])
    prim.CreateBody1Rel().SetTargets([path])
    set_frame(prim, 0, joint.position, np.array(joint.rotation, float) @ align, scale)
    set_frame(prim, 1, (0.0, 0.0, 0.0), align, scale)
    if joint.kind in ("revolute", "prismatic"):
        prim.CreateAxisAttr("X")
    if joint.kind in FREE_AXES:
        lock_axes(prim, [axis for axis in SIX_AXES if axis not in FREE_AXES[joint.kind]])
    return prim.GetPrim()


def _x_to(axis: Array, across: Triple | None) -> Array:
    """Return a rotation with an axis of length 1 as the first column, and `across`, if given, as the second."""
    other = np.eye(3)[np.argmin(np.abs(axis))]
    y = np.cross(axis, other).astype(np.float64) if across is None else np.array(across, float)
    y = y / float(np.linalg.norm(y))
    return np.stack([axis, y, np.cross(axis, y)], axis=1)
