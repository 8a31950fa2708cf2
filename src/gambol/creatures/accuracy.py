"""Steps, iterations and contact capacity with which a world meets an accuracy.

The world is simulated from several initial states, with steps of h, h/2, h/3, h/4, ...; with error control the
tolerance is varied instead. The error of steps of h is the distance to the motion with steps of h/4, divided by the
figure's size; where errors are proportional to h, that distance is 3/4 of the error. The longest step is chosen at
which the error is at most the accuracy and energy balances, also for the next two shorter steps: one small distance
alone can be chance. The contact method then gets the fewest iterations, and the largest permitted violation of the
contact laws, that meet the accuracy, too: where steps are long, it is a waste to solve each of them exactly.

Options of the contact method are tried one after the other, and each is taken if steps can then be longer: servos that
are explicit (Stepping.explicit_servos), springs by the midpoint rule (midpoint_springs), landings of second order
(second_order_landings), and extrapolated steps (extrapolated). At last steps are tried that are divided near landings
(landing_steps), also with extrapolation: they are taken if the motions need fewer of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.contact import Stepping
from gambol.contact.generation.contact_set import contact_count
from gambol.contact.method import with_capacity
from gambol.creatures.compared_motions import ComparedMotions, RandomInputs, median_distance
from gambol.creatures.step_options import (
    may_expect_landings,
    with_explicit_servos,
    with_midpoint_springs,
    with_second_order_landings,
)
from gambol.errors import WorldError
from gambol.world import Engine, Timing, World
from gambol.world.events.convergence import MAX_UNSOLVED_FRACTION
from gambol.world.events.ledger import RELATIVE_TOLERANCE

Array = NDArray[np.float64]

MAX_PASSIVE_STEP = 1.0 / 30.0
"""Longest step, and control step in the compared motions, of a world without a controller [s]."""

MAX_PASSIVE_DIVISION = 8
"""Largest number of control steps in MAX_PASSIVE_STEP: a world has up to 240 a second, at which films show it."""

REFINEMENT = 4.0
"""Ratio of a step to the step of its reference motion."""

FIRST_ORDER = REFINEMENT / (REFINEMENT - 1.0)
"""Error of a step divided by the distance to its reference motion, for errors proportional to the step."""

DIVISIONS = tuple(n for k in range(12) for n in ((2**k,) if k == 0 else (2**k, 3 * 2 ** (k - 1))))
"""Numbers of steps into which a control step is divided: 1, 2, 3, 4, 6, 8, 12, ... 2048, 3072."""

TOLERANCES = tuple(10.0 ** (-0.5 * k) for k in range(4, 23))
"""Tolerances of steps with error control: from 1e-2 to 1e-11, two for each factor of 10."""

TOLERANCE_STEPS = 2
"""Number of entries of TOLERANCES from a tolerance to that of its reference motion, a tenth."""

ITERATIONS = (4, 6, 8, 12, 16)
"""Iterations of a contact method that are tried, the fewest first, if they are fewer than those of the world. Steps
that they leave unsolved get further ones, see contact/stepping/solve.py."""

CONTACT_TOLERANCES = (3e-2, 1e-2, 3e-3)
"""Permitted violations of the contact laws that are tried, the largest first, if they are larger than that of the
world, in units of sqrt(g L) for a figure of size L. With the largest, an ant and a humanoid with random torques sink in
as little as with 1e-3, since sweeps go on until estimated errors are small (docs/measurements/random-torques.md)."""

LANDING_STEPS = 6
"""Divisor of the shortest steps near landings that are tried (docs/decisions/038-divided-steps.md)."""

MIN_STEPS_TO_EXTRAPOLATE = 8
"""Least number of steps in a control step for which extrapolation is tried: the first one cannot be extrapolated."""

MIN_STEPS_TO_DIVIDE = 8
"""Least number of steps in a control step for which divided steps are tried: worlds wait for each other after each."""

MIN_STEPS_IN_CONTROL_STEP = 4
"""Least number of steps in a control step of a fitted world with divided steps, if it has no controller."""

DIVIDED_COST = 1.1
"""Time of a step where steps are divided, with landings of second order, relative to that of others."""

SPARE_CONTACTS = 4.0 / 3.0
"""Contact capacity divided by the largest number of contacts in the compared motions."""


@dataclass(frozen=True)
class AccuracyFit:
    """The settings with which a world meets an accuracy, and what was tried.

    world: the world with these settings. error: its estimated error, in sizes of the figure. tried: estimated error by
    the length of fixed steps [s], or by the tolerance of steps with error control.
    """

    world: World
    error: float
    tried: dict[float, float]


def fit_accuracy(world: World, accuracy: float, seed: int = 0, commands: float = 1.0) -> AccuracyFit:
    """Return the settings of a world with the longest steps that meet an accuracy.

    accuracy: largest median distance of links from the motion of exact steps after half a second, in sizes of the
    figure, from 1e-6 to 0.1. The distance of a world is the mean over three points of each link, as far from its centre
    of mass as its radius of gyration; worlds differ by random joint angles. seed: seed of these angles. Fixed steps
    divide the control step of the controller. Without a controller they are at most 1/30 s, and control steps as long,
    or 1/240 s or more for shorter steps; where steps are divided, control steps have at least four of them, or last
    1/30 s. With fixed steps, energy without a physical cause is at most 1 % in the median, and the iterations of the
    contact method are the fewest, and then its tolerance the largest, that meet the accuracy, too, with no more
    unsolved steps. Servos become explicit, springs act by the midpoint rule, landings are of second order and smooth
    steps extrapolated if steps can then be longer. Steps are divided near landings if the motions then need fewer of
    them. The contact capacity is what the compared motions need, and a third more; it grows by itself where that is too
    small. commands: the largest random command of actuators that follow commands, as a fraction of its range, 0 to 1.
    Raises WorldError for an accuracy that cannot be, or that is not met.
    """
    if not 1e-6 <= accuracy <= 0.1:
        raise WorldError(f"an accuracy of {accuracy} is not possible; give 1e-6 to 0.1 of the figure's size")
    inputs = RandomInputs(seed, commands)
    if world.timing.integrator.adaptive and not world.method.scheme.fixed_step:
        return _fit_tolerance(world, accuracy, inputs)
    counts = DIVISIONS[: -2 * int(math.log2(REFINEMENT))]
    found = _longest_step(world, accuracy, inputs, counts)
    for option in (with_explicit_servos, with_midpoint_springs, with_second_order_landings):
        other = option(found.world)
        if other is not None and found.chosen != 1:
            fewer = DIVISIONS[: DIVISIONS.index(found.chosen) + 2] if found.chosen else counts
            longer = _longest_step(other, accuracy, inputs, fewer)
            found = longer if longer.chosen else found
    if not found.chosen:
        raise _not_met(accuracy, found.tried, "steps of {:.3g} s")
    found = _extrapolated(found, accuracy, inputs)
    return _fit_step(_divided_near_landings(found, accuracy, inputs), accuracy)


@dataclass(frozen=True)
class _FoundStep:
    """The longest fixed steps with which a world meets an accuracy.

    world: the world with steps as long as its control steps. chosen: number of steps in one of these, 0 if none meets
    the accuracy. errors: estimated error by this number.
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
    def steps_taken(self) -> float:
        """Number of steps that the motions take with steps of this length."""
        return self.motions.taken[self.chosen]

    @property
    def tried(self) -> dict[float, float]:
        """The estimated error by the length of the steps [s]."""
        return {self.world.timing.control_step / n: x for n, x in self.errors.items()}


