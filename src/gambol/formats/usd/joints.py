"""Joints of USD Physics as freedoms: rotation about, and sliding along, axes of the joint's frames. [UsdPhysics]

A joint has a frame on each of its two bodies. It lets the second frame J1 move relative to the first, J0. A joint of
the general kind ("D6") slides along the axes of J0 by its free translations, and then turns by its free rotations in
the order x, y, z; as a ball, if all three are free, without limits and drives.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gambol.errors import GambolError
from gambol.figure import JointSpring, rotation_about
from gambol.formats.usd.stage import Array, Prim, Stage, pose_of, rotation_of

AXIS_NUMBERS = {"X": 0, "Y": 1, "Z": 2}
DOFS = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ")
MAX_BREAKING_FORCE = 1e30
"""Maximum force or moment at which a joint can break [N, N m]; with a greater one it is unbreakable."""
DISTANCE = "PhysicsDistanceJoint"


@dataclass(frozen=True)
class Freedom:
    """One freedom of a joint, which becomes a joint of a figure.

    dof: its name in USD, such as "rotX"; "ball" for all rotations. kind: "revolute", "prismatic" or "spherical". axis:
    number of the axis of the joint's frames. spring: its limits, damper and friction, in SI units. held: coordinate at
    which two equal limits hold it [rad or m], or None.
    """

    dof: str
    kind: str
    axis: int
    spring: JointSpring
    held: float | None = None

    @property
    def is_angle(self) -> bool:
        """True for a revolute joint."""
        return self.kind == "revolute"


@dataclass(frozen=True)
class StageJoint:
    """A joint of a stage.

    prim: its data. bodies: paths of its moving bodies, "" for the world. frames: X_W_J0 and X_W_J1, the poses of its
    frames in the world, as the file places the bodies. freedoms: freedoms from the first body outward. rotor: rotor
    inertia at each freedom [kg m2 or kg].
    """

    prim: Prim
    bodies: tuple[str, str]
    frames: tuple[Array, Array]
    freedoms: tuple[Freedom, ...]
    rotor: float = 0.0

    @property
    def path(self) -> str:
        """Path of the prim."""
        return self.prim["path"]

    @property
    def is_distance(self) -> bool:
        """True if the joint only bounds a distance."""
        return self.prim["kind"] == DISTANCE

    @property
    def is_free(self) -> bool:
        """True if the joint restrains nothing."""
        return self.is_distance or sum(3 if f.kind == "spherical" else 1 for f in self.freedoms) == len(DOFS)


def read_joint(stage: Stage, prim: Prim, moving: Mapping[str, Array], notes: set[str]) -> StageJoint:
    """Return a joint. moving: poses of the moving bodies in the world, by path. notes: receives sentences.

    Raises GambolError for a body that does not exist, a joint of a body with itself, and limits in the wrong order.
    """
    where = f'{stage.file}: joint "{prim["path"]}"'
    for side in (0, 1):
        if not prim[f"exists{side}"]:
            raise GambolError(f'{where} has the body "{prim[f"target{side}"]}", which does not exist')
    bodies = tuple(prim[f"body{side}"] if prim[f"body{side}"] in moving else "" for side in (0, 1))
    if bodies[0] == bodies[1] and bodies[0]:
        raise GambolError(f'{where} connects "{bodies[0]}" to itself; name two bodies')
    if prim.get("breakForce", math.inf) < MAX_BREAKING_FORCE or prim.get("breakTorque", math.inf) < MAX_BREAKING_FORCE:
        notes.add("Left out: the forces at which joints break; joints never break.")
    frames = (_frame(stage, prim, 0), _frame(stage, prim, 1))
    freedoms, armature = KINDS[prim["kind"]](stage, prim, notes), float(prim["armature"])
    slides = bool(freedoms) and all(freedom.kind == "prismatic" for freedom in freedoms)
    rotor = armature * (stage.units.mass if slides else stage.units.torque)
    return StageJoint(prim, (bodies[0], bodies[1]), frames, freedoms, rotor)


def _frame(stage: Stage, prim: Prim, side: int) -> Array:
    """Return the pose in the world of the frame on one side of a joint."""
    place = stage.place(prim[f"matrix{side}"], prim["path"])
    offset = place.scale @ np.array(prim[f"position{side}"], float)
    return place.pose @ pose_of(rotation_of(prim[f"quaternion{side}"], prim["path"]), offset)


def axis_of(freedom: Freedom, frame: Array) -> Array:
    """Return the axis of a freedom, in the axes in which the pose of the joint's frame is given."""
    return frame[:3, freedom.axis]


