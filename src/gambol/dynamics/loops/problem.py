"""Inputs and results of all methods for closed loops.

M v' + h = tau + J^T lambda + external forces        J v' + J' v = required
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops.relations.row import Row
from gambol.dynamics.loops.semidefinite import default_threshold
from gambol.lanes import Scalar
from gambol.spatial.motion import Force


@dataclass(frozen=True, slots=True)
class Problem:
    """The dynamics of a figure with closed loops at one state: forces, and constraint rows with required accelerations.

    tau: joint forces (nv) [N m or N]. rows: the constraint rows. required: required phi'' of each row. f_ext, gravity,
    prescribed: as for aba(). dependence_threshold: t of semidefinite.py.
    """

    state: Kinematics
    tau: Sequence[Scalar]
    rows: Sequence[Row]
    required: Sequence[Scalar]
    f_ext: Mapping[int, Force] = field(default_factory=lambda: NOTHING)
    gravity: Gravity = STANDARD_GRAVITY
    prescribed: Mapping[int, Sequence[Scalar]] = field(default_factory=lambda: NOTHING)
    dependence_threshold: float = field(default_factory=default_threshold)


@dataclass(frozen=True, slots=True)
class ClosedSolution:
    """Accelerations of a figure with loops.

    a: joint accelerations (nv). multipliers: lambda of each row, 0 for dependent rows. prescribed_forces: for each
    prescribed link, by index, its joint force beyond tau.
    """

    a: list[Scalar]
    multipliers: list[Scalar]
    prescribed_forces: dict[int, list[Scalar]]
