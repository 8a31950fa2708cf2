"""Position correction: displacements that penetrate or leave errors of joints become the nearest ones that do not.

    min (d' - d)^T M (d' - d) / 2       J d' >= -gap, or 0.2 |gap| where bodies overlap; joints: e + J d' = 0

This is the contact problem without friction, for displacements instead of velocities.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.rigid.arrangement import Arrangement
from gambol.rigid.body import Pile
from gambol.rigid.body_table import BodyTable
from gambol.rigid.prepare import least_displacement
from gambol.rigid.tree_problem import TreeProblem

Array = NDArray[Any]


def corrected(a: Arrangement, table: BodyTable, pile: Pile, mass: Array, tolerance: float) -> tuple[float, float]:
    """Change the displacements of a step in the table to the nearest ones without penetration.

    a: contacts of the step; mass: of the world and the bodies [kg]; tolerance: size of errors that may remain [m].
    Returns the work against gravity at contacts that were open, and at others and joints [J]; between two bodies it
    cancels.
    """
    problem, h, displacement = a.problem, pile.step, table["displacement"]
    least = least_displacement(a.gap[0]) / h
    if isinstance(problem, TreeProblem):
        solution = problem.correction(displacement / h, least, tolerance / h)
    else:
        impulses, has_friction = problem.impulses.copy(), problem.has_friction
        problem.has_friction, problem.law[1] = False, least
        solution = problem.solution(displacement / h, np.zeros_like(impulses), tolerance / h)
        problem.impulses[:], problem.has_friction = impulses, has_friction
    gravity, bodies = np.array(pile.gravity), len(mass)
    lifted = solution.velocity[3:, 1:bodies] * h - displacement[3:, 1:bodies]
    displacement[:] = solution.velocity * h
    lift_work = -solution.impulses[2] * h * a.lies_on(gravity)
    open_work, deep_work = float(lift_work[a.gap[0] >= 0.0].sum()), float(lift_work[a.gap[0] < 0.0].sum())
    if a.joints:
        deep_work = -float(mass[1:] @ (gravity @ lifted)) - open_work
    return open_work, deep_work
