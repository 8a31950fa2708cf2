"""Defects of a motion as errors of its state, where the equations of motion are stiff.

Over an interval of length h an error y of the state obeys y' = A y - d, with the defect d and A the derivative of the
rates. One step of Radau IIA of order 3 [Hairer and Wanner 1996, IV.5] from y = 0 ends at -h phi(h A) d,

    phi(z) = (1 - z / 6) / (1 - 2 z / 3 + z^2 / 6) = 2 Re(r / (1 - z / p))
    p = 2 + i sqrt(2),   r = (1 - p / 6) / (1 - p / p*)

which is h d itself where h A is small, and much smaller where springs or dampers decay within the interval. With
tangent coordinates e, velocities w, and derivatives K and C of the accelerations by both, for a complex step k:

    (1 - k A)^-1 d:   (1 - k C - k^2 K) w = d_w + k K d_e,   e = d_e + k w
"""

import math

import numpy as np
from numpy.typing import NDArray

from gambol.plan.motion.mesh_refinement.sampled_dynamics import SampledDynamics

Array = NDArray[np.float64]


POLE = complex(2.0, math.sqrt(2.0))
RESIDUE = (1.0 - POLE / 6.0) / (1.0 - POLE / POLE.conjugate())


def state_defects(dynamics: SampledDynamics, defects: Array, steps: Array) -> Array:
    """Return phi(h A) d, the errors of the state over their intervals, per time: (points, nq + nv).

    dynamics: accelerations at the points. defects (points, nq + nv): q' - N v and v' - a. steps (points): lengths of
    their intervals [s].
    """
    K, C, N = dynamics.by_e, dynamics.by_v, dynamics.N
    nq, k = N.shape[1], steps[:, None, None] / POLE
    d_q, d_w = defects[:, :nq, None], defects[:, nq:, None]
    d_e = np.linalg.pinv(N) @ d_q
    w = np.linalg.solve(np.eye(C.shape[1]) - k * C - k * k * K, d_w + k * (K @ d_e))
    solution = np.concatenate([d_q + k * (N @ w), w], axis=1)[..., 0]
    return np.asarray(2.0 * np.real(RESIDUE * solution), np.float64)
