"""The motion between nodes: the polynomials of a scheme.

    y(c) = y_0 + h sum_j (integral from 0 to c of l_j) y'_j      l_j: Lagrange's polynomials of the nodes

for the trapezoid a parabola, for Hermite-Simpson a cubic [Kelly 2017, 3.4 and 4.4]; torques and forces are of one
degree less. Schemes of first order are linear.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.tangent import figure_q_dot, normalised
from gambol.figure import Figure
from gambol.plan.motion.transcription.layout import PhaseGuess
from gambol.plan.motion.transcription.schemes import Scheme

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Samples:
    """Values at sampled times (samples, ...): q, q_dot, v, v_dot as the derivatives of the polynomials; u, f."""

    q: Array
    q_dot: Array
    v: Array
    v_dot: Array
    u: Array
    f: Array


def lagrange(nodes: tuple[float, ...]) -> list[np.polynomial.Polynomial]:
    """Return Lagrange's polynomials of nodes: 1 at one node, 0 at the others."""
    polynomials: list[np.polynomial.Polynomial] = []
    for j, c in enumerate(nodes):
        others = [x for i, x in enumerate(nodes) if i != j]
        p = np.polynomial.Polynomial.fromroots(others)
        polynomials.append(p / p(c))
    return polynomials


def sample(figure: Figure, scheme: Scheme, values: PhaseGuess, fractions: Array) -> Samples:
    """Return the motion of a phase at some fractions of it; values: values at its nodes."""
    knots = values.fractions[:: scheme.steps]
    interval = np.clip(np.searchsorted(knots, fractions, side="right") - 1, 0, len(knots) - 2)
    length = (knots[interval + 1] - knots[interval])[:, None]
    theta = (fractions - knots[interval])[:, None] / length
    first, h = interval * scheme.steps, length * values.seconds
    basis = lagrange(scheme.nodes)
    rates = rates_at(figure, values.q, values.v)
    u, f = (_held_ends(scheme, array) for array in (values.u, values.f))

    def blend(array: Array) -> Array:
        return sum((p(theta) * array[first + j] for j, p in enumerate(basis)), np.zeros_like(array[first]))

    def state(array: Array, slopes: Array) -> tuple[Array, Array]:
        if not scheme.degree:
            slope = (array[first + scheme.steps] - array[first]) / h
            return array[first] + h * theta * slope, slope
        increments = (h * p.integ()(theta) * slopes[first + j] for j, p in enumerate(basis))
        return sum(increments, array[first].copy()), blend(slopes)

    q, q_dot = state(values.q, rates)
    v, v_dot = state(values.v, values.a)
    unit = np.stack([np.broadcast_to(np.asarray(x, float), (len(q),)) for x in normalised(figure, list(q.T))], axis=1)
    return Samples(unit, q_dot, v, v_dot, blend(u), blend(f))


def rates_at(figure: Figure, q: Array, v: Array) -> Array:
    """Return q_dot (rows, nq) at rows of coordinates and velocities."""
    rates = figure_q_dot(figure, list(q.T), list(v.T))
    return np.stack([np.broadcast_to(np.asarray(rate, float), (len(q),)) for rate in rates], axis=1)


def _held_ends(scheme: Scheme, array: Array) -> Array:
    """Return values in which nodes without dynamics have the values of their neighbours."""
    result = array.copy()
    if not scheme.at_start:
        result[0] = result[1]
    if not scheme.at_end:
        result[-1] = result[-2]
    return result
