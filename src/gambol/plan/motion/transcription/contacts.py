"""Contacts in given phases: points that stand without slip, friction cones, and clearance of points that do not.

A standing point p obeys   p'' + 2 r p' + r^2 (p - p_c) = 0   at every node   [Baumgarte 1972]
and at the first node of its stance   p = p_c,  p' = 0,  gap(p) = 0.

The equation is imposed on independent rows only, so it determines the contact forces. The terms in r correct the drift
of integration. p_c, the foothold, is an unknown. Friction, |f_t| <= mu f_n, is imposed as f_t.f_t <= (mu f_n)^2, which
is smooth, or by a pyramid inside the cone: |f_1| + |f_2| <= mu f_n. [Winkler et al. 2018; Posa 2016]
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gambol.collide import Plane
from gambol.dynamics import kinematics
from gambol.figure import Figure
from gambol.lanes import Scalar
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.elements import (
    EQUATION,
    POSITIVE,
    Inputs,
    KeyedFunction,
    Named,
    NamedFunction,
    element,
    with_units,
)
from gambol.plan.motion.transcription.forces import moving_nodes, node_inputs
from gambol.plan.motion.transcription.keys import plan_key
from gambol.plan.motion.transcription.layout import Indices, Layout
from gambol.plan.motion.transcription.mirror import state_map
from gambol.plan.motion.transcription.points import PlacedPoint, gap, surface_at
from gambol.plan.motion.transcription.rank import independent_rows, point_jacobian
from gambol.plan.program import Element
from gambol.spatial.vector import Vector, tangent_basis

HOLD_RATE = 10.0
"""Rate r times the phase's duration: drift decays slowly compared with a mesh step, and fast compared with the
phase."""


@dataclass(frozen=True)
class PhaseContacts:
    """The contacts of a phase, with the data of its equations.

    new: indices of the contacts that begin with the phase. rows: indices of the independent coordinates of all contacts
    (3 each). gap_rows: contacts whose distance to the ground is an equation at the first node. rest_rows: coordinates
    with velocity 0 at the first node. footholds (3 contacts): indices of p_c. first: the phase's first configuration
    (nq) in the first guess. jacobian (3 contacts, nv): Jacobian at this node.
    """

    new: tuple[int, ...]
    rows: list[int]
    gap_rows: list[int]
    rest_rows: list[int]
    footholds: Indices
    jacobian: NDArray[np.float64]


def phase_contacts(layout: Layout) -> list[PhaseContacts]:
    """Return the contacts of each phase, with footholds as new unknowns."""
    known: dict[str, Indices] = {}
    result: list[PhaseContacts] = []
    continued = standing_since_cycle_end(layout)
    for phase, block in enumerate(layout.blocks):
        points = () if block.finds_contacts else block.contacts
        q = layout.unknowns.initial[block.q[0]]
        known = {point.name: known[point.name] for point in points if point.name in known}
        new = tuple(k for k, point in enumerate(points) if point.name not in known)
        state = kinematics(layout.figure, list(q), [0.0] * layout.figure.nv)
        for k in new:
            position = [float(x) for x in points[k].place(state)]
            known[points[k].name] = layout.unknowns.add(position, layout.scales.length)
        footholds = np.array([known[point.name] for point in points], np.intp).reshape(-1)
        impact = layout.plan.phases[phase].landing == "impact"
        result.append(_rows(layout, points, q, new, footholds, impact))
    if continued:
        result[0] = _without(
            result[0], [k for k, point in enumerate(layout.blocks[0].contacts) if point.name in continued]
        )
    return result


def standing_since_cycle_end(layout: Layout) -> set[str]:
    """Return the names of points that stand at the start of a cycle because they stood at its end.

    Their velocity and height follow from the end of the cycle, unless they stand all the time.
    """
    if layout.plan.cycle is None:
        return set()
    mapped = state_map(layout.figure, layout.plan.cycle)
    ending = {mapped.point_name(layout.plan, point.name) for point in layout.blocks[-1].contacts}
    return {name for name in ending if any(name not in phase.contacts for phase in layout.plan.phases)}


def _without(contacts_of_phase: PhaseContacts, continued: Sequence[int]) -> PhaseContacts:
    """Return the contacts of a phase without the initial equations of some contacts."""
    return replace(
        contacts_of_phase,
        gap_rows=[k for k in contacts_of_phase.gap_rows if k not in continued],
        rest_rows=[k for k in contacts_of_phase.rest_rows if k // 3 not in continued],
    )


def _rows(
    layout: Layout,
    points: tuple[PlacedPoint, ...],
    q: NDArray[np.float64],
    new: tuple[int, ...],
    footholds: Indices,
    impact: bool,
) -> PhaseContacts:
    """Return the contacts of a phase with the choice of independent equations."""
    J = point_jacobian(layout.figure, list(q), points, layout.scales.v)
    none, old = np.zeros((0, layout.figure.nv)), [k for k in range(len(points)) if k not in new]

    def grouped(contacts: Sequence[int]) -> list[tuple[list[int], NDArray[np.float64]]]:
        heights, others = [3 * k + 2 for k in contacts], [3 * k + i for k in contacts for i in (0, 1)]
        return [(heights, J[heights]), (others, J[others])]

    old_rows = independent_rows(none, grouped(old))
    rows = independent_rows(none, grouped(range(len(points))))
    gap_rows = [k // 3 for k in independent_rows(J[old_rows], grouped(new)[:1])]
    lands = impact and bool(new) and bool(old)
    rest_rows = rows if lands else independent_rows(J[old_rows], grouped(new))
    return PhaseContacts(new, rows, gap_rows, rest_rows, footholds, J)


def contact_elements(layout: Layout, contacts: Sequence[PhaseContacts]) -> list[Element]:
    """Return the equations of standing points and friction cones; fix forces without effect at 0."""
    result: list[Element] = []
    for phase, (block, contacts_of_phase) in enumerate(zip(layout.blocks, contacts, strict=True)):
        if not block.contacts or block.finds_contacts:
            continue
        effective = effective_axes(layout.plan, block.contacts)
        ineffective = [k for k in range(3 * len(block.contacts)) if not effective[k % 3]]
        layout.unknowns.bound(block.f[:, ineffective], 0.0, 0.0, "a force without effect")
        result += [
            _standing(layout, phase, contacts_of_phase),
            *_landing(layout, phase, contacts_of_phase),
            _cones(layout, phase, effective),
        ]
    return result


def effective_axes(plan: Plan, points: Sequence[PlacedPoint]) -> tuple[bool, bool, bool]:
    """Return the world axes along which forces at points can act; for a figure that moves in a plane there are two."""
    return _axes_of_forces(plan.figure, tuple(points)) if isinstance(plan.ground, Plane) else (True, True, True)


@lru_cache
def _axes_of_forces(figure: Figure, points: tuple[PlacedPoint, ...]) -> tuple[bool, bool, bool]:
    random = np.random.default_rng(0)
    samples = [
        point_jacobian(figure, list(random.normal(size=figure.nq)), points, np.ones(figure.nv)) for _ in range(2)
    ]
    J = np.hstack(samples)
    sizes = [float(np.abs(J[axis::3]).max(initial=0.0)) for axis in range(3)]
    return (sizes[0] > 1e-9 * max(sizes), sizes[1] > 1e-9 * max(sizes), True)


def _standing(layout: Layout, phase: int, contacts_of_phase: PhaseContacts) -> Element:
    """Return p'' + 2 r p' + r^2 (p - p_c) = 0 at the nodes of a phase."""
    block, plan = layout.blocks[phase], layout.plan
    rate, nodes = HOLD_RATE / block.seconds, moving_nodes(layout, phase)

    def standing(x: Named) -> list[Scalar]:
        state = kinematics(plan.figure, x["q"], x["v"])
        accelerations = state.accelerations(x["a"])
        out: list[Scalar] = []
        for k, point in enumerate(block.contacts):
            distance, surface = gap(plan.ground, point, state)
            offset = (
                surface.normal * distance if point.radius else point.place(state) - Vector.of(_triple(x["foothold"], k))
            )
            velocity = point.touching_velocity(state, surface.normal)
            out += [
                *(
                    point.touching_acceleration(state, accelerations, surface.normal)
                    + velocity * (2.0 * rate)
                    + offset * rate**2
                )
            ]
        return [out[k] for k in contacts_of_phase.rows]

    inputs: Inputs = {
        **node_inputs(layout, phase, nodes, "qva"),
        "foothold": _repeat(contacts_of_phase.footholds, len(nodes)),
    }
    scale = [layout.scales.length / layout.scales.time**2] * len(contacts_of_phase.rows)
    name, times = f'standing points of "{block.name}"', layout.guessed_times(phase)[nodes]
    key = ("standing", plan_key(plan), block.contacts, tuple(contacts_of_phase.rows), rate)
    equation = element(name, KeyedFunction(key, standing), inputs, times, layout.unknowns.scale, scale, EQUATION)
    return with_units(equation, "m/s2", names=_names_of_rows(block.contacts, contacts_of_phase.rows))


