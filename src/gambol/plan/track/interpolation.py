"""Values of a trajectory between its times.

Between two neighbouring times of one phase, with x the tangent coordinates around the first configuration,

    x(t): the cubic with x and x' at both ends [Hermite]      q(t) = q_0 (+) x(t)
    v(t), tau(t), f(t): the polynomials of the trajectory's degree through the values of an interval

For collocation by Hermite-Simpson both agree: x' is the quadratic of v. [Kelly 2017, section 4]
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.dynamics.tangent import configuration_difference, integrate_configuration, normalised, tangent_rates
from gambol.errors import PlanError
from gambol.figure import Figure
from gambol.plan.trajectory import Trajectory

Array = NDArray[Any]


def sampled(trajectory: Trajectory, times: ArrayLike) -> Trajectory:
    """Return a trajectory at other times, with degree 1.

    times (N) [s]: times within the trajectory, up to rounding; before and after, the trajectory is constant. At the
    border of two phases the values of the later phase are used. Raises PlanError for a trajectory of fewer than two
    times.
    """
    if len(trajectory.times) < 2:
        raise PlanError("a trajectory of fewer than two times cannot be interpolated")
    t = np.clip(np.asarray(times, np.float64), trajectory.times[0], trajectory.times[-1])
    first = _first_node(trajectory.times, t)
    weights, nodes = _polynomial(trajectory, t, first)
    values = {
        name: _weighted(weights, getattr(trajectory, name)[nodes])
        for name in ("v", "torques", "contact_points", "contact_forces")
    }
    return replace(trajectory, times=t, q=_configurations(trajectory, t, first), degree=1, **values)


def _first_node(times: Array, t: Array) -> NDArray[np.intp]:
    """Return the index of the last node at or before each time t that has a later node after it."""
    starts = np.flatnonzero(np.diff(times) > 0.0)
    return starts[np.maximum(np.searchsorted(times[starts], t, side="right") - 1, 0)]


def _polynomial(trajectory: Trajectory, t: Array, first: NDArray[np.intp]) -> tuple[Array, NDArray[np.intp]]:
    """Return Lagrange weights (N, degree + 1) at times t, and the nodes (N, degree + 1) of their intervals."""
    start = interval_starts(trajectory)[first]
    nodes = start[:, None] + np.arange(trajectory.degree + 1)
    T = trajectory.times[nodes]
    weights = np.ones(T.shape)
    for j in range(trajectory.degree + 1):
        for k in range(trajectory.degree + 1):
            if k != j:
                weights[:, j] *= (t - T[:, k]) / (T[:, j] - T[:, k])
    return weights, nodes


def interval_starts(trajectory: Trajectory) -> NDArray[np.intp]:
    """Return the first node of the interval of each node; a node between two intervals belongs to the later one.

    An interval has degree + 1 nodes; intervals do not cross the border of two phases. Raises PlanError for a phase that
    is not a whole number of intervals.
    """
    times, degree = trajectory.times, trajectory.degree
    borders = np.flatnonzero(np.diff(times) == 0.0) + 1
    starts = np.empty(len(times), np.intp)
    for begin, end in zip([0, *borders], [*borders, len(times)], strict=True):
        if (end - begin - 1) % degree:
            raise PlanError(
                f"the phase from {times[begin]:g} s has {end - begin} times, which is not a whole number of intervals"
            )
        within = np.minimum(np.arange(end - begin), max(end - begin - 2, 0))
        starts[begin:end] = begin + within // degree * degree
    return starts


def _weighted(weights: Array, values: Array) -> Array:
    """Return the sum over nodes of weights (N, nodes) times values (N, nodes, ...)."""
    return np.einsum("nk,nk...->n...", weights, values)


def _configurations(trajectory: Trajectory, t: Array, first: NDArray[np.intp]) -> Array:
    """Return q (N, nq) at times t by cubics on the tangent; first: node before each time."""
    figure, q0, q1 = trajectory.figure, trajectory.q[first], trajectory.q[first + 1]
    h = trajectory.times[first + 1] - trajectory.times[first]
    s, zeros = (t - trajectory.times[first]) / h, [0.0] * figure.nv
    x1 = configuration_difference(figure, list(q0.T), list(q1.T))
    rate0 = tangent_rates(figure, list(q0.T), zeros, list(trajectory.v[first].T))
    rate1 = tangent_rates(figure, list(q0.T), x1, list(trajectory.v[first + 1].T))
    a, b, c = h * s * (1.0 - s) ** 2, s * s * (3.0 - 2.0 * s), h * s * s * (s - 1.0)
    x = [a * r0 + b * end + c * r1 for r0, end, r1 in zip(rate0, x1, rate1, strict=True)]
    return columns(normalised(figure, integrate_configuration(figure, list(q0.T), x)), len(t))


def columns(values: list[float] | list[Array], count: int) -> Array:
    """Return generic scalars, each a number or an array (count), as an array (count, scalars)."""
    return np.stack([np.broadcast_to(np.asarray(x, np.float64), (count,)) for x in values], axis=1)


def differences(figure: Figure, q: Array, other: Array) -> Array:
    """Return the tangent coordinates (N, nv) around configurations q (N, nq) of others (N, nq)."""
    return columns(configuration_difference(figure, list(q.T), list(other.T)), len(q))
