"""Defects of a motion as errors of its state, where the equations of motion are stiff.

Over an interval of length h an error y of the state obeys y' = A y - d, with the defect d and A the derivative of the
rates. One step of Radau IIA of order 3 [Hairer and Wanner 1996, IV.5] from y = 0 ends at -h phi(h A) d,

    phi(z) = (1 - z / 6) / (1 - 2 z / 3 + z^2 / 6) = 2 Re(r / (1 - z / p))
    p = 2 + i sqrt(2),   r = (1 - p / 6) / (1 - p / p*)

which is h d itself where h A is small, and far less where springs or dampers return a light link within the interval.
With tangent coordinates e, velocities w, and derivatives K and C of the accelerations by both, for a complex step k:

    (1 - k A)^-1 d:   (1 - k C - k^2 K) w = d_w + k K d_e,   e = d_e + k w
"""

import math

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.tangent import figure_q_dot
from gambol.lanes import Scalar, jvp
from gambol.plan.motion.mesh_refinement.interpolant import Samples
from gambol.plan.motion.transcription.forces import NodeModel

Array = NDArray[np.float64]


POLE = complex(2.0, math.sqrt(2.0))
RESIDUE = (1.0 - POLE / 6.0) / (1.0 - POLE / POLE.conjugate())


def state_defects(model: NodeModel, at: Samples, defects: Array, steps: Array) -> Array:
    """Return phi(h A) d, the errors of the state over their intervals, per time: (points, nq + nv).

    model: mechanics of the phase. at: the motion at the points. defects (points, nq + nv): q' - N v and v' - a. steps
    (points): lengths of their intervals [s].
    """
    nq, k = at.q.shape[1], steps[:, None, None] / POLE
    K, C, N = acceleration_derivatives(model, at)
    d_q, d_w = defects[:, :nq, None], defects[:, nq:, None]
    d_e = np.linalg.pinv(N) @ d_q
    w = np.linalg.solve(np.eye(C.shape[1]) - k * C - k * k * K, d_w + k * (K @ d_e))
    moved = np.concatenate([d_q + k * (N @ w), w], axis=1)[..., 0]
    return np.asarray(2.0 * np.real(RESIDUE * moved), np.float64)


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
