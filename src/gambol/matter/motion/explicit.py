"""Explicit steps of a mesh: the methods of `integrate`, with all points in one array as their only coordinate."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gambol.errors import WorldError
from gambol.integrate import INTEGRATORS, MotionState, System
from gambol.matter.forces.field import Conditions, ForceField, Forces
from gambol.matter.forces.layout import ordered_sum
from gambol.matter.motion.step_frame import FLOWS, Array, Frame, link_impulses, query_at

EXPLICIT = (
    "explicit euler",
    "semi-implicit euler",
    "midpoint",
    "heun",
    "verlet",
    "velocity verlet",
    "leapfrog",
    "rk4",
    "rkf45",
    "dormand-prince",
)
"""Names of the explicit methods of `integrate`."""

STABLE_FREQUENCY = {
    "explicit euler": 0.0,
    "midpoint": 0.0,
    "heun": 0.0,
    "rkf45": 1.0,
    "dormand-prince": 1.0,
    "rk4": 2.828,
}
"""Largest stable product of frequency and step without damping, if it is not 2; 0: never stable, so 1 is used."""

MAX_ITERATIONS, TOLERANCE = 200, 1e-3

SELF_CONTACTS = 4
"""Assumed number of contacts of a point with its own mesh at one time: a point in a fold touches this many edges."""


class ExplicitMethod:
    """Steps of one explicit method of `integrate`. name: name of the method; field: forces of the mesh."""

    def __init__(self, name: str, field: ForceField) -> None:
        self.method, self.field = INTEGRATORS[name], field
        self.inverse_mass = field.free / field.mass
        self.name = name

    def step(self, frame: Frame, h: float) -> Frame:
        """Return the frame one step of h [s] later."""
        evaluated: list[Forces] = []

        def derivatives(t: float, q: list[Array], v: list[Array]) -> tuple[list[Array], list[float]]:
            now = replace(frame.conditions, elapsed=frame.conditions.elapsed + t)
            forces = self.field.forces(query_at(self.field, q[0], v[0], h), now)
            evaluated.append(forces)
            return [forces.total * self.inverse_mass], forces.powers()

        system = System(derivatives)  # pyright: ignore[reportArgumentType]  # a scalar is the array of all points
        state = MotionState([frame.x], [frame.v], list(frame.flows), self._unpacked(frame))
        result = self.method.step(system, 0.0, state, h).state
        impulses = frame.impulses
        if len(impulses):
            impulses = impulses + link_impulses(self.field, evaluated[0], frame.x, frame.conditions, h)
        later = replace(frame.conditions, elapsed=frame.conditions.elapsed + h)
        numbers = [np.ravel(a) for a in result.integrator_state]
        history = np.concatenate(numbers) if numbers else frame.history
        return Frame(result.q[0], result.v[0], later, np.array(result.w, float), impulses, history)

    def _unpacked(self, frame: Frame) -> list[Any]:
        """Return the integrator's state: one array for all points, a number for each flow, and the last step."""
        if not self.method.stateful:
            return []
        size = frame.x.size
        history = frame.history if len(frame.history) else np.zeros(size + len(FLOWS) + 1)
        return [history[:size].reshape(frame.x.shape), *history[size:].tolist()]


def highest_frequency(field: ForceField, frame: Frame) -> tuple[float, float]:
    """Return a mesh's highest angular frequency without damping [rad/s], and its dampers' highest rate of decay [1/s].

    It is found by power iteration on M^-1 (f(x + e) - f(x))/e, without dampers for the frequency, and without springs
    for the decay; the error is below 0.1 % for most meshes. Contacts are included as if every point touched a surface.
    """
    now = replace(frame.conditions, touching=False)
    at_rest = np.zeros_like(frame.v)
    inverse_mass = field.free / field.mass
    base = _total(field, frame.x, at_rest, now)
    scale = 1e-6 * float(np.ptp(frame.x, axis=1).max() or 1.0)

    def stiffness(y: Array) -> Array:
        return (base - _total(field, frame.x + scale * y, at_rest, now)) * inverse_mass / scale

    def damping(y: Array) -> Array:
        return (base - _total(field, frame.x, scale * y, now)) * inverse_mass / scale

    touch, lightest = field.surroundings.touch, float(field.mass.min())
    can_touch = field.ground is not None or bool(field.shapes)
    square = _largest(stiffness, field) + can_touch * touch.stiffness / lightest
    decay = _largest(damping, field) + can_touch * touch.damping / lightest
    self_touch = field.surroundings.self_touch
    if self_touch is not None:
        square += 2.0 * SELF_CONTACTS * self_touch.stiffness / lightest
        decay += 2.0 * SELF_CONTACTS * self_touch.damping / lightest
    return float(np.sqrt(square)), decay


def _total(field: ForceField, x: Array, v: Array, now: Conditions) -> Array:
    return field.forces(query_at(field, x, v), now).total


def _largest(function: Callable[[Array], Array], field: ForceField) -> float:
    """Return the largest eigenvalue of a linear function of points (3, N), by power iteration from a fixed start."""
    y = np.random.default_rng(0).standard_normal((3, field.columns)) * field.free
    size = 0.0
    for _ in range(MAX_ITERATIONS):
        norm = float(np.sqrt(ordered_sum(y * y)))
        if norm == 0.0:
            return 0.0
        y = y / norm
        image = function(y)
        previous, size = size, max(ordered_sum(y * image), 0.0)
        if abs(size - previous) <= TOLERANCE * size:
            break
        y = image
    return size


def longest_step(name: str, frequency: float, decay: float) -> float:
    """Return the longest stable step of an explicit method [s]; frequency, decay: see highest_frequency()."""
    limit = STABLE_FREQUENCY.get(name, 2.0) or 1.0
    # x'' = -w^2 x - d x' is stable up to w h = limit without damping; a decay d lowers it as for semi-implicit Euler
    half = 0.5 * decay
    return limit / (half + float(np.hypot(half, frequency))) if frequency or decay else np.inf


def check_step(method: ExplicitMethod, frame: Frame, h: float) -> None:
    """Raise WorldError if a step of h [s] is too long for an explicit method; the message gives a stable step."""
    frequency, decay = highest_frequency(method.field, frame)
    stable = longest_step(method.name, frequency, decay)
    if h > stable:
        raise WorldError(
            f'a step of {h:g} s is too long for the method "{method.name}" and "{method.field.mesh.name}", whose '
            f"highest frequency is {frequency:.4g} rad/s: give {stable * 0.9:.2g} s or less, or an implicit method"
        )
