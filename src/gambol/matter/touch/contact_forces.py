"""Forces at the gaps of points, and their wrenches on links."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.matter.elements.contact import FrictionHold, Touch, contact_force
from gambol.matter.forces.layout import ordered_sum, padded_count, padded_rows
from gambol.matter.touch.gaps import ZERO, Gaps, PointQuery
from gambol.matter.touch.places import Places
from gambol.spatial import Vector

Array = NDArray[np.float64]

FORCE, MATRIX = slice(0, 3), slice(3, 9)
ENERGY, DAMPING, FRICTION, SUPPORT = 9, 10, 11, 12
"""Rows of contact forces: rows of a PointForce, and the power of the surface's motion [W]."""


@dataclass(frozen=True, eq=False)
class ContactForces:
    """Forces on places of a mesh: the places, rows (13, places), and the link they touch, -1 for none."""

    places: Places
    rows: Array
    link: int

    def wrench(self, x: Array, origin: Array) -> Array:
        """Return moment about an origin and force (6,) on the touched obstacle, in world axes. x: (3, N) [m]."""
        f = -self.rows[FORCE]
        r = self.places.of(x) - origin[:, None]
        moment = [r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]]
        return np.array([ordered_sum(row) for row in (*moment, *f)])


MAX_SLOWING_OF_LINKS = 1e-12
"""Upper limit of FrictionHold.slowing at links: the effect of friction on a light link follows from the solution."""


@lru_cache
def contact_program(lanes: int | None) -> Program:
    """Return the program of contact forces; each lane computes a point near a surface."""

    def contact(gap: Any, v: Vector, v_lag: Vector, hold: FrictionHold, touch: Touch, h: Scalar) -> Any:
        size, size_lag, n, surface = gap
        f = contact_force(touch, size, n, v - surface, (size_lag, v_lag - surface), h, hold)
        return ((f.force, f.matrix, f.energy, f.damping, f.friction, f.force.dot(surface)),)

    shapes = ((0.0, 0.0, ZERO, ZERO), ZERO, ZERO, FrictionHold(0.0, 0.0), Touch(0.0, 0.0, 0.0, 0.0), 0.0)
    return Program(ProgramSpec("mesh contact", contact, shapes, 0, "contact"), lanes=lanes)


def contact_forces(gaps: Gaps, query: PointQuery, touch: Touch, lanes: int | None) -> ContactForces:
    """Return the forces at gaps. query: state of the points; touch: law of contact; lanes: see Program."""
    law = np.array([[touch.stiffness], [touch.damping], [touch.friction], [touch.thickness]])
    places = gaps.places
    columns = padded_count(len(places))
    rows = padded_rows(gaps.rows, columns)
    v, v_lag = (padded_rows(places.of(a), columns) for a in (query.v, query.v_lag))
    hold = padded_rows(_hold_at(places, query.hold), columns)
    if gaps.link >= 0:
        hold[1] = np.minimum(hold[1], MAX_SLOWING_OF_LINKS)
    (found,) = contact_program(lanes)(rows, v, v_lag, hold, law, np.full((1, 1), query.h))
    return ContactForces(places, found[:, : len(places)], gaps.link)


def _hold_at(places: Places, hold: Array) -> Array:
    """Return the rows of a FrictionHold at places (2, m), by their masses. hold: of points (2, N)."""
    if places.single:
        return hold[:, places.corners[0]]
    bound, slowing = places.squared(np.stack([1.0 / hold[0], hold[1]]))
    return np.stack([np.divide(1.0, bound, out=np.full_like(bound, np.inf), where=bound > 0.0), slowing])