def _names_of_rows(points: Sequence[PlacedPoint], rows: Sequence[int]) -> list[str]:
    return [f'of "{points[k // 3].name}"' for k in rows]


def _triple(values: Sequence[Scalar], k: int) -> Sequence[Scalar]:
    return values[3 * k : 3 * k + 3]


def _repeat(indices: Indices, rows: int) -> Indices:
    return np.repeat(indices[None, :], rows, axis=0)


def _landing(layout: Layout, phase: int, contacts_of_phase: PhaseContacts) -> list[Element]:
    """Return the equations at the first node of a phase: new points are at rest, on the ground, at their footholds."""
    block, figure, ground, scales = layout.blocks[phase], layout.figure, layout.plan.ground, layout.scales
    anchored = [k for k in contacts_of_phase.new if not block.contacts[k].radius]

    def rest(x: Named) -> list[Scalar]:
        state = kinematics(figure, x["q"], x["v"])
        speeds = [
            s for point in block.contacts for s in point.touching_velocity(state, gap(ground, point, state)[1].normal)
        ]
        return [speeds[k] for k in contacts_of_phase.rest_rows]

    def place(x: Named) -> list[Scalar]:
        state = kinematics(figure, x["q"], [0.0] * figure.nv)
        heights = [gap(ground, block.contacts[k], state)[0] for k in contacts_of_phase.gap_rows]
        offsets = [block.contacts[k].place(state) - Vector.of(_triple(x["foothold"], k)) for k in anchored]
        return [*heights, *(component for offset in offsets for component in offset)]

    result: list[Element] = []
    nodes, times, unit = np.array([0]), layout.guessed_times(phase)[:1], layout.unknowns.scale
    key = (plan_key(layout.plan), block.contacts)
    foothold: Inputs = {"foothold": contacts_of_phase.footholds[None, :]}
    if rows := len(contacts_of_phase.gap_rows) + 3 * len(anchored):
        inputs = {**node_inputs(layout, phase, nodes, "q"), **foothold}
        name = f'touch-down of "{block.name}"'
        placed = KeyedFunction(("place", key, tuple(contacts_of_phase.gap_rows), tuple(anchored)), place)
        result.append(with_units(element(name, placed, inputs, times, unit, [scales.length] * rows, EQUATION), "m"))
    if contacts_of_phase.rest_rows:
        outputs = [scales.length / scales.time] * len(contacts_of_phase.rest_rows)
        name, inputs = f'rest of the points of "{block.name}"', node_inputs(layout, phase, nodes, "qv")
        resting = KeyedFunction(("rest", key, tuple(contacts_of_phase.rest_rows)), rest)
        rests = element(name, resting, inputs, times, unit, outputs, EQUATION)
        result.append(with_units(rests, "m/s", names=_names_of_rows(block.contacts, contacts_of_phase.rest_rows)))
    return result


