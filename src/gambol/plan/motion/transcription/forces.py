"""The equation of motion at the nodes of a plan.

    inverse:  rnea(q, v, a, f) - tau - tau_passive = 0          forward:  a - aba(q, v, tau + tau_passive, f) = 0

f are the forces of contacts. A contact that is to be found has friction along both tangents and against them, each not
negative: f = n f_n + t_1 (l_1 - l_2) + t_2 (l_3 - l_4).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import Gravity, Kinematics, aba, kinematics, rnea
from gambol.dynamics.bodies import gravity_scalar_or_vector
from gambol.dynamics.passive import Passive
from gambol.lanes import Scalar
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.elements import EQUATION, Inputs, KeyedFunction, Named, element, with_units
from gambol.plan.motion.transcription.keys import plan_key
from gambol.plan.motion.transcription.layout import Layout
from gambol.plan.motion.transcription.points import PlacedPoint, forces_on_links, surface_at
from gambol.plan.motion.transcription.scales import freedom_labels, scales_of
from gambol.plan.program import Element
from gambol.spatial.vector import tangent_basis

FORCES_OF_FOUND = 5
"""Number of unknowns of a contact that is to be found: the normal force, and friction in four directions."""


@dataclass(frozen=True)
class NodeModel:
    """The mechanics of a plan at one node: figure, passive forces, gravity, contacts.

    contacts: contacts of the phase. finds_contacts: True if each has FORCES_OF_FOUND numbers instead of a force in
    world axes. actuated: velocity indices of torques.
    """

    plan: Plan
    passive: Passive
    gravity: Gravity
    actuated: tuple[int, ...]
    contacts: tuple[PlacedPoint, ...]
    finds_contacts: bool

    def joint_forces(self, q: Sequence[Scalar], v: Sequence[Scalar], u: Sequence[Scalar]) -> list[Scalar]:
        """Return all joint forces (nv): torques u of the actuated freedoms, and passive forces."""
        tau = self.passive.forces(q, v)[0]
        for k, torque in zip(self.actuated, u, strict=True):
            tau[k] = tau[k] + torque
        return tau

    def world_forces(self, state: Kinematics, f: Sequence[Scalar]) -> list[Scalar]:
        """Return the forces of the contacts in world axes [N], 3 for each; f: unknowns of the contacts."""
        if not self.finds_contacts:
            return list(f)
        forces: list[Scalar] = []
        for k, point in enumerate(self.contacts):
            n = surface_at(self.plan.ground, point.place(state)).normal
            t1, t2 = tangent_basis(n)
            normal, a, b, c, d = f[FORCES_OF_FOUND * k : FORCES_OF_FOUND * (k + 1)]
            forces += [*(n * normal + t1 * (a - b) + t2 * (c - d))]
        return forces

    def residual(self, x: Named) -> list[Scalar]:
        """Return rnea(q, v, a, f) - tau (nv), or a - aba(q, v, tau, f) (nv)."""
        state = kinematics(self.plan.figure, x["q"], x["v"])
        tau = self.joint_forces(x["q"], x["v"], x.get("u", ()))
        f_ext = forces_on_links(state, self.plan.ground, self.contacts, self.world_forces(state, x.get("f", ())))
        if self.plan.mesh.dynamics == "inverse":
            needed, _ = rnea(state, x["a"], f_ext=f_ext, gravity=self.gravity)
            return [n - t for n, t in zip(needed, tau, strict=True)]
        accelerations, _ = aba(state, tau, f_ext=f_ext, gravity=self.gravity)
        return [unknown - a for unknown, a in zip(x["a"], accelerations, strict=True)]


def node_model(plan: Plan, actuated: tuple[int, ...], contacts: tuple[PlacedPoint, ...], finds: bool) -> NodeModel:
    """Return the mechanics of a phase with these contacts."""
    passive = Passive.of(plan.figure, plan.springs)
    return NodeModel(plan, passive, gravity_scalar_or_vector(plan.gravity), actuated, contacts, finds)


def dynamics(layout: Layout) -> list[Element]:
    """Return the equations of motion: one element for each set of contacts."""
    plan = layout.plan
    text = freedom_labels(plan.figure)
    units = text.forces if plan.mesh.dynamics == "inverse" else [f"{unit}2" for unit in text.speeds]
    elements: list[Element] = []
    for phase, block in enumerate(layout.blocks):
        model = node_model(plan, layout.actuated, block.contacts, block.finds_contacts)
        nodes = moving_nodes(layout, phase)
        inputs = node_inputs(layout, phase, nodes, "qvauf")
        times = layout.guessed_times(phase)[nodes]
        equation = equation_of_motion(model, block.name, inputs, times, layout.unknowns.scale)
        elements.append(with_units(equation, units, names=text.names))
    return elements


def equation_of_motion(
    model: NodeModel, phase: str, inputs: Inputs, times: NDArray[np.float64], unknown_scales: NDArray[np.float64]
) -> Element:
    """Return the equation of motion in a phase.

    phase: its name, for messages. inputs: q, v, a, u, f. times, unknown_scales: see element().
    """
    scales, plan = scales_of(model.plan.figure), model.plan
    outputs = scales.torque if plan.mesh.dynamics == "inverse" else scales.a
    key = ("motion", plan_key(plan), model.actuated, model.contacts, model.finds_contacts)
    function, name = KeyedFunction(key, model.residual), f'equation of motion in "{phase}"'
    return element(name, function, inputs, times, unknown_scales, list(outputs), EQUATION)


def scales_of_letters(model: NodeModel) -> dict[str, NDArray[np.float64]]:
    """Return the scales of the unknowns of a node by letter."""
    scales = scales_of(model.plan.figure)
    forces = (FORCES_OF_FOUND if model.finds_contacts else 3) * len(model.contacts)
    u, f = scales.torque[list(model.actuated)], np.full(forces, scales.force)
    return {"q": scales.q, "v": scales.v, "a": scales.a, "u": u, "f": f}


def moving_nodes(layout: Layout, phase: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the nodes of a phase at which the equation of motion holds."""
    nodes = np.arange(layout.blocks[phase].nodes)
    return nodes[0 if layout.scheme.at_start else 1 : None if layout.scheme.at_end else -1]


def node_inputs(layout: Layout, phase: int, nodes: np.ndarray[tuple[int], np.dtype[np.intp]], letters: str) -> Inputs:
    """Return the unknowns of a phase at nodes as inputs: some of q, v, a, u, f; forces without columns are left out."""
    block = layout.blocks[phase]
    arrays = {letter: getattr(block, letter)[nodes] for letter in letters}
    return {letter: array for letter, array in arrays.items() if array.shape[1]}
