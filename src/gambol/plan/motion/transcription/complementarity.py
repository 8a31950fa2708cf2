"""Contacts that are found by the solver. [Posa, Cantu and Tedrake 2014, eq. 8-16]

At the end of each step, with gap g, normal force n, friction l_d along four directions, speeds s_d against them, and
the slack c, which is the speed of sliding:

    g >= 0      n >= 0      g n <= e                    no force at a distance
    c + s_d >= 0, l_d >= 0, (c + s_d) l_d <= e          friction acts against sliding
    mu n - sum l_d >= 0, c >= 0, (mu n - sum l_d) c <= e    and is at its limit if a point slides

The products are relaxed to e >= 0 in natural units; solve() drives e down to RELAXATIONS[-1].
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.lanes import Scalar, total
from gambol.plan.motion.transcription.elements import Bounds, Inputs, KeyedFunction, Named, NamedFunction, element
from gambol.plan.motion.transcription.forces import FORCES_OF_FOUND, moving_nodes, node_inputs
from gambol.plan.motion.transcription.keys import plan_key
from gambol.plan.motion.transcription.layout import Layout
from gambol.plan.motion.transcription.points import PlacedPoint, gap
from gambol.plan.program import Element, NonlinearProgram
from gambol.spatial.vector import tangent_basis

RELAXATIONS = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-6)
"""Bounds e of the products, one solve each, in weights of the figure times its length or speed."""

FOUND, PRODUCTS = "contact found at", slice(6, 12)
"""The name of the elements, and which of their outputs are products."""


def found_contacts(layout: Layout) -> list[Element]:
    """Return the conditions of all contacts that are to be found, relaxed by RELAXATIONS[0]."""
    elements: list[Element] = []
    for phase, block in enumerate(layout.blocks):
        if not block.finds_contacts:
            continue
        nodes = moving_nodes(layout, phase)
        for k, point in enumerate(block.contacts):
            forces = block.f[nodes, FORCES_OF_FOUND * k : FORCES_OF_FOUND * (k + 1)]
            layout.unknowns.bound(forces, 0.0, np.inf, "a contact force")
            slack = layout.unknowns.add(np.zeros((len(nodes), 1)), layout.scales.length / layout.scales.time)
            layout.unknowns.bound(slack, 0.0, np.inf, "a speed of sliding")
            inputs: Inputs = {**node_inputs(layout, phase, nodes, "qv"), "f": forces, "c": slack}
            name, times = f'{FOUND} "{point.name}"', layout.guessed_times(phase)[nodes]
            scales, bounds = _scales_and_bounds(layout)
            function = _conditions(layout, point)
            elements.append(element(name, function, inputs, times, layout.unknowns.scale, scales, bounds))
    return elements


def _conditions(layout: Layout, point: PlacedPoint) -> NamedFunction:
    figure, ground, mu = layout.figure, layout.plan.ground, layout.plan.friction

    def conditions(x: Named) -> list[Scalar]:
        state = kinematics(figure, x["q"], x["v"])
        distance, surface = gap(ground, point, state)
        velocity, (n, *friction), c = point.touching_velocity(state, surface.normal), x["f"], x["c"][0]
        speeds = [sign * velocity.dot(t) for t in tangent_basis(surface.normal) for sign in (1.0, -1.0)]
        reserve = mu * n - total(friction)
        sliding = [c + s for s in speeds]
        products = [distance * n, reserve * c, *(s * f for s, f in zip(sliding, friction, strict=True))]
        return [distance, reserve, *sliding, *products]

    return KeyedFunction(("found", plan_key(layout.plan), point), conditions)


def relaxed(program: NonlinearProgram, relaxation: float, initial: NDArray[np.float64]) -> NonlinearProgram:
    """Return a program with another bound e of the products, in natural units, and another first guess."""

    def changed(element: Element) -> Element:
        if not element.name.startswith(FOUND):
            return element
        upper = element.upper.copy()
        upper[:, PRODUCTS] = relaxation
        return replace(element, upper=upper)

    return replace(program, constraints=tuple(changed(e) for e in program.constraints), initial=initial)


def _scales_and_bounds(layout: Layout) -> tuple[list[float], Bounds]:
    scales = layout.scales
    speed = scales.length / scales.time
    outputs = [scales.length, scales.force, *[speed] * 4]
    products = [scales.force * scales.length, *[scales.force * speed] * 5]
    lower = np.array([0.0] * 6 + [-np.inf] * 6)
    upper = np.array([np.inf] * 6 + [RELAXATIONS[0] * size for size in products])
    return [*outputs, *products], (lower, upper)
