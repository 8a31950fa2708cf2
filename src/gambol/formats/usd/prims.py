"""The prims of a USD stage as plain data, in the file's units and axes: a script that does not import gambol."""

import math
import runpy
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

LOOKS = runpy.run_path(str(Path(__file__).with_name("looks.py")))

MAX_PRIMS = 200_000  # of a stage; a robot with its meshes has some thousands

SIZES = {
    "Cube": ("size",),
    "Sphere": ("radius",),
    "Capsule": ("radius", "height", "axis"),
    "Capsule_1": ("radiusTop", "radiusBottom", "height", "axis"),
    "Cylinder": ("radius", "height", "axis"),
    "Cylinder_1": ("radiusTop", "radiusBottom", "height", "axis"),
    "Cone": ("radius", "height", "axis"),
    "Plane": ("axis",),
    "Mesh": (),
}
"""The attributes of each type of shape that are read; a Mesh has points."""

SILENT_TYPES = frozenset((
    "", "Xform", "Scope", "Material", "Shader", "NodeGraph", "GeomSubset", "Camera", "PhysicsScene",
    "PhysicsCollisionGroup", "RenderSettings", "RenderProduct", "RenderVar", "Backdrop", "DistantLight", "DomeLight",
    "DomeLight_1", "SphereLight", "RectLight", "DiskLight", "CylinderLight",
))  # fmt: skip
"""Types of prims without influence on a motion, which are left out without a note."""

READ_SCHEMAS = frozenset((
    "PhysicsRigidBodyAPI", "PhysicsMassAPI", "PhysicsCollisionAPI", "PhysicsMeshCollisionAPI", "PhysicsDriveAPI",
    "PhysicsLimitAPI", "PhysicsMaterialAPI", "PhysicsArticulationRootAPI", "PhysicsFilteredPairsAPI",
    "MaterialBindingAPI", "NewtonJointAPI", "NewtonArticulationRootAPI", "NewtonMimicAPI", "PhysxArticulationAPI",
    "PhysxJointAPI", "GeomModelAPI", "ShadowAPI", "LightAPI", "VisibilityAPI", "CollectionAPI", "NodeDefAPI",
))  # fmt: skip
"""Applied schemas that are read, or have no influence on a motion."""

JOINT_NUMBERS = (
    "lowerLimit", "upperLimit", "coneAngle0Limit", "coneAngle1Limit", "minDistance", "maxDistance", "breakForce",
    "breakTorque",
)  # fmt: skip
"""The numbers of joints besides frames, in the namespace physics."""

OTHER_NUMBERS = {
    "armature": ("newton:armature", "physxJoint:armature"),
    "damping": ("newton:damping",),
    "friction": ("newton:friction", "physxJoint:jointFriction"),
}
"""Numbers of joints that OpenUSD's schemas do not have, and attributes of other programs for them."""

FREEDOMS = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ", "distance", "angular", "linear")
MASS_NUMBERS = ("mass", "density", "centerOfMass", "diagonalInertia", "principalAxes")

Data = dict[str, Any]


