"""The placement of a foot, and the hip angles for it. [Raibert 1986, equations 2.4 and 2.5]

    x_f = v T_s / 2 + k (v - v_d)

The first term is the neutral point: a foot at this point does not change the forward speed. The second term accelerates
or brakes.
"""

from gambol.lanes import Scalar, atan2, maximum, sqrt
from gambol.spatial import Vector

MIN_DROP = 0.2
"""Minimum height of the hip above the foot, divided by the leg's length: it bounds the angle of a leg to 78 degrees."""


def foot_placement(speed: Scalar, desired: Scalar, stance_time: Scalar, gain: Scalar) -> Scalar:
    """Return the distance of the foot's placement ahead of the centre of mass [m].

    speed: speed of the centre of mass, v [m/s]; desired: v_d [m/s]; stance_time: T_s [s]; gain: k [s].
    """
    return 0.5 * stance_time * speed + gain * (speed - desired)


def hip_angles(
    x: Scalar, y: Scalar, length: Scalar, up: Vector, forward: Vector, left: Vector
) -> tuple[Scalar, Scalar]:
    """Return abduction and flexion [rad] of a leg for a foot at (x, y) relative to the hip.

    x, y: along the horizontal axes `forward` and `left` [m]. length: length of the leg [m]. up, forward, left: unit
    vectors of a level frame, in the trunk's axes.
    """
    drop = sqrt(maximum(length * length - x * x - y * y, (MIN_DROP * length) * (MIN_DROP * length)))
    foot = forward * x + left * y - up * drop
    return atan2(foot.y, -foot.z), atan2(-foot.x, sqrt(foot.y * foot.y + foot.z * foot.z))
