"""Implicit Euler steps of a mesh, by Newton's method with conjugate gradients.

    M (v' - v) = h f(x + h v', v')        A dv = h f - M (v' - v),  v' += dv

One iteration from v' = 0 is the linear implicit step of Baraff & Witkin [1998, equation 6]: springs at their lengths of
the step's start, and their forces and dampers at its end. Further ones start at the last v' and converge to the
implicit Euler step itself; each is shortened until the incremental potential falls. Friction and wind take the velocity
before the iteration: the first time friction takes that after free fall, and wind that before the step, so that steady
motion in air is exact. A point that this brings through a surface touches it.
"""

import warnings
from dataclasses import dataclass, replace

import numpy as np

from gambol.errors import WorldError
from gambol.integrate import ConvergenceWarning
from gambol.matter.forces.field import Conditions, ForceField, Forces
from gambol.matter.forces.layout import ordered_sum
from gambol.matter.motion.conjugate_gradients import conjugate_gradients
from gambol.matter.motion.linear_system import StepMatrix
from gambol.matter.motion.step_frame import FLOWS, Array, Frame, link_impulses
from gambol.matter.touch.contact_forces import FORCE, MATRIX, ContactForces
from gambol.matter.touch.gaps import PointQuery

VELOCITY = slice(7, 13)
"""Columns of a link's velocity among its numbers: angular, then linear, as in an impulse. See LinkMotion."""

SUPPORT_FLOW = FLOWS.index("support")

HALVINGS = 12
"""Shortest step of an iteration: 2^-12 of Newton's, at which rounding hides a decrease of the potential."""


@dataclass(frozen=True, slots=True)
class ImplicitOptions:
    """How implicit steps are solved.

    iterations: of Newton's method; 1: the linear implicit step. tolerance: of conjugate gradients, relative. newton:
    residual at which iterations end, as a change of velocity over that of the first iteration; if they do not reach it
    there is a ConvergenceWarning. max_conjugate: limit of conjugate gradients' iterations. Raises WorldError for
    numbers out of range.
    """

    iterations: int = 1
    tolerance: float = 1e-3
    newton: float = 1e-6
    max_conjugate: int = 1000

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.max_conjugate < 1 or not 0.0 < self.tolerance < 1.0:
            raise WorldError(f"{self} is impossible; iterations are 1 or more, and the tolerance is between 0 and 1")


@dataclass(frozen=True, slots=True)
class ImplicitReport:
    """What the last step took: iterations of Newton's method and of conjugate gradients, and the relative residual."""

    newton: int
    conjugate: int
    residual: float


