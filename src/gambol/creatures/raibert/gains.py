"""The numbers of Raibert's control, and its memory."""

from dataclasses import dataclass

from gambol.lanes import Scalar


@dataclass(frozen=True, slots=True)
class Gains:
    """Numbers of the control.

    speed: requested speed along the heading [m/s]; heading: angle of the requested velocity from the world's x axis
    [rad]; acceleration: acceleration of the requested speed from 0 [m/s2]. height: height of the centre of mass over
    the foot at the top of a hop [m]; max_thrust: by which the springs are lengthened at most [m]. stance_time: T_s of
    the first hop [s]; later, of the last hop. placement: k [s]; placement_learning: by which the placement is corrected
    after each hop, per mean error of speed [s]; height_learning: likewise, share of the error of height. swing,
    swing_damping: of a leg in the air [N m/rad, N m s/rad]; pitch, roll and yaw, with their dampings: of the trunk over
    the standing legs; counter: share of the leg's angle to which the trunk turns against it. threshold: compression at
    which a leg counts as loaded [m]. short: by which a leg is shorter while others stand [m]. settling: damping of a
    slide in the air [N s/m]. inward: share of the hip's distance from the middle by which a foot is placed inward.
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

    phase: see phases. group: number of the active virtual leg. stance: time since its foot landed [s]; stance_time:
    time of the last stance [s]. thrust: by which springs are lengthened in this stance [m]. stride: time since a foot
    left the ground [s]; x, y: of the centre of mass at that moment [m]. ahead, aside: learned corrections of the
    placement [m]; lift: lift of the height [m].
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
