"""Adaptive dynamics: a joint moves only if the error would be too large if it were held.

The active joints are chosen (region.py) by the errors of all parts (errors.py). Then an impulse stops the joints that
become passive (hybrid.py), the constants of their parts are computed (parts.py), and a new hybrid body is made
(groups.py). Between two choices, only the hybrid body moves. [Redon, Galoppo and Lin 2005, section 6]
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.dynamics.adaptive.checks import (
    check_figure,
    checked_array,
    checked_choice,
    checked_limits,
    gravity_acceleration,
    has_joint,
)
from gambol.dynamics.adaptive.contacts import PointForces
from gambol.dynamics.adaptive.errors import PartErrors
from gambol.dynamics.adaptive.groups import Groups
from gambol.dynamics.adaptive.impulses import RigidContacts
from gambol.dynamics.adaptive.joint_limits import hard_limits, without_limits
from gambol.dynamics.adaptive.joints import JointTable
from gambol.dynamics.adaptive.parts import Parts
from gambol.dynamics.adaptive.region import greedy_region
from gambol.dynamics.adaptive.touching import Touching
from gambol.dynamics.adaptive.tree import NONE, assembly_tree
from gambol.dynamics.bodies import STANDARD_GRAVITY
from gambol.dynamics.tangent import check_orientations
from gambol.errors import GambolError
from gambol.figure import Figure, Springs, Triple, resolve_springs

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

MAX_ACTIVE_FRACTION = 0.5
"""Fraction of active joints above which all are active: holding others would save less time than choosing takes."""

MIN_ALL_ACTIVE_INTERVALS, MAX_ALL_ACTIVE_INTERVALS = 8, 32
"""Intervals until the next choice while all joints are active: doubled at each choice that keeps them active, so that
these choices, of which each costs as much as some tens of steps, take a small fraction of the time."""

UNCHANGED_FRACTION = 0.5
"""The active joints do not change if a new choice would leave more than this fraction of the squared error: a change
costs more than a few unnecessary active joints."""


@dataclass(frozen=True, slots=True)
class ActiveJoints:
    """A choice of active joints.

    time: time of the choice [s]. joints: number of active joints. error: largest change of speed of the passive joints
    until the next choice, if they were not held and accelerations stayed constant, as the root of the weighted mean
    square over all degrees of freedom [rad/s, m/s]. missed: an estimate of the speeds that the joints have missed that
    were held until this choice: the same number for them, by their accelerations at this choice.
    """

    time: float
    joints: int
    error: float
    missed: float


class AdaptiveDynamics:
    """The motion of a figure of which only some joints are active at a time.

    figure: a figure without loops and prescribed base. error: bound of ActiveJoints.error, for which as many joints as
    necessary are active. joints: largest number of active joints besides the root's, which is always active. If both
    are None, or error is 0, all joints are active. interval: number of steps from one choice of active joints to the
    next. gravity: strength of gravity along -z, or a vector in world axes [m/s2]. tau: constant joint forces (nv) [N m,
    N]; None: 0. damping: damping for each velocity (nv) [N m s/rad, N s/m]; None: 0. weights: weights of the squared
    errors (nv); None: 1. springs: springs of joints by link name, as of a World. contact: forces on points of links,
    such as CompliantGround, or rigid contacts, such as RigidGround; None: nothing touches. limits: "soft": joint limits
    are springs; "hard": those of joints with one degree of freedom are constraints, like rigid contacts. Raises
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
    ) -> None:
        check_figure(figure)
        self.figure, self.tree = figure, assembly_tree(figure)
        self._movable = (self.tree.first != NONE) & has_joint(figure, self.tree.link)
        self.joint_count = int(self._movable.sum())
        self.error, self.joints, self.interval = checked_limits(error, joints, interval, self.joint_count)
        self._a_world = np.array([0.0, 0.0, 0.0, *gravity_acceleration(gravity)])
        given = resolve_springs(figure, springs or {})
        hard = hard_limits(figure, given) if checked_choice(limits) == "hard" else None
        self._table = JointTable(figure, given if hard is None else without_limits(figure, given))
        self._touching = Touching(contact, hard, len(figure.links), figure.nv)
        self._weights = checked_array("weights", np.ones(figure.nv) if weights is None else weights, figure.nv)
        if not (self._weights > 0.0).all():
            raise GambolError("the weights of errors must be positive")
        zero = np.zeros(figure.nv)
        forces = [checked_array("tau", zero if tau is None else tau, figure.nv)]
        forces.append(checked_array("damping", zero if damping is None else damping, figure.nv))
        self._parts = Parts(figure, self.tree, self._table, [self._weights, *forces])
        if (forces[1] < 0.0).any():
            raise GambolError("a damping cannot be negative")
        self._tau = self._parts.tau
        self._active = self.tree.first != NONE
        self.choices: list[ActiveJoints] = []
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
        self.time, self._steps_to_choice, self._intervals, self.choices = 0.0, 0, 1, []
        self._active = self.tree.first != NONE
        self._touching.start()
        self._move(self._active)

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
        self._tau = checked_array("tau", values, self.figure.nv)
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
        if not (np.isfinite(step) and step > 0.0) or count < 0:
            raise GambolError(f"{count} steps of {step:g} s cannot be taken; give a positive length and a count")
        while count:
            if self._steps_to_choice == 0:
                if self.adapts:
                    if not self.choices:
                        self._groups.body.prepare(step, self._a_world)  # the first choice needs contact forces, too
                    self.choose(step * self.interval)
                self._steps_to_choice = self.interval * self._intervals_to_choice()
            n = min(count, self._steps_to_choice)
            self._groups.body.advance(step, n, self._a_world)
            self.time, count, self._steps_to_choice = self.time + n * step, count - n, self._steps_to_choice - n
            if not np.isfinite(self._groups.body.accelerations).all():
                raise GambolError(
                    f"accelerations are not finite by {self.time:g} s; take steps shorter than {step:g} s"
                )

    def _intervals_to_choice(self) -> int:
        if self._active_count() < self.joint_count:
            self._intervals = 1
        else:
            longer = max(2 * self._intervals, MIN_ALL_ACTIVE_INTERVALS)
            self._intervals = min(longer, MAX_ALL_ACTIVE_INTERVALS)
        return self._intervals

    def choose(self, time: float) -> ActiveJoints:
        """Choose new active joints, for a time [s]; advance() does this at every interval."""
        errors = self.errors(time)
        present = left = errors.error[self._groups.front].sum()
        limit = self.error**2 * self._weights.sum()
        if not (UNCHANGED_FRACTION * limit <= left <= limit and self._active_count() <= self.joints):
            left = self._choose_anew(errors, limit, left)
        error, missed = (float(np.sqrt(squares / self._weights.sum())) for squares in (left, present))
        choice = ActiveJoints(self.time, self._active_count(), error, missed)
        self.choices.append(choice)
        return choice

    def _choose_anew(self, errors: PartErrors, limit: float, present: float) -> float:
        """Change the active joints, unless the present ones are nearly as good; return the remaining squared error.

        limit: limit of the squared error. present: squared error of the present active joints.
        """
        chosen, left = greedy_region(errors, self._movable, limit, self.joints)
        short_of_joints = left > limit and self._active_count() <= self.joints
        if short_of_joints and UNCHANGED_FRACTION * present <= left:
            return present
        active = np.zeros_like(self._active)
        active[chosen] = True
        if int((active & self._movable).sum()) > MAX_ACTIVE_FRACTION * self.joint_count:
            active, left = self.tree.first != NONE, 0.0
        self._change_groups(active)
        return left

    def _active_count(self) -> int:
        return int((self._active & self._movable).sum())

    def errors(self, time: float) -> PartErrors:
        """Return the errors of the parts if their joints are held for a time [s]."""
        self._groups.write(self._parts, self._q, self._v)
        self._groups.body.place()
        if self._touching.present or self._tau is not self._parts.tau:
            passive = np.flatnonzero((self.tree.first != NONE) & ~self._active)
            held = self._touching.memory.limits  # forces that hold joints at their limits
            tau = self._tau + held if held.any() else self._tau
            self._parts.set_forces(self._touching.link_forces(), tau, passive, self._q)
        return PartErrors(self._parts, self._groups, self._q, self._v, time, self._a_world)

    def link_forces(self) -> Array:
        """Return the contact forces (L, 6) on all links in the present state, in link coordinates [N m, N]."""
        self._groups.body.place()
        return self._touching.link_forces()

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
        self._touching.attach(groups, self._parts)