def stage_content(pxr: Any, stage: Any, arrays: list[Any], folder: Path | None) -> Data:
    """Return bodies, shapes, joints, scenes and other prims of a stage.

    arrays: receives the numbers of meshes and the bytes of images. folder: the folder that contains all images; None
    to leave out how shapes look.
    """
    cache, unread = pxr.UsdGeom.XformCache(), Counter[str]()
    prims: dict[str, list[Data]] = {"bodies": [], "shapes": [], "joints": [], "scenes": [], "actuators": []}
    schemas: set[str] = set()
    filtered: list[tuple[str, str]] = []
    articulations: dict[str, Data] = {}
    images: dict[str, int] = {}
    for count, prim in enumerate(stage.Traverse(pxr.Usd.TraverseInstanceProxies())):
        if count > MAX_PRIMS:
            raise ValueError(f"it has more than {MAX_PRIMS} prims")
        path, kind, applied = str(prim.GetPath()), str(prim.GetTypeName()), _schemas(prim)
        schemas |= {name for name in applied if name not in READ_SCHEMAS}
        if "PhysicsRigidBodyAPI" in applied:
            prims["bodies"].append(_body(pxr, prim, cache))
        if "PhysicsArticulationRootAPI" in applied:
            articulations[path] = _articulation(prim)
        if "PhysicsFilteredPairsAPI" in applied:
            filtered += [(path, str(other)) for other in _targets(prim, "physics:filteredPairs")]
        if kind == "PhysicsScene":
            prims["scenes"].append(_numbers(prim, ("gravityDirection", "gravityMagnitude")))
        elif kind in SIZES:
            prims["shapes"].append(_shape(pxr, prim, cache, arrays))
            if folder is not None and prims["shapes"][-1]["drawn"]:
                prims["shapes"][-1]["look"] = LOOKS["shape_look"](pxr, prim, arrays, images, folder)
        elif kind.endswith("Joint"):
            prims["joints"].append(_joint(pxr, prim, cache))
        elif kind == "MjcActuator":
            prims["actuators"].append(_actuator(prim))
        elif kind not in SILENT_TYPES:
            unread[kind] += 1
    return prims | {
        "meters_per_unit": pxr.UsdGeom.GetStageMetersPerUnit(stage),
        "kilograms_per_unit": pxr.UsdPhysics.GetStageKilogramsPerUnit(stage),
        "up": str(pxr.UsdGeom.GetStageUpAxis(stage)),
        "articulations": articulations,
        "filtered": filtered,
        "unread": dict(unread),
        "schemas": sorted(schemas),
        "separate_groups": _separate_groups(pxr, stage, prims["shapes"]),
    }


def _separate_groups(pxr: Any, stage: Any, shapes: list[Data]) -> list[list[int]]:
    """Return the pairs of collision groups that never touch, by number; add to each shape the numbers of its groups."""
    groups = [prim for prim in stage.Traverse() if prim.IsA(pxr.UsdPhysics.CollisionGroup)]
    queries = [
        pxr.UsdPhysics.CollisionGroup(prim).GetCollidersCollectionAPI().ComputeMembershipQuery() for prim in groups
    ]
    for shape in shapes:
        shape["groups"] = [k for k, query in enumerate(queries) if query.IsPathIncluded(shape["path"])]
    table, paths = pxr.UsdPhysics.CollisionGroup.ComputeCollisionGroupTable(stage), [p.GetPath() for p in groups]
    numbers = range(len(groups))
    return [[i, j] for i in numbers for j in numbers if not table.IsCollisionEnabled(paths[i], paths[j])]


def _listed(prim: Any) -> list[str]:
    """Return all schemas that are applied to a prim, such as "PhysicsDriveAPI:angular", also unknown ones."""
    listed = prim.GetMetadata("apiSchemas")
    return [] if listed is None else [str(name) for name in listed.GetAddedOrExplicitItems()]


def _schemas(prim: Any) -> set[str]:
    return {name.partition(":")[0] for name in _listed(prim)}


def _body(pxr: Any, prim: Any, cache: Any) -> Data:
    api = pxr.UsdPhysics.RigidBodyAPI(prim)
    return {
        "path": str(prim.GetPath()),
        "matrix": _matrix(prim, cache),
        "moves": bool(api.GetRigidBodyEnabledAttr().Get()) and not api.GetKinematicEnabledAttr().Get(),
        "kinematic": bool(api.GetKinematicEnabledAttr().Get()),
        "velocity": [*api.GetVelocityAttr().Get(), *api.GetAngularVelocityAttr().Get()],
    } | _numbers(prim, MASS_NUMBERS)


def _articulation(prim: Any) -> Data:
    collides = [
        _value(prim, name) for name in ("newton:selfCollisionEnabled", "physxArticulation:enabledSelfCollisions")
    ]
    return {
        "self_collision": next((bool(value) for value in collides if value is not None), True),
        "in_series": bool(_value(prim, "newton:jointsAddMobility")),
    }