class ImplicitMethod:
    """Implicit Euler steps. field: forces of the mesh; options: how they are solved. report: of the last step."""

    def __init__(self, field: ForceField, options: ImplicitOptions | None = None) -> None:
        self.field, self.options = field, options or ImplicitOptions()
        self.report = ImplicitReport(0, 0, 0.0)
        self.hold = np.zeros((2, field.columns))
        self.hold[0] = np.inf

    def step(self, frame: Frame, h: float) -> Frame:
        """Return the frame one step of h [s] later."""
        now = replace(frame.conditions, elapsed=frame.conditions.elapsed + h)
        applied: tuple[Forces, Array] | None = None
        u, lag = np.zeros_like(frame.v), (frame.v + h * self.field.weight / self.field.mass) * self.field.free
        hold = self.hold.copy()
        hold[1] = h / self.field.mass
        air = frame.v
        first, change, conjugate, done = 0.0, np.inf, 0, 0
        while done < self.options.iterations and change > self.options.newton * first:
            query, forces = self._evaluated(frame, (u, lag, air), now, h, hold)
            residual = self._residual(frame, u, forces, h)
            numbers = self.field.spring_numbers(now.intact)
            A = StepMatrix(self.field, query, forces, numbers, now)
            guess = np.zeros_like(u) if done else frame.v * self.field.free
            solved = conjugate_gradients(
                A.times,
                A.preconditioned,
                residual if done else residual - A.times(guess),
                self.options.tolerance,
                self.options.max_conjugate,
            )
            step = guess + solved.x
            before, u = u, self._shortened(frame, (u, step), forces, now, h) if done else step
            applied = applied_forces(self.field, forces, u - before, h), query.x
            done, conjugate, lag, air = done + 1, conjugate + solved.iterations, u, u
            hold = self.hold
            change = float(np.sqrt(ordered_sum(self.field.mass * solved.x * solved.x)))
            first = first if done > 1 else change
        relative = change / first if done > 1 and first > 0.0 else 0.0
        self.report = ImplicitReport(done, conjugate, relative)
        if self.options.iterations > 1 and relative > self.options.newton:
            text = f"an implicit step did not converge: {relative:.2g} of its change is left after {done} iterations"
            warnings.warn(text, ConvergenceWarning, stacklevel=4)
        assert applied is not None  # there is an iteration at least
        return self._finished(frame, u, *applied, now, h)

    def _evaluated(
        self, frame: Frame, velocities: tuple[Array, Array, Array], now: Conditions, h: float, hold: Array
    ) -> tuple[PointQuery, Forces]:
        """Return the query and the forces at the step's end for a velocity, and those for friction and for wind."""
        u, lag, air = velocities
        query = PointQuery(frame.x + h * u, u, frame.x + h * lag, lag, air, h, self.field.count, hold)
        return query, self.field.forces(query, now)

    def _residual(self, frame: Frame, u: Array, forces: Forces, h: float) -> Array:
        return (h * forces.total - self.field.mass * (u - frame.v)) * self.field.free

    def _shortened(
        self, frame: Frame, direction: tuple[Array, Array], forces: Forces, now: Conditions, h: float
    ) -> Array:
        """Return the velocity after a step of Newton's method that lowers the incremental potential.

        direction: the velocity before, and its change. The potential is |v' - v|^2_M/2 + V(x + h v') minus the work of
        other forces, which are taken as constant.
        """
        u, change = direction
        slope = -ordered_sum(self._residual(frame, u, forces, h) * change)
        conservative, energy = self._conservative(frame, u, now, h)
        other = (forces.total - conservative) * h
        start = self._potential(frame, u, energy, other)
        share = 1.0
        for _ in range(HALVINGS):
            trial = u + share * change
            _, energy = self._conservative(frame, trial, now, h)
            if self._potential(frame, trial, energy, other) <= start + 1e-4 * share * slope:
                break
            share *= 0.5
        return u + share * change

    def _conservative(self, frame: Frame, u: Array, now: Conditions, h: float) -> tuple[Array, float]:
        """Return the forces at the step's end without dampers and friction, and the energy stored."""
        x, at_rest = frame.x + h * u, np.zeros_like(u)
        motions = self.field.moved_links(now).copy()
        motions[:, 7:] = 0.0
        still = replace(now, motions=motions, elapsed=0.0)
        forces = self.field.forces(PointQuery(x, at_rest, x, at_rest, at_rest, h, self.field.count, self.hold), still)
        weight = ordered_sum(self.field.weight * x)
        return forces.total, forces.energy() - weight

    def _potential(self, frame: Frame, u: Array, energy: float, other: Array) -> float:
        change = (u - frame.v) * self.field.free
        return 0.5 * ordered_sum(self.field.mass * change * change) + energy - ordered_sum(other * u)

    def _finished(self, frame: Frame, u: Array, applied: Forces, x_applied: Array, now: Conditions, h: float) -> Frame:
        """Return the frame at the end of a step.

        Losses are those of the forces there. applied: forces on the mesh in the step, at positions x_applied; links
        take these, so that momentum is kept whatever the number of iterations is.
        """
        _, forces = self._evaluated(frame, (u, u, u), now, h, self.hold)
        flows, impulses = frame.flows + h * np.array(forces.powers()), frame.impulses
        if len(impulses):
            on_links = link_impulses(self.field, applied, x_applied, now, h)
            impulses = impulses + on_links
            velocities = now.motions[:, VELOCITY]
            flows[SUPPORT_FLOW] = frame.flows[SUPPORT_FLOW] - ordered_sum(on_links * velocities)
        return Frame(frame.x + h * u, u, now, flows, impulses, frame.history)


def applied_forces(field: ForceField, forces: Forces, change: Array, h: float) -> Forces:
    """Return the forces of contacts and tethers that the solution of the linear system stands for: f - A_c dv/h.

    forces: where the system was linearised; change: of the velocities (3, N) [m/s].
    """
    contacts = list[ContactForces]()
    for contact in forces.contacts:
        xx, xy, xz, yy, yz, zz = contact.rows[MATRIX]
        dx, dy, dz = change[:, contact.points]
        rows = contact.rows.copy()
        rows[FORCE] -= (
            np.array([xx * dx + xy * dy + xz * dz, xy * dx + yy * dy + yz * dz, xz * dx + yz * dy + zz * dz]) / h
        )
        contacts.append(ContactForces(contact.points, rows, contact.link))
    t = field.tethers
    tether = forces.tether - (h * t.stiffness + t.damping) * change[:, t.points]
    return replace(forces, contacts=contacts, tether=tether)
