"""Goals of a pose, as data: targets of links, joints and the centre of mass.

A goal is a set of rows (relations.py). Its numbers are inputs of a compiled program, so that a new target does not need
a new program; its structure is compiled. The same goals are constraints of descent and of dynamic constraints
(assembly).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from numpy.typing import ArrayLike

from gambol.dynamics import Kinematics
from gambol.dynamics.loops import Row, relative_motion
from gambol.figure import WORLD, Figure, Triple
from gambol.lanes import Scalar, maximum
from gambol.plan.pose.numbers import Array, joined, length, unit_vectors
from gambol.plan.pose.relations import direction_residual, pose_rows, rotation_residual
from gambol.spatial import Rotation, Transform, Vector
from gambol.spatial.rotation import IDENTITY, Quaternion


@runtime_checkable
class Goal(Protocol):
    """The attributes of a goal. An object of a user's class with these attributes is a goal, too."""

    @property
    def weight(self) -> float:
        """Factor of its squared residual; lengths are measured in figure extents."""
        ...

    @property
    def tolerance(self) -> float | None:
        """Residual below which the goal is reached; None: the default."""
        ...

    @property
    def title(self) -> str:
        """The name in messages."""
        ...

    def structure(self) -> tuple[object, ...]:
        """Return all options that are compiled in."""
        ...

    def numbers(self) -> Array:
        """Return the inputs of the program: (k,), or (n, k) for n poses."""
        ...

    def unit(self, figure: Figure) -> str:
        """Return the unit of its residual: "m" or "rad"."""
        ...

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """Return its rows at a state; numbers: the k inputs."""
        ...

    def residual(self, gaps: Array) -> Array:
        """Return the size of its residual (n,), computed from the gaps of its rows (rows, n)."""
        ...


@dataclass(frozen=True, slots=True)
class PointGoal:
    """A point of a link has a position.

    link: name of the link. target (3,), or (n, 3) for n poses: position in the world, or in the frame of the link
    `other` [m]. point: point of the link, in link coordinates [m]. axes: axes of the target's frame along which the
    goal applies, such as "xy".
    """

    link: str
    target: ArrayLike
    point: Triple = (0.0, 0.0, 0.0)
    other: str | None = None
    axes: str = "xyz"
    weight: float = 1.0
    tolerance: float | None = None

    @property
    def title(self) -> str:
        """Name of the goal in messages."""
        return f'the position of "{self.link}"'

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: the options that are compiled in."""
        return (PointGoal, self.link, self.other, self.axes)

    def numbers(self) -> Array:
        """Target and point."""
        return joined(self.title, self.target, self.point)

    def unit(self, figure: Figure) -> str:
        """Return the unit of the residual: metres."""
        return "m"

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """Return the rows of the point's offset from its target."""
        motion = relative_motion(
            state, *ends(state, self.link, self.other), X_iA=Transform(IDENTITY, Vector(*numbers[3:]))
        )
        p = motion.X_BA.position
        chosen = ["xyz".index(axis) for axis in self.axes]
        return [motion.along(Vector.axis(k), p[k] - numbers[k]) for k in chosen]

    def residual(self, gaps: Array) -> Array:
        """Return the distance [m]."""
        return length(gaps)