def motion_of(freedom: Freedom, q: float) -> Array:
    """Return the pose of J1 in J0 at a coordinate [rad or m]."""
    axis = np.eye(3)[freedom.axis]
    if freedom.is_angle:
        return pose_of(np.array(rotation_about(axis.tolist(), q)), (0.0, 0.0, 0.0))
    return pose_of(np.eye(3), (q * axis).tolist())


def coordinates_of(freedoms: Sequence[Freedom], X: Array) -> list[float]:
    """Return the coordinates of the slides and turns of a joint [m or rad] for the pose X of J1 in J0.

    A ball among the freedoms has no coordinate here.
    """
    angles = iter(_angles([freedom.axis for freedom in freedoms if freedom.is_angle], X[:3, :3]))
    single = (freedom for freedom in freedoms if freedom.kind != "spherical")
    return [next(angles) if freedom.is_angle else float(X[freedom.axis, 3]) for freedom in single]


def _angles(axes: Sequence[int], R: Array) -> list[float]:
    """Return the angles of successive turns about different coordinate axes that give a rotation. [Shuster 1993]

    One turn about i, j, k in cyclic order: tan a = R_kj / R_jj.      Two: R = R_i(a) R_j(b), tan b = R_ik / R_ii.
    Three, in cyclic order: R = R_i(a) R_j(b) R_k(c), sin b = R_ik.
    """
    if not axes:
        return []
    i, j = axes[0], axes[1] if len(axes) > 1 else (axes[0] + 1) % 3
    k = 3 - i - j
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    if len(axes) == 1:
        return [math.atan2(R[k, j] - R[j, k], R[j, j] + R[k, k])]
    if len(axes) == 2:
        return [sign * math.atan2(R[k, j], R[j, j]), sign * math.atan2(R[i, k], R[i, i])]
    b = math.asin(min(max(R[i, k], -1.0), 1.0))
    return [math.atan2(-R[j, k], R[k, k]), b, math.atan2(-R[i, j], R[i, i])]


def _one_axis(kind: str) -> Callable[[Stage, Prim, set[str]], tuple[Freedom, ...]]:
    """Return the function that returns the freedom of a joint with one axis."""

    def freedoms(stage: Stage, prim: Prim, notes: set[str]) -> tuple[Freedom, ...]:
        axis = _axis_number(stage, prim)
        bounds = float(prim.get("lowerLimit", -math.inf)), float(prim.get("upperLimit", math.inf))
        return (_freedom(stage, prim, DOFS[axis + (3 if kind == "revolute" else 0)], bounds),)

    return freedoms


def _ball(stage: Stage, prim: Prim, notes: set[str]) -> tuple[Freedom, ...]:
    """Return the freedom of a ball, or its turns about its axis, the next one and the third.

    They are turns if it has drives for them, or limits of the angle of its axis in the directions of the others.
    """
    first = _axis_number(stage, prim)
    cones = [float(prim.get(f"coneAngle{k}Limit", -1.0)) for k in (0, 1)]
    axes = [DOFS[3 + (first + k) % 3] for k in range(3)]
    if max(cones) < 0.0 and not any(axis in prim["drives"] for axis in axes):
        return (_ball_freedom(stage, prim),)
    if max(cones) >= 0.0:
        notes.add("Limits of spherical joints, which are cones, are limits of two angles.")
    limits = [NO_LIMITS, *((-cone, cone) if cone >= 0.0 else NO_LIMITS for cone in cones)]
    return tuple(_freedom(stage, prim, axis, bounds) for axis, bounds in zip(axes, limits, strict=True))