def _cones(layout: Layout, phase: int, effective: tuple[bool, bool, bool]) -> Element:
    """Return the friction cones of a phase at its nodes."""
    nodes = moving_nodes(layout, phase)
    block = layout.blocks[phase]
    needs_place = not isinstance(layout.plan.ground, Plane)
    inputs = node_inputs(layout, phase, nodes, "qf" if needs_place else "f")
    cone, outputs = cone_of(layout, block.contacts, effective)
    name, times = f'friction in "{block.name}"', layout.guessed_times(phase)[nodes]
    return element(name, cone, inputs, times, layout.unknowns.scale, outputs, POSITIVE)


def cone_of(
    layout: Layout, points: Sequence[PlacedPoint], effective: tuple[bool, bool, bool]
) -> tuple[NamedFunction, list[float]]:
    """Return a function that is 0 or more inside the friction cones of all points, and the scales of its outputs.

    Its inputs are the forces "f", and "q" if the ground is not a plane. effective: see effective_axes().
    """
    plan, mu, force = layout.plan, layout.plan.friction, layout.scales.force
    count = sum(effective[:2])
    per_point = [force] + ([force**2] if count == 2 and plan.cone == "circle" else [force] * (2**count if count else 0))

    def cone(x: Named) -> list[Scalar]:
        state = kinematics(plan.figure, x["q"], [0.0] * plan.figure.nv) if "q" in x else None
        out: list[Scalar] = []
        for k, point in enumerate(points):
            position = point.place(state) if state else Vector(0.0, 0.0, 0.0)
            n = surface_at(plan.ground, position).normal
            tangents = [t for t, has_effect in zip(tangent_basis(n), effective[:2], strict=True) if has_effect]
            f = Vector.of(_triple(x["f"], k))
            out += cone_outputs(mu, f.dot(n), [f.dot(t) for t in tangents], smooth=plan.cone == "circle")
        return out

    return KeyedFunction(("cone", plan_key(plan), tuple(points), effective), cone), per_point * len(points)


def cone_outputs(mu: float, normal: Scalar, tangential: Sequence[Scalar], *, smooth: bool) -> list[Scalar]:
    """Return the function that is 0 or more inside a friction cone.

    smooth: True for one quadratic function, False for the sides of a pyramid.
    """
    if len(tangential) == 2 and smooth:
        return [normal, (normal * mu) * (normal * mu) - tangential[0] * tangential[0] - tangential[1] * tangential[1]]
    sums = [normal * mu]
    for t in tangential:
        sums = [s + sign * t for s in sums for sign in (1.0, -1.0)]
    return [normal, *(sums if tangential else [])]
