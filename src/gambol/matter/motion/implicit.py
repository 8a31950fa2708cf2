"""Implicit Euler steps of a mesh, by Newton's method with conjugate gradients.

    M (v' - v) = h f(x + h v', v')        A dv = h f - M (v' - v),  v' += dv

One iteration from v' = 0 is the linear implicit step of Baraff & Witkin [1998, equation 6]: springs are linearised at
the start of the step, and springs and dampers act with their forces at its end. Further iterations start at the last v'
and converge to the implicit Euler step; each is shortened until the incremental potential decreases. Friction and wind
are computed from the velocity before the iteration. In the first iteration, this is the velocity after free fall for
friction, and the velocity before the step for wind, so that steady motion in air is exact. A point that passes through
a surface at this velocity touches the surface.
"""

import warnings
from dataclasses import dataclass, replace

import numpy as np

from gambol.errors import WorldError
from gambol.integrate import ConvergenceWarning
from gambol.matter.forces.field import Conditions, ForceField, Forces
from gambol.matter.forces.layout import ordered_sum
from gambol.matter.motion.conjugate_gradients import conjugate_gradients
from gambol.matter.motion.coupled_system import link_contacts, solve_coupled
from gambol.matter.motion.linear_system import StepMatrix
from gambol.matter.motion.step_frame import FLOWS, Array, Frame, link_impulses
from gambol.matter.touch.contact_forces import ENERGY, FORCE, MATRIX, ContactForces
from gambol.matter.touch.gaps import PointQuery
from gambol.matter.touch.link_response import VELOCITY, LinkResponse

SUPPORT_FLOW = FLOWS.index("support")

MAX_CONTACT_ITERATIONS = 10
"""Maximum number of solutions of a step whose contacts depend on the solution: contacts converge after two or three,
friction later."""

FRICTION_TOLERANCE = 0.03
"""Change of a solution at which friction counts as converged, as a fraction of the change in the step."""

MAX_HALVINGS = 12
"""Maximum number of halvings of Newton's step: at 2^-12 of it, rounding hides a decrease of the potential."""


@dataclass(frozen=True, slots=True)
class ImplicitOptions:
    """Options of the solution of implicit steps.

    iterations: iterations of Newton's method; 1: the linear implicit step. tolerance: relative tolerance of conjugate
    gradients. newton: residual at which iterations end, as a change of velocity divided by the change in the first
    iteration; if it is not reached, a ConvergenceWarning is issued. max_conjugate: largest number of iterations of
    conjugate gradients. Raises WorldError for numbers out of range.
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
    """Statistics of the last step: iterations of Newton's method and of conjugate gradients, relative residual."""

    newton: int
    conjugate: int
    residual: float


