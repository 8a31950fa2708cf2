"""Local-global steps of a mesh of springs with a stored factorisation. [Liu, Bargteil, O'Brien & Kavan 2013]

    minimise |x - y|^2_M/(2 h^2) + sum k/2 |r - d|^2 + sum c/(2 h) |r - r_start - p|^2        y = x + h v + h^2 M^-1 f
    local: d = l0 r/|r|,  p = (r - r_start) without its part along r        r = x_a - x_b
    global: (M + h^2 L) x = M y + J (h^2 k d + h c (r_start + p))        L: springs of k + c/h

p lets a damper act along its spring only. L is constant, so its factorisation is reused until a spring breaks. The
result converges to implicit Euler. The sparse factorisation is scipy's; the last bits may differ between versions and
machines, but not between numbers of lanes. Hinges, bends, gas and points that touch each other as balls are refused.
Contacts move points afterwards.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gambol.errors import WorldError
from gambol.matter.forces.field import Conditions, ForceField
from gambol.matter.forces.layout import ordered_sum
from gambol.matter.motion.contact_corrections import ROWS, by_link, contact_corrections, contact_powers
from gambol.matter.motion.sparse_factor import SparseFactor
from gambol.matter.motion.step_frame import FLOWS, Array, Frame, query_at
from gambol.matter.touch.contact_forces import FORCE, SUPPORT, ContactForces

WIND, DAMPER = FLOWS.index("wind"), FLOWS.index("damping")

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
            "twist": len(field.rods),
            "points that touch each other as balls": field.surroundings.self_touch and not field.surfaces,
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
        t, x, right_side = field.tethers, y.copy(), field.mass * y
        target, speed = t.targets(field.moved_links(now)) if len(t.points) else (np.zeros((3, 0)), np.zeros((3, 0)))
        held = h * h * t.stiffness * target + h * t.damping * (frame.x[:, t.points] + h * speed)
        for c in range(3):
            np.add.at(right_side[c], t.points, held[c])
        for _ in range(self.options.iterations):
            x = solver.solve(right_side + h * h * self._local(x, frame.x, now, h), frame.x)
        contacts = contact_corrections(field, now, x, frame.x, h)
        v = (x - frame.x) * (1.0 / h) * field.free
        tethers, lost = self._tethers(x, v, target, speed)
        impulses = frame.impulses.copy()
        motions = field.moved_links(now)
        if len(impulses):
            for contact in (*contacts, *tethers):
                if contact.link >= 0:
                    impulses[contact.link] += h * contact.wrench(x, motions[contact.link, :3])
        flows = frame.flows + h * contact_powers([*contacts, *tethers])
        flows[WIND] += h * power
        flows[DAMPER] -= h * (lost + self._damper_losses(x, v, now))
        return Frame(x, v, now, flows, impulses, frame.history)

    def _tethers(self, x: Array, v: Array, target: Array, speed: Array) -> tuple[list[ContactForces], float]:
        """Return the forces of tethers at the end of a step, by link, and the power that their dampers take [W]."""
        t = self.field.tethers
        u = v[:, t.points] - speed
        rows = np.zeros((ROWS, len(t.points)))
        rows[FORCE] = -t.stiffness * (x[:, t.points] - target) - t.damping * u
        rows[SUPPORT] = (rows[FORCE] * speed).sum(axis=0)
        return by_link(t, rows), ordered_sum(t.damping * (u * u).sum(axis=0))

    def _damper_losses(self, x: Array, v: Array, now: Conditions) -> float:
        """Return the power that the dampers of springs take at the end of a step [W]."""
        springs = self.field.springs
        if not springs.damped:
            return 0.0
        _, lost = springs.add_forces(self.field.spring_numbers(now.intact), x, v, np.zeros_like(x), self.field.options)
        return ordered_sum(lost)

    def _local(self, x: Array, start: Array, now: Conditions, h: float) -> Array:
        """Return J (k d + c/h (r_start + p)) (3, N). start: positions at the start of the step of h [s]."""
        total, springs = np.zeros_like(x), self.field.springs
        springs.add_pulls(self.field.spring_numbers(now.intact), (x, start), h, total, self.field.options)
        return total

    def _solver(self, now: Conditions, h: float) -> SparseFactor:
        """Return the factor of M + h^2 L, computed again for another step and after springs broke."""
        key = (h, now.intact.tobytes())
        if self._factor is not None and self._factor[0] == key:
            return self._factor[1]
        field, n = self.field, self.field.count
        springs, t = field.mesh.springs, field.tethers
        diagonal = field.mass[0, :n].copy()
        np.add.at(diagonal, t.points, h * h * t.stiffness + h * t.damping)
        weights = (springs.stiffness * h * h + springs.damping * h) * now.intact
        factor = SparseFactor.of(diagonal, springs.ends, weights, field.free[0, :n] > 0.0)
        self._factor = (key, factor)
        return factor
