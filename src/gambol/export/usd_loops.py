"""Closed loops, coupled joints and pairs of links without contact in USD Physics. [OpenUSD, UsdPhysics]

A closure is a joint outside the tree of joints (excludeFromArticulation), between a frame on each link. A coupling is a
joint that follows another one (NewtonMimicAPI), of which OpenUSD has no schema. In the file's unit, lengths are scaled
by s and angles are in degrees. Links that a joint connects do not collide, unless the joint's collisionEnabled is true.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from gambol.export.usd_frames import lock_axes, set_frame
from gambol.export.usd_library import usd_modules
from gambol.figure import Closure, Coupling, Figure
from gambol.figure.closure import CLOSURES

TYPES = {"weld": "FixedJoint", "hinge": "RevoluteJoint", "slider": "PrismaticJoint", "point": "SphericalJoint"}
"""USD's joints by kind of closure; "distance" is a DistanceJoint, and others are joints with locked axes."""


def add_closures(stage: Any, figure: Figure, paths: Mapping[str, str], scale: float) -> None:
    """Add the closures of a figure to a stage. paths: paths of its links by name. scale: scale of lengths."""
    (UsdPhysics,) = usd_modules("UsdPhysics")

    closures, apart = [each for each in figure.constraints if isinstance(each, Closure)], set(figure.apart)
    for number, closure in enumerate(closures):
        kind = "DistanceJoint" if closure.kind == "distance" else TYPES.get(closure.kind, "Joint")
        joint = getattr(UsdPhysics, kind).Define(stage, f"{paths[closure.link]}_closure_{number}")
        joint.CreateExcludeFromArticulationAttr(True)
        joint.CreateCollisionEnabledAttr(not {(closure.link, closure.other), (closure.other, closure.link)} & apart)
        joint.CreateBody1Rel().SetTargets([paths[closure.link]])
        if closure.other is not None:
            joint.CreateBody0Rel().SetTargets([paths[closure.other]])
        set_frame(joint, 0, closure.other_position, closure.other_rotation, scale)
        set_frame(joint, 1, closure.position, closure.rotation, scale)
        if closure.kind in ("hinge", "slider"):
            joint.CreateAxisAttr("Z")
        elif closure.kind == "distance":
            joint.CreateMinDistanceAttr(scale * closure.length)
            joint.CreateMaxDistanceAttr(scale * closure.length)
        elif kind == "Joint":
            turns, slides = CLOSURES[closure.kind]
            lock_axes(joint, [f"rot{axis.upper()}" for axis in turns] + [f"trans{axis.upper()}" for axis in slides])


def add_couplings(stage: Any, figure: Figure, paths: Mapping[str, str], scale: float) -> None:
    """Add the linear couplings of joints with one axis. Arguments: see add_closures()."""
    (Sdf,) = usd_modules("Sdf")

    for coupling in figure.constraints:
        if isinstance(coupling, Closure) or not _is_mimic(figure, coupling):
            continue
        unit, leader_unit = (_unit(figure, name, scale) for name in (coupling.joint, str(coupling.other)))
        c0, c1 = (*coupling.coefficients, 0.0)[:2]
        prim = stage.GetPrimAtPath(f"{paths[coupling.joint]}_joint")
        prim.AddAppliedSchema("NewtonMimicAPI")
        prim.CreateRelationship("newton:mimicJoint").SetTargets([f"{paths[str(coupling.other)]}_joint"])
        for name, value in (("mimicCoef0", c0 * unit), ("mimicCoef1", c1 * unit / leader_unit)):
            prim.CreateAttribute(f"newton:{name}", Sdf.ValueTypeNames.Float).Set(value)


def add_pairs(stage: Any, figure: Figure, paths: Mapping[str, str]) -> None:
    """Add the pairs of links that never collide, and enable collisions of pairs that a joint connects and may collide.

    paths: paths of the links by name.
    """
    (UsdPhysics,) = usd_modules("UsdPhysics")

    for first, second in figure.apart:
        if not _joined(figure, first, second):
            filtered = UsdPhysics.FilteredPairsAPI.Apply(stage.GetPrimAtPath(paths[first]))
            filtered.CreateFilteredPairsRel().AddTarget(paths[second])
    for pair in figure.paired:
        if child := _joined(figure, *pair):
            UsdPhysics.Joint(stage.GetPrimAtPath(f"{paths[child]}_joint")).CreateCollisionEnabledAttr(True)


def loops_left_out(figure: Figure) -> Iterable[str]:
    """Yield notes on constraints and pairs of a figure that are left out."""
    couplings = [each for each in figure.constraints if isinstance(each, Coupling)]
    if not all(_is_mimic(figure, each) for each in couplings):
        yield "couplings of joints that are not linear, or of joints with several axes"
    if not all(_joined(figure, *pair) for pair in figure.paired):
        yield "pairs of links that collide although their groups exclude it"


def _is_mimic(figure: Figure, coupling: Coupling) -> bool:
    """Return True for a linear coupling of two joints with one axis."""
    if coupling.other is None or len(coupling.coefficients) > 2:
        return False
    return all(figure.link(name).joint.kind in ("revolute", "prismatic") for name in (coupling.joint, coupling.other))


def _unit(figure: Figure, name: str, scale: float) -> float:
    """Return 1 rad or 1 m of a joint's coordinate in the unit of the file."""
    return scale if figure.link(name).joint.kind == "prismatic" else math.degrees(1.0)


def _joined(figure: Figure, first: str, second: str) -> str:
    """Return which of two links is the child of the other, or an empty text if no joint connects them."""
    one, other = figure.link(first), figure.link(second)
    return first if one.parent_index == other.index else second if other.parent_index == one.index else ""
