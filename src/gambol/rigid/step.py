"""A step of a pile: contact detection, bounces, contact impulses, motion, and position correction.

    v' = v + r (a + g) + M^-1 J^T p      u_n' >= -max(gap, 0)/h,  p_n >= 0, one of them 0;  |p_t| <= mu p_n against u_t'
    x' = x + r (v + v')/2                x, v: at the body's last bounce in the step, r: time from then to its end

Bodies without contacts fall along parabolas. If these displacements would penetrate, or leave a penetration, they are
corrected without a change of velocity. The work of the correction is an entry of the ledger.

Numbers of bodies and contacts stay where they are from step to step, and programs are bound to them once, while the
same contacts persist. So a step consists of a few calls of machine code.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.collide.gap import FAR
from gambol.errors import WorldError
from gambol.lanes import Precision
from gambol.rigid.arrangement import Arrangement
from gambol.rigid.body import Pile
from gambol.rigid.body_table import BodyTable
from gambol.rigid.bounce import ContactMotion, Flight, StepContacts, resolve_bounces
from gambol.rigid.contact_detection import ContactFinder, Contacts
from gambol.rigid.contact_search import ContactSearch
from gambol.rigid.correct import corrected
from gambol.rigid.figure_bounces import FigureBounces
from gambol.rigid.ledger import CORRECTION, ENTRIES, FRICTION, IMPACT, LIMITS, PUSH, SLEEP, SPRINGS, EnergyLedger
from gambol.rigid.prepare import target_speed
from gambol.rigid.sleep import Sleeper, Sleeping
from gambol.rigid.solve import MAX_SWEEPS, TOLERANCE, ContactProblem, Solver
from gambol.rigid.state import ContactCache, PileState, kinetic_energy
from gambol.rigid.tree_problem import TreeProblem
from gambol.rigid.tree_steps import StepsResult, TreeSteps

Array = NDArray[Any]
Indices = NDArray[np.int64]

MIN_REMAINDER = 1e-9
"""Minimum remaining time of a step, as a fraction of its length, so that no divisor is 0."""

MOVE_TOLERANCE: dict[Precision, float] = {"float64": 1e-9, "float32": 1e-7}
"""Smaller errors of displacements are not corrected [m]."""


class PileStepper:
    """Time stepping of a pile.

    precision: "float64" or "float32"; lanes: lanes of its programs, see Program; tolerance: residual at which the
    contact solver ends [m/s], None: TOLERANCE; sweeps: largest number of sweeps in a step; threads: number of
    threads, which divide bodies, and contacts of one colour; in a pile with joints, steps run in one thread, or with
    bounces or sleeping only the solution of contacts. Results are equal to the last bit for any number of lanes and of
    threads. sleeping: when bodies at rest fall asleep; None: never. Raises WorldError if threads is below 1.
    """

    def __init__(
        self,
        pile: Pile,
        *,
        precision: Precision = "float64",
        lanes: int | None = None,
        tolerance: float | None = None,
        sweeps: int = MAX_SWEEPS,
        threads: int = 1,
        sleeping: Sleeping | None = None,
    ) -> None:
        if threads < 1:
            raise WorldError(f"{threads} threads cannot compute a pile; at least one is needed")
        self.pile, self.threads = pile, threads
        self.precision: Precision = precision
        self.tolerance = TOLERANCE[precision] if tolerance is None else tolerance
        self.mass, self.moments = pile.masses(), pile.moments()
        self.gravity = np.array(pile.gravity)
        count = len(self.mass)
        self.table = BodyTable(count, pile.step, self.gravity, precision, lanes)
        self.table["inverse_mass"][0, :count] = 1.0 / self.mass
        self.table["moments"][:, :count] = self.moments
        self.finder = ContactFinder(pile, self.table, precision, lanes)
        self.solver = Solver(lanes, precision, self.table.columns, sweeps, threads=threads)
        self._sleeper = None if sleeping is None else Sleeper(sleeping, self.table, pile.step)
        self._search = ContactSearch(pile, self.table, self.solver, self.finder, self._sleeper, self._wake)
        self._bounces, self._pushed = bool(self._search.restitutions.any()), False
        self._of_figures = FigureBounces(
            pile.joints, self.table, self.solver, self.mass, self.moments, pile.step, self.tolerance
        )
        self._current: PileState | None = None
        self._steps: dict[int, TreeSteps] = {}
        self._in_one_call = bool(pile.joints.count) and not self._bounces and sleeping is None
        self._commands = pile.joints.commands(None, None)
        self._cache = ContactCache(features=pile.features)

    def advance(
        self,
        state: PileState,
        steps: int = 1,
        push: Array | None = None,
        *,
        targets: Array | None = None,
        torques: Array | None = None,
    ) -> PileState:
        """Return the state after several steps under external forces.

        state: initial state; steps: number of steps; push: moment and force at each body's centre of mass, in world
        axes (bodies, 6) [N m, N]; None: no external forces. targets: of servos [rad or m]; torques: torques or forces
        at joints [N m or N]; both have a number for each coordinate (pile.joints.coordinates), in the order of the
        velocities of figures without those of free joints; None: 0. Raises WorldError for arrays of another shape,
        numbers that are not finite, and joints without motors.
        """
        self._commands = self.pile.joints.commands(targets, torques)
        bodies, wrench = len(self.mass), self.table["wrench"]
        wrench[:], self._pushed = 0.0, push is not None
        if push is not None:
            if np.shape(push) != (bodies - 1, 6):
                raise WorldError(
                    f"push must have the shape {(bodies - 1, 6)} for {bodies - 1} bodies, not {np.shape(push)}"
                )
            wrench[:, 1:bodies] = np.transpose(push)
        if state is not self._current:
            self._load(state)
        if self._sleeper is not None and self._pushed:
            self._wake(self._sleeper.state.island[wrench[:, :bodies].any(axis=0)])
        energy, residual, count = np.zeros(ENTRIES), state.residual, state.sweeps
        left, are_found = steps, False
        while left > 0:
            if self._in_one_call:
                made = self._make_steps(left, are_found=are_found)
                work, residual, count, left = made.work, made.residual, made.sweeps, left - made.steps
            else:
                work, residual, count = self._step()
                left -= 1
            energy, are_found = energy + work, True
            if not np.isfinite(residual):
                break
        self._check(residual, state.time + (steps - left) * self.pile.step)
        self._current = self._state(state.time + steps * self.pile.step, state.ledger.plus(energy), residual, count)
        return self._current

    @property
    def separated_pairs(self) -> tuple[int, int]:
        """The number of pairs that their planes separated in the last step, and that of all pairs with planes."""
        candidates = self._search.candidates
        return (0, 0) if candidates is None else candidates.separated

    @property
    def present_problem(self) -> ContactProblem | TreeProblem | None:
        """The contacts of the last step and their solution; None before the first one."""
        return self._search.problem

    def energy(self, state: PileState) -> float:
        """Return the sum of kinetic energy and potential energy of gravity, which is 0 at z = 0 [J]."""
        own = self.mass[1:], self.moments[:, 1:]
        kinetic = kinetic_energy(*own, state.orientation[:, 1:], state.velocity[:, 1:])
        return kinetic + float(self.mass[1:] @ (-self.gravity @ state.position[:, 1:]))

    def _load(self, state: PileState) -> None:
        """Copy a state into the table."""
        table, count = self.table, len(self.mass)
        table["orientation"][:, :count], table["velocity"][:, :count] = state.orientation, state.velocity
        table["position"][:, 1:count] = state.position[:, 1:]
        self._search.forget()
        self._cache = replace(state.cache, features=self.pile.features)
        self._joint_impulses = np.zeros((6, self.pile.joints.count)) if state.joints is None else state.joints
        if self._sleeper is not None:
            self._cache = self._sleeper.load(state, self._cache)
        elif state.sleep is not None:
            self._cache = self._cache.merged(state.sleep.contacts)

    def _state(self, time: float, ledger: EnergyLedger, residual: float, sweeps: int) -> PileState:
        """Return the present state, with copies of the table's rows."""
        count = len(self.mass)
        position, orientation, velocity = (
            self.table[name][:, :count].copy() for name in ("position", "orientation", "velocity")
        )
        position[:, 0] = 0.0
        sleep = None if self._sleeper is None else self._sleeper.state.copied()
        joints = self._joint_impulses
        return PileState(position, orientation, velocity, time, self._cache, ledger, residual, sweeps, sleep, joints)

    def _step(self) -> tuple[Array, float, int]:
        """Make a step; return the entries of the ledger [J], the residual, and the number of sweeps."""
        if self._sleeper is not None and self._sleeper.all_asleep:
            return np.zeros(ENTRIES), 0.0, 0
        a = self._search.arranged()[0]
        if self._cache.smooth or a.keys is not self._cache.keys:
            a.problem.impulses[:, a.order.column] = self._cache.initial(a.keys)  # padding columns have none
            if a.joints:
                a.joints.set_impulses(self._joint_impulses)
        if a.joints:
            a.joints.set_commands(self._commands)
        work = np.zeros(ENTRIES)
        if self._bounces:
            a.prepare()
            bounced = self._of_figures.resolve(a) if a.joints else None
            if bounced is not None:
                a.prepare()
                work[[IMPACT, FRICTION, LIMITS]] = bounced
            work[[IMPACT, FRICTION]] += self._bounce(a)
            a.start()
        else:
            a.prepare_and_start()
        residual, sweeps = a.problem.solve(self.tolerance)
        a.finish()
        if self._pushed:
            work[PUSH] = (self.table["wrench"] * self.table["displacement"]).sum()
        work[[FRICTION, IMPACT]] += a.work.sum(axis=1)
        lack = a.lack.max()
        if a.joints:
            work[SPRINGS : LIMITS + 1] += a.joints.total_work()
            lack = max(lack, a.joints.largest_lack())
        if lack > MOVE_TOLERANCE[self.precision]:
            work[[IMPACT, CORRECTION]] += corrected(a, self.table, self.pile, self.mass, MOVE_TOLERANCE[self.precision])
        a.advance()
        self._cache = self._cache.after(a.keys, a.order.from_columns(a.problem.impulses))
        if a.joints:
            self._joint_impulses = a.joints.present_impulses()
        if self._sleeper is not None and self._sleeper.count():
            work[SLEEP] = self._fall_asleep(self._sleeper, a)
        return work, residual, sweeps

    def _make_steps(self, limit: int, *, are_found: bool) -> StepsResult:
        """Make steps until contacts change, at most `limit`; are_found: whether the gaps are those of the next step."""
        a, is_new = self._search.arranged(are_found=are_found)
        if id(a) not in self._steps:
            tolerances = self.tolerance, MOVE_TOLERANCE[self.precision]
            fixed = self.mass, self.gravity, self.pile.step, tolerances
            self._steps = {id(a): TreeSteps(a, self.solver, self.table, *fixed)}
        own = self._steps[id(a)]
        assert a.joints is not None
        assert self._search.candidates is not None
        a.joints.set_commands(self._commands)
        if is_new:
            own.arrange(self._search.candidates, self._cache, self._joint_impulses)
        made = own.make(limit)
        self._cache, self._joint_impulses = own.cache(self._cache.features), a.joints.present_impulses()
        return made

    def _check(self, residual: float, time: float) -> None:
        """Raise WorldError if a number is not finite."""
        velocity = self.table["velocity"][:, : len(self.mass)]
        if np.isfinite(residual) and np.isfinite(velocity).all():
            return
        bodies = np.flatnonzero(~np.isfinite(velocity).all(axis=0))
        which = f"the velocity of body {bodies[0]}" if len(bodies) else "an impulse"
        self._current = None
        self._search.reset()
        raise WorldError(
            f"at {time:.6g} s {which} of the pile is not a finite number any more; are its masses, springs, pushes or "
            "torques too large for its step?"
        )

    def _fall_asleep(self, sleeper: Sleeper, a: Arrangement) -> float:
        """Let islands fall asleep that have been at rest; return minus their kinetic energy [J]."""
        joints = self.pile.joints
        bodies = sleeper.settle(
            np.concatenate([a.order.first, joints.first]), np.concatenate([a.order.second, joints.second])
        )
        if not bodies.any():
            return 0.0
        orientation, velocity = (self.table[name][:, : len(bodies)][:, bodies] for name in ("orientation", "velocity"))
        energy = kinetic_energy(self.mass[bodies], self.moments[:, bodies], orientation, velocity)
        self._cache = sleeper.lay(bodies, self._cache)
        self._search.forget()
        return -energy

    def _wake(self, islands: Indices) -> bool:
        """Wake islands of bodies that sleep; return whether there were any."""
        sleeper = self._sleeper
        if sleeper is None or not islands.any():
            return False
        self._cache = sleeper.wake(islands, self._cache)
        self._search.forget()
        return True

    def _bounce(self, a: Arrangement) -> tuple[float, float]:
        """Resolve the bounces of the step, up to the last one of each body; return normal and tangential work [J]."""
        table, h = self.table, self.pile.step
        velocity, acceleration = table["velocity"], table["acceleration"]
        flight = Flight(np.zeros(table.columns), np.zeros_like(velocity), velocity.copy(), acceleration)
        contacts = Contacts(*a.order.sides, a.normal, a.gap[0])
        restitution = np.where((contacts.gap < FAR) & ~self._of_figures.concerns(a), a.restitution, 0.0)
        step_contacts = StepContacts(contacts, a.problem, self.solver, restitution, self.tolerance)
        work = resolve_bounces(step_contacts, flight, h)
        motion = ContactMotion.of(step_contacts, flight)
        remaining = np.maximum(h - motion.time, MIN_REMAINDER * h)
        a.problem.law[1] = target_speed(motion.gap, motion.u, motion.a, remaining)
        velocity[:], table["flown"][:] = flight.velocity, flight.displacement
        table["remaining"][0, 1:] = (h - flight.clock)[1:]
        return work
