"""The result of a solved program: the trajectory, the cost in the plan's units, and the violated constraint."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.plan.motion.transcription.forces import node_model
from gambol.plan.motion.transcription.layout import PhaseGuess
from gambol.plan.motion.transcription.points import PlacedPoint
from gambol.plan.motion.transcription.program import Transcription
from gambol.plan.program import Element, ProgramSolution
from gambol.plan.solver.evaluation import element_outputs
from gambol.plan.trajectory import Trajectory

Array = NDArray[np.float64]


def trajectory_of(transcription: Transcription, values: Sequence[PhaseGuess]) -> Trajectory:
    """Return the trajectory of the values at the nodes of all phases."""
    layout = transcription.layout
    figure = layout.figure
    points = list({point.name: point for block in layout.blocks for point in block.contacts}.values())
    times: list[Array] = []
    start = 0.0
    for part in values:
        times.append(start + part.fractions * part.seconds)
        start += part.seconds
    positions, forces = list[Array](), list[Array]()
    for phase, part in enumerate(values):
        positions_of_phase, forces_of_phase = _contacts(transcription, phase, part, points)
        positions.append(positions_of_phase)
        forces.append(forces_of_phase)
    torques = np.zeros((sum(len(t) for t in times), figure.nv))
    torques[:, list(layout.actuated)] = np.concatenate([part.u for part in values])
    return Trajectory(
        figure,
        np.concatenate(times),
        np.concatenate([part.q for part in values]),
        np.concatenate([part.v for part in values]),
        torques,
        tuple(point.name for point in points),
        np.concatenate(positions),
        np.concatenate(forces),
        max(1, layout.scheme.degree),
    )


def _contacts(
    transcription: Transcription, phase: int, part: PhaseGuess, points: Sequence[PlacedPoint]
) -> tuple[Array, Array]:
    """Return the positions of all points and the forces on them at the nodes of a phase: (nodes, points, 3) each."""
    layout = transcription.layout
    block, n = layout.blocks[phase], len(part.fractions)
    state = kinematics(layout.figure, list(part.q.T), list(part.v.T))
    model = node_model(layout.plan, layout.actuated, block.contacts, block.finds_contacts)
    world_forces = [np.broadcast_to(np.asarray(f, float), (n,)) for f in model.world_forces(state, list(part.f.T))]
    positions, forces = np.zeros((n, len(points), 3)), np.zeros((n, len(points), 3))
    names = [point.name for point in block.contacts]
    for k, point in enumerate(points):
        positions[:, k] = np.stack([np.broadcast_to(np.asarray(x, float), (n,)) for x in point.place(state)], axis=1)
        if point.name in names:
            i = names.index(point.name)
            forces[:, k] = np.stack(world_forces[3 * i : 3 * i + 3], axis=1)
    return positions, forces


def plan_cost(transcription: Transcription, solution: ProgramSolution) -> float:
    """Return the cost of a solution in the plan's units, without the small cost of redundant forces."""
    elements = [e for e in transcription.program.costs if e.name != "shares of redundant contact forces"]
    return transcription.cost_size * float(sum(element_outputs(e, solution.unknowns).sum() for e in elements))


def worst_violation(transcription: Transcription, solution: ProgramSolution) -> str:
    """Return a text that names the most violated constraint, its violation and the time.

    "" if no violation exceeds 1e-6.
    """
    program, worst, text = transcription.program, 1e-6, ""
    for element in program.constraints:
        outputs = element_outputs(element, solution.unknowns)
        excess = np.maximum(element.lower - outputs, outputs - element.upper)
        k = np.unravel_index(int(excess.argmax()), excess.shape)
        if excess[k] > worst:
            worst, instance, output = float(excess[k]), int(k[0]), int(k[1])
            text = f"{_violation_text(element, instance, output, worst)} at {element.times[instance]:.4g} s"
    return text


def _violation_text(element: Element, instance: int, output: int, violation: float) -> str:
    """Return the name of an output and its violation, in the unit of the output if it has one.

    violation: the violation in natural units.
    """
    text = element.text
    owners = (text.names[output] if text.names else "", text.instances[instance] if text.instances else "")
    name = " ".join([element.name, *(owner for owner in owners if owner)])
    if text.units:
        return f"{name} is off by {violation * text.scales[output]:.3g} {text.units[output]}"
    return f"{name} is off by {violation:.3g} (in natural units)"
