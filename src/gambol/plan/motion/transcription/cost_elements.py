"""Costs as elements: the quadrature of the scheme over integrands at nodes.

J = sum over nodes of w_k T L(q_k, v_k, a_k, u_k)      w: the weights b of the scheme, times the intervals' fractions
torque rate: sum over intervals of |u_{k+1} - u_k|^2 / h
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import PlanError, did_you_mean
from gambol.lanes import Scalar, sqrt, total
from gambol.plan.motion.spec.costs import Cost
from gambol.plan.motion.transcription.elements import Inputs, KeyedFunction, Named, NamedFunction, element
from gambol.plan.motion.transcription.forces import node_inputs
from gambol.plan.motion.transcription.layout import Layout
from gambol.plan.motion.transcription.scales import Scales
from gambol.plan.program import Element

POWER_SMOOTHNESS = 1e-3
"""Fraction of weight times speed below which the absolute value of power is smoothed."""

REDUNDANT_WEIGHT = 1e-6
"""Weight of squared contact forces, in weights of the figure, if the equations do not determine their distribution."""


@dataclass(frozen=True)
class IntegrandKind:
    """A row of INTEGRANDS.

    letters: letters of its inputs. integrand: a function of these inputs and of scales. size: its natural size, from
    the scales. of_torques: True if it counts actuated freedoms only.
    """

    letters: str
    integrand: Callable[[Named, Scales], Scalar]
    size: Callable[[Scales], float]
    of_torques: bool


def _squares(values: Sequence[Scalar]) -> Scalar:
    return total(x * x for x in values)


def _absolute_power(x: Named, scales: Scales) -> Scalar:
    """Return the sum of |u v|, smoothed: sqrt((u v)^2 + e^2) - e."""
    e = POWER_SMOOTHNESS * scales.force * scales.length / scales.time
    return total(sqrt((u * v) * (u * v) + e * e) - e for u, v in zip(x["u"], x["v"], strict=True))


INTEGRANDS: dict[str, IntegrandKind] = {
    "effort": IntegrandKind("u", lambda x, _: _squares(x["u"]), lambda s: (s.force * s.length) ** 2, True),
    "power": IntegrandKind("uv", _absolute_power, lambda s: s.force * s.length / s.time, True),
    "acceleration": IntegrandKind("a", lambda x, _: _squares(x["a"]), lambda s: s.time**-4, False),
    "velocity": IntegrandKind("v", lambda x, _: _squares(x["v"]), lambda s: s.time**-2, False),
}
"""Integrands of costs by the name of the kind."""

KINDS = (*INTEGRANDS, "torque rate", "duration", "function")


def cost_size(costs: Sequence[Cost], scales: Scales) -> float:
    """Return the natural size of the costs: the unit of the program's cost."""
    sizes: dict[str, float] = {name: row.size(scales) * scales.time for name, row in INTEGRANDS.items()}
    sizes |= {"torque rate": (scales.force * scales.length) ** 2 / scales.time, "duration": scales.time}
    return max((cost.weight * sizes.get(cost.kind, 1.0) for cost in costs), default=1.0) or 1.0


def cost_elements(layout: Layout) -> list[Element]:
    """Return the costs of a plan, divided by cost_size()."""
    size = cost_size(layout.plan.costs, layout.scales)
    return [each for cost in layout.plan.costs if cost.weight for each in _elements(layout, cost, cost.weight / size)]


def _elements(layout: Layout, cost: Cost, weight: float) -> list[Element]:
    if cost.kind not in KINDS:
        raise PlanError(f'there is no cost "{cost.kind}"; {did_you_mean(cost.kind, KINDS)}')
    if cost.kind == "duration":
        return _durations(layout, weight)
    function, letters, freedoms = _integrand(layout, cost)
    elements: list[Element] = []
    for phase, block in enumerate(layout.blocks):
        nodes = np.arange(block.nodes)
        arrays = dict(node_inputs(layout, phase, nodes, letters))
        if cost.kind != "function":
            arrays = {letter: array[:, _columns(layout, letter, freedoms)] for letter, array in arrays.items()}
        arrays = {letter: array for letter, array in arrays.items() if array.shape[1]}
        if not arrays:
            continue
        if cost.kind == "torque rate":
            elements.append(_rate(layout, phase, arrays["u"], weight))
            continue
        weights = node_weights(layout, phase) * weight
        inputs: Inputs = {**arrays, "T": layout.duration_input(phase, len(nodes)), "w": weights[:, None]}
        times = layout.guessed_times(phase)
        elements.append(element(cost.kind, function, inputs, times, layout.unknowns.scale, [1.0], None))
    return elements


