"""The joints of a pile as arrays: bodies, anchors, locked motions, and the numbers of their laws."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError
from gambol.rigid.joint_laws import ROWS, LawNumbers

WORLD_Z = 9
"""The row of anchors with the height of the point in the second body."""

Array = NDArray[Any]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PileJoints:
    """The joints of a pile, one in each column.

    first, second: numbers of the bodies, second 0 for the world. anchors: points and axes in the bodies (14, joints),
    see joint_point.py. locked: 1 for locked motions, 0 for free ones (6, joints). numbers: springs, limits and motors
    (17, 6, joints), see LawNumbers; None: all motions that are not locked are free of forces.
    coordinate_rows: joint and row of each coordinate (coordinates, 2).
    """

    first: Indices
    second: Indices
    anchors: Array
    locked: Array
    numbers: Array | None = None
    coordinate_rows: Indices = field(default_factory=lambda: np.zeros((0, 2), np.int64))

    @property
    def count(self) -> int:
        """The number of joints."""
        return len(self.first)

    def joined(self, *others: "PileJoints") -> "PileJoints":
        """Return the joints of this and of other figures of one pile."""
        each = (self, *others)
        first, second, anchors, locked = (
            np.concatenate([getattr(one, name) for one in each], axis=-1)
            for name in ("first", "second", "anchors", "locked")
        )
        starts = np.cumsum([0, *(one.count for one in each)])
        shifted = [one.coordinate_rows + np.array([start, 0]) for one, start in zip(each, starts, strict=False)]
        coordinate_rows = np.concatenate(shifted)
        numbers = None
        if any(one.numbers is not None for one in each):
            numbers = np.concatenate(
                [without_laws(one.count) if one.numbers is None else one.numbers for one in each], -1
            )
        return PileJoints(first, second, anchors, locked, numbers, coordinate_rows)

    @property
    def coordinates(self) -> int:
        """The number of free motions of all joints."""
        return len(self.coordinate_rows)

    def commands(self, targets: Array | None, torques: Array | None) -> Array:
        """Return targets, then torques or forces, of all rows of joints (12, joints); None: 0.

        Raises WorldError for arrays of another shape than (coordinates), for joints without numbers, and for numbers
        that are not finite.
        """
        rows = np.zeros((2, ROWS, self.count))
        for own, name, values in zip(rows, ("targets", "torques"), (targets, torques), strict=True):
            if values is None:
                continue
            if np.shape(values) != (self.coordinates,):
                raise WorldError(
                    f"{name} must have the shape {(self.coordinates,)}, a number for each coordinate of the joints, "
                    f"not {np.shape(values)}"
                )
            if not np.isfinite(values).all():
                raise WorldError(f"the {name} of joints are not finite")
            if self.numbers is None:
                raise WorldError(
                    f"{name} need joints with motors; give springs or servos, or motors=True, to linked_bodies()"
                )
            own[self.coordinate_rows[:, 1], self.coordinate_rows[:, 0]] = values
        return rows.reshape(2 * ROWS, -1)

    def above(self, height: float) -> "PileJoints":
        """Return the joints with points of the world from its origin in the table: a plane at a height [m]."""
        anchors = self.anchors.copy()
        anchors[WORLD_Z, self.second == 0] -= height
        return replace(self, anchors=anchors)


def without_laws(count: int) -> Array:
    """Return the numbers of joints without springs, limits and motors."""
    numbers = np.zeros((len(LawNumbers._fields), ROWS, count))
    for name, value in WITHOUT_LAWS.items():
        numbers[LawNumbers._fields.index(name)] = value
    return numbers


WITHOUT_LAWS = {
    "lower": -np.inf,
    "upper": np.inf,
    "soft_lower": -np.inf,
    "soft_upper": np.inf,
    "strength": np.inf,
    "target_lower": -np.inf,
    "target_upper": np.inf,
}
"""Numbers of motions without laws; all others are 0."""

NO_JOINTS = PileJoints(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((14, 0)), np.zeros((ROWS, 0)))
