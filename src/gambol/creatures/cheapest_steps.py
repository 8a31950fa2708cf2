"""The fixed steps with which a world meets an accuracy in the least time.

The world is simulated from several initial states, with 1, 2, 3, ... steps in a control step. The error of a motion is
its distance to a reference motion in steps of a quarter or less, divided by the figure's size and by 1 - n / N, n and N
the numbers of steps of both, so that it is right for errors proportional to the step. The longest step is chosen at
which the error is at most the accuracy and energy balances, also for all shorter steps down to half of it: one small
distance alone can be chance.

The time is the number of steps for which worlds wait, multiplied by the cost of a step, see cost_of(). Worlds of a
block wait for each other at the end of a motion: gambol.steps, and rollouts of evolution and benchmarks, give the
commands of many control steps at once. Options of the contact method are added one after the other, and each is kept if
the time is then less.

The reference is one motion for all options, of the world as given: as steps get shorter, its motions with all options
are the same (docs/decisions/043-cheapest-steps.md). It is simulated again, in steps of half the length, where steps of
a quarter are needed. All motions have the contact capacity that it needs.
"""

import math
from dataclasses import dataclass, replace

from gambol.creatures.compared_motions import ComparedMotions, RandomInputs, median_distance
from gambol.creatures.step_options import OPTIONS, cost_of
from gambol.world import World
from gambol.world.events.ledger import RELATIVE_TOLERANCE
from gambol.world.more_contacts import with_more_contacts
from gambol.world.run import Progress

MAX_PASSIVE_STEP = 1.0 / 30.0
"""Longest step, and control step in the compared motions, of a world without a controller [s]."""

REFINEMENT = 4
"""Least ratio of a step to the step of its reference motion."""

REFERENCE_STEP = 1.0 / 2000.0
"""Longest step of the first reference motion [s], in which contacts are counted: long steps may diverge, and then need
room for contacts that no motion has."""

COUNTS = (1, 2, 3, 4, 6, *(n * 2**k for k in range(8) for n in (8, 10, 12, 14)))
"""Numbers of steps into which a control step is divided; the last that can be chosen is 896."""


@dataclass
class Reference:
    """The reference motion of a world, with room for all its contacts. count: number of steps in a control step."""

    motions: ComparedMotions
    count: int

    @staticmethod
    def of(world: World, inputs: RandomInputs) -> "Reference":
        """Return the reference of a world."""
        control_step = world.timing.control_step if world.controller else MAX_PASSIVE_STEP
        trial = replace(world, timing=replace(world.timing, control_step=control_step, step=control_step))
        count = 2 ** math.ceil(math.log2(max(control_step / REFERENCE_STEP, REFINEMENT)))
        while True:
            reference = Reference(ComparedMotions.of(trial, inputs), count)
            reference.motions.by_step(count)
            if not reference.motions.over_capacity(count).any():
                return reference
            trial = with_more_contacts(trial)

    def error(self, motions: ComparedMotions, count: int) -> float:
        """Return the estimated error of motions of `count` steps in a control step, in sizes of the figure."""
        while self.count < REFINEMENT * count:
            self.count *= 2
        exact, size = self.motions.by_step(self.count), self.motions.engine.world.size
        return median_distance(motions.by_step(count), exact, size) / (1.0 - count / self.count)

    def is_met(self, motions: ComparedMotions, count: int, accuracy: float) -> bool:
        """Return True if motions of `count` steps meet an accuracy, and their energy balances."""
        return self.error(motions, count) <= accuracy and motions.imbalance(count) <= RELATIVE_TOLERANCE

    def can_meet(self, world: World, accuracy: float) -> bool:
        """Return True if the shortest steps of a world meet an accuracy."""
        return self.is_met(ComparedMotions.of(world, self.motions.inputs), COUNTS[-1], accuracy)


@dataclass(frozen=True)
class FoundSteps:
    """The longest fixed steps with which a world meets an accuracy.

    world: the world with steps as long as its control steps. motions: its motions in steps of all lengths that were
    tried. chosen: number of steps in a control step, 0 if none meets the accuracy, or none in less time than was asked.
    errors: estimated error by this number.
    """

    world: World
    motions: ComparedMotions
    chosen: int
    errors: dict[int, float]

    @property
    def step(self) -> float:
        """The length of the steps [s], 0 if none meets the accuracy."""
        return self.world.timing.control_step / self.chosen if self.chosen else 0.0

    @property
    def steps_waited(self) -> float:
        """Number of steps in a control step for which worlds wait; infinite if none meets the accuracy."""
        return self.motions.steps_waited(self.chosen) if self.chosen else math.inf

    @property
    def control_step_time(self) -> float:
        """Time of a control step, in steps without options; infinite if none meets the accuracy."""
        return cost_of(self.world) * self.steps_waited

    @property
    def tried(self) -> dict[float, float]:
        """The estimated error by the length of the steps [s]."""
        return {self.world.timing.control_step / n: x for n, x in self.errors.items()}


def cheapest_steps(reference: Reference, accuracy: float, progress: Progress) -> FoundSteps:
    """Return the steps, and the options of large steps, with which a world meets an accuracy in the least time.

    progress(done, total): called after each attempt.
    """
    best = longest_steps(reference.motions.engine.world, accuracy, reference)
    for done, option in enumerate(OPTIONS, 1):
        progress(done, len(OPTIONS) + 2)
        world = option.added_to(best.world)
        if (
            world is not None
            and best.steps_waited >= option.least_steps
            and (best.chosen or reference.can_meet(world, accuracy))
        ):
            found = longest_steps(world, accuracy, reference, best.control_step_time)
            best = found if found.control_step_time < best.control_step_time else best
    progress(len(OPTIONS) + 1, len(OPTIONS) + 2)
    return best


def longest_steps(world: World, accuracy: float, reference: Reference, max_time: float = math.inf) -> FoundSteps:
    """Return the longest fixed steps of a world that meet an accuracy, if equal steps of this length take less time.

    world: the world with steps as long as its control steps. max_time: limit of FoundSteps.control_step_time.
    """
    motions, errors = ComparedMotions.of(world, reference.motions.inputs), dict[int, float]()
    first = 0  # the longest of the steps that meet the accuracy up to the last one tried
    for count in COUNTS:
        if cost_of(world) * (first or count) >= max_time:
            break
        errors[count] = reference.error(motions, count)
        first = (first or count) if reference.is_met(motions, count, accuracy) else 0
        if first and count >= 2 * first:
            return FoundSteps(world, motions, first, errors)
    return FoundSteps(world, motions, 0, errors)
