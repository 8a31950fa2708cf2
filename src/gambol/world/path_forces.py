"""The forces on links of an actuator that pulls along a path over points of them, such as a tendon.

    L' = sum of g_i . V_i        f_i = F g_i        F: force along the path, negative where it pulls

V_i: spatial velocity of link i, in its coordinates. g_i has the rates L' at the six unit velocities of this link, while
all others stand still. Joint forces J^T f are those of the actuator; but f also loads the joints between the links.
"""

from collections.abc import Sequence
from dataclasses import replace

from gambol.actuation import GeneralMotor
from gambol.actuation.muscle import PointPath
from gambol.dynamics import Kinematics
from gambol.lanes import Scalar
from gambol.spatial import Force, Motion, Vector
from gambol.spatial.motion import ZERO_MOTION
from gambol.spatial.vector import ZERO
from gambol.world.actuator_forces import DrivenActuator

UNITS = [Motion(Vector.axis(k), ZERO) for k in range(3)] + [Motion(ZERO, Vector.axis(k)) for k in range(3)]
"""The six unit velocities of a link."""


def force_along(driven: DrivenActuator) -> Scalar:
    """Return the force of an actuator along its path [N], negative where it pulls; without one at its joint [N m or N].

    That of a GeneralMotor is before its gear, as in MuJoCo. Other actuators with a path have a tension.
    """
    actuator, given = driven.actuator, (driven.numbers, driven.input)
    if isinstance(actuator, GeneralMotor):
        return driven.fraction * actuator.tension(*given)
    tension = actuator.outputs(*given).get("force")
    return driven.fraction * (actuator.force(*given)[0] if tension is None else -tension)


def path_forces(state: Kinematics, driven: DrivenActuator) -> dict[int, Force]:
    """Return the forces of an actuator on links, by index of the link, in link coordinates; none without such a path.

    state: kinematics at the actuator's moment.
    """
    path = getattr(driven.actuator, "path", None)
    if not isinstance(path, PointPath):
        return {}
    gear = driven.numbers.get("gear", 1.0)  # a GeneralMotor has one
    force = gear * force_along(driven)

    def rate(index: int, unit: Motion) -> Scalar:
        velocities = [unit if k == index else ZERO_MOTION for k in range(len(state.velocities))]

        def moving(q: Sequence[Scalar], v: Sequence[Scalar]) -> Kinematics:
            return replace(state, velocities=tuple(velocities))

        return path.motion(driven.numbers["path"], replace(driven.input, kinematics_at=moving))[1]

    def gradient(index: int) -> Sequence[Scalar]:
        return [force * rate(index, unit) for unit in UNITS]

    touched = {state.figure.link(name).index for name in path.links}
    return {i: Force(Vector(*g[:3]), Vector(*g[3:])) for i, g in ((i, gradient(i)) for i in sorted(touched))}
