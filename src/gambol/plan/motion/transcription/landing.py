"""Constraints between phases: continuous coordinates, impacts where contacts begin, and cycles.

    M(q) (v+ - v-) = sum of J' p        J v+ = 0 at the points that stand afterwards        p inside the friction cones

An impact is inelastic: the velocities of points become 0. It takes no time, so joint torques have no effect.
[Featherstone 2008, 11.7] Where no contact begins, or where it begins smoothly, v+ = v-.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics, rnea
from gambol.figure import JOINTS
from gambol.figure.joint.kind import JointKind
from gambol.lanes import Scalar
from gambol.plan.motion.transcription.contacts import cone_of, effective_axes
from gambol.plan.motion.transcription.defects import joint_difference, rotation_between
from gambol.plan.motion.transcription.elements import (
    EQUATION,
    POSITIVE,
    Inputs,
    KeyedFunction,
    Named,
    element,
    with_units,
)
from gambol.plan.motion.transcription.keys import plan_key
from gambol.plan.motion.transcription.layout import Indices, Layout
from gambol.plan.motion.transcription.mirror import StateMap, state_map
from gambol.plan.motion.transcription.points import PlacedPoint, forces_on_links
from gambol.plan.motion.transcription.scales import freedom_labels
from gambol.plan.program import Element

Value = TypeVar("Value")


@dataclass(frozen=True)
class Border:
    """The border of two phases, or of the end and the start of a cycle.

    before, after: indices of the phases. state_map: takes the state before the border to the state after it; the
    identity inside a plan. impulses: indices of the impulses at the contacts of the phase after (3 contacts), empty
    without an impact.
    """

    before: int
    after: int
    state_map: StateMap
    impulses: Indices


def borders(layout: Layout) -> list[Border]:
    """Return the borders of a plan, with impulses as new unknowns."""
    blocks, plan = layout.blocks, layout.plan
    pairs = [(k, k + 1) for k in range(len(blocks) - 1)] + ([(len(blocks) - 1, 0)] if plan.cycle else [])
    result: list[Border] = []
    for before, after in pairs:
        closes = after <= before
        mapped = state_map(plan.figure, plan.cycle if closes else None)
        standing = {mapped.point_name(plan, point.name) for point in blocks[before].contacts}
        begins = [point.name for point in blocks[after].contacts if point.name not in standing]
        lands = begins and plan.phases[after].landing == "impact" and not blocks[after].finds_contacts
        impulses = np.zeros(0, np.intp)
        if lands:
            effective = effective_axes(plan, blocks[after].contacts)
            impulses = layout.unknowns.add(
                np.zeros(3 * len(blocks[after].contacts)), layout.scales.force * layout.scales.time
            )
            layout.unknowns.bound(impulses[~np.tile(effective, len(blocks[after].contacts))], 0.0, 0.0, "an impulse")
        result.append(Border(before, after, mapped, impulses))
    return result


def border_elements(layout: Layout, all_borders: Sequence[Border]) -> list[Element]:
    """Return the equations of all borders."""
    result: list[Element] = []
    for border in all_borders:
        result += _continuous_coordinates(layout, border)
        if border.impulses.size:
            result += _impact(layout, border)
        else:
            result.append(_continuous_velocities(layout, border))
    return result


def _border_inputs(layout: Layout, border: Border) -> tuple[dict[str, Indices], NDArray[np.float64]]:
    """Return q and v before (0) and after (1) a border as inputs, and its time."""
    before, after = layout.blocks[border.before], layout.blocks[border.after]
    inputs = {"q0": before.q[-1:], "q1": after.q[:1], "v0": before.v[-1:], "v1": after.v[:1]}
    return inputs, layout.guessed_times(border.before)[-1:]


def _continuous_coordinates(layout: Layout, border: Border) -> list[Element]:
    """Return q after = q before, mapped; the travel of a cycle is bounded, not fixed."""
    ends, times = _border_inputs(layout, border)
    inputs: Inputs = {"q0": ends["q0"], "q1": ends["q1"]}
    figure, scale, mapped = layout.figure, layout.unknowns.scale, border.state_map
    name = "the cycle's positions" if border.after <= border.before else "the border of phases: positions"

    def difference(x: Named) -> list[Scalar]:
        q0, out = mapped.positions(x["q0"]), list[Scalar]()
        for link in figure.links:
            kind = JOINTS[link.joint.kind]
            if kind.has_quaternion and border.after <= border.before:
                rest = zip(q0[link.q][4:], x["q1"][link.q][4:], strict=True)
                out += [*rotation_between(q0[link.q], x["q1"][link.q]), *(b - a for a, b in rest)]
            elif kind.has_quaternion:
                out += [b - a for a, b in zip(q0[link.q], x["q1"][link.q], strict=True)]
            else:
                out += joint_difference(False, q0[link.q], x["q1"][link.q])
        return out

    parallel = border.after <= border.before
    units = [
        float(unit)
        for link in figure.links
        for unit in _without_length(JOINTS[link.joint.kind], layout.scales.q[link.q].tolist(), parallel)
    ]
    unit_labels = [
        "m" if unit == "m" else "rad"
        for link in figure.links
        for unit in _without_length(JOINTS[link.joint.kind], JOINTS[link.joint.kind].q_units, parallel)
    ]
    rows = list(zip(*mapped.position_bounds(layout.plan), strict=True)) if border.after <= border.before else None
    bounds = EQUATION if rows is None else (np.array([r[0] for r in rows]), np.array([r[1] for r in rows]))
    function = KeyedFunction(("positions", figure, mapped.key(), parallel), difference)
    return [with_units(element(name, function, inputs, times, scale, units, bounds), unit_labels)]


def _without_length(kind: JointKind, values: Sequence[Value], parallel: bool) -> Sequence[Value]:
    """Return values of coordinates (nq); without the first of a quaternion if it is only parallel to another."""
    return values[1:] if parallel and kind.has_quaternion else values


def _continuous_velocities(layout: Layout, border: Border) -> Element:
    """Return v after = v before, mapped."""
    ends, times = _border_inputs(layout, border)
    inputs: Inputs = {"v0": ends["v0"], "v1": ends["v1"]}
    mapped = border.state_map

    def difference(x: Named) -> list[Scalar]:
        return [b - a for a, b in zip(mapped.velocities(x["v0"]), x["v1"], strict=True)]

    name = "the cycle's velocities" if border.after <= border.before else "the border of phases: velocities"
    text = freedom_labels(layout.figure)
    function = KeyedFunction(("velocities", mapped.key()), difference)
    equation = element(name, function, inputs, times, layout.unknowns.scale, list(layout.scales.v), EQUATION)
    return with_units(equation, text.speeds, names=text.names)


def _impact(layout: Layout, border: Border) -> list[Element]:
    """Return M (v+ - v-) = J' p, and p inside the friction cones."""
    ends, times = _border_inputs(layout, border)
    points: tuple[PlacedPoint, ...] = layout.blocks[border.after].contacts
    figure, ground, mapped = layout.figure, layout.plan.ground, border.state_map

    def balance(x: Named) -> list[Scalar]:
        state = kinematics(figure, x["q1"], [0.0] * figure.nv)
        change = [b - a for a, b in zip(mapped.velocities(x["v0"]), x["v1"], strict=True)]
        return rnea(state, change, f_ext=forces_on_links(state, ground, points, x["p"]), gravity=0.0)[0]

    p = border.impulses[None, :]
    inputs: Inputs = {"q1": ends["q1"], "v0": ends["v0"], "v1": ends["v1"], "p": p}
    outputs = list(layout.scales.torque * layout.scales.time)
    name = f'impact at the start of "{layout.blocks[border.after].name}"'
    text = freedom_labels(figure)
    key = ("impact", plan_key(layout.plan), points, mapped.key())
    elements = [element(name, KeyedFunction(key, balance), inputs, times, layout.unknowns.scale, outputs, EQUATION)]
    elements = [with_units(elements[0], [f"{unit} s" for unit in text.forces], names=text.names)]
    effective = effective_axes(layout.plan, points)
    cone, scales = cone_of(layout, points, effective)
    unit = layout.scales.time
    scales = [s * (unit**2 if s == layout.scales.force**2 else unit) for s in scales]
    cone_inputs: Inputs = {"q": ends["q1"], "f": p}
    elements.append(
        element(f"friction of the {name}", cone, cone_inputs, times, layout.unknowns.scale, scales, POSITIVE)
    )
    return elements