def _extrapolated(found: _FoundStep, accuracy: float, inputs: RandomInputs) -> _FoundStep:
    """Return the steps of a world, extrapolated if they can then be longer, else as they are."""
    method = found.world.method
    if not isinstance(method, Stepping) or method.extrapolated or found.chosen < MIN_STEPS_TO_EXTRAPOLATE:
        return found
    world = replace(found.world, contact=replace(method, extrapolated=True))
    longer = _longest_step(world, accuracy, inputs, DIVISIONS[: DIVISIONS.index(found.chosen) + 2])
    return longer if longer.chosen else found


def _divided_near_landings(found: _FoundStep, accuracy: float, inputs: RandomInputs) -> _FoundStep:
    """Return the steps of a world, divided near landings if its motions then take less time, else as they are.

    Divided steps are extrapolated if equal ones are, or if they then need fewer steps.
    """
    method, best = found.world.method, found
    if not isinstance(method, Stepping) or method.landing_steps > 1 or found.chosen < MIN_STEPS_TO_DIVIDE:
        return found
    if not may_expect_landings(found.world, method):
        return found
    longer = DIVISIONS[: DIVISIONS.index(found.chosen) + 2]
    for extrapolated in sorted({method.extrapolated, True}):
        options: dict[str, Any] = {"second_order_landings": True, "extrapolated": extrapolated}
        contact = replace(method, landing_steps=LANDING_STEPS, **options)
        divided = _longest_step(replace(found.world, contact=contact), accuracy, inputs, longer)
        cost = DIVIDED_COST if best is found else 1.0
        best = divided if divided.chosen and cost * divided.steps_taken < best.steps_taken else best
    return best


def _longest_step(world: World, accuracy: float, inputs: RandomInputs, counts: Sequence[int]) -> _FoundStep:
    """Return the longest fixed steps of a world that meet an accuracy.

    counts: numbers of steps in a control step that are tried; the last two cannot be chosen.
    """
    control_step = world.timing.control_step if world.controller else MAX_PASSIVE_STEP
    trial = replace(world, timing=replace(world.timing, control_step=control_step, step=control_step))
    motions, errors, met = ComparedMotions.of(trial, inputs), dict[int, float](), dict[int, bool]()
    for count in counts:
        reference = motions.by_step(int(REFINEMENT) * count)
        errors[count] = FIRST_ORDER * median_distance(motions.by_step(count), reference, world.size)
        met[count] = errors[count] <= accuracy and motions.imbalance(count) <= RELATIVE_TOLERANCE
        if (chosen := _first_met(met)) is not None:
            return _FoundStep(trial, motions, chosen, errors)
    return _FoundStep(trial, motions, 0, errors)