@dataclass(frozen=True, slots=True)
class OrientationGoal:
    """A link has an orientation.

    link: name of the link. target (4,), or (n, 4): unit quaternion (w, x, y, z) of the link in the world, or in the
    link `other`.
    """

    link: str
    target: ArrayLike = (1.0, 0.0, 0.0, 0.0)
    other: str | None = None
    weight: float = 1.0
    tolerance: float | None = None

    @property
    def title(self) -> str:
        """Name of the goal in messages."""
        return f'the orientation of "{self.link}"'

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: the options that are compiled in."""
        return (OrientationGoal, self.link, self.other)

    def numbers(self) -> Array:
        """The target, divided by its length."""
        return unit_vectors(self.target, 4, self.title)

    def unit(self, figure: Figure) -> str:
        """Return the unit of the residual: radians."""
        return "rad"

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """Return the rows of the rotation vector from the target."""
        motion = relative_motion(state, *ends(state, self.link, self.other))
        return pose_rows(motion, lambda R, p: rotation_residual(R, Quaternion(*numbers)))

    def residual(self, gaps: Array) -> Array:
        """Return the angle [rad]."""
        return length(gaps)


@dataclass(frozen=True, slots=True)
class AxisGoal:
    """An axis of a link has a direction; the link may turn about it.

    link: name of the link. axis: axis in link coordinates. target (3,), or (n, 3): direction in the world, or in the
    link `other`. Both are divided by their lengths.
    """

    link: str
    axis: ArrayLike
    target: ArrayLike
    other: str | None = None
    weight: float = 1.0
    tolerance: float | None = None

    @property
    def title(self) -> str:
        """Name of the goal in messages."""
        return f'the direction of an axis of "{self.link}"'

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: the options that are compiled in."""
        return (AxisGoal, self.link, self.other)

    def numbers(self) -> Array:
        """Target and axis, of length 1."""
        return joined(self.title, unit_vectors(self.target, 3, self.title), unit_vectors(self.axis, 3, self.title))

    def unit(self, figure: Figure) -> str:
        """Return the unit of the residual: radians."""
        return "rad"

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """Return the rows of the shortest rotation from the target to the axis."""
        target, axis = Vector(*numbers[:3]), Vector(*numbers[3:])
        motion = relative_motion(state, *ends(state, self.link, self.other))
        return pose_rows(motion, lambda R, p: direction_residual(R @ axis, target))

    def residual(self, gaps: Array) -> Array:
        """Return the angle [rad]."""
        return length(gaps)


@dataclass(frozen=True, slots=True)
class GazeGoal:
    """An axis of a link points at a target.

    link: name of the link. target (3,), or (n, 3): a position in the world, or in the link `other` [m]. axis: axis in
    link coordinates, which is divided by its length. point: position of the eye, in link coordinates [m].
    """

    link: str
    target: ArrayLike
    axis: Triple = (1.0, 0.0, 0.0)
    point: Triple = (0.0, 0.0, 0.0)
    other: str | None = None
    weight: float = 1.0
    tolerance: float | None = None

    @property
    def title(self) -> str:
        """Name of the goal in messages."""
        return f'the gaze of "{self.link}"'

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: the options that are compiled in."""
        return (GazeGoal, self.link, self.other)

    def numbers(self) -> Array:
        """Target, point and axis."""
        return joined(self.title, self.target, self.point, unit_vectors(self.axis, 3, self.title))

    def unit(self, figure: Figure) -> str:
        """Return the unit of the residual: radians."""
        return "rad"

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """Return the rows of the shortest rotation from the axis to the direction of the target."""
        target, point, axis = (Vector(*numbers[k : k + 3]) for k in (0, 3, 6))
        motion = relative_motion(state, *ends(state, self.link, self.other), X_iA=Transform(IDENTITY, point))

        def gaze_error(R: Rotation, p: Vector) -> list[Scalar]:
            line = R.transpose @ (target - p)
            return direction_residual(line * (1.0 / maximum(line.length(), MIN_TARGET_DISTANCE)), axis)

        return pose_rows(motion, gaze_error)

    def residual(self, gaps: Array) -> Array:
        """Return the angle [rad]."""
        return length(gaps)


MIN_TARGET_DISTANCE = 1e-9
"""Minimum distance of a target from the eye at which its direction is defined [m]."""


def ends(state: Kinematics, link: str, other: str | None) -> tuple[int, int]:
    """Return the indices of two links; other: None for the world, whose index is 0."""
    figure = state.figure
    return figure.link(link).index, WORLD if other is None else figure.link(other).index
