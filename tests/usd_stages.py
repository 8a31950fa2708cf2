"""Stages for tests of USD files, built with OpenUSD's own interface."""

from collections.abc import Callable
from pathlib import Path

from pxr import Gf, Usd, UsdGeom, UsdPhysics

WORLD = "/World"


def stage_at(path: Path, *, meters: float = 1.0, kilograms: float = 1.0, up: str = "Z") -> Usd.Stage:
    """Return a new stage with units and one Xform. Save it to read it."""
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageMetersPerUnit(stage, meters)
    UsdPhysics.SetStageKilogramsPerUnit(stage, kilograms)
    UsdGeom.SetStageUpAxis(stage, up)
    stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, WORLD).GetPrim())
    return stage


def body(stage: Usd.Stage, path: str, place: tuple[float, float, float] = (0.0, 0.0, 0.0), mass: float = 1.0):
    """Return a rigid body with a mass (0 for none) and an inertia of a tenth of it."""
    xform = UsdGeom.Xform.Define(stage, path)
    xform.AddTranslateOp().Set(Gf.Vec3d(*place))
    UsdPhysics.RigidBodyAPI.Apply(xform.GetPrim())
    if mass:
        api = UsdPhysics.MassAPI.Apply(xform.GetPrim())
        api.CreateMassAttr(mass)
        api.CreateDiagonalInertiaAttr(Gf.Vec3f(0.1 * mass))
    return xform


def collider(shape: UsdGeom.Gprim) -> UsdGeom.Gprim:
    """Make a shape a collider, and return it."""
    UsdPhysics.CollisionAPI.Apply(shape.GetPrim())
    return shape


def joint(
    stage: Usd.Stage,
    kind: Callable[..., UsdPhysics.Joint],
    name: str,
    bodies: tuple[str, str],
    anchors: tuple[tuple[float, float, float], tuple[float, float, float]] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
) -> UsdPhysics.Joint:
    """Return a joint between two bodies, "" for the world. kind: such as UsdPhysics.RevoluteJoint."""
    prim = kind.Define(stage, f"{WORLD}/{name}")  # type: ignore[attr-defined]
    for side, (path, anchor) in enumerate(zip(bodies, anchors, strict=True)):
        if path:
            getattr(prim, f"CreateBody{side}Rel")().SetTargets([path])
        getattr(prim, f"CreateLocalPos{side}Attr")(Gf.Vec3f(*anchor))
    return prim
