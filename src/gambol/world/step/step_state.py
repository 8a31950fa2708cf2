"""The state inside a program, which a step function changes, and its clock."""

from dataclasses import dataclass, replace
from typing import Any

from gambol.lanes import Scalar, leaves, unflatten, where
from gambol.world.context import Ledger, Memory, Moment
from gambol.world.world import World

RUNNING, NOT_FINITE, UNDERFLOW = 0.0, 1.0, 2.0
"""Values of Clock.status: the world runs; stopped as its state became non-finite; or as its step became too small."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of a world, and counts of its steps.

    control_steps: number of completed control steps. elapsed: time since the last of them [s]. step: length of the next
    step to try [s]. taken, rejected: numbers of accepted and of rejected steps. status: RUNNING, NOT_FINITE or
    UNDERFLOW. max_residual: largest residual of the equations of an implicit step so far [rad/s or m/s].
    """

    control_steps: Scalar
    elapsed: Scalar
    step: Scalar
    taken: Scalar
    rejected: Scalar
    status: Scalar
    max_residual: Scalar = 0.0

    def moment(self, control_step: Scalar) -> Moment:
        """Return the moment at which the next step begins; control_step: its length [s]."""
        return Moment(self.control_steps * control_step, self.elapsed, self.elapsed)


@dataclass(frozen=True, slots=True)
class StepState:
    """Everything that a step changes: q, v, memory, ledger [J], the integrator's history, and the clock."""

    q: list[Scalar]
    v: list[Scalar]
    memory: Memory
    ledger: Ledger
    integrator_state: list[Scalar]
    clock: Clock


def ledger_entries(ledger: Ledger) -> list[Scalar]:
    """Return the entries of a ledger, in the order of its fields [J]."""
    return list(leaves(ledger))


def with_control_advanced(world: World, memory: Memory, done: Scalar) -> Memory:
    """Return memory, with the controller's part advanced by a control step if `done`: the control step has ended."""
    if world.controller is None:
        return memory
    control = world.controller.advanced(memory.control, world.timing.control_step)
    return replace(memory, control=select(done, control, memory.control))


def select(condition: Scalar, yes: Any, no: Any) -> Any:
    """Return the pytree `yes` where a condition is true, else the pytree `no` of the same structure."""
    pairs = zip(leaves(yes), leaves(no), strict=True)
    return unflatten(no, iter([where(condition, x, y) for x, y in pairs]))
