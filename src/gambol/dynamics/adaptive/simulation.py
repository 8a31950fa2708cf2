"""Adaptive dynamics: a joint moves only if the error would be too large if it were held.

The active joints are chosen (region.py) by the errors of all parts (errors.py). Then an impulse stops the joints that
become passive (hybrid.py), the constants of their parts are computed (parts.py), and a new hybrid body is made
(groups.py). Between two choices, only the hybrid body moves. [Redon, Galoppo and Lin 2005, section 6]
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.dynamics.adaptive.checks import (
    check_figure,
    check_finite,
    checked_array,
    checked_choice,
    checked_limits,
    checked_numbers,
    checked_steps,
    gravity_acceleration,
    has_joint,
)
from gambol.dynamics.adaptive.choices import (
    CHOSEN_FRACTION,
    KEPT_FRACTION,
    MAX_REPEATS,
    UNCHANGED_FRACTION,
    ActiveJoints,
    SavedState,
    active_or_all,
    next_interval,
)
from gambol.dynamics.adaptive.contacts import PointForces
from gambol.dynamics.adaptive.contacts_and_limits import ContactsAndLimits
from gambol.dynamics.adaptive.errors import PartErrors
from gambol.dynamics.adaptive.groups import Groups
from gambol.dynamics.adaptive.impulses import RigidContacts
from gambol.dynamics.adaptive.joint_limits import hard_limits, without_limits
from gambol.dynamics.adaptive.joints import JointTable
from gambol.dynamics.adaptive.parts import Parts
from gambol.dynamics.adaptive.region import chosen_region, greedy_region
from gambol.dynamics.adaptive.tree import NONE, assembly_tree
from gambol.dynamics.bodies import STANDARD_GRAVITY
from gambol.dynamics.tangent import check_orientations
from gambol.errors import GambolError
from gambol.figure import Figure, Springs, Triple, resolve_springs

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


class AdaptiveDynamics:
    """The motion of a figure of which only some joints are active at a time.

    figure: a figure without loops and prescribed base. error: bound of ActiveJoints.error, for which as many joints as
    necessary are active. joints: largest number of active joints besides the root's, which is always active. If both
    are None, or error is 0, all joints are active. interval: number of steps from one choice of active joints to the
    next. gravity: strength of gravity along -z, or a vector in world axes [m/s2]. tau: constant joint forces (nv) [N m,
    N]; None: 0. damping: damping for each velocity (nv) [N m s/rad, N s/m]; None: 0. weights: weights of the squared
    errors (nv); None: 1. springs: springs of joints by link name, as of a World. contact: forces on points of links,
    such as CompliantGround, or rigid contacts, such as RigidGround; None: nothing touches. limits: "soft": joint limits
    are springs; "hard": those of joints with one degree of freedom are constraints, like rigid contacts. hold: "if
    faster": a bound holds no joints where choices take longer than they save (LEAST_JOINT_STEPS), or "always". Raises
    GambolError for numbers and arrays that do not fit, WorldError for a figure with loops, a prescribed base, without
    joints, or with a massless link at an end, FigureError for springs that do not fit.
    """

    def __init__(
        self,
        figure: Figure,
        *,
        error: float | None = None,
        joints: int | None = None,
        interval: int = 20,
        gravity: float | Triple = STANDARD_GRAVITY,
        tau: ArrayLike | None = None,
        damping: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        springs: Mapping[str, Springs] | None = None,
        contact: PointForces | RigidContacts | None = None,
        limits: Literal["soft", "hard"] = "soft",
        hold: Literal["if faster", "always"] = "if faster",
    ) -> None:
        check_figure(figure)
        self.figure, self.tree = figure, assembly_tree(figure)
        self._movable = (self.tree.first != NONE) & has_joint(figure, self.tree.link)
        self.joint_count = int(self._movable.sum())
        self.error, self.joints, self.interval = checked_limits(error, joints, interval, self.joint_count, hold)
        self._a_world = np.array([0.0, 0.0, 0.0, *gravity_acceleration(gravity)])
        given = resolve_springs(figure, springs or {})
        hard = hard_limits(figure, given) if checked_choice(limits) == "hard" else None
        self._table = JointTable(figure, given if hard is None else without_limits(figure, given))
        self._contacts_and_limits = ContactsAndLimits(contact, hard, len(figure.links), figure.nv)
        numbers = checked_numbers(figure.nv, weights, tau, damping)
        self._weights, self._parts = numbers[0], Parts(figure, self.tree, self._table, numbers)
        self._tau = self._parts.tau
        self._active: Flags = self.tree.first != NONE
        self._q, self._v = np.zeros(figure.nq), np.zeros(figure.nv)
        self.choices: list[ActiveJoints] = []
        self.repeats = 0
        self._errors: PartErrors | None = None
        self._moving: Groups | None = None
        self.time, self._steps_to_choice, self._intervals = 0.0, 0, 1

    @property
    def _groups(self) -> Groups:
        """The rigid groups that move. Raises GambolError if there is no state yet."""
        if self._moving is None:
            raise GambolError("adaptive dynamics has no state yet; call start(q, v) first")
        return self._moving

    @property
    def adapts(self) -> bool:
        """False if all joints are always active."""
        return self.error > 0.0 or self.joints < self.joint_count

    def start(self, q: ArrayLike, v: ArrayLike) -> None:
        """Set the state: coordinates q (nq) and velocities v (nv) of the figure. All joints are active at first."""
        self._q = checked_array("q", q, self.figure.nq)
        self._v = checked_array("v", v, self.figure.nv)
        check_orientations(self.figure, self._q[:, None])
        self.time, self._steps_to_choice, self._intervals, self.choices, self.repeats = 0.0, 0, 1, [], 0
        self._active = self.tree.first != NONE
        self._contacts_and_limits.start()
        self._missed: Array = np.zeros(len(self.tree.first))
        self._move(self._active)
        self._save()

    @property
    def q(self) -> Array:
        """The coordinates (nq) of the figure."""
        self._groups.write(self._parts, self._q, self._v)
        return self._q.copy()

    @property
    def v(self) -> Array:
        """The velocities (nv) of the figure; 0 for passive joints."""
        self._groups.write(self._parts, self._q, self._v)
        return self._v.copy()

    @property
    def tau(self) -> Array:
        """The joint forces (nv), without those of springs and dampers. They can be set between calls of advance()."""
        return self._tau.copy()

    @tau.setter
    def tau(self, values: ArrayLike) -> None:
        self._tau, self._errors = checked_array("tau", values, self.figure.nv), None
        if self._moving is not None:
            self._groups.set_joint_forces(self._parts, self._tau)

    @property
    def active_links(self) -> tuple[str, ...]:
        """The names of the links whose joints are active, without the root."""
        nodes = np.flatnonzero(self._active & self._movable)
        return tuple(self.figure.links[int(i)].name for i in np.sort(self.tree.link[nodes]))

    def acceleration(self) -> Array:
        """Return the accelerations (nv) of the present state; 0 for passive joints."""
        self._groups.body.place()
        return self._groups.accelerations(self._parts, self._a_world)

    def advance(self, step: float, count: int = 1) -> None:
        """Advance the state by `count` steps of the semi-implicit Euler method; step: length of a step [s].

        Raises GambolError for a step that is not positive, before start(), and if the motion becomes infinite.
        """
        checked_steps(step, count)
        self._save()  # states that were returned are not taken back
        while count:
            if self._steps_to_choice == 0:
                if self.adapts:
                    self._choose_at(step)
                self._intervals = next_interval(self._intervals, self._active_count() == self.joint_count)
                self._steps_to_choice = self.interval * self._intervals
            n = min(count, self._steps_to_choice)
            self._groups.body.advance(step, n, self._a_world)
            self.time, count, self._steps_to_choice = self.time + n * step, count - n, self._steps_to_choice - n
            self._saved.steps += n
            check_finite(self._groups.body.accelerations, self.time, step)
            if self._steps_to_choice == 0 and self.error > 0.0 and self._active_count() < self.joint_count:
                self._steps_to_choice = self._repeated(step)
                count += self._steps_to_choice

    def _choose_at(self, step: float) -> None:
        """Choose active joints for an interval of steps of length `step` [s]."""
        if not self.choices:
            self._groups.body.prepare(step, self._a_world)  # the first choice needs contact forces, too
        time = step * self.interval
        errors = self._errors if self._errors and self._errors.time == time else self.errors(time, True)
        self._errors = None
        self._save()
        self._choose(errors)

    def _repeated(self, step: float) -> int:
        """Take back the steps of an interval if held joints have missed more than the bound; return their number.

        They start again, MAX_REPEATS times at most, with those joints active, too, that are needed at their end.
        """
        errors, saved = self.errors(step * self.interval, True, elapsed=True), self._saved
        limit = self.error**2 * self._weights.sum()
        if errors.total_missed <= limit or saved.repeats == MAX_REPEATS:
            self._errors = errors
            return 0
        active = self._active.copy()
        active[greedy_region(errors, self._movable, CHOSEN_FRACTION * limit, self.joints)[0]] = True
        self.time, self._q, self._v, self._active = saved.time, saved.q, saved.v, saved.active
        self._contacts_and_limits.memory.restore(saved.forces)
        self._move(self._active)
        self._change_groups(active_or_all(active, self._movable, self.tree.first != NONE))
        self._missed = errors.missed
        self._save()
        self._saved.repeats = saved.repeats + 1
        self.repeats += 1
        self.choices[-1] = replace(self.choices[-1], joints=self._active_count())
        return saved.steps

    def _save(self) -> None:
        """Save the present state, to which the next choice may return."""
        self._groups.write(self._parts, self._q, self._v)
        forces = self._contacts_and_limits.memory.copy()
        self._saved: SavedState = SavedState(self.time, self._q.copy(), self._v.copy(), self._active, forces)

    def choose(self, time: float) -> ActiveJoints:
        """Choose new active joints, for a time [s]; advance() does this at every interval."""
        return self._choose(self.errors(time, True))

    def _choose(self, errors: PartErrors) -> ActiveJoints:
        present = left = errors.error[self._groups.front].sum()
        limit = self.error**2 * self._weights.sum()
        if not (KEPT_FRACTION * limit <= left <= limit and self._active_count() <= self.joints):
            left = self._choose_anew(errors, limit, left)
        self._missed = errors.missed
        squares = np.array([left, errors.total_missed or present]) / self._weights.sum()
        choice = ActiveJoints(self.time, self._active_count(), *np.sqrt(squares).tolist())
        self.choices.append(choice)
        return choice

    def _choose_anew(self, errors: PartErrors, limit: float, present: float) -> float:
        """Change the active joints, unless the present ones are nearly as good; return the remaining squared error.

        limit: limit of the squared error. present: squared error of the present active joints.
        """
        active, left = chosen_region(errors, self._active, self._movable, limit, self.joints)
        short_of_joints = left > limit and self._active_count() <= self.joints
        if short_of_joints and UNCHANGED_FRACTION * present <= left:
            return present
        self._change_groups(active_or_all(active, self._movable, self.tree.first != NONE))
        return left if self._active_count() < self.joint_count else 0.0

    def _active_count(self) -> int:
        return int((self._active & self._movable).sum())

    def errors(self, time: float, counted: bool = False, elapsed: bool = False) -> PartErrors:
        """Return the errors of the parts if their joints are held for a time [s].

        counted: True counts what they have missed until now, if there is a bound. elapsed: see PartErrors.
        """
        missed = self._missed if counted and self.error > 0.0 else None
        self._groups.write(self._parts, self._q, self._v)
        self._groups.body.place()
        if self._contacts_and_limits.present or self._tau is not self._parts.tau:
            passive = np.flatnonzero((self.tree.first != NONE) & ~self._active)
            held = self._contacts_and_limits.memory.limits  # forces that hold joints at their limits
            tau = self._tau + held if held.any() else self._tau
            self._parts.set_forces(self._contacts_and_limits.link_forces(), tau, passive, self._q)
        return PartErrors(self._parts, self._groups, (self._q, self._v), time, self._a_world, missed, elapsed)

    def link_forces(self) -> Array:
        """Return the contact forces (L, 6) on all links in the present state, in link coordinates [N m, N]."""
        self._groups.body.place()
        return self._contacts_and_limits.link_forces()

    def _change_groups(self, active: Flags) -> None:
        """Make other joints active; the joints that become passive are stopped by an impulse."""
        stopping, starting = self._active & ~active, active & ~self._active
        if not stopping.any() and not starting.any():
            return
        old, parts = self._groups, self._parts
        if stopping.any():
            if starting.any():
                old = Groups.of(parts, self._active | active)
                old.read(parts, self._q, self._v)
            old.body.place()
            parts.update(np.flatnonzero(stopping), self._q)
        self._active = active
        self._move(active)
        if stopping.any():
            self._groups.take_momenta(old, parts, self._v)
            self._v[self._table.all_v(self.tree.link[np.flatnonzero(stopping)])] = 0.0

    def _move(self, active: Flags) -> None:
        """Make the groups between active joints, with the present state."""
        self._moving = groups = Groups.of(self._parts, active)
        groups.set_joint_forces(self._parts, self._tau)
        groups.read(self._parts, self._q, self._v)
        self._contacts_and_limits.attach(groups, self._parts)
