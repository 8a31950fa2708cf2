"""The collocation error between nodes, and meshes that make it smaller.

    eta_i = integral over an interval of |d_i|      eps = max over i of eta_i / (w_i + 1)

d = y' - f(y, u) is the defect of the interpolating polynomial y in the dynamics f, as an error of the state, see
stiff_defects.py; w_i is the largest |y_i| or |y'_i| of the motion, in natural units. [Betts 2010, eq. 4.149 to 4.152]
An interval with eps above the tolerance is divided into a number of parts that follows from its order, at most
MAX_PARTS.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.plan.motion.mesh_refinement.interpolant import rates_at, sample
from gambol.plan.motion.mesh_refinement.sampled_dynamics import sampled_dynamics
from gambol.plan.motion.mesh_refinement.stiff_defects import state_defects
from gambol.plan.motion.transcription.forces import node_model
from gambol.plan.motion.transcription.layout import Layout, PhaseGuess

Array = NDArray[np.float64]

GAUSS_POINTS, GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(6)
"""Points in an interval; a defect vanishes at the nodes of the scheme and oscillates between them."""

MAX_PARTS = 4
"""Maximum number of parts of an interval in a refinement; coarse meshes overestimate errors [Betts 2010, 4.7.4]."""


def collocation_errors(layout: Layout, values: Sequence[PhaseGuess], *, compiled: bool = False) -> list[Array]:
    """Return the relative collocation error eps in each interval of each phase.

    values: values at the nodes. compiled: see local_jacobians().
    """
    scales = layout.scales
    unit = np.concatenate([scales.q, scales.v])
    defects: list[Array] = []
    sizes = np.zeros(len(unit))
    for phase, nodes in enumerate(values):
        knots = nodes.fractions[:: layout.scheme.steps]
        length = np.diff(knots)
        fractions = knots[:-1, None] + length[:, None] * 0.5 * (GAUSS_POINTS + 1.0)
        steps = np.repeat(length * nodes.seconds, len(GAUSS_POINTS))
        rates = _defect(layout, phase, nodes, fractions.ravel(), steps, compiled) / unit
        weights = 0.5 * GAUSS_WEIGHTS * length[:, None] * nodes.seconds
        defects.append(np.sum(np.abs(rates).reshape(*fractions.shape, -1) * weights[:, :, None], axis=1))
        states = np.hstack([nodes.q, nodes.v]) / unit
        slopes = np.hstack([rates_at(layout.figure, nodes.q, nodes.v), nodes.a]) / unit * scales.time
        sizes = np.maximum(sizes, np.maximum(np.abs(states).max(axis=0), np.abs(slopes).max(axis=0)))
    return [np.max(eta / (sizes + 1.0), axis=1) for eta in defects]


def _defect(layout: Layout, phase: int, nodes: PhaseGuess, fractions: Array, steps: Array, compiled: bool) -> Array:
    """Return q' - N v and v' - a(q, v, u, f) at fractions of a phase, as errors of the state: (fractions, nq + nv).

    steps (fractions): lengths of their intervals [s].
    """
    block, at = layout.blocks[phase], sample(layout.figure, layout.scheme, nodes, fractions)
    model = node_model(layout.plan, layout.actuated, block.contacts, block.finds_contacts)
    dynamics = sampled_dynamics(model, at, compiled=compiled)
    defects = np.hstack([at.q_dot - rates_at(layout.figure, at.q, at.v), at.v_dot - dynamics.a])
    return state_defects(dynamics, defects, steps)


def refined(knots: Array, errors: Array, tolerance: float, order: int) -> Array:
    """Return the ends of intervals, after intervals with an error above the tolerance are divided.

    knots (n + 1): ends of the intervals of a phase. errors (n): errors of each. order: order of the scheme.
    """
    result: list[float] = []
    for start, end, error in zip(knots[:-1], knots[1:], errors, strict=True):
        parts = 1
        if error > tolerance:
            parts = min(MAX_PARTS, max(2, math.ceil((error / tolerance) ** (1.0 / (order + 1)))))
        result += [float(start + (end - start) * k / parts) for k in range(parts)]
    return np.append(np.array(result), knots[-1])


def resampled(layout: Layout, values: Sequence[PhaseGuess], nodes: Sequence[Array]) -> list[PhaseGuess]:
    """Return the values of a motion at the nodes of another mesh; nodes: fractions of each phase."""
    result: list[PhaseGuess] = []
    for old, fractions in zip(values, nodes, strict=True):
        at = sample(layout.figure, layout.scheme, old, fractions)
        result.append(PhaseGuess(fractions, at.q, at.v, at.v_dot, at.u, at.f, old.seconds))
    return result
