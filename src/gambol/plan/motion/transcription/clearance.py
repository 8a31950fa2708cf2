"""Points of contact stay above the ground while they do not touch it."""

import numpy as np

from gambol.dynamics import kinematics
from gambol.lanes import Scalar
from gambol.plan.motion.transcription.elements import KeyedFunction, Named, NamedFunction, element, with_units
from gambol.plan.motion.transcription.forces import node_inputs
from gambol.plan.motion.transcription.keys import plan_key
from gambol.plan.motion.transcription.layout import Layout
from gambol.plan.motion.transcription.mirror import state_map
from gambol.plan.motion.transcription.points import PlacedPoint, gap, place_point
from gambol.plan.program import Element


def clearances(layout: Layout) -> list[Element]:
    """Return gap >= 4 c s (1 - s) at the nodes of phases in which a point does not stand, with c the plan's clearance.

    s is the fraction of the phase; a node next to a stance is left out, because the stance requires gap = 0 at it.
    """
    plan, elements = layout.plan, list[Element]()
    names = list({name: None for phase in plan.phases for name in phase.contacts})
    gaps = {name: _gap_of(layout, place_point(plan.figure, plan.points, name)) for name in names}
    for phase, block in enumerate(layout.blocks):
        if block.finds_contacts:
            continue
        for name in names:
            if name in plan.phases[phase].contacts:
                continue
            nodes = _swinging_nodes(layout, phase, name)
            s = block.fractions[nodes]
            least = (plan.clearance * 4.0 * s * (1.0 - s))[:, None]
            inputs, times = node_inputs(layout, phase, nodes, "q"), layout.guessed_times(phase)[nodes]
            bounds = (least, np.full_like(least, np.inf))
            label = f'"{name}" above the ground in "{block.name}"'
            height = element(label, gaps[name], inputs, times, layout.unknowns.scale, [layout.scales.length], bounds)
            elements.append(with_units(height, "m"))
    return elements


def _swinging_nodes(layout: Layout, phase: int, name: str) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the nodes of a phase without the nodes at which a point lifts off or lands."""
    plan, nodes = layout.plan, np.arange(layout.blocks[phase].nodes)
    before: set[str] = set()
    after: set[str] = set()
    if plan.cycle is not None:
        mapped = state_map(plan.figure, plan.cycle)
        before = {mapped.point_name(plan, other) for other in plan.phases[-1].contacts}
        after = {name} if mapped.point_name(plan, name) in plan.phases[0].contacts else set()
    stood = name in (plan.phases[phase - 1].contacts if phase else before)
    lands = name in (plan.phases[phase + 1].contacts if phase + 1 < len(plan.phases) else after)
    return nodes[int(stood) : len(nodes) - int(lands)]


def _gap_of(layout: Layout, point: PlacedPoint) -> NamedFunction:
    figure, ground = layout.figure, layout.plan.ground

    def height(x: Named) -> list[Scalar]:
        return [gap(ground, point, kinematics(figure, x["q"], [0.0] * figure.nv))[0]]

    return KeyedFunction(("height", plan_key(layout.plan), point), height)
