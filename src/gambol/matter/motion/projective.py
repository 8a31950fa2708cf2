"""Local-global steps of a mesh of springs with a stored factorisation. [Liu, Bargteil, O'Brien & Kavan 2013]

    minimise |x - y|^2_M/(2 h^2) + sum k/2 |x_a - x_b - d|^2 with |d| = l0        y = x + h v + h^2 M^-1 f
    local: d = l0 (x_a - x_b)/|x_a - x_b|        global: (M + h^2 L) x = M y + h^2 J d

L is constant, so its factorisation is reused until a spring breaks. The result converges to implicit Euler. The sparse
factorisation is scipy's; the last bits may differ between versions and machines, but not between numbers of lanes.
Springs have no dampers here; hinges, bends, gas and points that touch each other are refused. Contacts move points
afterwards.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gambol.errors import WorldError
from gambol.matter.forces.field import Conditions, ForceField
from gambol.matter.motion.position_based import contact_corrections
from gambol.matter.motion.sparse_factor import SparseFactor
from gambol.matter.motion.step_frame import Array, Frame, query_at
from gambol.matter.touch.contact_forces import ContactForces
from gambol.matter.touch.places import Places

ITERATIONS = 10
"""Iterations of a step: for cloth, the error is then a few percent of the implicit step. [Liu et al. 2013, section 5]
"""


@dataclass(frozen=True, slots=True)
class ProjectiveOptions:
    """Options of local-global steps; iterations: iterations of each step."""

    iterations: int = ITERATIONS


class ProjectiveMethod:
    """Local-global steps.

    field: forces of the mesh; options: iterations. Raises WorldError for features that it does not support.
    """

    def __init__(self, field: ForceField, options: ProjectiveOptions | None = None) -> None:
        self.field, self.options = field, options or ProjectiveOptions()
        refused = {
            "hinges": field.hinges.count,
            "bends": field.bends.count,
            "gas": field.mesh.gas is not None,
            "points that touch each other": field.surroundings.self_touch is not None,
        }
        for name, present in refused.items():
            if present:
                raise WorldError(f'the method "projective" has no {name}; take "implicit euler" or "position based"')
        self._factor: tuple[Any, SparseFactor] | None = None

    def step(self, frame: Frame, h: float) -> Frame:
        """Return the frame one step of h [s] later."""
        field = self.field
        now = replace(frame.conditions, elapsed=frame.conditions.elapsed + h)
        external = field.weight.copy()
        power = field.add_wind(query_at(field, frame.x, frame.v), now, external)
        inverse_mass = field.free / field.mass
        y = frame.x + field.free * h * (frame.v + h * external * inverse_mass)
        solver = self._solver(now, h)
        t, x = field.tethers, y.copy()
        tether_terms = np.zeros_like(x)
        target, _ = t.targets(field.moved_links(now)) if len(t.points) else (np.zeros((3, 0)), None)
        for c in range(3):
            np.add.at(tether_terms[c], t.points, h * h * t.stiffness * target[c])
        for _ in range(self.options.iterations):
            right_side = field.mass * y + tether_terms + h * h * self._local(x, now)
            x = solver.solve(right_side, frame.x)
        contacts = contact_corrections(field, now, x, frame.x, h)
        v = (x - frame.x) * (1.0 / h) * field.free
        impulses = frame.impulses.copy()
        motions = field.moved_links(now)
        if len(impulses):
            for contact in contacts:
                if contact.link >= 0:
                    impulses[contact.link] += h * contact.wrench(x, motions[contact.link, :3])
            self._add_tether_impulses(impulses, x, target, motions, h)
        flows = frame.flows.copy()
        flows[0] += h * power
        return Frame(x, v, now, flows, impulses, frame.history)

    def _add_tether_impulses(self, impulses: Array, x: Array, target: Array, motions: Array, h: float) -> None:
        t = self.field.tethers
        for link in np.unique(t.links):
            tethered = np.flatnonzero(t.links == link)
            force = -t.stiffness[tethered] * (x[:, t.points[tethered]] - target[:, tethered])
            rows = np.concatenate([force, np.zeros((10, len(tethered)))])
            impulses[link] += h * ContactForces(Places.at_points(t.points[tethered]), rows, int(link)).wrench(
                x, motions[link, :3]
            )

    def _local(self, x: Array, now: Conditions) -> Array:
        """Return J d (3, N): forces of springs at rest length on their ends."""
        total = np.zeros_like(x)
        self.field.springs.add_pulls(self.field.spring_numbers(now.intact), x, total, self.field.options)
        return total

    def _solver(self, now: Conditions, h: float) -> SparseFactor:
        """Return the factor of M + h^2 L, computed again for another step and after springs broke."""
        key = (h, now.intact.tobytes())
        if self._factor is not None and self._factor[0] == key:
            return self._factor[1]
        field, n = self.field, self.field.count
        springs, t = field.mesh.springs, field.tethers
        diagonal = field.mass[0, :n].copy()
        np.add.at(diagonal, t.points, h * h * t.stiffness)
        weights = springs.stiffness * now.intact * h * h
        factor = SparseFactor.of(diagonal, springs.ends, weights, field.free[0, :n] > 0.0)
        self._factor = (key, factor)
        return factor