class ImplicitMethod:
    """Implicit Euler steps.

    field: forces of the mesh; options: options of the solver. report: statistics of the last step.
    """

    def __init__(self, field: ForceField, options: ImplicitOptions | None = None) -> None:
        self.field, self.options = field, options or ImplicitOptions()
        self.report = ImplicitReport(0, 0, 0.0)
        self.hold = np.zeros((2, field.columns))
        self.hold[0] = np.inf

    def step(self, frame: Frame, h: float) -> Frame:
        """Return the frame one step of h [s] later."""
        response = frame.conditions.response
        if response is None and self.field.surfaces is not None:
            response = LinkResponse.none(len(frame.conditions.motions))
        if response is not None and self.options.iterations == 1:
            return self._step_in_contact(frame, response, h)
        now = replace(frame.conditions, elapsed=frame.conditions.elapsed + h)
        applied: tuple[Forces, Array] | None = None
        u, lag, hold = self._beginning(frame, h)
        air = frame.v
        first, change, conjugate, done = 0.0, np.inf, 0, 0
        while done < self.options.iterations and change > self.options.newton * first:
            query, forces = self._evaluated(frame, (u, lag, air), now, h, hold)
            residual = self._residual(frame, u, forces, h)
            A = StepMatrix(self.field, query, forces, now)
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
            applied = applied_forces(self.field, forces, u - before, (query, now, None)), query.x
            done, conjugate, lag, air = done + 1, conjugate + solved.iterations, u, u
            hold = self.hold
            change = float(np.sqrt(ordered_sum(self.field.mass * solved.x * solved.x)))
            first = first if done > 1 else change
        relative = change / first if done > 1 and first > 0.0 else 0.0
        self.report = ImplicitReport(done, conjugate, relative)
        if self.options.iterations > 1 and relative > self.options.newton:
            text = f"an implicit step did not converge: {relative:.2g} of its change is left after {done} iterations"
            warnings.warn(text, ConvergenceWarning, stacklevel=4)
        assert applied is not None  # there is at least one iteration
        return self._finished(frame, u, *applied, now, h)

    def _beginning(self, frame: Frame, h: float) -> tuple[Array, Array, Array]:
        """Return velocities of 0, velocities after free fall, and the parameters of friction after free fall."""
        hold = self.hold.copy()
        hold[1] = h / self.field.mass
        return np.zeros_like(frame.v), (frame.v + h * self.field.weight / self.field.mass) * self.field.free, hold

    def _step_in_contact(self, frame: Frame, response: LinkResponse, h: float) -> Frame:
        """Return the frame one linear step later; links respond to the mesh, and surfaces of the mesh touch each other.

        The contacts at the end of the step are used: the step is solved again with the contacts, pressures and slips of
        its solution, until they stay the same, or MAX_CONTACT_ITERATIONS times.
        """
        begin = replace(frame.conditions, elapsed=frame.conditions.elapsed + h)
        u, lag, hold = self._beginning(frame, h)
        z = np.zeros(response.factor.shape[2])
        now, still, guess = begin, u, frame.v * self.field.free
        touched, settled, applied, conjugate, done = b"", False, None, 0, 0
        while done < MAX_CONTACT_ITERATIONS:
            query, forces = self._evaluated(frame, (still, lag, frame.v), now, h, hold)
            last, touched = touched, b"".join((c.rows[ENERGY] > 0.0).tobytes() for c in forces.contacts)
            if done and touched == last and (settled or not _presses(forces)):
                break
            contacts = link_contacts(self.field, forces, query, now, response)
            A = StepMatrix(self.field, query, forces, now)
            on_links = response.coordinates(link_impulses(self.field, forces, query.x, now, h))
            residuals = self._residual(frame, still, forces, h), on_links - z
            limits = self.options.tolerance, self.options.max_conjugate
            before, (u, dz, iterations) = u, solve_coupled(A, contacts, residuals, guess, limits)
            settled = self._size(u - before, dz) <= FRICTION_TOLERANCE * self._size(u - frame.v, z + dz)
            applied = applied_forces(self.field, forces, u, (query, now, response.velocities(dz))), query.x, now
            z, lag, guess, hold, done = z + dz, u, u, self.hold, done + 1
            conjugate += iterations
            motions = begin.motions.copy()
            motions[:, VELOCITY] += response.velocities(z)
            now = replace(begin, motions=motions)
        self.report = ImplicitReport(done, conjugate, 0.0)
        assert applied is not None  # there is at least one iteration
        after = self._finished(frame, u, *applied, h)
        mean = begin.motions[:, VELOCITY] + 0.5 * (response.velocities(z) - h * response.acceleration)
        received = after.impulses - frame.impulses
        flows = after.flows.copy()
        flows[SUPPORT_FLOW] = frame.flows[SUPPORT_FLOW] - ordered_sum(received * mean)
        return replace(after, flows=flows)

    def _size(self, u: Array, z: Array) -> float:
        """Return the size of velocities of points (3, N) and coordinates of links (n,), as the root of an energy."""
        return float(np.sqrt(ordered_sum(self.field.mass * u * u) + ordered_sum(z * z)))

    def _evaluated(
        self, frame: Frame, velocities: tuple[Array, Array, Array], now: Conditions, h: float, hold: Array
    ) -> tuple[PointQuery, Forces]:
        """Return the query and the forces at the step's end for a velocity, and the queries for friction and wind."""
        u, lag, air = velocities
        query = PointQuery(frame.x + h * u, u, frame.x + h * lag, lag, air, h, self.field.count, hold)
        return query, self.field.forces(query, now)

    def _residual(self, frame: Frame, u: Array, forces: Forces, h: float) -> Array:
        return (h * forces.total - self.field.mass * (u - frame.v)) * self.field.free

    def _shortened(
        self, frame: Frame, direction: tuple[Array, Array], forces: Forces, now: Conditions, h: float
    ) -> Array:
        """Return the velocity after a step of Newton's method that decreases the incremental potential.

        direction: the velocity before, and its change. The potential is |v' - v|^2_M/2 + V(x + h v') minus the work of
        other forces, which are treated as constant.
        """
        u, change = direction
        slope = -ordered_sum(self._residual(frame, u, forces, h) * change)
        conservative, energy = self._conservative(frame, u, now, h)
        other = (forces.total - conservative) * h
        start = self._potential(frame, u, energy, other)
        fraction = 1.0
        for _ in range(MAX_HALVINGS):
            trial = u + fraction * change
            _, energy = self._conservative(frame, trial, now, h)
            if self._potential(frame, trial, energy, other) <= start + 1e-4 * fraction * slope:
                break
            fraction *= 0.5
        return u + fraction * change

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

        Losses belong to the forces at the end of the step. applied: forces on the mesh in the step, at positions
        x_applied; links receive these, so that momentum is conserved for any number of iterations.
        """
        _, forces = self._evaluated(frame, (u, u, u), now, h, self.hold)
        flows, impulses = frame.flows + h * np.array(forces.powers()), frame.impulses
        if len(impulses):
            on_links = link_impulses(self.field, applied, x_applied, now, h)
            impulses = impulses + on_links
            velocities = now.motions[:, VELOCITY]
            flows[SUPPORT_FLOW] = frame.flows[SUPPORT_FLOW] - ordered_sum(on_links * velocities)
        return Frame(frame.x + h * u, u, now, flows, impulses, frame.history)


def _presses(forces: Forces) -> bool:
    """Return True if a link or the mesh itself presses on the mesh: friction is then known from the solution only."""
    return any((c.rows[ENERGY] > 0.0).any() for c in forces.contacts if c.link >= 0 or not c.places.single)


def applied_forces(
    field: ForceField, forces: Forces, change: Array, at: tuple[PointQuery, Conditions, Array | None]
) -> Forces:
    """Return the forces of contacts and tethers that are implied by the solution of the linear system: f - A_c dv/h.

    forces: forces at the point of linearisation. change: change of the velocities of the points (3, N) [m/s]. at: query
    and conditions at that point, and the change of the velocities of the links (links, 6), or None for 0.
    """
    query, now, link_change = at
    motions, h = field.moved_links(now), query.h
    links = np.zeros((len(motions), 6)) if link_change is None else link_change
    contacts = list[ContactForces]()
    for contact in forces.contacts:
        xx, xy, xz, yy, yz, zz = contact.rows[MATRIX]
        dx, dy, dz = contact.places.of(change) - _velocity_at(contact.places.of(query.x), motions, links, contact.link)
        rows = contact.rows.copy()
        rows[FORCE] -= (
            np.array([xx * dx + xy * dy + xz * dz, xy * dx + yy * dy + yz * dz, xz * dx + yz * dy + zz * dz]) / h
        )
        contacts.append(ContactForces(contact.places, rows, contact.link))
    t = field.tethers
    relative = change[:, t.points]
    for k, link in enumerate(t.links.tolist()):
        relative[:, k] -= _velocity_at(query.x[:, t.points[k : k + 1]], motions, links, link)[:, 0]
    return replace(forces, contacts=contacts, tether=forces.tether - (h * t.stiffness + t.damping) * relative)


def _velocity_at(x: Array, motions: Array, links: Array, link: int) -> Array:
    """Return the velocity of a link's material at positions (3, m); link: -1 for the ground, at rest."""
    if link < 0:
        return np.zeros_like(x)
    (wx, wy, wz), (rx, ry, rz) = links[link, :3], x - motions[link, :3, None]
    return links[link, 3:, None] + np.array([wy * rz - wz * ry, wz * rx - wx * rz, wx * ry - wy * rx])
