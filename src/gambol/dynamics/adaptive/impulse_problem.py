"""The problem of the impulses of one step, for one set of near contacts and limits: its tables, and its sweeps."""

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.hybrid import HybridBody
from gambol.dynamics.adaptive.impulse_passes import (
    CONTACT_ROWS,
    LIMIT_ROWS,
    STATE_ROWS,
    contact_program,
    limit_pass,
    sweep_pass,
)
from gambol.dynamics.adaptive.sweep_path import SweepPath

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

CORRECTED = 0.1
"""Part of the depth of a contact that is corrected in a step."""

CORRECTION_SPEED = 0.05
"""Largest speed of a correction [m/s or rad/s]: a body that is pushed out of the ground then rises by 0.1 mm."""

TARGET, FRICTION, COMPLIANCES, TANGENTIAL = 42, 43, slice(44, 46), 46  # rows of contacts, see CONTACT_ROWS


class ImpulseProblem:
    """Impulses at contacts and limits.

    body: the hybrid body. responses: results of response_pass(). groups (k): groups of the contacts. limits: joints
    with limits, and 1 for a lower limit or -1 for an upper one.
    """

    def __init__(self, body: HybridBody, responses: Array, groups: Indices, limits: tuple[Indices, Array]) -> None:
        self._count, (joints, signs) = len(groups), limits
        path = self._path = SweepPath(body.joints.parent, groups, joints)
        self._group, self._has_limits = body.last[path.group], len(joints) > 0
        self._limits = np.zeros((LIMIT_ROWS, max(1, len(joints))))
        self._states = np.zeros((STATE_ROWS, len(path.group)))
        self._bind_contacts(body, responses, groups)
        if self._has_limits:
            self._bind_limits(body, responses, joints, signs)
        kind, before, last, left, contact, limit = path.index
        own, child = np.arange(len(kind)), body.last[path.child]
        tables = (self._states, responses, self._contacts, self._limits)
        self._sweep = sweep_pass().bind(
            np.array([kind, before, last, left, own, self._group, child, contact, limit], float),
            np.array([table.shape[1] for table in tables], float)[:, None],
            out=[self._states],
            tables=[table.reshape(-1) for table in tables],
        )

    def _bind_contacts(self, body: HybridBody, responses: Array, groups: Indices) -> None:
        """Make the table of contacts, with columns that fill the last vector, and bind the program of its rows."""
        lanes = contact_program().lanes
        width = max(1, -(-len(groups) // lanes)) * lanes
        self._contacts = np.zeros((CONTACT_ROWS, width))
        self._contacts[[36, TANGENTIAL]] = 1.0  # columns without a contact have a stiffness, too
        self._places = np.zeros((6, width))
        self._places[0] = 1.0
        columns = np.zeros(width)
        columns[: len(groups)] = body.last[groups]
        self._set_rows = contact_program().bind(
            columns[None],
            np.full((1, width), float(body.steps + 1)),
            self._places[:3],
            self._places[3:],
            out=[self._contacts[:TARGET], self._contacts[TANGENTIAL:]],
            tables=[responses.reshape(-1)],
        )

    def _bind_limits(self, body: HybridBody, responses: Array, joints: Indices, signs: Array) -> None:
        """Bind the program of the rows of limits; joints have one degree of freedom, so that they are single steps."""
        step, above, n = body.first[joints], body.joints.parent[joints], body.steps
        parent = np.where(above < 0, n, body.last[above])
        tables = (body.table, body.subspace, body.answers, responses)
        self._set_limits = limit_pass().bind(
            np.array([body.column[step], body.direction[step], n - 1 - step, step, parent], float),
            np.array([table.shape[1] for table in tables], float)[:, None],
            signs[None],
            out=[self._limits[:-1]],
            tables=[table.reshape(-1) for table in tables],
        )

    def set_start(self, V: Array, limit_impulses: Array, limit_targets: Array) -> None:
        """Set the velocities (6, steps + 1) at the end of the step with the impulses of the last step; and limits.

        limit_impulses (k): of the last step. limit_targets (k): least speeds away from the limits.
        """
        self._states[:] = 0.0
        self._states[:6] = V[:, self._group]
        if self._has_limits:
            self._set_limits()
            self._limits[-1] = corrected(limit_targets)
            self._states[21, self._path.of_limit] = limit_impulses

    def set_contacts(self, places: Array, friction: Array, compliance: Array) -> None:
        """Set the geometry of the contacts, normals and points (6, k), and their numbers (k)."""
        k = self._count
        self._places[:, :k] = places
        self._set_rows()
        self._contacts[FRICTION, :k], self._contacts[COMPLIANCES, :k] = friction, compliance
        self._contacts[TANGENTIAL, :k] += compliance

    def set_targets(self, gaps: Array, restitution: Array, slow: float, h: float, impulses: Array) -> None:
        """Set the speeds that contacts must reach, and the impulses of the last step; after set_contacts().

        gaps (2, k): gaps and their rates. slow: speed below which nothing rebounds [m/s]. impulses (k, 3): in the axes
        of the groups.
        """
        k, (gap, rate) = self._count, gaps
        closes = (gap + h * rate <= 0.0) & (rate < -slow)
        bounces = closes & (restitution > 0.0)
        target = np.where(bounces, -restitution * rate, corrected(-gap / h))
        self._contacts[COMPLIANCES.start, np.flatnonzero(bounces)] = 0.0  # which would take a part of the speed
        self._contacts[TARGET, :k] = target
        axes = self._contacts[:18, :k].reshape(3, 6, k)[:, 3:]
        self._states[18:21, self._path.of_contact] = np.einsum("aik,ki->ak", axes, impulses)

    def sweep(self, iterations: int, tolerance: float) -> int:
        """Sweep until no speed changes by more than the tolerance; return the number of sweeps."""
        for k in range(iterations):
            self._sweep()
            if self._states[22].max() <= tolerance:
                return k + 1
        return iterations

    def impulses(self) -> tuple[Array, Array]:
        """Return the impulses at contacts (k, 3), in the axes of their groups, and at limits."""
        k = self._count
        axes = self._contacts[:18, :k].reshape(3, 6, k)[:, 3:]
        along = self._states[18:21, self._path.of_contact]
        return np.einsum("aik,ak->ki", axes, along), self._states[21, self._path.of_limit]


def corrected(targets: Array) -> Array:
    """Return speeds that a constraint must reach, from those that close its gap in a step: where it is violated, less.

    targets: -gap / h.
    """
    return np.where(targets > 0.0, np.minimum(CORRECTED * targets, CORRECTION_SPEED), targets)
