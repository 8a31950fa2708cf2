"""Poses: inverse kinematics of any figure, by damped least squares over goals of links, joints and balance."""

from gambol.plan.pose.body_goals import BalanceGoal, JointGoal
from gambol.plan.pose.film import pose_film
from gambol.plan.pose.goals import AxisGoal, GazeGoal, Goal, OrientationGoal, PointGoal
from gambol.plan.pose.inverse import inverse_kinematics
from gambol.plan.pose.limits import LimitsLike
from gambol.plan.pose.prepared import PreparedPoses
from gambol.plan.pose.reposition_figure import reposition_figure
from gambol.plan.pose.solution import PoseSolution

__all__ = [
    "AxisGoal",
    "BalanceGoal",
    "GazeGoal",
    "Goal",
    "JointGoal",
    "LimitsLike",
    "OrientationGoal",
    "PointGoal",
    "PoseSolution",
    "PreparedPoses",
    "inverse_kinematics",
    "pose_film",
    "reposition_figure",
]