def _integrand(layout: Layout, cost: Cost) -> tuple[NamedFunction, str, list[int]]:
    """Return the weighted integrand of a cost, the letters of its inputs, and the freedoms that count."""
    nv = layout.figure.nv
    chosen = [k for name in cost.joints for k in range(nv)[layout.figure.link(name).v]]
    if cost.kind == "torque rate":
        return _no_integrand, "u", chosen or list(layout.actuated)
    if (user_integrand := cost.function) is not None:
        return (lambda x: [x["w"][0] * x["T"][0] * _value_of(layout, user_integrand, x)]), "qvau", []
    row, scales = INTEGRANDS[cost.kind], layout.scales
    freedoms = chosen or (list(layout.actuated) if row.of_torques else list(range(nv)))
    key = ("integrand", cost.kind, scales.force, scales.length, scales.time)
    function = KeyedFunction(key, lambda x: [x["w"][0] * x["T"][0] * row.integrand(x, scales)])
    return function, row.letters, freedoms


def _no_integrand(x: Named) -> list[Scalar]:
    """The cost "torque rate" has no integrand at a node: its elements are made by _rate()."""
    raise AssertionError(x)


def _value_of(layout: Layout, function: Any, x: Named) -> Scalar:
    """Return the value of a user's integrand; it gets the torques of all freedoms."""
    torques: list[Scalar] = [0.0] * layout.figure.nv
    for k, u in zip(layout.actuated, x.get("u", ()), strict=True):
        torques[k] = u
    return function(x["q"], x["v"], x["a"], torques)


def _columns(layout: Layout, letter: str, freedoms: Sequence[int]) -> list[int]:
    return [layout.actuated.index(k) for k in freedoms if k in layout.actuated] if letter == "u" else list(freedoms)


def node_weights(layout: Layout, phase: int) -> NDArray[np.float64]:
    """Return the quadrature weights of the nodes of a phase.

    The weighted sum of an integrand, times the duration, is its integral.
    """
    fractions, scheme = layout.blocks[phase].fractions, layout.scheme
    weights = np.zeros(len(fractions))
    for first in range(0, len(fractions) - 1, scheme.steps):
        length = fractions[first + scheme.steps] - fractions[first]
        weights[first : first + scheme.steps + 1] += length * np.array(scheme.quadrature)
    return weights


def _rate(layout: Layout, phase: int, u: NDArray[np.intp] | NDArray[np.float64], weight: float) -> Element:
    """Return the integral of the squared rate of torques that are linear between nodes."""
    steps = np.diff(layout.blocks[phase].fractions)[:, None]
    inputs: Inputs = {"u0": u[:-1], "u1": u[1:], "T": layout.duration_input(phase, len(steps)), "ds": steps}

    def rate(x: Named) -> list[Scalar]:
        changes = _squares([b - a for a, b in zip(x["u0"], x["u1"], strict=True)])
        return [weight * changes / (x["T"][0] * x["ds"][0])]

    return element("torque rate", rate, inputs, layout.guessed_times(phase)[1:], layout.unknowns.scale, [1.0], None)


def _durations(layout: Layout, weight: float) -> list[Element]:
    """Return the durations of the phases as costs."""
    elements: list[Element] = []
    for phase in range(len(layout.blocks)):
        inputs: Inputs = {"T": layout.duration_input(phase, 1)}
        times = layout.guessed_times(phase)[-1:]
        elements.append(
            element("duration", lambda x: [weight * x["T"][0]], inputs, times, layout.unknowns.scale, [1.0], None)
        )
    return elements


def regularisation(layout: Layout, redundant: Sequence[bool]) -> list[Element]:
    """Return a small cost of contact forces in phases where the motion does not determine them."""
    elements: list[Element] = []
    for phase, block in enumerate(layout.blocks):
        if redundant[phase]:
            scale = REDUNDANT_WEIGHT / layout.scales.force**2
            inputs: Inputs = {"f": block.f, "w": node_weights(layout, phase)[:, None] * scale}
            times = layout.guessed_times(phase)
            name = "shares of redundant contact forces"
            elements.append(element(name, _weighted_squares, inputs, times, layout.unknowns.scale, [1.0], None))
    return elements


def _weighted_squares(x: Named) -> list[Scalar]:
    return [x["w"][0] * _squares(x["f"])]
