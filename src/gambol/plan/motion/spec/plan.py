"""A plan: the description of a desired motion. [Witkin and Kass 1988; Cohen 1992; Parent ch. 4]

minimise the integral of the costs, subject to   M(q) a + C(q, v) = tau + tau_passive + sum of J' f
                                                 phases of contact, friction, limits, goals
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from gambol.collide import Ground, Plane
from gambol.dynamics import STANDARD_GRAVITY
from gambol.figure import Figure, Springs, Triple
from gambol.plan.motion.spec.costs import Cost
from gambol.plan.motion.spec.goals import PointPath, PointTarget, Pose
from gambol.plan.motion.spec.mesh import Mesh
from gambol.plan.motion.spec.phases import Cycle, Duration, Phase, Point

Range: TypeAlias = float | tuple[float, float]
"""Bounds of a number: the lowest and the highest, or one number r for -r to r."""

Ranges: TypeAlias = Range | tuple[tuple[float, float], ...]
"""Bounds of the freedoms of a joint: one range for all, or (several freedoms) one (lowest, highest) for each."""


@dataclass(frozen=True)
class Plan:
    """The description of a desired motion. Everything but the figure, the ground and functions is plain data.

    figure: a figure with a free or fixed base. phases: phases in order. torques: bounds of the joint forces of actuated
    joints [N m or N], by the name of the joint's link; a joint that is absent has no actuator. limits: bounds of joint
    positions [rad or m]. speeds: bounds of joint velocities [rad/s or m/s]. springs: passive forces of joints, as for
    World. gravity: gravity, as for World [m/s2]. ground, friction, cone: ground, friction and cone of all contacts;
    cone: "pyramid" of four sides inside the "circle". clearance: least height of points of contact above the ground
    while they do not touch it [m]. points: named points. start, goal: the states at the start and at the end, which may
    be incomplete. poses: key poses. targets, paths: targets and paths of points. cycle: None, or the Cycle in which the
    end repeats the start. duration: bounds of the sum of all phases [s], None if there are none. costs: terms of the
    weighted sum that is minimised. guess: poses of the first guess, in addition to start, goal and key poses. mesh:
    options of the discretisation. Plans are checked by check_plan(), which solve() calls before any work.
    """

    figure: Figure
    phases: tuple[Phase, ...] = (Phase(),)
    name: str = "plan"
    torques: Mapping[str, Ranges] = field(default_factory=dict[str, Ranges])
    limits: Mapping[str, Ranges] = field(default_factory=dict[str, Ranges])
    speeds: Mapping[str, Ranges] = field(default_factory=dict[str, Ranges])
    springs: Mapping[str, Springs] = field(default_factory=dict[str, Springs])
    gravity: float | Triple = STANDARD_GRAVITY
    ground: Ground = field(default_factory=Plane)
    friction: float = 0.8
    cone: Literal["pyramid", "circle"] = "circle"
    clearance: float = 0.0
    points: tuple[Point, ...] = ()
    start: Pose = field(default_factory=Pose)
    goal: Pose = field(default_factory=Pose)
    poses: tuple[Pose, ...] = ()
    targets: tuple[PointTarget, ...] = ()
    paths: tuple[PointPath, ...] = ()
    cycle: Cycle | None = None
    duration: Duration | None = None
    costs: tuple[Cost, ...] = (Cost(),)
    guess: tuple[Pose, ...] = ()
    mesh: Mesh = field(default_factory=Mesh)
