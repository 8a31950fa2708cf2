"""Times of a plan as nodes of its phases."""

from dataclasses import dataclass

import numpy as np

from gambol.errors import PlanError, did_you_mean
from gambol.plan.motion.spec.goals import PhaseTime, Time
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.layout import Layout

TIME_TOLERANCE = 1e-9
"""Fractions of a phase that differ by less are one node."""


@dataclass(frozen=True)
class Moment:
    """A node of a phase, by indices."""

    phase: int
    node: int


def phase_time(plan: Plan, time: Time, subject: str) -> tuple[int, float]:
    """Return the index of the phase of a time, and the fraction in this phase; a border belongs to the later phase.

    subject: name of the value, for messages. Raises PlanError for an unknown phase, a time outside the plan, and
    seconds after phases of free duration.
    """
    if isinstance(time, PhaseTime):
        names = [phase.name for phase in plan.phases]
        if time.phase not in names:
            raise PlanError(
                f'{subject} is in phase "{time.phase}", which does not exist; {did_you_mean(time.phase, names)}'
            )
        if not 0.0 <= time.fraction <= 1.0:
            raise PlanError(f'{subject} is at {time.fraction:g} of phase "{time.phase}"; give a fraction from 0 to 1')
        return names.index(time.phase), time.fraction
    start = 0.0
    for number, phase in enumerate(plan.phases):
        if not isinstance(phase.duration, (int, float)):
            raise PlanError(
                f'{subject} is at {time:g} s, but phase "{phase.name}" has a free duration; give the time as a '
                "fraction of a phase"
            )
        fraction = (time - start) / phase.duration
        if fraction < 1.0 - TIME_TOLERANCE or (number == len(plan.phases) - 1 and fraction <= 1.0 + TIME_TOLERANCE):
            if fraction < -TIME_TOLERANCE:
                break
            return number, min(max(fraction, 0.0), 1.0)
        start += phase.duration
    raise PlanError(f"{subject} is at {time:g} s, outside the plan, which lasts from 0 to {start:g} s")


def moment(layout: Layout, time: Time) -> Moment:
    """Return the node of a time; the mesh has a node at every time that a plan names."""
    phase, fraction = phase_time(layout.plan, time, "a goal")
    return Moment(phase, int(np.abs(layout.blocks[phase].fractions - fraction).argmin()))


def moments_between(layout: Layout, start: Time, end: Time) -> list[Moment]:
    """Return all nodes from a time to another, both included; at a border, the node of the later phase."""
    first, last = moment(layout, start), moment(layout, end)
    result: list[Moment] = []
    for phase in range(first.phase, last.phase + 1):
        low = first.node if phase == first.phase else 0
        high = last.node if phase == last.phase else layout.blocks[phase].nodes - 2
        result += [Moment(phase, node) for node in range(low, high + 1)]
    return result


def named_times(plan: Plan) -> list[tuple[int, float]]:
    """Return all times that the goals of a plan name, as numbers of phases and fractions."""
    times: list[tuple[Time, str]] = [(pose.time, f"key pose {n + 1}") for n, pose in enumerate(plan.poses)]
    for goal in plan.targets:
        times += [(time, f'the goal of "{goal.point}"') for time in (goal.time, goal.until) if time is not None]
    for path in plan.paths:
        times += [(time, f'the path of "{path.point}"') for time in (path.time, path.until)]
    return [phase_time(plan, time, subject) for time, subject in times]
