"""The numbers of Raibert's control, and its memory."""

from dataclasses import dataclass

from gambol.gait.course import CourseMemory
from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class Gains:
    """Numbers of the control.

    speed: requested speed along the heading [m/s]; heading: angle of the requested velocity from the world's x axis
    [rad]; acceleration: acceleration of the requested speed from 0 [m/s2]. height: height of the centre of mass above
    the foot at the top of a hop [m]; max_thrust: largest lengthening of the springs [m]. stance_time: T_s for the first
    hop [s]; later hops use the measured time of the last stance. placement: k [s]; placement_learning: correction of
    the placement after each hop, per mean error of speed [s]; height_learning: correction of the height after each hop,
    as a fraction of its error. swing, swing_damping: gains of a leg in the air [N m/rad, N m s/rad]; pitch, roll and
    yaw, with their dampings: gains of the trunk relative to the standing legs; counter: the trunk turns by this
    fraction of the leg's angle, in the opposite direction. threshold: compression at which a leg counts as loaded [m].
    short: shortening of a leg while other legs stand [m]. settling: damping of a slide in the air [N s/m]. inward:
    distance by which a foot is placed inward, as a fraction of the hip's distance from the middle.
    """

    speed: float
    height: float
    max_thrust: float
    stance_time: float
    placement: float
    placement_learning: float
    height_learning: float
    swing: float
    swing_damping: float
    pitch: float
    pitch_damping: float
    settling: float
    heading: float = 0.0
    acceleration: float = 0.5
    roll: float = 0.0
    roll_damping: float = 0.0
    yaw: float = 0.0
    yaw_damping: float = 0.0
    counter: float = 0.0
    threshold: float = 0.005
    short: float = 0.0
    inward: float = 0.0


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of the control.

    phase: see phases. group: index of the active virtual leg. stance: time since its foot landed [s]; stance_time:
    duration of the last stance [s]. thrust: lengthening of the springs in this stance [m]. stride: time since a foot
    left the ground [s]; x, y: position of the centre of mass at that time [m]. ahead, aside: learned corrections of the
    placement, forward and to the left [m]; lift: learned correction of the height [m]. course: see gait.course; its
    heading is relative to that of the gains.
    """

    phase: Scalar
    group: Scalar
    stance: Scalar
    stance_time: Scalar
    thrust: Scalar
    stride: Scalar
    x: Scalar
    y: Scalar
    ahead: Scalar
    aside: Scalar
    lift: Scalar
    course: CourseMemory