def _shape(pxr: Any, prim: Any, cache: Any, arrays: list[Any]) -> Data:
    """Return a shape with its place, sizes, surface and colour. arrays: receives the points of a mesh."""
    kind = str(prim.GetTypeName())
    shape: Data = {
        "path": str(prim.GetPath()),
        "kind": kind,
        "matrix": _matrix(prim, cache),
        "body": _above(prim, "PhysicsRigidBodyAPI"),
        "articulation": _above(prim, "PhysicsArticulationRootAPI"),
        "collider": (collider := "PhysicsCollisionAPI" in _schemas(prim)),
        "collides": collider and _value(prim, "physics:collisionEnabled") is not False,
        "visible": (visible := str(pxr.UsdGeom.Imageable(prim).ComputeVisibility()) != "invisible"),
        "drawn": visible and str(pxr.UsdGeom.Imageable(prim).ComputePurpose()) in ("default", "render"),
        "color": _color(pxr, prim),
        "approximation": str(_value(prim, "physics:approximation") or "none"),
    }
    shape |= {name: _plain(prim.GetAttribute(name).Get()) for name in SIZES[kind]} | _numbers(prim, ("mass", "density"))
    if kind == "Mesh":
        points = prim.GetAttribute("points").Get()
        shape["points"] = len(arrays)
        arrays.append(np.array(points if points is not None else [], float).reshape(-1, 3))
    material = pxr.UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial("physics")[0]
    names = ("dynamicFriction", "staticFriction", "restitution", "density")
    surface = _numbers(material.GetPrim(), names) if material else {}
    return shape | {f"material:{name}": value for name, value in surface.items()}


def _joint(pxr: Any, prim: Any, cache: Any) -> Data:
    """Return a joint: its bodies, the frames on them, limits, drives and other numbers."""
    joint: Data = {"path": str(prim.GetPath()), "kind": str(prim.GetTypeName()), "name": str(prim.GetName())}
    for side in (0, 1):
        targets = _targets(prim, f"physics:body{side}")
        target = prim.GetStage().GetPrimAtPath(targets[0]) if targets else None
        joint[f"target{side}"] = str(targets[0]) if targets else ""
        joint[f"exists{side}"] = not targets or bool(target)
        joint[f"body{side}"] = _above(target, "PhysicsRigidBodyAPI") if target else ""
        joint[f"matrix{side}"] = _matrix(target, cache) if target else np.eye(4).tolist()
        position, quaternion = (_value(prim, f"physics:local{part}{side}") for part in ("Pos", "Rot"))
        joint[f"position{side}"] = _plain(position) if position is not None else [0.0, 0.0, 0.0]
        joint[f"quaternion{side}"] = _plain(quaternion) if quaternion is not None else [1.0, 0.0, 0.0, 0.0]
    enabled, excluded, collides = (
        _value(prim, f"physics:{name}") for name in ("jointEnabled", "excludeFromArticulation", "collisionEnabled")
    )
    joint |= {"enabled": enabled is not False, "excluded": bool(excluded), "collides": bool(collides)}
    joint["in_series"] = "MjcJointAPI" in _schemas(prim)
    joint |= {"axis": str(_value(prim, "physics:axis") or "X")} | _numbers(prim, JOINT_NUMBERS)
    for name, attributes in OTHER_NUMBERS.items():
        values = (_value(prim, attribute) for attribute in attributes)
        joint[name] = next((float(value) for value in values if value is not None), 0.0)
    joint["limits"] = {dof: bounds for dof in FREEDOMS if (bounds := _limit(prim, dof)) is not None}
    joint["drives"] = {dof: drive for dof in FREEDOMS if (drive := _drive(prim, dof)) is not None}
    leaders = _targets(prim, "newton:mimicJoint") if _value(prim, "newton:mimicEnabled") is not False else []
    coefficients = [_value(prim, f"newton:mimicCoef{k}") for k in (0, 1)]
    if leaders:
        c0, c1 = (default if c is None else float(c) for c, default in zip(coefficients, (0.0, 1.0), strict=True))
        joint["mimic"] = [str(leaders[0]), c0, c1]
    return joint


