"""Defects of a motion as errors of its state, where the equations of motion are stiff.

Over an interval of length h an error y of the state obeys y' = A y - d, with the defect d and A the derivative of the
rates. To first order it ends at (I - h A)^-1 h d: h d itself where h A is small, far less where springs or dampers
return a light link within the interval. [Shampine; Hairer and Wanner 1996, IV.8, eq. 8.20]

    e' = w + d_e,  w' = K e + C w + d_w        (I - h C - h^2 K) w = d_w + h K d_e,   e = d_e + h w

e are tangent coordinates, w velocities; K and C derivatives of the accelerations by both.
"""

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.tangent import figure_q_dot
from gambol.lanes import Scalar, jvp
from gambol.plan.motion.mesh_refinement.interpolant import Samples
from gambol.plan.motion.transcription.forces import NodeModel

Array = NDArray[np.float64]


def state_defects(model: NodeModel, at: Samples, defects: Array, steps: Array) -> Array:
    """Return defects as errors of the state over their intervals, per time: (points, nq + nv).

    model: mechanics of the phase. at: the motion at the points. defects (points, nq + nv): q' - N v and v' - a. steps
    (points): lengths of their intervals [s].
    """
    nq, h = at.q.shape[1], steps[:, None, None]
    K, C, N = acceleration_derivatives(model, at)
    d_q, d_w = defects[:, :nq, None], defects[:, nq:, None]
    d_e = np.linalg.pinv(N) @ d_q
    w: Array = np.asarray(np.linalg.solve(np.eye(C.shape[1]) - h * C - h * h * K, d_w + h * (K @ d_e)), np.float64)
    moved: Array = np.concatenate([d_q + h * (N @ w), w], axis=1)[..., 0]
    return moved


def acceleration_derivatives(model: NodeModel, at: Samples) -> tuple[Array, Array, Array]:
    """Return the derivatives of the accelerations by tangent coordinates and by velocities, (points, nv, nv) each, and
    N (points, nq, nv) of q' = N v.
    """
    figure, (points, nq), nv = model.plan.figure, at.q.shape, at.v.shape[1]
    q, v, u, f = (list(array.T) for array in (at.q, at.v, at.u, at.f))

    def accelerations(x: list[Scalar]) -> list[Scalar]:
        return model.accelerations(x[:nq], x[nq:], u, f)

    def stacked(rows: list[Scalar]) -> Array:
        full = [np.broadcast_to(np.asarray(row, float), (nv, points)) for row in rows]
        return np.stack(full).transpose(2, 0, 1)

    units = list(np.eye(nv)[:, :, None])  # one direction for each row of an array
    along_q = figure_q_dot(figure, q, units)
    by_e = jvp(accelerations, [*q, *v], [*along_q, *([0.0] * nv)])[1]
    by_v = jvp(accelerations, [*q, *v], [*([0.0] * nq), *units])[1]
    return stacked(by_e), stacked(by_v), stacked(along_q)
