"""Running motor programs: commands begin one after the other; rest angles move to targets at constant speed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from gambol.gait.gait_memory import GaitMemory
from gambol.gait.leg import Leg, MotorCommand
from gambol.lanes import Scalar, logical_not, maximum, where

TargetChange: TypeAlias = Callable[[int, str, int, Scalar], Scalar]
"""A function of the index of a leg, the name of its program, the index of a command, and the target of this command."""


def begin_commands(
    legs: Sequence[Leg],
    joints: Sequence[str],
    numbers: Mapping[str, Any],
    memory: GaitMemory,
    half_step: Scalar,
    change: TargetChange | None,
) -> GaitMemory:
    """Return the memory after the start of the commands that begin now.

    joints: driven joints, in the order of rest angles. numbers: numbers of the gait, with the targets of each program.
    half_step: half a control step [s]. change: change of targets, or None.
    """
    rest, rate, target = list(memory.rest), list(memory.rate), list(memory.target)
    for i, leg in enumerate(legs):
        steps, duration = memory.state[i] > 1.5, memory.duration[i]
        for name, commands, active in (("step", leg.step, steps), ("stance", leg.stance, logical_not(steps))):
            for j, (command, given) in enumerate(zip(commands, numbers[name][i], strict=True)):
                k, goal = joints.index(command.joint), change(i, name, j, given) if change else given
                begins = active & _begins_now(command, memory.clock[i], duration, half_step)
                target[k] = where(begins, goal, target[k])
                rate[k] = where(begins, (goal - rest[k]) / maximum(command.lasts * duration, 2.0 * half_step), rate[k])
    return replace(memory, rest=rest, rate=rate, target=target)


def within_targets(memory: GaitMemory, dt: Scalar) -> GaitMemory:
    """Return the memory with rates limited so that no rest angle passes its target within a control step of dt [s]."""
    rate = [
        where(_arrives(x, r, goal, dt), (goal - x) / dt, r)
        for x, r, goal in zip(memory.rest, memory.rate, memory.target, strict=True)
    ]
    return replace(memory, rate=rate)


def rest_angles_after(memory: GaitMemory, dt: Scalar) -> GaitMemory:
    """Return the memory at the end of a control step of dt [s]; rest angles end exactly at their targets."""
    rest, rate = list(memory.rest), list(memory.rate)
    for k, goal in enumerate(memory.target):
        arrives = _arrives(rest[k], rate[k], goal, dt)
        rest[k], rate[k] = where(arrives, goal, rest[k] + rate[k] * dt), where(arrives, 0.0, rate[k])
    return replace(memory, rest=rest, rate=rate)


def _begins_now(command: MotorCommand, clock: Scalar, duration: Scalar, half_step: Scalar) -> Scalar:
    """Return True if a command begins within half a control step of now."""
    elapsed = clock - command.begins * duration
    return (elapsed >= -half_step) & (elapsed < half_step)


def _arrives(rest: Scalar, rate: Scalar, target: Scalar, dt: Scalar) -> Scalar:
    """Return True if a rest angle reaches its target within a control step, up to rounding."""
    return abs(target - rest) <= abs(rate) * dt * (1.0 + 1e-6)
