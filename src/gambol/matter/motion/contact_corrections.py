"""Corrections of points that are inside a surface, as one-sided compliant constraints with dampers and friction."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.matter.elements.constraint import Compliance, contact_correction
from gambol.matter.forces.field import Conditions, ForceField
from gambol.matter.forces.layout import ordered_sum, padded_count, padded_rows
from gambol.matter.forces.programs import ZERO
from gambol.matter.motion.step_frame import FLOWS, Array, query_at
from gambol.matter.touch.contact_forces import DAMPING, FORCE, FRICTION, SUPPORT, ContactForces
from gambol.matter.touch.places import Places
from gambol.matter.touch.tether import Tethers
from gambol.spatial import Vector

ROWS = 13  # of ContactForces
SURFACE_VELOCITY = slice(5, 8)  # rows of Gaps


@lru_cache
def correction_program(lanes: int | None) -> Program:
    """Return the program that moves points out of a surface; each lane computes a point near it."""

    def corrected(
        gap: tuple[Scalar, Scalar, Vector, Vector], moved: Vector, law: Compliance, friction: Scalar, weight: Scalar
    ) -> Any:
        size, _, n, surface = gap
        found = contact_correction(law, friction, size, n, (moved - surface * law.h, weight))
        return found.change, (found.damping, found.friction)

    shapes = ((0.0, 0.0, ZERO, ZERO), ZERO, Compliance(0.0, 0.0, 0.0), 0.0, 0.0)
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
        law = np.array([[touch.stiffness], [touch.damping], [h]])
        p, columns = gaps.places, padded_count(len(gaps.places))
        arrays = [padded_rows(a, columns) for a in (gaps.rows, p.of(x - start))]
        mobility = p.squared(inverse_mass)
        friction, weights = np.full((1, 1), touch.friction), padded_rows(mobility, columns)
        change, losses = correction_program(field.lanes)(*arrays, law, friction, weights)
        rows = np.zeros((ROWS, len(p)))
        np.divide(change[:, : len(p)], mobility, out=rows[FORCE], where=mobility > 0.0)
        rows[[DAMPING, FRICTION]] = losses[:, : len(p)] / h
        rows *= p.correction_factors(gaps.rows[0] < 0.0)
        moved = np.zeros_like(x)
        p.add_to(moved, rows[FORCE])
        x += moved * inverse_mass
        rows[FORCE] /= h * h
        rows[SUPPORT] = (rows[FORCE] * gaps.rows[SURFACE_VELOCITY]).sum(axis=0)
        contact_forces.append(ContactForces(p, rows, gaps.link))
    return contact_forces


def by_link(tethers: Tethers, rows: Array) -> list[ContactForces]:
    """Return the forces of tethers by link. rows: rows of ContactForces for each tether (13, m)."""
    at, links = tethers.points, tethers.links
    return [
        ContactForces(Places.at_points(at[links == k]), rows[:, links == k], int(k)) for k in np.unique(links).tolist()
    ]


def contact_powers(contacts: Sequence[ContactForces]) -> Array:
    """Return the rates of the ledger's entries of contacts and tethers, in the order of FLOWS [W]."""
    powers = np.zeros(len(FLOWS))
    for name, row, sign in (("friction", FRICTION, -1.0), ("contact", DAMPING, -1.0), ("support", SUPPORT, 1.0)):
        powers[FLOWS.index(name)] = sign * sum((ordered_sum(contact.rows[row]) for contact in contacts), 0.0)
    return powers
