"""Extended position-based dynamics with small steps: each step is many substeps of one iteration. [Macklin et al. 2019]

    v += h a    x += h v    correct each constraint once, in a fixed order    v = (x - x_start)/h

Springs, hinges, bends and points that touch each other are corrected in coloured Gauss-Seidel sweeps, then gas, tethers
and contacts. The displacement of a point by a contact or tether, times mass over h, is the impulse on the link.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.matter.elements.constraint import contact_correction
from gambol.matter.forces.field import Conditions, ForceField
from gambol.matter.forces.layout import ordered_sum, padded_count, padded_rows
from gambol.matter.forces.programs import ZERO
from gambol.matter.motion.projections import Projection
from gambol.matter.motion.step_frame import Array, Frame, query_at
from gambol.matter.touch.contact_forces import FORCE, ContactForces
from gambol.matter.touch.places import Places
from gambol.spatial import Vector

SUBSTEPS = 30
"""Number of substeps of a step, each with one iteration; 30 for a frame of 1/60 s. [Macklin et al. 2019]"""

ROWS = 13  # of ContactForces


@dataclass(frozen=True, slots=True)
class SubstepOptions:
    """Options of position-based dynamics; substeps: substeps of each step."""

    substeps: int = SUBSTEPS


@lru_cache
def correction_program(lanes: int | None) -> Program:
    """Return the program that moves points out of a surface; each lane computes a point near it."""

    def corrected(gap: tuple[Scalar, Scalar, Vector, Vector], moved: Vector, law: Any, weight: Scalar) -> tuple[Vector]:
        size, _, n, surface = gap
        stiffness, friction, h = law
        slip = moved - surface * h
        return (contact_correction(size, n, slip, (stiffness, friction, weight, h))[0],)

    shapes = ((0.0, 0.0, ZERO, ZERO), ZERO, (0.0, 0.0, 0.0), 0.0)
    return Program(ProgramSpec("mesh contact correction", corrected, shapes, 0, "correction"), lanes=lanes)


def contact_corrections(field: ForceField, now: Conditions, x: Array, start: Array, h: float) -> list[ContactForces]:
    """Move points out of surfaces, in place, and return the equivalent forces.

    field: forces of the mesh. now: conditions. x: positions (3, N); start: positions at the start of the substep of h
    [s].
    """
    contact_forces = list[ContactForces]()
    inverse_mass = field.free / field.mass
    for gaps in field.gaps(query_at(field, x, x), now):
        if not (gaps.rows[0] < 0.0).any():
            continue
        touch = gaps.law or field.surroundings.touch
        law = np.array([[touch.stiffness], [touch.friction], [h]])
        p, columns = gaps.places, padded_count(len(gaps.places))
        arrays = [padded_rows(a, columns) for a in (gaps.rows, p.of(x - start))]
        mobility = p.squared(inverse_mass)
        (change,) = correction_program(field.lanes)(*arrays, law, padded_rows(mobility, columns))
        rows = np.zeros((ROWS, len(p)))
        np.divide(change[:, : len(p)], mobility, out=rows[FORCE], where=mobility > 0.0)
        rows[FORCE] *= p.shares(gaps.rows[0] < 0.0)
        moved = np.zeros_like(x)
        p.add_to(moved, rows[FORCE])
        x += moved * inverse_mass
        rows[FORCE] /= h * h
        contact_forces.append(ContactForces(p, rows, gaps.link))
    return contact_forces


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
        for projection in projections:
            projection.project(x, frame.x, h)
        self._project_gas(x, h)
        contacts = [*self._tethered(x, frame.x, now, h), *contact_corrections(field, now, x, frame.x, h)]
        v = (x - frame.x) * (1.0 / h)
        impulses = frame.impulses
        if len(impulses):
            motions, impulses = field.moved_links(now), impulses.copy()
            for contact in contacts:
                if contact.link >= 0:
                    impulses[contact.link] += h * contact.wrench(x, motions[contact.link, :3])
        flows = frame.flows.copy()
        flows[0] += h * power
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

    def _tethered(self, x: Array, start: Array, now: Conditions, h: float) -> list[ContactForces]:
        """Move tethered points towards their targets, in place; return the equivalent forces, by link."""
        t = self.field.tethers
        if not len(t.points):
            return []
        target, speed = t.targets(self.field.moved_links(now))
        w = self.inverse_mass[0, t.points]
        g = t.damping / (t.stiffness * h)
        moved = x[:, t.points] - start[:, t.points] - speed * h
        size = -(x[:, t.points] - target + g * moved) / ((1.0 + g) * w + 1.0 / (t.stiffness * h * h))
        for c in range(3):
            np.add.at(x[c], t.points, w * size[c])
        rows = np.concatenate([size / (h * h), np.zeros((ROWS - 3, len(t.points)))])
        return [
            ContactForces(Places.at_points(t.points[t.links == link]), rows[:, t.links == link], int(link))
            for link in np.unique(t.links)
        ]
