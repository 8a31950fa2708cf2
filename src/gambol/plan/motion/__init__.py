"""Spacetime constraints: the motion of a figure that meets goals with least effort, under its dynamics."""

from gambol.plan.motion.guesses.film_phases import phases_of_film
from gambol.plan.motion.result import PlanResult, Refinement
from gambol.plan.motion.solution import solve
from gambol.plan.motion.spec.costs import Cost, CostFunction
from gambol.plan.motion.spec.goals import Curve, PhaseTime, PointPath, PointTarget, Pose
from gambol.plan.motion.spec.mesh import Mesh
from gambol.plan.motion.spec.phases import Cycle, Phase, Point
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.window import Window

__all__ = [
    "Cost",
    "CostFunction",
    "Curve",
    "Cycle",
    "Mesh",
    "Phase",
    "PhaseTime",
    "Plan",
    "PlanResult",
    "Point",
    "PointPath",
    "PointTarget",
    "Pose",
    "Refinement",
    "Window",
    "phases_of_film",
    "solve",
]