def _fit_step(found: _FoundStep, accuracy: float) -> AccuracyFit:
    """Return the settings of a world with fixed steps, and the cheapest solver with such steps."""
    trial, motions = found.world, found.motions
    fitted, error = _with_cheapest_solver(trial, motions, found.chosen, accuracy)
    divisor = _control_steps(found) if trial.controller is None else 1
    timing = replace(fitted.timing, control_step=trial.timing.control_step / divisor, step=found.step)
    fitted = replace(_with_fitted_capacity(fitted, motions.contacts), timing=timing)
    return AccuracyFit(fitted, error, found.tried)


def _control_steps(found: _FoundStep) -> int:
    """Return the number of control steps in the one of the compared motions, for a world without a controller."""
    is_divided = getattr(found.world.method, "landing_steps", 1) > 1
    most = min(MAX_PASSIVE_DIVISION, found.chosen // MIN_STEPS_IN_CONTROL_STEP) if is_divided else MAX_PASSIVE_DIVISION
    return max(n for n in DIVISIONS if found.chosen % n == 0 and n <= max(most, 1))


def _with_cheapest_solver(trial: World, motions: ComparedMotions, count: int, accuracy: float) -> tuple[World, float]:
    """Return a world with the fewest iterations, then the largest tolerance, that meet an accuracy; and its error."""
    reference, method = motions.by_step(int(REFINEMENT) * count), cast("Any", trial.method)
    most_unsolved = max(motions.unsolved(count), MAX_UNSOLVED_FRACTION)

    def error_of(tried: ComparedMotions) -> float:
        return FIRST_ORDER * median_distance(tried.by_step(count), reference, trial.size)

    def is_met(tried: ComparedMotions) -> bool:
        is_near = error_of(tried) <= accuracy
        return is_near and tried.imbalance(count) <= RELATIVE_TOLERANCE and tried.unsolved(count) <= most_unsolved

    fitted, best, iterations = trial, motions, getattr(method, "iterations", 0)
    for fewer in (n for n in ITERATIONS if n < iterations):
        world = replace(trial, contact=replace(method, iterations=fewer))
        tried = ComparedMotions(Engine(world), motions.first, motions.inputs)
        if is_met(tried):
            fitted, best = world, tried
            break
    for tolerance in (x for x in CONTACT_TOLERANCES if iterations and x > trial.timing.tolerance):
        tried = replace(best, tolerance=tolerance, ends={}, taken={})
        if is_met(tried):
            return replace(fitted, timing=replace(fitted.timing, tolerance=tolerance)), error_of(tried)
    return fitted, error_of(best)


def _fit_tolerance(world: World, accuracy: float, inputs: RandomInputs) -> AccuracyFit:
    """Return the largest tolerance of a world with error control that meets an accuracy."""
    motions, errors, met = ComparedMotions.of(world, inputs), dict[float, float](), dict[float, bool]()
    for tolerance, finer in zip(TOLERANCES, TOLERANCES[TOLERANCE_STEPS:], strict=False):
        change = median_distance(motions.by_tolerance(tolerance), motions.by_tolerance(finer), world.size)
        errors[tolerance] = change / (1.0 - finer / tolerance)
        met[tolerance] = errors[tolerance] <= accuracy
        if (chosen := _first_met(met)) is not None:
            timing: Timing = replace(world.timing, tolerance=chosen)
            return AccuracyFit(replace(world, timing=timing), errors[chosen], errors)
    raise _not_met(accuracy, errors, "a tolerance of {:.3g}")


def _first_met(met: dict[Any, bool]) -> Any:
    """Return the first of the last three settings if all three meet the accuracy, else None. met: by setting."""
    last = list(met)[-3:]
    return last[0] if len(last) == 3 and all(met[setting] for setting in last) else None


def _not_met(accuracy: float, errors: dict[float, float], form: str) -> WorldError:
    best = min(errors, key=lambda setting: errors[setting])
    return WorldError(
        f"an accuracy of {accuracy:g}, with energy that balances to {100.0 * RELATIVE_TOLERANCE:g} %, is not met: the "
        f"smallest error is {errors[best]:.3g}, with {form.format(best)}; give a larger accuracy, or another contact "
        "method"
    )


def _with_fitted_capacity(world: World, contacts: int | None) -> World:
    """Return a world with the capacity for some contacts and a third more, but at most for all possible contacts."""
    if contacts is None:
        return world
    capacity = min(math.ceil(SPARE_CONTACTS * max(contacts, 1)), contact_count(world.scene))
    return replace(world, contact=with_capacity(world.method, capacity))
