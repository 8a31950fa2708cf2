"""Extended position-based dynamics with small steps: each step is many substeps of one iteration. [Macklin et al. 2019]

    v += h a    x += h v    correct each constraint once, in a fixed order    v = (x - x_start)/h

Springs, hinges, bends and points that touch each other are corrected in coloured Gauss-Seidel sweeps, then gas, tethers
and contacts. The displacement of a point by a contact or tether, times mass over h, is the impulse on the link. Losses
of a damper or of friction are the work of its correction against the displacement that is left after this correction.
"""

from dataclasses import dataclass, replace

import numpy as np

from gambol.matter.forces.field import Conditions, ForceField
from gambol.matter.forces.layout import ordered_sum
from gambol.matter.motion.contact_corrections import ROWS, by_link, contact_corrections, contact_powers
from gambol.matter.motion.projections import Projection
from gambol.matter.motion.step_frame import FLOWS, Array, Frame, query_at
from gambol.matter.touch.contact_forces import FORCE, SUPPORT, ContactForces

SUBSTEPS = 30
"""Number of substeps of a step, each with one iteration; 30 for a frame of 1/60 s. [Macklin et al. 2019]"""

WIND, DAMPER = FLOWS.index("wind"), FLOWS.index("damping")


@dataclass(frozen=True, slots=True)
class SubstepOptions:
    """Options of position-based dynamics; substeps: substeps of each step."""

    substeps: int = SUBSTEPS


class PositionBasedMethod:
    """Steps of position-based dynamics. field: forces of the mesh; options: substeps."""

    def __init__(self, field: ForceField, options: SubstepOptions | None = None) -> None:
        self.field, self.options = field, options or SubstepOptions()
        self.inverse_mass = field.free / field.mass
        self.projections: dict[str, Projection] = {}
        if len(field.mesh.springs):
            numbers = self._spring_rows(np.ones(len(field.mesh.springs)))
            ends = field.mesh.springs.ends
            self.projections["springs"] = Projection("springs", ends, numbers, self.inverse_mass, field.lanes)
        for name, group in (("hinges", field.hinges), ("bends", field.bends)):
            if group.count:
                corners = group.corners[:, : group.count].T.astype(np.int64)
                numbers = group.numbers[:, : group.count]
                self.projections[name] = Projection(name, corners, numbers, self.inverse_mass, field.lanes)

    def step(self, frame: Frame, h: float) -> Frame:
        """Return the frame one step of h [s] later."""
        substep = h / self.options.substeps
        projections = self._projections(frame.conditions)
        for _ in range(self.options.substeps):
            frame = self._substep(frame, projections, substep)
        return frame

    def _projections(self, now: Conditions) -> list[Projection]:
        """Return the corrections of a step: of intact springs, other elements, and points that touch each other."""
        projections = dict(self.projections)
        if "springs" in projections and not now.intact.all():
            projections["springs"].numbers = projections["springs"].sweep.rows(self._spring_rows(now.intact))
        if now.pairs is not None:
            pairs = now.pairs
            corners = pairs.corners[:, : pairs.count].T.astype(np.int64)
            numbers = pairs.numbers[:, : pairs.count]
            projections["touching"] = Projection("springs", corners, numbers, self.inverse_mass, self.field.lanes)
        return list(projections.values())

    def _spring_rows(self, intact: Array) -> Array:
        """Return the numbers of a Spring (5, m), without stiffness and damping where it is broken. intact: (m,)."""
        s = self.field.mesh.springs
        return np.array([s.rest, s.stiffness * intact, s.damping * intact, np.zeros(len(s)), np.zeros(len(s))])

    def _substep(self, frame: Frame, projections: list[Projection], h: float) -> Frame:
        field = self.field
        now = replace(frame.conditions, elapsed=frame.conditions.elapsed + h)
        wind = np.zeros_like(frame.x)
        power = field.add_wind(query_at(field, frame.x, frame.v), now, wind)
        v = (frame.v + h * (field.weight + wind) * self.inverse_mass) * field.free
        x = frame.x + h * v
        lost = sum((projection.project(x, frame.x, h) for projection in projections), 0.0)
        self._project_gas(x, h)
        self._project_twist(x, now, h)
        tethers, held = self._tethered(x, frame.x, now, h)
        contacts = [*tethers, *contact_corrections(field, now, x, frame.x, h)]
        v = (x - frame.x) * (1.0 / h)
        impulses = frame.impulses
        if len(impulses):
            motions, impulses = field.moved_links(now), impulses.copy()
            for contact in contacts:
                if contact.link >= 0:
                    impulses[contact.link] += h * contact.wrench(x, motions[contact.link, :3])
        flows = frame.flows + h * contact_powers(contacts)
        flows[WIND] += h * power
        flows[DAMPER] -= lost + held
        return Frame(x, v, now, flows, impulses, frame.history)

    def _project_gas(self, x: Array, h: float) -> None:
        """Move all points, in place, by one constraint on the volume; pressure and volume then obey the gas law."""
        gas = self.field.mesh.gas
        if gas is None:
            return
        gradient, volume = self.field.volume_gradient(x.reshape(-1))
        weighted = gradient * self.inverse_mass
        divisor = ordered_sum(weighted * gradient)
        stiffness = gas.bulk / self.field.rest_volume
        # the multiplier Dl of the constraint V - V0; the force of the pressure at rest is added to its numerator
        pressure = self.field.gas_pressure(volume)
        x += weighted * (h * h * pressure / (1.0 + h * h * stiffness * divisor))

    def _project_twist(self, x: Array, now: Conditions, h: float) -> None:
        """Move the points of each twisted rod, in place, by the constraint of its angle."""
        for rod, near in zip(self.field.rods, now.twist.tolist(), strict=True):
            gradient = rod.gradient(x)
            weighted = gradient * self.inverse_mass
            divisor = ordered_sum(weighted * gradient) + 1.0 / (rod.stiffness * h * h)
            x -= weighted * (rod.angle(x, near) / divisor)

    def _tethered(self, x: Array, start: Array, now: Conditions, h: float) -> tuple[list[ContactForces], float]:
        """Move tethered points towards their targets, in place; return the equivalent forces, by link, and losses [J].

        The losses are those of the dampers of tethers.
        """
        t = self.field.tethers
        if not len(t.points):
            return [], 0.0
        target, speed = t.targets(self.field.moved_links(now))
        w = self.inverse_mass[0, t.points]
        g = t.damping / (t.stiffness * h)
        moved = x[:, t.points] - start[:, t.points] - speed * h
        size = -(x[:, t.points] - target + g * moved) / ((1.0 + g) * w + 1.0 / (t.stiffness * h * h))
        for c in range(3):
            np.add.at(x[c], t.points, w * size[c])
        rows = np.zeros((ROWS, len(t.points)))
        rows[FORCE] = size / (h * h)
        rows[SUPPORT] = (rows[FORCE] * speed).sum(axis=0)
        after = x[:, t.points] - start[:, t.points] - speed * h
        lost = ordered_sum(t.damping * (after * after).sum(axis=0)) / h
        return by_link(t, rows), lost
