"""What every method for closed loops is asked, and what it answers.

M v' + h = tau + J^T lambda + forces from outside        J v' + J' v = demand
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.loops.relations.row import Row
from gambol.dynamics.loops.semidefinite import threshold
from gambol.lanes import Scalar
from gambol.spatial.motion import Force


@dataclass(frozen=True, slots=True)
class Problem:
    """A figure in a state, under forces, with relations whose accelerations are demanded.

    tau: joint forces (nv) [N m or N]. rows: the relations. demands: phi'' of each. f_ext, gravity, prescribed: as for
    aba(). dependent: threshold for rows that depend on others, see semidefinite.py.
    """

    state: Kinematics
    tau: Sequence[Scalar]
    rows: Sequence[Row]
    demands: Sequence[Scalar]
    f_ext: Mapping[int, Force] = field(default_factory=lambda: NOTHING)
    gravity: Gravity = STANDARD_GRAVITY
    prescribed: Mapping[int, Sequence[Scalar]] = field(default_factory=lambda: NOTHING)
    dependent: float = field(default_factory=threshold)


@dataclass(frozen=True, slots=True)
class Closed:
    """How a figure with loops accelerates.

    rates: of v (nv). multipliers: lambda, the strength of each row's forces; 0 for rows that depend on earlier ones.
    taken: for each prescribed link, by its number, the joint force that it took beyond tau.
    """

    rates: list[Scalar]
    multipliers: list[Scalar]
    taken: dict[int, list[Scalar]]