def _actuator(prim: Any) -> Data:
    """Return an actuator of MuJoCo's converter: the path of its target, and the attributes that the file gives it."""
    names = [name for name in map(str, prim.GetPropertyNames()) if name.startswith("mjc:") and name != "mjc:target"]
    values = {name.removeprefix("mjc:"): _plain(_value(prim, name)) for name in names}
    targets = _targets(prim, "mjc:target")
    return {"name": str(prim.GetName()), "target": str(targets[0]) if targets else ""} | values


def _limit(prim: Any, dof: str) -> list[float] | None:
    """Return the lower and upper limit of one freedom of a joint, or None if it has no limit."""
    if f"PhysicsLimitAPI:{dof}" not in _listed(prim):
        return None
    low, high = (_value(prim, f"limit:{dof}:physics:{name}") for name in ("low", "high"))
    return [-math.inf if low is None else float(low), math.inf if high is None else float(high)]


def _drive(prim: Any, dof: str) -> Data | None:
    """Return the drive of one degree of freedom of a joint, or None."""
    if f"PhysicsDriveAPI:{dof}" not in _listed(prim):
        return None
    names = ("stiffness", "damping", "targetPosition", "targetVelocity", "maxForce")
    values = {name: _value(prim, f"drive:{dof}:physics:{name}") for name in names}
    numbers = {name: float(value) for name, value in values.items() if value is not None}
    return numbers | {"type": str(_value(prim, f"drive:{dof}:physics:type") or "force")}


def _above(prim: Any, schema: str) -> str:
    """Return the path of the nearest prim with a schema: the prim itself or one above it; empty if there is none."""
    while prim and not prim.IsPseudoRoot():
        if schema in _schemas(prim):
            return str(prim.GetPath())
        prim = prim.GetParent()
    return ""


def _color(pxr: Any, prim: Any) -> list[float] | None:
    """Return the colour of a shape (linear RGB): its own colour, or else that of its material; None if it has none."""
    colors = pxr.UsdGeom.Gprim(prim).GetDisplayColorPrimvar().Get()
    if colors is not None and len(colors):
        return _plain(colors[0])
    material = pxr.UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
    source = material.ComputeSurfaceSource()[0] if material else None
    diffuse = source.GetInput("diffuseColor") if source else None
    for attribute in diffuse.GetValueProducingAttributes() if diffuse else ():
        if str(attribute.GetTypeName()) == "color3f":
            return _plain(attribute.Get())
    return None


def _matrix(prim: Any, cache: Any) -> list[list[float]]:
    """Return the matrix (4, 4) that takes points of a prim to the world: p_W = M p, for columns p."""
    return np.array(cache.GetLocalToWorldTransform(prim)).T.tolist()


def _numbers(prim: Any, names: Iterable[str]) -> Data:
    """Return attributes of a prim in the namespace physics that have a value, by name."""
    values = {name: _value(prim, f"physics:{name}") for name in names}
    return {name: _plain(value) for name, value in values.items() if value is not None}


def _value(prim: Any, name: str) -> Any:
    """Return the value of an attribute of a prim, None without a value."""
    attribute = prim.GetAttribute(name)
    return attribute.Get() if attribute else None


def _targets(prim: Any, name: str) -> list[Any]:
    relationship = prim.GetRelationship(name)
    return list(relationship.GetTargets()) if relationship else []


def _plain(value: Any) -> Any:
    """Return a number, vector, quaternion (w, x, y, z) or token of OpenUSD as plain data."""
    if hasattr(value, "GetReal"):
        return [float(value.GetReal()), *(float(x) for x in value.GetImaginary())]
    if isinstance(value, (bool, str)) or value is None:
        return value
    return [float(x) for x in value] if hasattr(value, "__len__") else float(value)
