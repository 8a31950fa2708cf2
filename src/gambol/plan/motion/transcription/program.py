"""A plan as a non-linear program."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.figure import JOINTS
from gambol.lanes import Scalar, total
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.clearance import clearances
from gambol.plan.motion.transcription.complementarity import found_contacts
from gambol.plan.motion.transcription.contacts import PhaseContacts, contact_elements, phase_contacts
from gambol.plan.motion.transcription.cost_elements import cost_elements, cost_size, regularisation
from gambol.plan.motion.transcription.defects import collocation
from gambol.plan.motion.transcription.elements import EQUATION, Inputs, Named, element, with_units
from gambol.plan.motion.transcription.forces import dynamics
from gambol.plan.motion.transcription.goal_elements import goal_elements
from gambol.plan.motion.transcription.landing import border_elements, borders
from gambol.plan.motion.transcription.layout import Layout, PhaseGuess, make_layout
from gambol.plan.program import Element, NonlinearProgram

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Transcription:
    """A program, the layout of its unknowns, and the unit of its cost."""

    program: NonlinearProgram
    layout: Layout
    contacts: tuple[PhaseContacts, ...]
    cost_size: float

    def physical(self, unknowns: Array) -> Array:
        """Return unknowns of the program in physical units."""
        return unknowns * self.layout.unknowns.scale

    def values(self, unknowns: Array) -> list[PhaseGuess]:
        """Return the values of each phase at its nodes; unknowns: unknowns of the program."""
        x = self.physical(unknowns)
        durations = self.layout.durations(x)
        return [
            PhaseGuess(b.fractions, x[b.q], x[b.v], x[b.a], x[b.u], x[b.f], durations[k])
            for k, b in enumerate(self.layout.blocks)
        ]


def transcribe(plan: Plan, guesses: Sequence[PhaseGuess]) -> Transcription:
    """Return a plan as a program.

    guesses: first values at the nodes of each phase, which are the mesh. Contacts that are to be found are relaxed.
    Raises PlanError if bounds contradict each other.
    """
    layout = make_layout(plan, guesses)
    contacts = phase_contacts(layout)
    all_borders = borders(layout)
    constraints = [
        *collocation(layout),
        *dynamics(layout),
        *contact_elements(layout, contacts),
        *border_elements(layout, all_borders),
        *clearances(layout),
        *found_contacts(layout),
        *goal_elements(layout, contacts),
        *_unit_lengths(layout),
        *_whole_duration(layout),
    ]
    costs = [*cost_elements(layout), *regularisation(layout, [_is_redundant(layout, c) for c in contacts])]
    x = layout.unknowns
    lower, upper = x.lower / x.scale, x.upper / x.scale
    initial = np.clip(x.initial / x.scale, lower, upper)
    program = NonlinearProgram(initial, lower, upper, tuple(costs), tuple(constraints))
    return Transcription(program, layout, tuple(contacts), cost_size(plan.costs, layout.scales))


def _is_redundant(layout: Layout, contacts: PhaseContacts) -> bool:
    """Return True if contact forces act that the equations do not determine."""
    return len(contacts.rows) < int(np.count_nonzero(np.any(np.abs(contacts.jacobian) > 1e-9, axis=1)))


def _unit_lengths(layout: Layout) -> list[Element]:
    """Return |q|^2 = 1 at the first node of the plan, for quaternions that the start does not fix."""
    block, elements = layout.blocks[0], list[Element]()
    for link in layout.figure.links:
        if not JOINTS[link.joint.kind].has_quaternion:
            continue
        indices = block.q[0, link.q][:4]
        if np.all(layout.unknowns.lower[indices] == layout.unknowns.upper[indices]):
            continue
        inputs: Inputs = {"q": indices[None, :]}
        name, unit = f'the length of the quaternion of "{link.name}"', layout.unknowns.scale
        elements.append(element(name, _length_error, inputs, np.zeros(1), unit, [1.0], EQUATION))
    return elements


def _length_error(x: Named) -> list[Scalar]:
    return [total(c * c for c in x["q"]) - 1.0]


def _whole_duration(layout: Layout) -> list[Element]:
    """Return the bounds of the sum of all durations."""
    bounds, free = layout.plan.duration, [b.duration for b in layout.blocks if b.duration is not None]
    if bounds is None or not free:
        return []
    fixed = sum(block.seconds for block in layout.blocks if block.duration is None)
    low, high = bounds if isinstance(bounds, tuple) else (bounds, bounds)
    inputs: Inputs = {"T": np.array([free], np.intp)}
    ends, unit = layout.guessed_times(len(layout.blocks) - 1)[-1:], layout.unknowns.scale
    name, limits = "the duration of the plan", (low - fixed, high - fixed)
    return [with_units(element(name, _sum, inputs, ends, unit, [layout.scales.time], limits), "s")]


def _sum(x: Named) -> list[Scalar]:
    return [total(x["T"])]
