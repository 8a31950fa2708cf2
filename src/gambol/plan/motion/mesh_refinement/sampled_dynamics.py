"""Accelerations between the nodes of a motion, and their derivatives, from the plan's own equation of motion.

The residual r(q, v, a, u, f) of a node is linear in the accelerations a. With r at a = 0 and M = dr/da,

    a = -M^-1 r(0)        da/de = -M^-1 dr/dq N        da/dv = -M^-1 dr/dv        q' = N v

e are tangent coordinates. The solver uses the same functions of the residual.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.tangent import figure_q_dot
from gambol.plan.motion.mesh_refinement.interpolant import Samples
from gambol.plan.motion.transcription.forces import NodeModel, equation_of_motion, scales_of_letters
from gambol.plan.program import Element
from gambol.plan.solver.local_jacobian import local_jacobians

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SampledDynamics:
    """Accelerations at points of a motion and their derivatives.

    a (points, nv). by_e, by_v (points, nv, nv): derivatives by tangent coordinates and by velocities. N (points, nq,
    nv): q' = N v.
    """

    a: Array
    by_e: Array
    by_v: Array
    N: Array


def sampled_dynamics(model: NodeModel, at: Samples, *, compiled: bool) -> SampledDynamics:
    """Return the accelerations at points of a motion; compiled: see local_jacobians()."""
    figure, (points, nq), nv = model.plan.figure, at.q.shape, at.v.shape[1]
    scales = scales_of_letters(model)
    arrays = {"q": at.q, "v": at.v, "a": np.zeros((points, nv)), "u": at.u, "f": at.f}
    equation, x = _sampled_element(model, arrays, scales)
    at_zero, first = local_jacobians(equation, x, compiled=compiled)
    M = first[:, :, nq + nv : nq + 2 * nv]
    a = -np.linalg.solve(M, at_zero[..., None])[..., 0] * scales["a"]
    equation, x = _sampled_element(model, {**arrays, "a": a}, scales)
    scaled = -np.linalg.solve(M, local_jacobians(equation, x, compiled=compiled)[1][:, :, : nq + nv])
    J = np.asarray(scaled * (scales["a"][:, None] / np.concatenate([scales["q"], scales["v"]])), np.float64)
    units = list(np.eye(nv)[:, :, None])  # one direction for each row of an array
    rates = figure_q_dot(figure, list(at.q.T), units)
    N = np.stack([np.broadcast_to(np.asarray(rate, float), (nv, points)) for rate in rates]).transpose(2, 0, 1)
    return SampledDynamics(a, np.matmul(J[:, :, :nq], N), J[:, :, nq:], N)


def _sampled_element(model: NodeModel, arrays: dict[str, Array], scales: dict[str, Array]) -> tuple[Element, Array]:
    """Return the equation of motion at points, and its unknowns: values of arrays (points, size) divided by scales."""
    x, inputs = np.zeros(0), dict[str, NDArray[np.intp]]()
    unit = np.zeros(0)
    for letter, array in arrays.items():
        if array.shape[1]:
            inputs[letter] = x.size + np.arange(array.size, dtype=np.intp).reshape(array.shape)
            x = np.append(x, array / scales[letter])
            unit = np.append(unit, np.broadcast_to(scales[letter], array.shape))
    return equation_of_motion(model, "sampled", inputs, np.zeros(len(arrays["q"])), unit), x
