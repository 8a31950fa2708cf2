"""The protocol of actuators: the methods that a world calls on each of them.

    tau = f(t, q, v, u, z)        z' = g(t, q, v, u, z)        u: commands, z: state of the actuator

A large step is linearly implicit. Its force is evaluated at the end of the step, after z has advanced by one implicit
step:

    F(v+) = f(q (+) h/2 v+, v+, u, z+(v+))        F = F(v) - B (v+ - v)        B_ii = sum_j |dF_i / dv_j|

with q in the middle of the step, so that q (+) h/2 v+ is its end.

B is diagonal and at least the matrix of the derivatives, so a step is as stable as the implicit Euler method. An
actuator may override this by a better formula, see implicit_force().
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

from gambol.actuation.implicit_force import IMPLICIT, Gains, ImplicitForce, ImplicitShares
from gambol.actuation.step_energy import StepEnergy
from gambol.dynamics import Kinematics
from gambol.errors import WorldError
from gambol.figure import JOINTS, PlacedLink
from gambol.lanes import Scalar, jacobian, maximum
from gambol.spatial import Vector
from gambol.spatial.dense import LU
from gambol.spatial.rotation import is_constant

Numbers = Mapping[str, Scalar]
"""Values by name."""


@dataclass(frozen=True)
class ActuatorInput:
    """The inputs of an actuator at one moment.

    time [s]. q, v: coordinates and velocities of its joints, in their order [rad, m; rad/s, m/s]. commands: values in
    the order of Actuator.commands. state: state of the actuator, by name; rates: rates of its state in the large step
    that ends here, by name [1/s], or for advanced() an estimate of them, else empty. links: links of its joints.
    kinematics_at: takes q and v of its joints, returns poses and velocities of all links. implicit: the
    shares of its gains that are implicit in a large step.
    """

    time: Scalar
    q: Sequence[Scalar]
    v: Sequence[Scalar]
    commands: Sequence[Scalar] = ()
    state: Numbers = field(default_factory=dict[str, Scalar])
    links: Sequence[PlacedLink] = ()
    kinematics_at: Callable[[Sequence[Scalar], Sequence[Scalar]], Kinematics] | None = None
    rates: Numbers = field(default_factory=dict[str, Scalar])
    implicit: ImplicitShares = IMPLICIT

    @property
    def kinematics(self) -> Kinematics:
        """Poses and velocities of all links, such as for a path over points of links."""
        assert self.kinematics_at is not None
        return self.kinematics_at(self.q, self.v)

    def moved(self, v: Sequence[Scalar], h: Scalar) -> ActuatorInput:
        """Return the input after h [s] at constant joint velocities v; commands and state stay the same."""
        q: list[Scalar] = []
        for link, coordinates, velocities in zip(self.links, *self._by_joint(v), strict=True):
            q += JOINTS[link.joint.kind].integrate(coordinates, [h * x for x in velocities])
        return replace(self, q=q, v=list(v))

    def _by_joint(self, v: Sequence[Scalar]) -> tuple[list[Sequence[Scalar]], list[Sequence[Scalar]]]:
        """Return q and v split by joint."""
        split: tuple[list[Sequence[Scalar]], list[Sequence[Scalar]]] = [], []
        nq = nv = 0
        for link in self.links:
            q_end, v_end = nq + link.q.stop - link.q.start, nv + link.v.stop - link.v.start
            split[0].append(self.q[nq:q_end])
            split[1].append(v[nv:v_end])
            nq, nv = q_end, v_end
        return split


@dataclass(frozen=True, slots=True)
class DrawnPath:
    """The lines along which an actuator pulls, for films.

    lines: lines of points in the world [m], each of 2 or more; several for a path that a pulley divides. activation: 0
    to 1. force: its tension [N]. strength: its largest tension [N], 0 if it has none. name: name among the paths of its
    actuator; "" for an actuator with one path.
    """

    lines: Sequence[Sequence[Vector]]
    activation: Scalar
    force: Scalar
    strength: Scalar
    name: str = ""


class Actuator(ABC):
    """A source of joint forces: a frozen dataclass, whose kind is a row of the table ACTUATORS.

    kind: its name in the table. commands: names of the numbers by which a controller commands it, often one, or none.
    held: True if commands are constant during a control step (zero-order hold), False if they move at a constant rate
    to their new values. joints: names of the links at whose joints it acts; empty: the joint with its name.
    """

    kind: ClassVar[str]
    commands: ClassVar[tuple[str, ...]] = ()
    held: ClassVar[bool] = True
    joints: tuple[str, ...]

    def __new__(cls, *args: Any, **options: Any) -> Actuator:
        """Raise WorldError for Actuator itself, which has no kind."""
        if cls is Actuator:
            raise WorldError("Actuator is the base of all kinds; use Servo, VelocityServo or TorqueMotor")
        return super().__new__(cls)

    def joint_names(self, name: str) -> tuple[str, ...]:
        """Return the names of the links at whose joints it acts. name: name of the actuator."""
        return self.joints or (name,)

    def numbers(self) -> dict[str, Scalar]:
        """Return its numbers by name, inputs of a program that may differ between worlds: by default, its fields."""
        values = {attribute.name: getattr(self, attribute.name) for attribute in fields(self)}  # pyright: ignore[reportArgumentType]
        return {name: value for name, value in values.items() if name != "joints"}

    def structure(self) -> tuple[Any, ...]:
        """Return plain data that is compiled into a program, besides kind and joints: by default, nothing."""
        return ()

    def bounds(self, numbers: Numbers) -> Sequence[tuple[Scalar, Scalar]]:
        """Return the lower and upper bound of each command, to which the signals -1 and 1 of a controller are mapped.

        numbers: see numbers(). By default, the numbers "lower" and "upper" bound all commands.
        """
        return [(numbers["lower"], numbers["upper"]) for _ in self.commands]

    def check(self, name: str, links: Sequence[PlacedLink]) -> None:
        """Raise WorldError if it cannot act at these joints; by default, each needs one degree of freedom.

        name: name of the actuator. links: links of its joints.
        """
        for link in links:
            if link.v.stop - link.v.start != 1:
                needed = f'an actuator needs a joint with one degree of freedom at "{link.name}"'
                raise WorldError(f"{needed}, not a {link.joint.kind} one")

    @abstractmethod
    def force(self, numbers: Numbers, at: ActuatorInput) -> Sequence[Scalar]:
        """Return its forces on its joints, one for each of their velocities [N m or N]."""

    def initial_state(self, numbers: Numbers, at: ActuatorInput) -> Numbers:
        """Return its state at the start of a run, by name; by default, it has none.

        at: the start, with commands in the middle of their ranges, and without a state.
        """
        return {}

    def start_problem(self, numbers: Numbers, at: ActuatorInput) -> str:
        """Return the reason why a run cannot start, as the end of a message; "" if it can start, as by default.

        at: the input with its initial state. Scalars are floats or arrays, one entry for each world.
        """
        return ""

    def state_scales(self) -> dict[str, float]:
        """Return the typical size of each state variable, by name.

        Adaptive steps allow an error of this size times the tolerance. By default 1 for every number of the state.
        """
        return {}

    def derivative(self, numbers: Numbers, at: ActuatorInput) -> Numbers:
        """Return the rates of its state, by name [1/s], which every integrator integrates."""
        return {}

    def advanced(self, numbers: Numbers, at: ActuatorInput, h: Scalar) -> Numbers:
        """Return its state after a large step of h [s]; at: the end of the step, but the state at its start.

        By default, one linearly implicit Euler step: (1 - h dg/dz) (z+ - z) = h g.
        """
        names = list(at.state)
        if not names:
            return at.state

        def rates(z: list[Scalar]) -> list[Scalar]:
            rate = self.derivative(numbers, replace(at, state=dict(zip(names, z, strict=True))))
            return [rate[name] for name in names]

        z = list(at.state.values())
        g, rows = jacobian(rates, z)
        A = [[(1.0 if i == j else 0.0) - h * x for j, x in enumerate(row)] for i, row in enumerate(rows)]
        change = LU.of(A).solve([h * x for x in g])
        return {name: x + dx for name, x, dx in zip(names, z, change, strict=True)}

    def gains(self, numbers: Numbers) -> Gains | None:
        """Return its gains if they can be explicit in a large step, at a joint of one degree of freedom; else None.

        By default None. If not, implicit_force() must be a force of implicit_force.py, with the shares at.implicit.
        """
        return None

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its forces in a large step of h [s], by default by derivatives of force() and advanced().

        at: coordinates in mid-step or at an expected landing, velocities and state at the start, commands of the time
        one step after mid-step. With explicit_servos an actuator with gains() gets coordinates in mid-step, and
        commands of the time a share at.implicit.stiffness of a step after it. inertias: for each velocity of its
        joints, the inertia of the joint while all other joints are at rest [kg m2 or kg].
        """

        def force_at_end(v: list[Scalar]) -> Sequence[Scalar]:
            return self.force(numbers, end_of_step(self, numbers, at, v, h))

        tau, rows = jacobian(force_at_end, list(at.v))
        damping: list[Scalar] = []
        for i, row in enumerate(rows):
            coupling = sum((abs(x) for j, x in enumerate(row) if j != i and not is_constant(x, 0.0)), 0.0)
            damping.append(maximum(-row[i], 0.0) + coupling)
        return ImplicitForce(tau, damping)

    @property
    def has_limit(self) -> bool:
        """True if force_limit() bounds its force in large steps, for one degree of freedom only. By default False."""
        return False

    def force_limit(self, numbers: Numbers, at: ActuatorInput, direction: Scalar, v_end: Scalar) -> Scalar:
        """Return the largest force in a direction, 1 or -1, in a large step [N m or N]; by default infinite.

        at: as for implicit_force(). v_end: velocity of its joint at the end of the step. A force that would be larger,
        because contacts change this velocity, stays at the limit, if it has_limit.
        """
        return math.inf

    def outputs(self, numbers: Numbers, at: ActuatorInput) -> Numbers:
        """Return its outputs by name, which controllers and films read: by default, its state."""
        return at.state

    def supply(self, numbers: Numbers, at: ActuatorInput) -> Scalar | None:
        """Return the power that it draws from its source [W]; None: the power of its forces at the joints."""
        return None

    def step_energy(
        self, numbers: Numbers, at: ActuatorInput, end: ActuatorInput, h: Scalar, work: Scalar
    ) -> StepEnergy:
        """Return its entries for the ledger in a large step of h [s].

        at: as for implicit_force(). end: the end of the step. work: work of its forces on its joints [J]. By default,
        its supply at the end, but at the mean velocities of the step, times h, and its heat at the end, times h.
        """
        power = self.supply(numbers, at_mean_velocities(at, end))
        return StepEnergy(work if power is None else h * power, h * self.heat(numbers, end))

    def heat(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the power that it dissipates [W], 0 or more: by default 0."""
        return 0.0

    def energy(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the energy that it stores [J]: by default 0."""
        return 0.0

    def drawn_paths(self, numbers: Numbers, at: ActuatorInput) -> Sequence[DrawnPath]:
        """Return the paths along which it pulls, for films; their number and those of lines and points are constant."""
        return ()

    def command_values(self, numbers: Numbers, signals: Sequence[Scalar]) -> list[Scalar]:
        """Return the commands for signals from -1 (lower bound) to 1 (upper bound)."""
        pairs = zip(self.bounds(numbers), signals, strict=True)
        return [0.5 * (lower + upper) + 0.5 * (upper - lower) * signal for (lower, upper), signal in pairs]


def end_of_step(
    actuator: Actuator,
    numbers: Numbers,
    at: ActuatorInput,
    v: Sequence[Scalar],
    h: Scalar,
    force: ImplicitForce | None = None,
) -> ActuatorInput:
    """Return the input at the end of a large step of h [s].

    at: as for Actuator.implicit_force(). v: velocities of its joints at the end. force: its forces, if they are known.
    """
    moved = at.moved(v, 0.5 * h)
    if force is not None and force.expected is not None:
        moved = replace(moved, rates=force.expected(v))
    if not at.state:
        return moved
    state, per_second = actuator.advanced(numbers, moved, h), 1.0 / h
    rates = {name: (x - at.state[name]) * per_second for name, x in state.items() if name in at.state}
    return replace(moved, state=state, rates=rates)


def at_mean_velocities(at: ActuatorInput, end: ActuatorInput) -> ActuatorInput:
    """Return the input at the end of a step, but with the mean velocities of the step. at: as for end_of_step()."""
    return replace(end, v=[0.5 * (a + b) for a, b in zip(at.v, end.v, strict=True)])