def _axis_number(stage: Stage, prim: Prim) -> int:
    """Return the number of the axis of a joint."""
    axis = AXIS_NUMBERS.get(prim["axis"])
    if axis is None:
        raise GambolError(f'{stage.file}: joint "{prim["path"]}" has the axis "{prim["axis"]}"; give X, Y or Z')
    return axis


def _general(stage: Stage, prim: Prim, notes: set[str]) -> tuple[Freedom, ...]:
    """Return the degrees of freedom of a joint of six axes: those with a lower limit not above the upper one."""
    limits = {dof: (float(low), float(high)) for dof, (low, high) in prim["limits"].items()}
    free = [dof for dof in DOFS if limits.get(dof, NO_LIMITS)[0] <= limits.get(dof, NO_LIMITS)[1]]
    is_ball = set(DOFS[3:]) <= set(free) and not any(dof in limits or dof in prim["drives"] for dof in DOFS[3:])
    single = DOFS[:3] if is_ball else DOFS
    freedoms = tuple(_freedom(stage, prim, dof, limits.get(dof, NO_LIMITS)) for dof in free if dof in single)
    return (*freedoms, _ball_freedom(stage, prim)) if is_ball else freedoms


def _ball_freedom(stage: Stage, prim: Prim) -> Freedom:
    return Freedom("ball", "spherical", 0, _spring(stage, prim, "revolute", NO_LIMITS))


def _freedom(stage: Stage, prim: Prim, dof: str, bounds: tuple[float, float]) -> Freedom:
    """Return a freedom along or about one axis. bounds: its limits, in units of the file."""
    kind, axis = "prismatic" if dof in DOFS[:3] else "revolute", DOFS.index(dof) % 3
    unit = stage.units.length if kind == "prismatic" else math.pi / 180.0
    held = bounds[0] * unit if bounds[0] == bounds[1] else None
    return Freedom(dof, kind, axis, _spring(stage, prim, kind, bounds), held)


def _spring(stage: Stage, prim: Prim, kind: str, bounds: tuple[float, float]) -> JointSpring:
    """Return the limits, damper and friction of one freedom in SI units. bounds: limits in units of the file."""
    units, is_angle = stage.units, kind == "revolute"
    unit, effort = (math.pi / 180.0, units.torque) if is_angle else (units.length, units.force)
    lower, upper = bounds
    if lower > upper:
        raise GambolError(f'{stage.file}: joint "{prim["path"]}" has limits {lower:g} to {upper:g}; swap them')
    damping, friction = float(prim["damping"]), float(prim["friction"])
    if not (0.0 <= damping < math.inf and 0.0 <= friction < math.inf):
        raise GambolError(f'{stage.file}: joint "{prim["path"]}" has a negative or infinite damping or friction')
    spring = JointSpring(damping=damping * effort / unit, friction=friction * effort)
    return spring if lower == upper else JointSpring(
        lower=lower * unit, upper=upper * unit, damping=spring.damping, friction=spring.friction
    )  # fmt: skip


NO_LIMITS = (-math.inf, math.inf)

KINDS: dict[str, Callable[[Stage, Prim, set[str]], tuple[Freedom, ...]]] = {
    "PhysicsRevoluteJoint": _one_axis("revolute"),
    "PhysicsPrismaticJoint": _one_axis("prismatic"),
    "PhysicsSphericalJoint": _ball,
    "PhysicsFixedJoint": lambda stage, prim, notes: (),
    "PhysicsJoint": _general,
    DISTANCE: lambda stage, prim, notes: (),
}
"""For each type of joint, the function that returns its freedoms."""
